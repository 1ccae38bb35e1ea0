"""python -m corpus.sources.web_child: parses one page or feed within limits; JSON in on stdin, JSON out on stdout.

What a parser throws at bad markup is not caught here: the process ends, and its parent says that it could not be read.
"""

import base64
import json
import sys
from dataclasses import asdict
from typing import Any

from corpus.errors import UnreadableSource
from corpus.sources.files.child import confine
from corpus.sources.files.values import OUT_OF_MEMORY, Limits


def main() -> int:
    order = json.load(sys.stdin)
    limits = Limits(**order["limits"])
    confine(limits)
    try:
        found = _answer(order, limits)
    except MemoryError:
        return OUT_OF_MEMORY
    sys.stdout.write(json.dumps(found))
    return 0


def _answer(order: dict[str, Any], limits: Limits) -> dict[str, Any]:
    from corpus.sources.decoding import text_of  # after the limits stand

    text = text_of(base64.b64decode(order["body"]), charset=order["charset"])
    if text is None:
        return {"refused": "ne donne pas de texte, mais des octets illisibles"}
    try:
        if order["kind"] == "feed":
            from corpus.sources.feed_text import feed_text  # each kind pays for its own libraries

            return asdict(feed_text(text, most=order["entries"]))
        from corpus.sources.page_text import page_text

        return asdict(page_text(text, url=order["url"], limits=limits))
    except UnreadableSource as error:
        return {"refused": str(error)}


if __name__ == "__main__":
    sys.exit(main())
