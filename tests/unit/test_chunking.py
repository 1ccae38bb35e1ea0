"""Markdown into passages."""

from hypothesis import given
from hypothesis import strategies as st

from corpus.chunking import FEWEST_WORDS, MOST_WORDS, chunk, indexed_text
from corpus.sentences import sentences
from corpus.types import Document

SENTENCE = "Le bailleur déclare chaque année ses loyers au régime réel."  # ten words


def document(text: str) -> Document:
    return Document(id="doc", title="Titre", url="https://example.org", text=text, category="regulation")


def test_a_passage_knows_its_heading_path() -> None:
    """A deeper heading ends with its section; a sibling replaces it."""
    body = " ".join([SENTENCE] * 5)
    text = f"## Règle\n\n{body}\n\n### Cas **rare**\n\n{body}\n\n## Limites\n\n{body}"
    assert [p.heading for p in chunk(document(text))] == [("Règle",), ("Règle", "Cas rare"), ("Limites",)]


def test_a_paragraph_that_fits_stays_whole() -> None:
    """Two paragraphs of 60 words are two passages; their line breaks are spacing."""
    paragraph = "\n".join([SENTENCE] * 6)
    found = chunk(document(f"{paragraph}\n\n{paragraph}"))
    assert [p.text for p in found] == [" ".join([SENTENCE] * 6)] * 2
    assert [p.id for p in found] == ["doc#0", "doc#1"]


def test_short_paragraphs_are_joined() -> None:
    """Fragments attract questions that they cannot answer."""
    found = chunk(document("\n\n".join([SENTENCE] * 6)))
    assert len(found) < 6
    assert all(len(p.text.split()) >= FEWEST_WORDS or p is found[-1] for p in found)


def test_a_long_paragraph_is_cut_between_sentences_in_even_parts() -> None:
    """300 words become three parts of whole sentences."""
    found = chunk(document(" ".join([SENTENCE] * 30)))
    assert [len(p.text.split()) for p in found] == [100, 100, 100]
    assert all(p.text.endswith("réel.") for p in found)


def test_a_tiny_section_joins_its_neighbour_with_both_headings() -> None:
    """Eight words under their own heading would be a hub; no word of either heading is lost."""
    text = f"## FAQ\n\n### Une remarque\n\n{SENTENCE}\n\n### Une autre\n\n{SENTENCE}"
    (found,) = chunk(document(text))
    assert found.heading == ("FAQ", "Une remarque · Une autre")


def test_a_question_keeps_its_answer_to_itself() -> None:
    """However short: joined, it would stand under two questions."""
    found = chunk(document("## Questions\n\n### Qui paie ?\n\nLe bailleur.\n\n### Et quand ?\n\nEn octobre."))
    assert [(p.heading[-1], p.text) for p in found] == [("Qui paie ?", "Le bailleur."), ("Et quand ?", "En octobre.")]


def test_markup_is_read_not_shown() -> None:
    """Links keep their text, lists their items one a line, fences their content."""
    text = "- **Un** [lien](https://example.org/a_(b)) utile.\n- Deux `codes`.\n\n```\n# pas un titre\n```\n\n> Cité."
    (found,) = chunk(document(text))
    assert found.text.splitlines() == ["Un lien utile.", "Deux codes.", "# pas un titre", "Cité."]
    assert found.heading == ()


def test_the_indexed_text_names_the_subject() -> None:
    """Title and heading path are part of what both legs see."""
    (found,) = chunk(document(f"## Règle\n\n### Cas\n\n{SENTENCE * 4}"))
    assert indexed_text(found).startswith("Titre\nRègle > Cas\nLe bailleur")


def test_an_empty_text_has_no_passage() -> None:
    """Headings without text are no passages."""
    assert chunk(document("## Règle\n\n## Limites\n")) == []


WORDS = st.lists(st.sampled_from(["loyer", "impôt", "bien", "2026", "17,2", "zone"]), min_size=1, max_size=40)
SENTENCES = st.lists(WORDS.map(lambda words: "Le " + " ".join(words) + "."), min_size=1, max_size=12)
BLOCK = st.one_of(
    SENTENCES.map(" ".join),
    SENTENCES.map(lambda items: "\n".join(f"- {item}" for item in items)),
    st.integers(2, 4).flatmap(lambda level: st.just("#" * level + " Titre ajouté")),
)


@given(st.lists(BLOCK, max_size=12))
def test_no_word_is_lost_and_no_sentence_cut(blocks: list[str]) -> None:
    """Passages hold the body's words once, in order, in whole sentences; only a lone sentence may be long."""
    text = "\n\n".join(blocks)
    body = [line.removeprefix("- ") for block in blocks if not block.startswith("#") for line in block.splitlines()]
    found = chunk(document(text))
    assert " ".join(p.text for p in found).split() == " ".join(body).split()
    whole = {sentence for line in body for sentence in sentences(line)}
    for p in found:
        assert set(sentences(p.text)) <= whole
        assert len(p.text.split()) <= MOST_WORDS or len(sentences(p.text)) == 1
    assert [p.position for p in found] == list(range(len(found)))
