"""A server that takes webhooks: it keeps what it is sent, and answers as it is told."""

import json
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from standardwebhooks import Webhook

Answer = tuple[int, Mapping[str, str], bytes]


class Received(NamedTuple):
    """One request."""

    path: str
    headers: dict[str, str]  # names in lower case
    text: str

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def body(self) -> Any:
        return json.loads(self.text)

    def is_signed_with(self, secret: str) -> bool:
        """Say whether one of the signatures is right, whenever it was made."""
        sent = self.headers["webhook-timestamp"]
        at = datetime.fromtimestamp(int(sent), UTC)
        signature = Webhook(secret).sign(self.id, at, self.text)
        return signature in self.headers["webhook-signature"].split()


def taken(_: Received) -> Answer:
    """Say that all is well."""
    return 204, {}, b""


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients are cut, and certificates refused, on purpose."""


class Receiver:
    """The server, from `start` to `stop`."""

    def __init__(
        self, certificate: tuple[str, str] | None = None, address: str = "127.0.0.1"
    ) -> None:
        self.received: list[Received] = []
        self.answer: Callable[[Received], Answer] = taken
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                size = int(self.headers["content-length"])
                names = {name.lower(): value for name, value in self.headers.items()}
                body = self.rfile.read(size)
                if len(body) < size:  # the sender was killed
                    self.close_connection = True
                    return
                request = Received(self.path, names, body.decode())
                receiver.received.append(request)
                status, headers, answer = receiver.answer(request)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if status != 204:
                    self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                try:
                    self.wfile.write(answer)
                except OSError:
                    self.close_connection = True  # nobody wants to read it

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = Server((address, 0), Handler)
        self._scheme = "http"
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
            self._scheme = "https"

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"{self._scheme}://{host}:{self.port}{path}"

    def of(self, path: str) -> list[Received]:
        """Return what came to a path."""
        return [one for one in list(self.received) if one.path == path]

    def start(self) -> None:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def receiving(
    certificate: tuple[str, str] | None = None, address: str = "127.0.0.1"
) -> Iterator[Receiver]:
    """Give a running receiver."""
    receiver = Receiver(certificate, address)
    receiver.start()
    try:
        yield receiver
    finally:
        receiver.stop()
