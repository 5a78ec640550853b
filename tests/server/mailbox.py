"""A mail server that keeps what it is sent."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


class MailHandler(socketserver.StreamRequestHandler):
    """As much of SMTP as a client needs."""

    def handle(self) -> None:
        def say(text: str) -> None:
            self.wfile.write(text.encode() + b"\r\n")

        say("220 sink")
        while line := self.rfile.readline().decode().strip():
            verb = line.split()[0].upper()
            if verb in ("EHLO", "HELO"):
                say("250 sink")
            elif verb == "MAIL" and self.server.refuse:  # type: ignore[attr-defined]
                say("451 later")
            elif verb == "DATA":
                say("354 go on")
                content = b""
                while (part := self.rfile.readline()) != b".\r\n":
                    content += part
                self.server.mails.append(content.decode())  # type: ignore[attr-defined]
                say("250 taken")
            elif verb == "QUIT":
                say("221 bye")
                return
            else:
                say("250 ok")


@contextmanager
def serving(server: socketserver.TCPServer) -> Iterator[Any]:
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def mail_server() -> Iterator[Any]:
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), MailHandler)
    server.daemon_threads = True
    server.mails, server.refuse = [], False  # type: ignore[attr-defined]
    with serving(server):
        yield server
