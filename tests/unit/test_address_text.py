"""Addresses as text: whatever is typed is refused in one sentence, or read alike by both parsers that we use."""

from urllib.parse import urlsplit

from hypothesis import example, given
from hypothesis import strategies as st

from corpus.errors import UnreadableSource
from corpus.sources.urls import checked_url, same_site, shown

PIECES = st.sampled_from(
    ["https://", "http://", "HTTPS:", "//", "/", "\\", "@", ":", "443", "#", "?", "%", "%2f", "%00", ".", "..", "[",
     "]", "::1", "anil.org", "127.0.0.1", "localhost", "é", "。", "①", "\t", "\n", " ", "xn--", "a", "0x7f", "1"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=9).map("".join) | st.text(max_size=60).map("https://".__add__) | st.text(max_size=60))
@example("https://anil.org\\@exemple.fr/")
@example("https://anil.org#@exemple.fr/")
@example("https://anil.org%2f@exemple.fr")
def test_both_parsers_read_the_same_host(address: str) -> None:
    """The list of sites is checked with one, the connection is made with the other."""
    shown(address)
    same_site(address, "https://anil.org/")
    try:
        url = checked_url(address)
    except UnreadableSource as reason:
        assert str(reason).endswith(".")  # noqa: PT017
        return
    text = str(url)
    assert url.scheme in ("http", "https")
    assert url.raw_host
    assert not url.userinfo
    assert checked_url(text) == url
    parts = urlsplit(text)
    assert (parts.hostname or "").encode() == url.raw_host
    assert parts.port in (url.port, None)
    assert parts.username is None
