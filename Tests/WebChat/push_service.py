"""A browser's push service (Tests/Push) with a cluster that sends to it."""
import json
import os
import socket
import subprocess
import time
import urllib.request

from cluster import Cluster

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class PushService:
    """Decrypts what the server sends, and checks every byte of it."""

    def __init__(self, binaries, folder):
        os.makedirs(folder)
        certificate, key = os.path.join(folder, "certificate.pem"), os.path.join(folder, "key.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
             "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out",
             certificate], check=True, capture_output=True)
        self.port, self.came = free_port(), []
        self.process = subprocess.Popen(
            [os.path.join(ROOT, "Tests/Push/run"), "--control", str(self.port), "--folder", folder, "--certificate",
             certificate, "--key", key], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        self.ports = self.started()
        with open(os.path.join(folder, "vapid.pem")) as file:
            vapid = file.read()
        self.cluster = Cluster(binaries, folder, {
            "PARLEY_PUSH_VAPID_KEY": vapid, "PARLEY_PUSH_VAPID_CONTACT": "mailto:operator@chat.example",
            "PARLEY_PUSH_AUTHORITIES": certificate, "PARLEY_PUSH_INSIDE": "yes",
        })

    def started(self):
        end = time.monotonic() + 180
        while time.monotonic() < end and self.process.poll() is None:
            try:
                return self.ask(do="ports")
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("the push service did not start: Tests/Push/run shows why")

    def ask(self, **asked):
        address = f"http://127.0.0.1:{self.port}/control"
        with urllib.request.urlopen(address, json.dumps(asked).encode(), timeout=20) as reply:
            return json.load(reply)

    def subscribe(self, sender):
        """What a browser gives to a page, for the server's key."""
        return self.ask(do="subscribe", provider="browsers", sender=sender, service_port=self.ports["web"])

    def next(self, what, wanted, within=60):
        """Waits for a push of which `wanted` holds, and returns it as the browser would decrypt it."""
        end = time.monotonic() + within
        while True:
            self.came += self.ask(do="seen", service="web")["requests"]
            faults = [fault for push in self.came for fault in push["faults"]]
            assert not faults, faults
            found = next((push for push in self.came if wanted(push["opened"])), None)
            if found:
                self.came.remove(found)
                return found["opened"]
            assert time.monotonic() < end, f"no push came of {what}: {self.came}"
            time.sleep(0.05)

    def stop(self):
        self.cluster.stop()
        self.process.stdin.close()
        self.process.terminate()
        self.process.wait(20)
