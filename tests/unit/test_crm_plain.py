"""Text in, HTML out, and back: nothing of a note's markup reaches the pipeline, nothing of ours becomes markup."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.crm.plain import bears, html_of, plain, signed


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>Un</p><p>Deux</p>", "Un\nDeux"),
        ("Un<br>Deux<br/>Trois", "Un\nDeux\nTrois"),
        ("<ul><li>a</li><li>b</li></ul>", "a\nb"),
        ("250&nbsp;000 &amp; plus &lt;b&gt;", "250 000 & plus <b>"),
        ("avant<script>alert(1)</script><style>p{}</style>après", "avantaprès"),
        ("<script>alert(1)", ""),
        ("visible\u202einversé\u200b\x07", "visibleinversé"),
        ("", ""),
        ("<b>mal <i>fermé", "mal fermé"),
    ],
)
def test_html_becomes_plain_lines(html: str, text: str) -> None:
    """Blocks become lines; scripts, tags and invisible characters vanish."""
    assert plain(html) == text


@given(st.text())
def test_any_text_survives_as_text(text: str) -> None:
    """Whatever is written in a note comes back as words, never as a tag."""
    html = html_of(text)
    assert "<" not in html.replace("<br>", "")
    assert plain(html).split() == [w for line in plain(html).split("\n") for w in line.split()]


@given(st.text(alphabet="abcXYZ019-_", min_size=1, max_size=40), st.text(), st.text(max_size=30))
def test_a_signed_body_bears_its_own_marker(proposal_id: str, text: str, approver: str) -> None:
    """The marker is found whatever surrounds it, and a longer id is another one."""
    body = signed(text, approver=approver, proposal_id=proposal_id)
    assert bears(body, proposal_id)
    assert not bears(signed("", approver="", proposal_id=proposal_id + "9"), proposal_id)


def test_a_body_without_text_is_only_its_signature() -> None:
    """A task whose subject says it all has no empty lines above the signature."""
    assert signed("", approver="Inès", proposal_id="x").startswith("<span")
