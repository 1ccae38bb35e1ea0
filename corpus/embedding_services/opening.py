"""A service is asked which model it is and how long its vectors are; what it said is kept for a start without it."""

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from corpus.embedding_services.remote import Pace, Prefixes, RemoteEmbedder, Service, TryAgain, matrix
from corpus.embedding_services.tei import TeiService
from corpus.errors import EmbedderUnavailable

PROBE: Final = "dimension"
NOT_YET: Final = (
    "Le service de vecteurs ne répond pas, et la taille de ses vecteurs n'est pas encore connue : le démarrer d'abord."
)
E5: Final = re.compile(r"(?:^|[/_-])e5-(?!.*instruct)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Told:
    """What a service was found to be."""

    model: str
    dimensions: int
    batch: int | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the settings say of a service. `kind`: of protocol; `prefixes` None: those that its model is known for."""

    kind: str
    url: str
    model: str = ""
    pace: Pace = Pace()  # noqa: RUF009 - frozen
    prefixes: Prefixes | None = None


async def opened(service: Service, wanted: Wanted, *, kept: Path) -> RemoteEmbedder:
    """Raises `EmbedderUnavailable` where it refuses, and where it is down and `kept` does not know it."""
    try:
        told = await _asked(service, wanted)
        _keep(kept, wanted, told)
    except TryAgain as error:
        known = _known(kept, wanted)
        if known is None:
            raise EmbedderUnavailable(NOT_YET) from error
        told = known
    prefixes = wanted.prefixes if wanted.prefixes is not None else prefixes_of(told.model)
    pace = wanted.pace
    if told.batch and told.batch < pace.batch:
        pace = Pace(told.batch, pace.at_once, pace.seconds, pace.attempts, pace.pause)
    return RemoteEmbedder(
        service,
        version=version_of(wanted.kind, told, prefixes),
        dimensions=told.dimensions,
        pace=pace,
        prefixes=prefixes,
    )


def prefixes_of(model: str) -> Prefixes:
    """The models of the E5 family were trained with two; others get none."""
    return Prefixes("query: ", "passage: ") if E5.search(model) else Prefixes()


def version_of(kind: str, told: Told, prefixes: Prefixes) -> str:
    """`<protocol>-<model>-<dimensions>`, and a sign of the prefixes: what vectors depend on."""
    parts = [kind, re.sub(r"[^0-9A-Za-z.@]+", "-", told.model).strip("-") or "unnamed", str(told.dimensions)]
    if prefixes != Prefixes():
        parts.append(hashlib.sha256(f"{prefixes.query}\0{prefixes.passage}".encode()).hexdigest()[:4])
    return "-".join(parts)


async def _asked(service: Service, wanted: Wanted) -> Told:
    model, batch = wanted.model, None
    if isinstance(service, TeiService):
        info = await service.info()
        model = f"{model or info.model}{f'@{info.revision[:8]}' if info.revision else ''}"
        batch = info.batch
    return Told(model, matrix(await service.vectors([PROBE]), 1).shape[1], batch)


def _place(wanted: Wanted) -> str:
    return f"{wanted.kind} {wanted.url} {wanted.model}"


def _read(kept: Path) -> dict[str, dict[str, object]]:
    try:
        found = json.loads(kept.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _known(kept: Path, wanted: Wanted) -> Told | None:
    row = _read(kept).get(_place(wanted))
    return Told(**row) if row else None  # type: ignore[arg-type]


def _keep(kept: Path, wanted: Wanted, told: Told) -> None:
    if _known(kept, wanted) == told:
        return
    kept.parent.mkdir(parents=True, exist_ok=True)
    draft = kept.with_suffix(".tmp")
    draft.write_text(json.dumps({**_read(kept), _place(wanted): asdict(told)}, indent=1), encoding="utf-8")
    draft.replace(kept)
