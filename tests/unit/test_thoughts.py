"""What a model thinks aloud, cut into pieces at every place."""

import pytest

from pipeline.llm.thinking import ThoughtFilter, without_thoughts

SAID = "Avant <think>secret 1</think>entre<Reasoning>secret 2</Reasoning> après <thinner> 3 < 4"
SHOWN = "Avant entre après <thinner> 3 < 4"


@pytest.mark.parametrize("size", range(1, len(SAID) + 1))
def test_no_cut_lets_a_thought_out(size: int) -> None:
    """Pieces of any size give the same text; what only looks like a tag is text."""
    filtered = ThoughtFilter()
    shown = "".join(filtered.feed(SAID[at : at + size]) for at in range(0, len(SAID), size)) + filtered.end()
    assert shown == SHOWN
    assert filtered.thought


def test_a_thought_that_never_ends_stays_one() -> None:
    """The reply was cut while it thought."""
    assert without_thoughts("<think>je pense donc") == ""


def test_a_closing_tag_alone_closes_what_stands_before_it() -> None:
    """Some templates open the thought in the prompt."""
    assert without_thoughts("je pense</think>Réponse.") == "Réponse."
