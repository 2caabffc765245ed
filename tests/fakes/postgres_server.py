"""A PostgreSQL server of the tests' own, for as long as a test needs it."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_DEBIAN = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


def _binary(name: str) -> str | None:
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *map(str, _DEBIAN)]))


def _server_user() -> str | None:
    """PostgreSQL refuses to run as root; Debian's package brings a user for it."""
    if os.geteuid() != 0:
        return None
    return "postgres" if any(user.pw_name == "postgres" for user in pwd.getpwall()) else "nobody"


def _run(user: str | None, *command: str) -> None:
    subprocess.run(command, check=True, user=user, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, cwd="/")


@contextmanager
def postgres_on(*options: str) -> Iterator[str]:
    """The folder of the socket of a server that was started with `options`; skips where PostgreSQL is not installed.

    It listens on that socket alone unless `options` name an address: two servers cannot share a port.
    """
    initdb, control = _binary("initdb"), _binary("pg_ctl")
    if initdb is None or control is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt install postgresql)")
    user = _server_user()
    with tempfile.TemporaryDirectory(prefix="asof-pg-", ignore_cleanup_errors=True) as folder:
        if user:
            shutil.chown(folder, user)
        data = f"{folder}/data"
        _run(user, initdb, "-D", data, "-U", "asof", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
        with_these = " ".join((f"-k {folder} -c fsync=off -c listen_addresses=''", *options))
        _run(user, control, "-D", data, "-l", f"{folder}/log", "-o", with_these, "-w", "start")
        try:
            yield folder
        finally:
            _run(user, control, "-D", data, "-m", "immediate", "-w", "stop")


@contextmanager
def postgres_with_certificate(port: int) -> Iterator[None]:
    """A server on a loopback port, with a certificate that it signed itself; skips where there is none."""
    openssl, user = shutil.which("openssl"), _server_user()
    if openssl is None:
        pytest.skip("openssl is not installed")
    with tempfile.TemporaryDirectory(prefix="asof-pg-") as folder:
        key, certificate = f"{folder}/server.key", f"{folder}/server.crt"
        new = ("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1")
        _run(None, openssl, *new, "-keyout", key, "-out", certificate)
        if user:
            for path in (folder, key, certificate):
                shutil.chown(path, user)
        files = f"-c ssl_key_file={key} -c ssl_cert_file={certificate}"
        with postgres_on(f"-c listen_addresses=127.0.0.1 -p {port} -c ssl=on {files}"):
            yield
