"""A server on loopback that answers byte for byte what a test says, also what no honest server would."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

Script = Callable[[str, asyncio.StreamWriter], Awaitable[None]]
"""(target, where to write): writes a whole response."""


@dataclass
class WebServer:
    """`requests`: head of each request, as text; `answers`: target -> bytes or a script."""

    port: int = 0
    requests: list[str] = field(default_factory=list)
    answers: dict[str, "bytes | Script"] = field(default_factory=dict)
    serving: set["asyncio.Task[None]"] = field(default_factory=set)

    @property
    def inside(self) -> frozenset[tuple[str, int]]:
        """This server, as a host of the firm's own network."""
        return frozenset({("127.0.0.1", self.port)})

    def url(self, target: str = "/", *, scheme: str = "http", host: str = "127.0.0.1") -> str:
        return f"{scheme}://{host}:{self.port}{target}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.serving.add(task)
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
                await self._answer(reader, writer)
        finally:
            self.serving.discard(task)
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        self.requests.append(head)
        answer = self.answers.get(head.split(" ")[1], response(b"", status="404 Not Found"))
        if isinstance(answer, bytes):
            writer.write(answer)
        else:
            await answer(head, writer)
        await writer.drain()

    async def close(self) -> None:
        """Whatever is still being written is given up: a connection outliving its loop complains much later."""
        for task in self.serving:
            task.cancel()
        await asyncio.gather(*self.serving, return_exceptions=True)


def response(body: bytes, *, status: str = "200 OK", media: str = "text/html; charset=utf-8", **headers: str) -> bytes:
    """A whole HTTP/1.1 response; header names with underscores for hyphens."""
    lines = {"Content-Type": media, "Content-Length": str(len(body)), "Connection": "close"}
    lines |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value)
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode("latin-1") + body


def redirect(location: str) -> bytes:
    return response(b"", status="302 Found", Location=location)


@contextlib.asynccontextmanager
async def web_server(*, tls: ssl.SSLContext | None = None) -> AsyncIterator[WebServer]:
    """Closed, with its open connections, at the end of the block."""
    web = WebServer()
    server = await asyncio.start_server(web.serve, "127.0.0.1", 0, ssl=tls)
    web.port = server.sockets[0].getsockname()[1]
    try:
        yield web
    finally:
        server.close()
        await web.close()


def certificate(folder: Path, host: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A certificate of our own for one host: the server's context, and one that believes it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem, secret = folder / "cert.pem", folder / "key.pem"
    pem.write_bytes(built.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(pem, secret)
    return serving, ssl.create_default_context(cafile=str(pem))
