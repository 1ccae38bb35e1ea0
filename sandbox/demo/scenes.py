"""Reads `scenes.toml`: who says and clicks what, where."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox.wrong import Wrong

SCENES = Path(__file__).with_name("scenes.toml")


@dataclass(frozen=True, slots=True)
class Step:
    """One of `text` (said in the scene's thread), `button` (clicked there, by its label) and `home` (opened).
    `picture`: over only once a picture stands in the thread too."""

    text: str = ""
    button: str = ""
    home: bool = False
    picture: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """Steps of one person in one thread, which the first text begins."""

    name: str
    caption: str
    user: str
    channel: str
    steps: tuple[Step, ...]


def read(path: Path = SCENES) -> tuple[Scene, ...]:
    """In the order of the file. Raises `Wrong` for a scene that cannot be played."""
    try:
        return tuple(_scene(entry) for entry in tomllib.loads(path.read_text(encoding="utf-8"))["scene"])
    except (tomllib.TOMLDecodeError, TypeError, KeyError) as error:
        raise Wrong(f"{path.name} ne se lit pas : {error}") from None


def named(scenes: tuple[Scene, ...], name: str) -> Scene:
    """Raises `Wrong` with the names that exist."""
    for scene in scenes:
        if scene.name == name:
            return scene
    known = ", ".join(scene.name for scene in scenes)
    raise Wrong(f"Aucune scène ne s'appelle « {name} » ; il y a : {known}.", status=404)


def _scene(entry: dict[str, Any]) -> Scene:
    steps = tuple(Step(**step) for step in entry.pop("step"))
    for number, step in enumerate(steps, 1):
        if [bool(step.text), bool(step.button), step.home].count(True) != 1:
            raise Wrong(f"{entry['name']}, pas {number} : un seul de text, button et home.")
        if step.button and not any(earlier.text for earlier in steps[:number]):
            raise Wrong(f"{entry['name']}, pas {number} : un bouton se clique après un texte.")
    return Scene(**entry, steps=steps)
