"""The second process of `python -m bench scale`: adds documents, says when it is done, adds one more and says when."""

import asyncio
import sys
import time
from pathlib import Path

import numpy as np

from bench.ranking.scale import PAUSE_SECONDS, opened
from corpus.types import SHARED_TENANT, Passage


async def write(backend: str, folder: Path, version: str, dimensions: int, count: int) -> None:
    rows = np.random.default_rng(1).normal(size=(count + 1, dimensions)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    async with opened(backend, folder, version, dimensions) as index:
        for number in range(count + 1):
            name = f"written{number}"
            text = f"Document numéro {number} ajouté pendant la lecture : loyers, travaux et fiscalité du bailleur."
            if number == count:
                print("done", flush=True)
                text = "zyzomys"
            passage = Passage(f"{name}#0", name, 0, "Note", (), text, "", "methodology")
            await asyncio.sleep(PAUSE_SECONDS)  # else all is written before a dozen searches were made
            await index.upsert(name, [passage], rows[number : number + 1], tenant=SHARED_TENANT, digest="1")
        print(time.time(), flush=True)


if __name__ == "__main__":
    backend, folder, version, dimensions, count = sys.argv[1:]
    asyncio.run(write(backend, Path(folder), version, int(dimensions), int(count)))
