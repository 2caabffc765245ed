"""What reads a file can do nothing else, whatever the file makes of it, and the app goes on."""

import ctypes
import os
import signal
import socket
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import services
from services.core.errors import BadInput
from services.documents.read_text import ReadLimits
from services.documents.run_sandboxed import run_sandboxed

pytestmark = pytest.mark.slow

LIMITS = ReadLimits(seconds=30, memory_mb=512)
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process give this up for native code")


with_landlock = pytest.mark.skipif(
    sys.platform != "linux" or ctypes.CDLL(None).syscall(444, None, 0, 1) < 1, reason="this kernel has no Landlock"
)


@pytest.fixture(autouse=True, params=[False, True], ids=["fresh", "forked"])
def is_one_of_many(request: pytest.FixtureRequest) -> bool:
    """Each test is done by a process started for it, and by one forked from a process that has the parser ready."""
    _way.append(request.param)
    return bool(request.param)


_way: list[bool] = []


def do(what: str, *given: Any, content: bytes = b"content", limits: ReadLimits = LIMITS) -> Any:
    return run_sandboxed("tests.files.payloads", {"do": what, "with": given}, content, limits, is_one_of_many=_way[-1])


def test_what_it_reads_comes_back() -> None:
    assert do("echo", content=bytes(range(256)) * 10_000) == 2_560_000


def test_what_libraries_print_is_not_taken_for_the_text() -> None:
    assert do("chatter") == "read"


def test_a_refusal_comes_with_its_words() -> None:
    with pytest.raises(BadInput, match=r"^It is not to be read\. Take another\.$"):
        do("refuse")


def test_it_is_given_no_key_and_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    given = do("surroundings")
    assert "secret" not in given.values()
    assert not [name for name in given if "proxy" in name.lower() or "HOME" in name]


def test_it_cannot_connect() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        with pytest.raises(BadInput, match="damaged"):
            do("connect", server.getsockname()[1])
        with pytest.raises(BlockingIOError):
            server.accept()


@on_linux
def test_native_code_gets_no_socket_from_the_kernel_either() -> None:
    assert do("native_socket") == [-1, -1]


@on_linux
def test_native_code_starts_no_program() -> None:
    assert do("native_program") != 0


@pytest.mark.parametrize("what", ["write", "rename"])
def test_it_changes_no_file(what: str, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("notes")
    with pytest.raises(BadInput, match="damaged"):
        do(what, str(file))
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("notes.txt", "notes")]


def test_native_code_gets_no_byte_into_a_file(tmp_path: Path) -> None:
    do("native_write", str(tmp_path / "stolen"))
    assert not any(path.read_bytes() for path in tmp_path.iterdir())


@with_landlock
def test_native_code_reads_no_file_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "id_ed25519").write_text("secret")
    assert do("native_read", str(tmp_path / "id_ed25519")) == -1
    assert do("native_read", str(Path(__file__))) == -1
    assert do("native_read", "/proc/self/environ") == -1


@with_landlock
def test_neither_the_data_folder_nor_the_settings_file_opens(beside_the_code: list[Path]) -> None:
    assert [do("native_read", str(path)) for path in beside_the_code] == [-1, -1]
    assert do("native_read", str(Path(services.__file__))) > 0, "its own code must stay readable"


@pytest.fixture
def beside_the_code() -> Iterator[list[Path]]:
    """A file in the usual data folder and a `.env`, both in the folder that the app runs in."""
    root = Path(services.__file__).parents[1]
    (root / ".asof").mkdir(exist_ok=True)
    paths = [root / ".asof" / f"probe-{os.getpid()}", root / ".env"]
    made = [path for path in paths if not path.exists()]
    for path in made:
        path.touch()
    yield paths
    for path in made:
        path.unlink(missing_ok=True)


@on_linux
def test_native_code_sends_no_signal() -> None:
    assert do("native_kill") == -1


@on_linux
def test_what_it_starts_and_leaves_ends_with_it() -> None:
    assert do("leave_one_behind", limits=ReadLimits(seconds=1)) == "read"


def test_no_file_sees_what_another_left() -> None:
    assert [do("remember"), do("remember")] == [1, 1]


@on_linux
def test_readers_of_many_have_one_parent_that_is_begun_anew_when_it_is_gone(is_one_of_many: bool) -> None:
    first, second = do("parent"), do("parent")
    assert (first == second != os.getpid()) is is_one_of_many
    if is_one_of_many:
        os.kill(first, signal.SIGKILL)
        assert do("echo") == 7
        assert do("parent") != first


def test_it_starts_no_program() -> None:
    with pytest.raises(BadInput, match="damaged"):
        do("run_program")


@pytest.mark.parametrize("what", ["loop", "wait"])
def test_one_that_does_not_end_is_ended(what: str) -> None:
    with pytest.raises(BadInput, match="takes longer than"):
        do(what, limits=ReadLimits(seconds=0.4))
    assert do("echo") == 7


@on_linux
@pytest.mark.parametrize("what", ["need_memory", "grow"])
def test_one_that_takes_too_much_memory_is_ended(what: str) -> None:
    with pytest.raises(BadInput, match="more than 512 MB of memory"):
        do(what)
    assert do("echo") == 7


def test_one_that_crashes_leaves_the_app_going() -> None:
    with pytest.raises(BadInput, match="its parser crashed"):
        do("crash")
    assert do("echo") == 7


def test_one_that_gives_too_much_is_cut_off() -> None:
    with pytest.raises(BadInput, match="too much text"):
        do("say_too_much", limits=ReadLimits(seconds=30))


def test_several_at_once_do_not_meet() -> None:
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda size: do("echo", content=b"x" * size), range(4)))
    assert found == list(range(4))
