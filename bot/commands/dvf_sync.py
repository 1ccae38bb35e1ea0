"""python -m bot dvf-sync: keeps one department's geo-dvf files on this machine, year by year."""

import argparse
import re
from collections.abc import Callable
from datetime import date

import httpx
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from bot.errors import BotError
from bot.settings import Settings
from pipeline.tools.dvf.download import DownloadFailed, Fetched, Interrupted, Target, fetch

YEARS = 5
"""Years that DVF keeps online, besides the current one."""
SAID: dict[Fetched, str] = {"new": "téléchargé", "unchanged": "déjà à jour", "absent": "pas publié"}
OUTSIDE = {"57": "la Moselle", "67": "le Bas-Rhin", "68": "le Haut-Rhin", "976": "Mayotte"}
DEPARTMENT = re.compile(r"0[1-9]|1\d|2[1-9AB]|[3-8]\d|9[0-5]|97[1-4]", re.ASCII)


class SyncImpossible(BotError):
    """Les fichiers DVF n'ont pas pu être téléchargés."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--departement", required=True, metavar="69", help="code du département, 01 à 95, 2A, 971…")
    parser.add_argument("--year", type=int, action="append", help="une année (répétable) ; sans elle, toutes")


async def dvf_sync(options: argparse.Namespace, settings: Settings) -> int:
    """Exit code 0 when each year is there, unchanged or not published; 1 otherwise. Raises `SyncImpossible`.

    Proxies of the environment are not used: the address connected to could then not be checked.
    """
    department = _department(options.departement)
    years = sorted(set(options.year or range(date.today().year - YEARS, date.today().year + 1)), reverse=True)
    if any(not 2014 <= year <= date.today().year for year in years):
        raise SyncImpossible(f"L'année doit être comprise entre 2014 et {date.today().year}.")
    console, failed, held = Console(), False, 0
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    timeout = httpx.Timeout(30.0, connect=10.0)
    with Progress(*columns, console=console, transient=True) as bars:
        async with httpx.AsyncClient(timeout=timeout, trust_env=False) as client:
            for year in years:
                target = _target(settings, department, year)
                task = bars.add_task(f"{department} {year}", total=None)
                try:
                    fetched = await fetch(client, target, progress=_bar(bars, task))
                except DownloadFailed as error:
                    kept = (
                        " Relancez la commande : ce qui est reçu est gardé." if isinstance(error, Interrupted) else ""
                    )
                    console.print(f"{year} : {error}{kept}", markup=False)
                    failed = True
                    continue
                except OSError as error:
                    raise SyncImpossible(
                        f"Écriture impossible dans {target.path.parent} : {error.strerror}."
                    ) from error
                held += fetched != "absent"
                console.print(f"{year} : {SAID[fetched]}.", markup=False)
    if not held and not failed:
        console.print(f"Aucun fichier n'est publié pour le département {department}.", markup=False)
    return int(failed or not held)


def _bar(bars: Progress, task: TaskID) -> Callable[[int, int | None], None]:
    return lambda held, whole: bars.update(task, completed=held, total=whole)


def _department(said: str) -> str:
    """`1` -> `01`, `2a` -> `2A`. Raises `SyncImpossible`."""
    code = said.strip().upper()
    code = code.zfill(2) if code.isdigit() else code
    if code in OUTSIDE:
        raise SyncImpossible(f"DVF ne couvre pas {OUTSIDE[code]} : il n'y a pas de fichier à télécharger.")
    if not DEPARTMENT.fullmatch(code):
        raise SyncImpossible("Ce département n'existe pas : donnez un code de 01 à 95, 2A, 2B ou 971 à 974.")
    return code


def _target(settings: Settings, department: str, year: int) -> Target:
    base = settings.dvf_files_url
    path = settings.var_dir / "dvf" / str(year) / f"{department}.csv.gz"
    return Target(url=f"{base}/csv/{year}/departements/{department}.csv.gz", base=base, path=path)
