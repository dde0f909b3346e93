"""What a cluster of the tests has around it: issuers with pages to sign in on, and somebody who takes its mail."""
import json
import os
import re
import stat
import subprocess
import time
import urllib.request

ISSUERS = ("work", "school", "refusing")
BLOCK = """
[{name}]
issuer = {url}/{name}
audiences = parley-web
inside = yes
client-id = parley-web
client-secret = s3cret & +/=%
redirect = http://127.0.0.1:{port}/v1/identity/{name}/callback
returns = http://127.0.0.1/
"""
# Keeps each mail in a file that is named as its recipient.
SENDER = '#!/bin/sh\nfor to in "$@"; do :; done\ncat >"{folder}/$to.new" && mv "{folder}/$to.new" "{folder}/$to"\n'


class Around:
    def __init__(self, folder, port):
        root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        self.process = subprocess.Popen(
            # Debian's, which has the library for signatures.
            ["/usr/bin/python3", "-B", os.path.join(root, "Tests", "Issuer", "issuer.py")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = f"http://127.0.0.1:{int(self.process.stdout.readline())}"
        self.behave("refusing", "denied")
        blocks, self.mails, sender = (os.path.join(folder, name) for name in ("issuers", "mails", "sender"))
        os.mkdir(self.mails)
        write(blocks, "".join(BLOCK.format(name=name, url=self.url, port=port) for name in ISSUERS))
        write(sender, SENDER.format(folder=self.mails))
        os.chmod(sender, stat.S_IRWXU)
        self.settings = {
            "PARLEY_IDENTITIES_FILE": blocks, "PARLEY_MAIL_COMMAND": sender, "PARLEY_MAIL_FROM": "chat@example.com",
            "PARLEY_MAIL_NAME": "Chat of tests", "PARLEY_GUESTS": "on",
        }

    def behave(self, issuer, mode):
        request = urllib.request.Request(
            f"{self.url}/{issuer}/test/behave", json.dumps({"mode": mode}).encode(), method="POST")
        urllib.request.urlopen(request, timeout=60).close()

    def code_mailed(self, address):
        """Waits for a mail, takes it, and returns the code in it."""
        path = os.path.join(self.mails, address)
        for _ in range(600):
            if os.path.exists(path):
                break
            time.sleep(0.1)
        else:
            raise AssertionError(f"no mail came to {address} within 60 s")
        with open(path) as file:
            found = re.search(r"\b[a-z0-9]{4}-[a-z0-9]{4}\b", file.read())
        os.remove(path)
        return found[0]

    def stop(self):
        self.process.stdin.close()
        self.process.wait(10)


def write(path, text):
    with open(path, "w") as file:
        file.write(text)
