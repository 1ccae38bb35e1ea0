"""The measures of the live tools: what is written down bears the names that the goals are set for."""

from bench.speed import tools
from bench.speed.tools import CALLS, communes


def test_every_tool_that_needs_no_crm_is_in_the_fan_out() -> None:
    """A tool that is left out would cost nothing."""
    assert {call.tool for call in CALLS} == {
        "sales", "risks", "rents", "dpe", "status", "web", "open_data", "calculator"
    }  # fmt: skip


def test_each_goal_has_its_figure() -> None:
    """A goal whose name is misspelt would never be missed."""
    measured = set(communes(finds=3)) | {"fan_out_overhead_p50_ms", "dvf_csv_p95_ms", "dvf_gz_p95_ms"}
    assert set(tools.GOALS) <= measured
