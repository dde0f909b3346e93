"""A WebKit of one person: a screen, WebKitGTK's browser in it, and the network between it and everything else."""
import ctypes
import glob
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

from page import end, pipe

# How long a browser may take to start, and a script that a scenario gives it, in seconds.
START, SCRIPT = 60, 300
BROWSERS = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"
# Has the kernel end a program when the thread that started it ends, however it does.
WITH_US = ["setpriv", "--pdeathsig", "KILL"]


class Refused(Exception):
    """An error of the browser's driver. `kind` is one of the names that W3C's WebDriver has for them."""

    def __init__(self, kind, said):
        super().__init__(f"{kind}: {said}")
        self.kind = kind


class Network:
    """A SOCKS proxy that all connections of one browser go through, so that they can be cut."""

    def __init__(self):
        self.is_cut, self.open = False, set()
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.pass_on, args=(client,), daemon=True).start()

    def pass_on(self, client):
        server = None
        try:
            server = None if self.is_cut else self.connected(client)
            if not server:
                return
            for each in (client, server):
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.open |= {client, server}
            # It may have been cut meanwhile.
            if not self.is_cut:
                threading.Thread(target=pipe, args=(client, server), daemon=True).start()
                pipe(server, client)
        except OSError:
            # The browser sees that the connection ends, as it would see it of any network.
            pass
        finally:
            for each in (client, server):
                if each:
                    self.open.discard(each)
                    each.close()

    def connected(self, client):
        """Reads what SOCKS 5 (RFC 1928) says before a connection, without names and passwords."""
        file = client.makefile("rb")
        version, methods = file.read(2)
        file.read(methods)
        client.sendall(bytes([version, 0]))
        _, command, _, kind = file.read(4)
        if kind == 1:
            host = socket.inet_ntop(socket.AF_INET, file.read(4))
        elif kind == 4:
            host = socket.inet_ntop(socket.AF_INET6, file.read(16))
        else:
            host = file.read(file.read(1)[0]).decode()
        port = int.from_bytes(file.read(2), "big")
        server = socket.create_connection((host, port)) if command == 1 else None
        client.sendall(bytes([version, 0 if server else 7, 0, 1, 0, 0, 0, 0, 0, 0]))
        return server

    def cut(self, is_cut):
        """Nothing comes through any more, or all does again."""
        self.is_cut = is_cut
        for each in list(self.open) if is_cut else []:
            end(each)

    def close(self):
        self.socket.close()
        self.cut(True)


def adopts_orphans():
    """Has the kernel make processes children of this one when their parent ends, so that none of them stays."""
    ctypes.CDLL(None).prctl(36, 1)


class WebKit:
    """A browser with storage of its own, driven by the commands of W3C's WebDriver."""

    def __init__(self, locale, zone):
        self.processes = []
        self.network = Network()
        self.folder = tempfile.mkdtemp(prefix="parley-webkit-")
        try:
            self.start(locale, zone)
        except BaseException:
            self.close()
            raise

    def start(self, locale, zone):
        language = locale.replace("-", "_")
        self.dress(language)
        environment = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
        environment |= {
            "DISPLAY": self.screen(), "HOME": self.folder, "XDG_RUNTIME_DIR": self.folder, "TZ": zone,
            "LANG": f"{language}.UTF-8", "LOCPATH": self.folder, "NO_AT_BRIDGE": "1", "GDK_BACKEND": "x11",
            "GSETTINGS_BACKEND": "memory", "LIBGL_ALWAYS_SOFTWARE": "1", "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
        }
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        with open(os.path.join(self.folder, "log"), "w") as log:
            driver = subprocess.Popen(
                [*WITH_US, "WebKitWebDriver", f"--port={port}"], env=environment, stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, start_new_session=True)
        self.processes.append(driver)
        self.wire = http.client.HTTPConnection("127.0.0.1", port, timeout=START)
        until = time.monotonic() + START
        while not self.listens():
            if time.monotonic() > until or driver.poll() is not None:
                raise RuntimeError(f"WebKitWebDriver did not listen within {START} s, or has ended: {self.log()}")
            time.sleep(0.02)
        arguments = ["--automation", f"--proxy=socks5://127.0.0.1:{self.network.port}"]
        try:
            made = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": {
                "binary": browser(), "args": arguments}}}})
        except Refused as refused:
            raise RuntimeError(f"WebKitGTK's browser did not start: {refused}: {self.log()}") from refused
        self.session = f"/session/{made['sessionId']}"
        self.ask("POST", f"{self.session}/timeouts", {"script": SCRIPT * 1000, "pageLoad": 60_000})
        self.wire.sock.settimeout(SCRIPT + START)
        self.tabs = self.ask("GET", f"{self.session}/window/handles")
        self.tab = self.tabs[0]

    def listens(self):
        try:
            self.wire.connect()
        except ConnectionRefusedError:
            return False
        return True

    def log(self):
        with open(os.path.join(self.folder, "log"), errors="replace") as file:
            return file.read()[-2000:]

    def screen(self):
        """Starts a screen. Each browser has its own, since only one window of a screen can be the one that is used."""
        read, write = os.pipe()
        self.processes.append(subprocess.Popen(
            [*WITH_US, "Xvfb", "-displayfd", str(write), "-screen", "0", "1800x1000x24", "-nolisten", "tcp"],
            pass_fds=[write], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True))
        os.close(write)
        with open(read) as file:
            number = file.readline().strip()
        if not number:
            raise RuntimeError("Xvfb has ended without a screen")
        return f":{number}"

    def dress(self, language):
        """
        Writes what the browser reads when it starts. Its bar of buttons must not be wider than a phone. A language
        needs a locale of its name, which a machine may lack: what is in it does not matter for pages.
        """
        styles = os.path.join(self.folder, ".config", "gtk-3.0")
        os.makedirs(styles)
        with open(os.path.join(styles, "gtk.css"), "w") as file:
            file.write("* { font-size: 1px; min-width: 0; min-height: 0; padding: 0; margin: 0; }\n")
        # Without a folder of its own for what is saved, it saves nothing.
        self.saved = os.path.join(self.folder, "saved")
        os.mkdir(self.saved)
        with open(os.path.join(self.folder, ".config", "user-dirs.dirs"), "w") as file:
            file.write(f'XDG_DOWNLOAD_DIR="{self.saved}"\n')
        os.symlink("/usr/lib/locale/C.utf8", os.path.join(self.folder, f"{language}.UTF-8"))

    def ask(self, method, path, body=None):
        """Sends a command, and returns the value of its reply."""
        data = json.dumps(body or {}) if method == "POST" else None
        try:
            self.wire.request(method, path, data, {"Content-Type": "application/json"})
            reply = self.wire.getresponse()
            value = json.loads(reply.read())["value"]
        except (OSError, http.client.HTTPException) as error:
            self.wire.close()
            raise Refused("no answer", f"{method} {path}: {error}") from error
        if reply.status >= 400:
            raise Refused(value["error"], value["message"])
        return value

    def command(self, tab, method, path, body=None):
        """Sends a command about a tab."""
        if tab != self.tab:
            self.ask("POST", f"{self.session}/window", {"handle": tab})
            self.tab = tab
        return self.ask(method, self.session + path, body)

    def script(self, tab, source, *values):
        """Runs the body of a function in a tab. It calls the last of its arguments with what it returns."""
        return self.command(tab, "POST", "/execute/async", {"script": source, "args": list(values)})

    def open_tab(self):
        made = self.ask("POST", f"{self.session}/window/new", {"type": "window"})
        return made["handle"]

    def close_tab(self, tab):
        self.command(tab, "DELETE", "/window")
        self.tab = None

    def close(self):
        for process in reversed(self.processes):
            # Also what it started.
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait(10)
            # What it left is ours, by adopts_orphans().
            try:
                while True:
                    os.waitpid(-process.pid, 0)
            except ChildProcessError:
                pass
        self.network.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def browser():
    found = sorted(glob.glob(BROWSERS))
    if not found:
        raise RuntimeError(f"WebKitGTK's browser is not at {BROWSERS}: deploy/install-packages installs it.")
    return found[-1]
