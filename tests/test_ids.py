"""Test ids: the same in every worker and in every second, short, and readable in a report."""

import gzip

import pytest

pytest_plugins = ("pytester",)

HOOKS = "from tests.conftest import pytest_collection_modifyitems, pytest_make_parametrize_id\n"


def collected(pytester: pytest.Pytester, test: str) -> pytest.RunResult:
    """What a collection with the hooks of this suite says of one test module."""
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    pytester.makeconftest(HOOKS)
    pytester.makepyfile(f"import pytest\n{test}")
    return pytester.runpytest_inprocess("--collect-only", "-q")


def test_bytes_are_numbered_and_never_shown(pytester: pytest.Pytester) -> None:
    """A gzip holds the second of its making, so two workers would read two ids from it."""
    assert gzip.compress(b"x", mtime=1) != gzip.compress(b"x", mtime=2)
    said = collected(
        pytester,
        "import gzip\n@pytest.mark.parametrize('content', [gzip.compress(b'x'), gzip.compress(b'y')])\n"
        "def test_it(content): pass\n",
    )
    said.stdout.fnmatch_lines(["*::test_it[[]content0[]]", "*::test_it[[]content1[]]"])


def test_a_text_is_one_short_line(pytester: pytest.Pytester) -> None:
    """Questions stay readable in French; line ends and a long tail do not reach the id."""
    said = collected(
        pytester,
        "@pytest.mark.parametrize('text', ['Prix à Nîmes ?', 'un\\ndeux\\x00', 'mot ' * 100])\n"
        "def test_it(text): pass\n",
    )
    said.stdout.fnmatch_lines(["*test_it[[]Prix à Nîmes ?[]]", "*test_it[[]un deux[]]", "*test_it[[]mot mot *…[]]"])
    assert max(map(len, said.outlines)) < 120


@pytest.mark.parametrize(
    ("cases", "ids"),
    [("[object()]", "[repr(object())]"), ("[1]", "['x' * 500]"), ("[1]", "[b'\\x1f\\x8b']")],
    ids=["an address in memory", "a whole text", "raw bytes"],
)
def test_an_id_that_may_differ_between_two_runs_is_refused(pytester: pytest.Pytester, cases: str, ids: str) -> None:
    """What an explicit `ids=` makes of an object, a text or bytes stops the collection, with the test's name."""
    said = collected(pytester, f"@pytest.mark.parametrize('case', {cases}, ids={ids})\ndef test_it(case): pass\n")
    assert said.ret == pytest.ExitCode.USAGE_ERROR
    said.stderr.fnmatch_lines(["*test_it*"])
