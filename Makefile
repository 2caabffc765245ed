# The three commands: `make run`, `make test`, `make check`. Everything lives in .venv and in ASOF_HOME (.asof).
PY := .venv/bin/python
# Modules and tests are compiled once, not at each run.
unexport PYTHONDONTWRITEBYTECODE
# Two processes share the files in the order of tests/conftest.py, so that neither waits long for the other.
TESTS := $(PY) -m pytest -n 2 --dist loadgroup --no-loadscope-reorder

.PHONY: run test quick check conformance inspector format lock clean

run: .venv/installed .venv/installed-extraction
	@$(PY) tools/run.py

test: .venv/installed-dev
	@$(TESTS)

quick: .venv/installed-dev
	@$(TESTS) --hypothesis-profile=quick -m "not slow and not browser and not neo4j and not postgres" \
		--ignore=tests/pages --ignore=tests/integration --ignore=tests/browser

check: .venv/installed-dev
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy
	@$(PY) -m pytest tests/test_architecture.py
	@$(PY) tools/audit.py

# What the protocol's own programs say of the MCP server; they run on the Node of .venv and talk to this machine alone.
conformance inspector: .venv/conformance/installed
	@$(PY) -m tests.conformance.run $@

format: .venv/installed-dev
	@.venv/bin/ruff check --fix .
	@.venv/bin/ruff format .

# Compiles for every platform and both Pythons at once, with the hash of each file; no index address is written.
lock: .venv/installed-dev
	@for name in requirements requirements-dev requirements-extraction; do \
		.venv/bin/uv pip compile --universal --python-version 3.12 --generate-hashes --no-emit-index-url \
			--no-emit-find-links --custom-compile-command "make lock" -q $$name.in -o $$name.txt || exit 1; \
	done

.venv/installed: requirements.txt
	@sh tools/make_venv.sh requirements.txt
	@touch $@

.venv/installed-extraction: .venv/installed requirements-extraction.txt
	@sh tools/make_venv.sh requirements-extraction.txt || echo "Facts from texts need a model here: the parser could not be installed."
	@touch $@

.venv/installed-dev: .venv/installed .venv/installed-extraction requirements-dev.txt
	@sh tools/make_venv.sh requirements-dev.txt
	@touch $@

.venv/conformance/installed: .venv/installed-dev tests/conformance/package-lock.json
	@mkdir -p .venv/conformance
	@cp tests/conformance/package.json tests/conformance/package-lock.json .venv/conformance
	@PATH="$(CURDIR)/.venv/bin:$$PATH" npm ci --prefix .venv/conformance --ignore-scripts --no-audit --no-fund --loglevel error
	@touch $@

clean:
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
