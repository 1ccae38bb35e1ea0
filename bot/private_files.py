"""Files of the bot are its own user's alone: clients' words stand in them."""

import contextlib
import os
from pathlib import Path
from typing import Final

OTHERS: Final = 0o077
"""What nobody else gets: of a file 0600 is left, of a folder 0700."""


def keep_private(folder: Path) -> None:
    """For what is made from now on, and for what an earlier version left in the folder. What belongs to somebody else
    is left as it is."""
    os.umask(OTHERS)
    if not folder.is_dir():
        return
    for path in (folder, *folder.rglob("*")):
        with contextlib.suppress(OSError):
            mode = path.stat(follow_symlinks=False).st_mode
            if mode & OTHERS and not path.is_symlink():
                path.chmod(mode & ~OTHERS & 0o7777)
