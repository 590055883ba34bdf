"""Control a headless Chromium over a pipe, for pictures, films and tests.

This needs no driver, no Python package and no network port.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from typing import Any

from ..errors import UsageError

_HARMLESS = "GPU stall due to ReadPixels"  # logged for every picture that is taken
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def find_browser() -> str | None:
    """Return the path of a Chromium, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class BrowserError(UsageError):
    """The browser reported an error, or has ended."""


class Browser:
    """A browser with one page, controlled by the DevTools protocol."""

    def __init__(self, width: int = 1280, height: int = 720, *options: str) -> None:
        program = find_browser()
        if program is None:
            raise BrowserError("no Chromium or Chrome was found on the PATH")
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        read, self._write = os.pipe()
        self._read, write = os.pipe()
        # Move the pipes away from descriptors 3 and 4, where the browser expects its own ends.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (read, write)]
        arguments = [
            program, "--headless=new", "--remote-debugging-pipe", "--hide-scrollbars",
            "--enable-unsafe-swiftshader", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
            "--no-first-run", "--disable-quic", "--mute-audio",
            f"--user-data-dir={self._profile.name}", f"--window-size={width},{height}",
            *(["--no-sandbox"] if os.geteuid() == 0 else []), *options, "about:blank",
        ]  # fmt: skip
        silent = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (1, 2)]
        pipes = [(os.POSIX_SPAWN_DUP2, end, fd) for end, fd in zip(ends, (3, 4))]
        self._pid: int | None = os.posix_spawn(
            program, arguments, os.environ, file_actions=[*silent, *pipes]
        )
        for end in (read, write, *ends):
            os.close(end)
        self._buffer, self._count, self._session = b"", 0, ""
        self.events: list[dict[str, Any]] = []
        try:
            targets = self.call("Target.getTargets")["targetInfos"]
            target = next(t["targetId"] for t in targets if t["type"] == "page")
            result = self.call("Target.attachToTarget", targetId=target, flatten=True)
            self._session = result["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                self.call(f"{domain}.enable")
            self.size(width, height)
        except BaseException:
            self.close()
            raise

    # -- the protocol ------------------------------------------------------------------------

    def call(self, method: str, wait: float = 60.0, **params: Any) -> dict[str, Any]:
        """Send one command and return its answer; events that arrive before it go to `events`."""
        self._count += 1
        message: dict[str, Any] = {"id": self._count, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        for answer in self._messages(wait):
            if answer.get("id") == message["id"]:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error'].get('message')}")
                return answer["result"]
            self.events.append(answer)
        raise BrowserError(f"the browser did not answer {method} within {wait:g} s")

    def _messages(self, wait: float) -> Iterator[dict[str, Any]]:
        end = time.monotonic() + wait
        while (left := end - time.monotonic()) > 0:
            while b"\0" in self._buffer:
                one, _, self._buffer = self._buffer.partition(b"\0")
                yield json.loads(one)
            if select.select([self._read], [], [], min(left, 1.0))[0]:
                part = os.read(self._read, 1 << 20)
                if not part:
                    raise BrowserError("the browser has stopped")
                self._buffer += part

    # -- pages -------------------------------------------------------------------------------

    def size(self, width: int, height: int, scale: float = 1.0) -> None:
        """Set the size of the page in CSS pixels."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=scale, mobile=False)  # fmt: skip

    def open(self, address: str, ready: str = "true", wait: float = 60.0) -> None:
        """Open an address and wait until an expression is true there."""
        self.events.clear()
        failed = self.call("Page.navigate", url=address).get("errorText")
        if failed:
            raise BrowserError(f"{address}: {failed}")
        self.until(f"document.readyState === 'complete' && Boolean({ready})", wait)

    def until(self, expression: str, wait: float = 60.0) -> None:
        """Wait until an expression is true in the page."""
        end = time.monotonic() + wait
        while time.monotonic() < end:
            try:
                if self.evaluate(expression):
                    return
            except BrowserError:
                pass  # no page is loaded at this moment
            time.sleep(0.02)
        raise BrowserError(f"not true within {wait:g} s: {expression}; {self.complaints()}")

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression in the page."""
        out = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in out:
            details = out["exceptionDetails"]
            raise BrowserError(str(details.get("exception", {}).get("description", details)))
        return out["result"].get("value")

    def picture(self) -> bytes:
        """Return the page as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def click(self, x: float, y: float) -> None:
        """Press and release the mouse."""
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def key(self, key: str) -> None:
        """Press and release a key."""
        text = key if len(key) == 1 else ""
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def complaints(self, allowed: str = "") -> list[str]:
        """Return errors and warnings of the console, and requests to addresses not in `allowed`."""
        self.evaluate("0")  # pending events arrive before this answer
        out = []
        for event in self.events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                out.append(str(params["exceptionDetails"].get("exception", {}).get("description")))
            elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                if _HARMLESS not in params["entry"]["text"]:
                    out.append(params["entry"]["text"])
            elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
                out.append(" ".join(str(a.get("value", "")) for a in params["args"]))
            elif method == "Network.requestWillBeSent":
                url = params["request"]["url"]
                if url.startswith(("http:", "https:", "ws:", "wss:")) and not (
                    allowed and url.startswith(allowed)
                ):
                    out.append(f"request {url}")
        return out

    def close(self) -> None:
        """End the browser."""
        if self._pid is None:
            return
        try:
            self._session = ""
            self.call("Browser.close", wait=5.0)
        except (BrowserError, OSError):
            pass
        for _ in range(100):
            if os.waitpid(self._pid, os.WNOHANG)[0]:
                break
            time.sleep(0.05)
        else:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        self._pid = None
        for end in (self._read, self._write):
            os.close(end)
        self._profile.cleanup()

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
