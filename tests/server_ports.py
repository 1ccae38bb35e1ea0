"""What the starters of real servers share: free ports, and the one way to say that a server is not to be had."""

import socket


class NotToBeHad(Exception):
    """A server cannot be started here; the message says what would help."""


def free_port() -> int:
    """A TCP port of the loopback interface that nobody listens on now."""
    return free_ports(1)[0]


def free_ports(count: int) -> list[int]:
    """Different ones: all are held until the last is known."""
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [int(probe.getsockname()[1]) for probe in probes]
    finally:
        for probe in probes:
            probe.close()
