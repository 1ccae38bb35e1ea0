"""Titles as questions, many more than our articles have headings: what `python -m bench fit` learns titles from.

Three kinds, none written for measuring: our own questions turned into titles (« Quel est le préavis ? »: « Préavis »),
ways of asking that name a subject and nothing else, and labels of dated facts, answered by the sections of the fact's
own articles in which its value stands.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from bench.ranking.headings import question_headings
from bench.ranking.kind_sets import built_in, own_headings, section
from bench.ranking.retrieval import Questions
from corpus.facts.loading import load_facts
from corpus.facts.values import Fact
from corpus.french import is_title
from corpus.questions.asked import question_of, read_asked
from corpus.types import Passage

_ASKS: Final = re.compile(
    r"(?:quel(?:le)?s?\s+(?:est|sont)|qu['’]est-ce que?|à quoi ser(?:t|vent))\s+(?:les?\b|la\b|l['’]|une?\b|des\b)\s*"
    r"(.+?)\s*\?",
    re.IGNORECASE,
)
_ARTICLE: Final = re.compile(r"^(?:les?\b|la\b|l['’]|une?\b|des\b)\s*", re.IGNORECASE)
_TELLS: Final = re.compile(r"\b(?:a|ont|fait|sert|va|ai|qu|dont|lorsque|si|ne)\b", re.IGNORECASE)
"""Words besides those of `is_title` that a title hardly has."""
FEWEST, MOST = 2, 12
"""Words of a title."""
SECTIONS: Final = 6
"""A value that stands in more passages than these of its articles tells no section apart."""
_UNITS: Final = {"%": r"\s?%", "an": r"\s?ans?\b", "mois": r"\s?mois\b", "jour": r"\s?jours?\b", "€": r"\s?€"}
_TELLING: Final = 100
"""Below, a number without a unit stands anywhere."""


def asked_as_titles() -> Questions:
    """Our questions as titles, the questions themselves taken out of what is indexed."""
    whole = own_headings(question_headings)
    titles = {name: _title(found[1]) for name, text in whole.queries.items() if (found := _ASKS.fullmatch(text))}
    queries = {name: title for name, title in titles.items() if title}
    return Questions(whole.passages, queries, {name: whole.relevant[name] for name in queries})


def ways_as_titles() -> Questions:
    """The first way of asking of each entry that only names a subject; the entry's own question stays indexed."""
    passages = built_in()
    answers: dict[tuple[str, str], set[str]] = {}
    for passage in passages:
        answers.setdefault((passage.document_id, question_of(passage)), set()).add(passage.id)
    queries: dict[str, str] = {}
    relevant: dict[str, frozenset[str]] = {}
    for row in read_asked():
        name = section(row.article, row.question)
        if name not in queries and "?" not in row.also and (title := _title(row.also)):
            queries[name], relevant[name] = title, frozenset(answers[row.article, row.question])
    return Questions(tuple(passages), queries, relevant)


def labels_of_facts() -> Questions:
    """What dated facts are called; right are the sections of the facts' articles in which all their values stand."""
    passages = built_in()
    texts = {passage.id: re.sub(r"[\u00a0\u202f]", " ", passage.text) for passage in passages}
    sections = {
        passage.id: frozenset(
            section(passage.document_id, part) for title in passage.heading for part in title.split(" · ")
        )
        for passage in passages
    }
    groups: dict[str, list[Fact]] = {}
    for fact in load_facts():
        groups.setdefault(section(fact.article, fact.label), []).append(fact)
    queries: dict[str, str] = {}
    relevant: dict[str, frozenset[str]] = {}
    for name, facts in groups.items():
        right = [passage for passage in passages if any(_tells(fact, passage, texts) for fact in facts)]
        if (title := _title(_ARTICLE.sub("", facts[0].label))) and 0 < len(right) <= SECTIONS:
            queries[name] = title
            relevant[name] = frozenset(
                section(passage.document_id, part) for passage in right for part in passage.heading[-1].split(" · ")
            )
    return Questions(tuple(passages), queries, relevant, sections)


def _title(text: str) -> str:
    """With a capital; nothing for what is no title."""
    found = text.strip()[:1].upper() + text.strip()[1:]
    fits = FEWEST <= len(found.split()) <= MOST and is_title(found) and not _TELLS.search(found)
    return found if fits else ""


def _tells(fact: Fact, passage: Passage, texts: Mapping[str, str]) -> bool:
    patterns = list(_patterns(fact))
    own = passage.document_id in (fact.article, *fact.also)
    return own and bool(patterns) and all(re.search(pattern, texts[passage.id]) for pattern in patterns)


def _patterns(fact: Fact) -> Iterable[str]:
    """How each of its values is written; none for one that could be anything."""
    for value in fact.value if isinstance(fact.value, tuple) else (fact.value,):
        if not isinstance(value, int | float):
            yield re.escape(str(value))
        elif fact.unit in _UNITS or value >= _TELLING:
            yield rf"(?<![\d,]){_written(value)}{_UNITS.get(fact.unit, '')}"


def _written(value: float) -> str:
    whole, _, rest = f"{value:,.6f}".rstrip("0").partition(".")
    return whole.replace(",", r"\s?") + (f",{rest}" if rest else "")
