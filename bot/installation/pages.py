"""The few pages that a browser sees while something is connected."""

from typing import Final

_SHAPE: Final = """<!doctype html>
<html lang="fr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>{title}</title>
<style>body{{font:1.05rem/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1.5rem;color:#1d1c1d}}
a.button{{display:inline-block;padding:.6rem 1.2rem;border-radius:.4rem;background:#1f3a4d;color:#fff;
text-decoration:none}}</style></head>
<body><h1>{title}</h1>{body}</body></html>
"""


def page(title: str, body: str) -> str:
    """`body` is HTML: who calls escapes what others wrote."""
    return _SHAPE.format(title=title, body=body)
