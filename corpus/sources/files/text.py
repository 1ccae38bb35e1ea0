"""Plain text: paragraphs as they are."""

from corpus.sources.files.source import Source, finished
from corpus.sources.files.values import ReadFile


def read_text(source: Source) -> ReadFile:
    """Markdown as it is: an empty line ends a paragraph, `- ` begins an item."""
    return finished(source, source.text.split("\n"))
