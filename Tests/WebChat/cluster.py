"""`parley up` in a folder of its own, and its command."""
import json
import os
import signal
import socket
import subprocess
import threading

from around import Around

# Many people register from one address here, a new device reads 10,000 conversations, and one person may write 50,000
# messages (figures.py). Whoever registers does some work for it.
SETTINGS = {
    "PARLEY_REGISTRATION_CHALLENGE": "proof-of-work",
    "PARLEY_REGISTRATION_WORK_BITS": "8",
    "PARLEY_FILES_FREE_BYTES": "0",
    "PARLEY_LIMITS_REQUESTS_PER_SECOND": "1000",
    "PARLEY_LIMITS_ACCOUNT_REQUESTS_PER_SECOND": "1000",
    "PARLEY_LIMITS_REGISTRATIONS_PER_MINUTE": "1000",
    "PARLEY_LIMITS_SIGN_INS_PER_MINUTE": "1000",
    "PARLEY_LIMITS_MESSAGE_REQUESTS_PER_MINUTE": "1000",
    "PARLEY_LIMITS_MESSAGES_PER_DAY": "1000000",
}
PASSWORD = "correct horse battery"


class Cluster:
    def __init__(self, binaries, folder, settings=None):
        # The issuers' pages lead back to this port.
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.around = Around(folder, port)
        self.binaries, self.folder = binaries, folder
        self.pids, self.url, self.ready, self.changed = {}, "", threading.Event(), threading.Condition()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
        self.environment = {**environment, "HOME": folder, **SETTINGS, **self.around.settings,
                            **(settings or {})}
        self.said = []
        command = [os.path.join(binaries, "parley"), "up", "--folder", os.path.join(folder, "data"), "--listen",
                   f"127.0.0.1:{port}", "--binaries", binaries, "--json"]
        self.errors = open(os.path.join(folder, "up.err"), "w")
        self.process = subprocess.Popen(command, env=self.environment, stdout=subprocess.PIPE, stderr=self.errors,
                                        text=True, start_new_session=True)
        threading.Thread(target=self.listen, daemon=True).start()
        if not self.ready.wait(120):
            self.stop()
            raise RuntimeError(f"the cluster was not ready within 120 s: {''.join(self.said[-5:])}")
        self.page = self.url.replace("ws:", "http:")

    def listen(self):
        for line in self.process.stdout:
            self.said.append(line)
            try:
                said = json.loads(line)
            except ValueError:
                continue
            if said.get("type") == "process" and said.get("pid"):
                with self.changed:
                    self.pids[said["name"]] = said["pid"]
                    self.changed.notify_all()
            if said.get("type") == "ready":
                self.url = said["url"]
                self.ready.set()

    def kill(self, name):
        """Ends a process with SIGKILL; `parley up` starts it again."""
        key = next(key for key in self.pids if key.startswith(name))
        os.kill(self.pids[key], signal.SIGKILL)

    def freeze(self, name, is_frozen):
        key = next(key for key in self.pids if key.startswith(name))
        os.kill(self.pids[key], signal.SIGSTOP if is_frozen else signal.SIGCONT)

    def parley(self, *arguments, profile):
        """Runs the command as one person, and returns what it prints."""
        done = subprocess.run(
            [os.path.join(self.binaries, "parley"), *arguments, "--profile", profile, "--url", self.url],
            env={**self.environment, "PARLEY_PASSWORD": PASSWORD}, capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            raise RuntimeError(f"parley {' '.join(arguments)} failed: {done.stderr or done.stdout}")
        return done.stdout

    def query(self, sql):
        """Runs SQL in the cluster's database, and returns what it selects."""
        with open(os.path.join(self.folder, "data", "database-url")) as file:
            url = file.read().strip()
        done = subprocess.run(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", sql],
                              capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            raise RuntimeError(f"the database refused it: {done.stderr}")
        return done.stdout.strip()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait(10)
        self.errors.close()
        self.around.stop()
