#!/bin/sh
# Makes .venv with a Python 3.12 or 3.13 (or keeps the one there) and installs the pinned file named as argument.
set -eu

works() {   # runs the candidate: a name on PATH may be a shim without a Python behind it
    "$1" -c 'import ensurepip, sys, venv; sys.exit(not (3, 12) <= sys.version_info[:2] <= (3, 13))' >/dev/null 2>&1
}

find_python() {
    for candidate in python3.12 python3.13 python3 python \
        "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.12*/bin/python "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.13*/bin/python; do
        if works "$candidate"; then
            command -v "$candidate"
            return
        fi
    done
    echo "Asof needs Python 3.12 or 3.13 with venv, and found none on PATH or under pyenv. Install one (python.org, your package manager, or 'pyenv install 3.12') and try again." >&2
    return 1
}

if ! works .venv/bin/python; then
    python=$(find_python)
    echo "Making .venv with $("$python" --version)"
    "$python" -m venv --clear .venv
fi
echo "Installing $1 (the first time takes a minute or two)"
.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r "$1"
