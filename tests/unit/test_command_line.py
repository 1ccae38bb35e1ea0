"""The command line speaks French, also where argparse would answer in English."""

import pytest

from bot.__main__ import main


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["dvf-sync"], "il manque : --departement."),
        (["prices"], "il manque : COMMUNE."),
        (["fermer"], "COMMANDE : 'fermer' n'existe pas ; au choix : "),
        (["prices", "Lyon", "--year", "hier"], "--year : 'hier' n'est pas un nombre entier."),
        (["prices", "Lyon", "--type"], "--type : il manque sa valeur."),
        (["ask", "Pinel ?", "--xml"], "arguments inconnus : --xml."),
        (["reindex", "--prune=oui"], "--prune : cette option ne prend pas de valeur ('oui')."),
    ],
)
def test_a_wrong_command_line_is_said_in_french(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, the usage, and what is wrong."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    shown = capsys.readouterr().err
    assert shown.startswith("usage : python -m bot")
    assert said in shown


@pytest.mark.parametrize("arguments", [["--help"], ["ingest", "--help"]])
def test_help_has_no_english_title(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Of the parser and of a sub-command."""
    with pytest.raises(SystemExit):
        main(arguments)
    shown = capsys.readouterr().out
    assert "affiche cette aide" in shown
    assert not [word for word in ("positional", "show this", "usage:") if word in shown]
