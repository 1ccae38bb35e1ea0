"""Which addresses are public, and how a firm's own hosts are named."""

import pytest

from corpus.sources.addresses import is_public, named

CLOSED = [
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "100.100.100.200", "168.63.129.16", "0.0.0.0", "192.0.0.192", "198.18.0.1", "224.0.0.1", "240.0.0.1",
    "255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2001::1", "2001:db8::1", "fe80::1", "fe80::1%eth0",
    "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1", "3fff::1", "2600::1%lo", "", "exemple.fr", "2130706433", "0x7f.1",
]  # fmt: skip


@pytest.mark.parametrize("address", CLOSED)
def test_an_address_inside_some_network_is_not_public(address: str) -> None:
    """Loopback, private, link-local, shared, metadata and documentation addresses, also wrapped in IPv6."""
    assert not is_public(address)


@pytest.mark.parametrize("address", ["185.24.184.1", "8.8.8.8", "172.32.0.1", "2a00:1450:4007::1", "::ffff:8.8.8.8"])
def test_an_address_of_the_internet_is_public(address: str) -> None:
    """IPv4 and IPv6, mapped too."""
    assert is_public(address)


def test_a_public_address_behind_nat64_is_public() -> None:
    """An IPv6-only machine sees every IPv4 site so."""
    assert is_public("64:ff9b::808:808")


def test_internal_hosts_are_named_with_or_without_port() -> None:
    """Without one, both usual ports are meant; IPv6 stands in brackets."""
    hosts = named(" Intranet.cabinet.fr, 127.0.0.1:8080,[::1]:81 , [fd00::1]")
    assert ("intranet.cabinet.fr", 443) in hosts
    assert ("intranet.cabinet.fr", 80) in hosts
    assert ("127.0.0.1", 8080) in hosts
    assert ("127.0.0.1", 80) not in hosts
    assert {("::1", 81), ("fd00::1", 443)} <= hosts
    assert named("") == frozenset()


@pytest.mark.parametrize("wrong", ["https://intranet.fr", "intranet.fr/chemin", "a@b", "*.cabinet.fr", "hote:port"])
def test_what_is_no_host_is_refused(wrong: str) -> None:
    """A wrong entry must not silently open or close anything."""
    with pytest.raises(ValueError, match=r".+"):
        named(wrong)
