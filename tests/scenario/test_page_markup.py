"""The page's small parsers, run where they live: in the browser."""

from typing import Any

import pytest
from playwright.sync_api import Page

pytest_plugins = ("tests.scenario.browsing",)
pytestmark = pytest.mark.browser

LINK = '<a href="https://a.fr/x_y_z?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">lien</a>'
MRKDWN = {
    "*gras* et _italique_ et ~barré~": "<strong>gras</strong> et <em>italique</em> et <s>barré</s>",
    "2*3*4 et snake_case_ici": "2*3*4 et snake_case_ici",
    "<https://a.fr/x_y_z?a=1&amp;b=2|lien>": LINK,
    "`*code*` &lt;b&gt;": "<code>*code*</code> &lt;b&gt;",
    "&gt; cité\nsuite": "<blockquote>cité</blockquote>suite",
    "<#C0TOULON> <!here>": '<span class="mention">#dossiers-toulon</span> <span class="mention">@here</span>',
    "<@U0HUGO>": '<span class="mention">@Hugo Marchetti</span>',
    "*a " + "<x> " * 40: "*a " + "&lt;x&gt; " * 40,
}
MARKDOWN = {
    "**gras** *it* ~~non~~ `c`": "<p><strong>gras</strong> <em>it</em> <s>non</s> <code>c</code></p>",
    "- a\n  - b\n- c": "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>",
    "3. trois\n4. quatre": '<ol start="3"><li>trois</li><li>quatre</li></ol>',
    "> cité\n\nsuite [1].": "<blockquote><p>cité</p></blockquote><p>suite [1].</p>",
    "```\n<b>\n```": "<pre><code>&lt;b&gt;</code></pre>",
    "_x " + "**a** " * 40: "<p>_x " + "<strong>a</strong> " * 39 + "<strong>a</strong></p>",
}
CRM_HTML = {
    '<p>Prix&nbsp;: <b onclick="x()">3</b><br><img src=x onerror=y()></p>': "<p>Prix&nbsp;: <b>3</b><br></p>",
    "<script>window.pwned=1</script>fin &lt;i&gt;": "fin &lt;i&gt;",
    '<a href="javascript:x()">a</a></div></p>': "<span>a</span>",
}


def test_markup_becomes_the_expected_nodes(visit: Any) -> None:
    """mrkdwn, Markdown and HubSpot's HTML each follow their own rules; hostile runs end in linear time."""
    page = visit()
    parsers = (("mrkdwn", "mrkdwn", MRKDWN), ("markdown", "markdown", MARKDOWN), ("crmtext", "crmText", CRM_HTML))
    for module, name, cases in parsers:
        for source, html in cases.items():
            assert rendered(page, module, name, source) == html
    assert "a" in rendered(page, "markdown", "markdown", "> " * 3000 + "a")


def rendered(page: Page, module: str, name: str, source: str) -> str:
    """The HTML of what a parser of the page makes of a text, without keys of its own."""
    script = """async ([module, name, source]) => {
      const parse = (await import(`/static/js/${module}.js`))[name];
      const box = document.createElement("div");
      box.append(...parse(source));
      box.querySelectorAll("[data-tag]").forEach((node) => node.removeAttribute("data-tag"));
      return module === "crmtext" ? box.firstChild.innerHTML : box.innerHTML;
    }"""
    return str(page.evaluate(script, [module, name, source]))


def test_an_unknown_block_is_named_and_its_text_kept(visit: Any) -> None:
    """A block type that the page does not draw appears as a labelled box with its words, never as nothing."""
    page = visit()
    shown = page.evaluate(
        """async () => {
          const { renderBlocks } = await import("/static/js/blocks.js");
          const nodes = renderBlocks([{ type: "carousel", elements: [{ title: "Une carte" }] }], { act() {} });
          return nodes[0].textContent;
        }"""
    )
    assert "carousel" in shown
    assert "Une carte" in shown
