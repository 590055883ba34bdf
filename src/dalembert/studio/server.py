"""The studio's server: localhost only, a token in every request, Host and Origin checked."""

from __future__ import annotations

import errno
import hmac
import json
import secrets
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ..errors import DalembertError, UsageError
from ..viewer.page import built
from .setting import Makers
from .work import Answer, Studio

MOST_BYTES = 1 << 16  # largest size of a request
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
    "img-src data: blob:; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'none'"
)
_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>dalembert studio</title><link rel="stylesheet" href="/viewer.css"></head>
<body><div id="dalembert-studio"></div><script src="/viewer.js"></script></body></html>
"""


class Server:
    """A studio that listens on a port of 127.0.0.1, in background threads."""

    def __init__(self, studio: Studio, port: int = 0) -> None:
        self.token = secrets.token_urlsafe(24)
        try:
            self._http = ThreadingHTTPServer(("127.0.0.1", port), _handler(studio, self.token))
        except OverflowError:
            raise UsageError(f"--port must lie between 0 and 65535, got {port}") from None
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise UsageError(
                    f"port {port} is in use; choose another one, or none for a free one"
                ) from None
            raise UsageError(f"cannot listen on port {port}: {error.strerror}") from None
        self._http.daemon_threads = True
        self.port = self._http.server_port
        self.address = f"http://127.0.0.1:{self.port}/?token={self.token}"
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Block until the server is closed or interrupted from the keyboard."""
        self._thread.join()

    def close(self) -> None:
        """Stop answering."""
        self._http.shutdown()
        self._http.server_close()


def serve(makers: Makers, *, port: int = 0, source: str = "") -> Server:
    """Start a studio with these systems: classes, machines, functions that return `Modes`.

    `source` is the file of a user's system, the first of them, for its script.
    """
    return Server(Studio(makers, source), port)


def _handler(studio: Studio, token: str) -> type[BaseHTTPRequestHandler]:
    files = {
        "/": ("text/html", _PAGE),
        "/viewer.js": ("text/javascript", built("viewer.js")),
        "/viewer.css": ("text/css", built("viewer.css")),
    }

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 120  # s; an incomplete request does not hold a thread forever

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if self._has_body():  # an unread body would be taken for the next request
                self._refuse(400, "a GET has no body")
            elif not self._is_ours():
                self._refuse(403, "only the browser of this machine is answered")
            elif parts.path not in files:
                self._refuse(404, "there is no such page")
            elif parts.path == "/" and not self._knows(parse_qs(parts.query).get("token", [""])[0]):
                self._refuse(403, "open the address that was printed, with its token")
            else:
                kind, text = files[parts.path]
                self._send(200, Answer(text.encode(), kind))

        def do_POST(self) -> None:
            if not self._is_ours() or not self._knows(self.headers.get("X-Dalembert-Token", "")):
                self._refuse(403, "no token, or not from this studio's page")
                return
            length = self.headers.get("Content-Length", "")
            if "Transfer-Encoding" in self.headers:  # it may contradict Content-Length
                self._refuse(411, "a request says its length, Content-Length")
                return
            if not length.isdecimal() or int(length) > MOST_BYTES:
                self._refuse(413, f"a request has at most {MOST_BYTES} bytes")
                return
            action = studio.actions.get(urlsplit(self.path).path.removeprefix("/api/"))
            body = self.rfile.read(int(length))
            if action is None:
                self._refuse(404, "there is no such action")
                return
            try:
                ask = json.loads(body or b"{}")
                if not isinstance(ask, dict):
                    raise UsageError("a request must be one JSON object")
                self._send(200, action(ask))
            except (ValueError, RecursionError) as error:  # wrong input; UsageError is one of these
                self._refuse(400, str(error) or "this is not JSON")
            except DalembertError as error:
                self._refuse(409, str(error))
            except Exception as error:  # a user's system may raise anything
                self._refuse(500, f"{type(error).__name__}: {error}")

        def _is_ours(self) -> bool:
            # Other web pages can reach this port, by DNS rebinding even under their own host name.
            host = f"127.0.0.1:{self.connection.getsockname()[1]}"
            origin = self.headers.get("Origin")
            return self.headers.get("Host") == host and origin in (None, f"http://{host}")

        def _has_body(self) -> bool:
            told = self.headers.get_all("Content-Length", [])
            return "Transfer-Encoding" in self.headers or any(x.strip() != "0" for x in told)

        def _knows(self, given: str) -> bool:
            return hmac.compare_digest(given.encode(), token.encode())

        def _refuse(self, status: int, why: str) -> None:
            self.close_connection = True  # the rest of the request is not read
            self._send(status, Answer(json.dumps({"error": why}).encode()))

        def _send(self, status: int, answer: Answer) -> None:
            self.send_response(status)
            headers = {
                "Content-Type": f"{answer.kind}; charset=utf-8",
                "Content-Length": str(len(answer.body)),
                "Content-Security-Policy": _POLICY,
                "X-Content-Type-Options": "nosniff",
                "X-Frame-Options": "DENY",
                "Referrer-Policy": "no-referrer",
                "Cache-Control": "no-store",
                "Cross-Origin-Resource-Policy": "same-origin",
            }
            if answer.name:
                headers["Content-Disposition"] = f'attachment; filename="{answer.name}"'
            if self.close_connection:
                headers["Connection"] = "close"
            for key, value in headers.items():
                self.send_header(key, value)
            try:
                self.end_headers()
                self.wfile.write(answer.body)
            except (BrokenPipeError, ConnectionResetError):
                pass  # the page was closed during the computation

    return Handler
