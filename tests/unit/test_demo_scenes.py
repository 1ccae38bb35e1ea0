"""The scenes that the page plays by itself: all of them can be read, and what cannot be played says so."""

from pathlib import Path

import pytest

from sandbox.demo.scenes import named, read
from sandbox.seed import workspace
from sandbox.wrong import Wrong

SCENE = '[[scene]]\nname = "a"\ncaption = "b"\nuser = "Camille Renaud"\nchannel = "marche-residentiel"\n'


def test_every_scene_is_played_by_people_who_are_there() -> None:
    """A name that the seed does not know would end the demo in its middle."""
    firm = workspace()
    people, rooms = {user.name for user in firm.humans()}, {channel.name for channel in firm.channels.values()}
    scenes = read()
    assert len({scene.name for scene in scenes}) == len(scenes) >= 5
    assert {scene.user for scene in scenes} <= people
    assert {scene.channel for scene in scenes} <= rooms
    with pytest.raises(Wrong, match="rule"):
        named(scenes, "absent")


@pytest.mark.parametrize(
    "step",
    ['text = "a"\nhome = true', "", 'button = "Valider"', 'words = "a"'],
    ids=["two at once", "nothing", "a button of no thread", "another word"],
)
def test_a_step_that_cannot_be_played_is_refused(tmp_path: Path, step: str) -> None:
    """At reading, with its place, not in the middle of a show."""
    file = tmp_path / "scenes.toml"
    file.write_text(f"{SCENE}[[scene.step]]\n{step}\n", encoding="utf-8")
    with pytest.raises(Wrong):
        read(file)
