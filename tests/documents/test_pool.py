"""The guard around the children: limits, deaths, waiting, hygiene. The children here run small tasks of our own."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import UnreadableDocument
from documents import child_process
from documents.child_errors import Sentences
from documents.limits import Limits
from documents.pool import Pool

CHILD = """
import os, resource, signal, sys, time
from core.errors import UnreadableDocument
from documents.child import limit_process, serve, take_pipes
from documents.limits import Limits

def spin(arguments, content):
    while True: pass

def crash(arguments, content):
    os.kill(os.getpid(), signal.SIGSEGV)

def refuse(arguments, content):
    raise UnreadableDocument("encrypted", "Password-protected; upload a copy without a password.")

def echo(arguments, content):
    print("a library that chats on stdout")
    os.write(1, b"and one that writes to the descriptor")
    return arguments, content

tasks = {
    "echo": echo,
    "spin": spin,
    "crash": crash,
    "refuse": refuse,
    "sleep": lambda arguments, content: (time.sleep(arguments["seconds"]) or {}, b""),
    "hog": lambda arguments, content: ({"size": len(bytearray(arguments["bytes"]))}, b""),
    "environment": lambda arguments, content: (dict(os.environ), b""),
    "pid": lambda arguments, content: ({"pid": os.getpid()}, b""),
    "flood": lambda arguments, content: ({}, bytes(arguments["bytes"])),
    "niceness": lambda arguments, content: ({"niceness": os.nice(0)}, b""),
    "core": lambda arguments, content: ({"core": list(resource.getrlimit(resource.RLIMIT_CORE))}, b""),
}
limits = Limits.from_json(sys.argv[1])
pipes = take_pipes()
limit_process(limits)
serve(tasks, limits, *pipes)
"""
PROGRAM = (sys.executable, "-c", CHILD)
QUICK = Limits(wall_s=5.0, cpu_s=2, memory_bytes=400_000_000)
OWN = Sentences(
    reader="own reader",
    too_slow="own: slow {seconds:.0f}",
    overdue="own: overdue {seconds:.1f}",
    crashed="own: crashed",
    unusable="own: unusable",
    unstarted="own: unstarted",
    busy="own: busy {seconds:.1f}",
    closed="own: closed",
)


@pytest.fixture
def start() -> Iterator[Callable[..., Pool]]:
    pools = []

    def started(limits: Limits = QUICK, **options: object) -> Pool:
        pools.append(Pool(limits, program=PROGRAM, **options))
        return pools[-1]

    yield started
    for pool in pools:
        pool.close()


def kind_of(pool: Pool, task: str, **arguments: object) -> str:
    with pytest.raises(UnreadableDocument) as caught:
        pool.call(task, arguments)
    return caught.value.kind


def is_running(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def wait_until(is_true: Callable[[], bool], seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while not is_true() and time.monotonic() < end:
        time.sleep(0.05)
    return is_true()


def test_values_and_megabytes_pass_unchanged_whatever_a_library_prints(start: Callable[..., Pool]) -> None:
    content = os.urandom(3_000_000)
    reply = start(size=1).call("echo", {"label": "Größe → ﬂow"}, content)
    assert reply.values == {"label": "Größe → ﬂow"}
    assert reply.content == content


def test_a_child_that_is_not_kept_ends_with_its_request_and_none_waits_in_its_place(
    start: Callable[..., Pool], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = []
    began = child_process.Child.__init__

    def counted(self: child_process.Child, *given: object) -> None:
        began(self, *given)
        begun.append(self.process.pid)

    monkeypatch.setattr(child_process.Child, "__init__", counted)
    pool = start(size=1, prestart=0, requests_per_child=1, restarts=False)
    for number in (1, 2):
        pid = pool.call("pid").values["pid"]
        assert (len(begun), begun[-1], is_running(pid)) == (number, pid, False)


def test_starting_does_not_wait_for_the_children() -> None:
    began = time.monotonic()
    pool = Pool(QUICK, program=(sys.executable, "-c", "import time; time.sleep(60)"))
    took = time.monotonic() - began
    pool.close()
    assert took < 1.0


def test_a_finding_of_the_child_reaches_the_caller(start: Callable[..., Pool]) -> None:
    with pytest.raises(UnreadableDocument, match="Password-protected; upload a copy without a password") as caught:
        start(size=1).call("refuse")
    assert caught.value.kind == "encrypted"


def test_a_child_that_hangs_is_killed_and_replaced(start: Callable[..., Pool]) -> None:
    pool = start(Limits(wall_s=0.5), size=1)
    before = pool.call("pid").values["pid"]
    assert kind_of(pool, "sleep", seconds=60) == "too slow"
    assert not is_running(before)
    assert pool.call("pid").values["pid"] != before


def test_a_child_that_burns_cpu_is_stopped_by_the_cpu_limit(start: Callable[..., Pool]) -> None:
    pool = start(Limits(wall_s=60, cpu_s=1), size=1, sentences=OWN)
    with pytest.raises(UnreadableDocument, match=r"^own: slow 1$") as caught:
        pool.call("spin")
    assert caught.value.kind == "too slow"
    assert pool.call("echo", {"a": 1}).values == {"a": 1}


def test_a_crash_is_one_error_and_no_more(start: Callable[..., Pool]) -> None:
    pool = start(size=1)
    assert kind_of(pool, "crash") == "crashed"
    assert pool.call("echo", {"a": 1}).values == {"a": 1}


def test_memory_is_bounded(start: Callable[..., Pool]) -> None:
    pool = start(size=1)
    assert kind_of(pool, "hog", bytes=2_000_000_000) == "too much memory"
    assert pool.call("hog", {"bytes": 1_000}).values == {"size": 1_000}


def test_an_answer_is_bounded(start: Callable[..., Pool]) -> None:
    pool = start(Limits(wall_s=5, max_answer_bytes=1_000), size=1)
    assert kind_of(pool, "flood", bytes=2_000) == "crashed"
    assert len(pool.call("flood", {"bytes": 900}).content) == 900


def test_a_pool_speaks_of_its_own_subject(start: Callable[..., Pool]) -> None:
    def said(pool: Pool, task: str, **arguments: object) -> str:
        with pytest.raises(UnreadableDocument) as caught:
            pool.call(task, arguments)
        return str(caught.value)

    pool = start(Limits(wall_s=0.6, cpu_s=9), size=1, sentences=OWN)
    assert said(pool, "sleep", seconds=60) == "own: overdue 0.6"
    assert said(pool, "crash") == "own: crashed"
    assert said(start(Limits(max_answer_bytes=100), size=1, sentences=OWN), "flood", bytes=1_000) == "own: unusable"
    pool.close()
    assert said(pool, "echo") == "own: closed"
    with Pool(QUICK, size=1, program=("/nonexistent/python",), sentences=OWN) as absent:
        assert said(absent, "echo") == "own: unstarted"


def test_a_child_can_be_started_ahead_of_its_first_call(start: Callable[..., Pool]) -> None:
    pool = start(size=1, prestart=0)
    pool.start_ahead()
    slot = pool._slots[0]
    assert slot.child is not None
    pid = slot.child.process.pid
    pool.start_ahead()
    assert pool.call("pid").values["pid"] == pid


def test_no_core_dump_is_written(start: Callable[..., Pool]) -> None:
    assert start(size=1).call("core").values == {"core": [0, 0]}


def test_a_child_stands_back_as_far_as_its_limits_say() -> None:
    own = os.nice(0)
    with Pool(replace(QUICK, niceness=3), 1, program=PROGRAM, prestart=0) as pool:
        assert pool.call("niceness").values == {"niceness": min(own + 3, 19)}


def test_children_do_not_inherit_secrets(start: Callable[..., Pool], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEWISE_MODEL_KEY", "not for children")
    environment = start(size=1).call("environment").values
    assert "EDGEWISE_MODEL_KEY" not in environment
    assert "not for children" not in environment.values()
    assert set(environment) <= {"PATH", "LANG", "LC_CTYPE", *child_process.CHILD_ENVIRONMENT}


def test_a_caller_waits_a_bounded_time_for_a_free_child(start: Callable[..., Pool]) -> None:
    pool = start(size=1, wait_s=0.3)
    pool.call("echo")
    with ThreadPoolExecutor(1) as threads:
        sleeping = threads.submit(pool.call, "sleep", {"seconds": 1.5})
        time.sleep(0.3)
        assert kind_of(pool, "echo") == "busy"
        sleeping.result()


def test_a_stuck_child_does_not_hold_up_others(start: Callable[..., Pool]) -> None:
    pool = start(Limits(wall_s=2), size=2)
    pool.call("echo")
    pool.call("echo")  # the child idle longest serves next: now both have started
    with ThreadPoolExecutor(1) as threads:
        stuck = threads.submit(kind_of, pool, "sleep", seconds=60)
        time.sleep(0.1)
        for number in range(20):
            assert pool.call("echo", {"number": number}).values == {"number": number}
        assert not stuck.done()
        assert stuck.result() == "too slow"


def test_many_threads_each_get_their_own_answer(start: Callable[..., Pool]) -> None:
    pool = start(size=2, requests_per_child=7)

    def ask(number: int) -> bool:
        content = str(number).encode() * 1_000
        reply = pool.call("echo", {"number": number}, content, document=f"document {number % 5}")
        return reply.values == {"number": number} and reply.content == content

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(ask, range(80)))


def test_the_same_document_returns_to_the_child_that_has_it_open(start: Callable[..., Pool]) -> None:
    pool = start(size=2)
    first = pool.call("pid", document="a").values["pid"]
    other = pool.call("pid", document="b").values["pid"]
    assert first != other
    assert [pool.call("pid", document=name).values["pid"] for name in "abba"] == [first, other, other, first]


def test_a_child_is_replaced_after_its_share_of_documents(start: Callable[..., Pool]) -> None:
    pool = start(size=1, documents_per_child=2)
    pids = [pool.call("pid", document=name).values["pid"] for name in ("a", "a", "b", "c")]
    assert pids[0] == pids[1] == pids[2] != pids[3]


def test_an_interrupted_call_leaves_no_answer_for_the_next(
    start: Callable[..., Pool], monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = start(size=1)
    pool.call("echo")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(child_process.Child, "_receive", interrupted)
        with pytest.raises(KeyboardInterrupt):
            pool.call("echo", {"whose": "the interrupted one"})
    assert pool.call("echo", {"whose": "the next"}).values == {"whose": "the next"}


def test_a_child_that_died_while_idle_is_replaced(start: Callable[..., Pool]) -> None:
    pool = start(size=1)
    pid = pool.call("pid").values["pid"]
    os.kill(pid, signal.SIGKILL)
    assert wait_until(lambda: not is_running(pid))
    assert pool.call("echo", {"a": 1}).values == {"a": 1}


def test_a_program_that_cannot_start_is_said_so() -> None:
    with Pool(QUICK, size=1, program=(sys.executable, "-c", "raise SystemExit(1)")) as pool:
        assert kind_of(pool, "echo") == "reader failed"
    with Pool(QUICK, size=1, program=("/nonexistent/python",)) as pool:
        assert kind_of(pool, "echo") == "reader failed"


def test_closing_ends_children_and_waiting_calls(start: Callable[..., Pool]) -> None:
    pool = start(Limits(wall_s=60), size=1)
    pid = pool.call("pid").values["pid"]
    with ThreadPoolExecutor(2) as threads:
        calls = [threads.submit(kind_of, pool, "sleep", seconds=60) for _ in range(2)]
        time.sleep(0.3)
        pool.close()
        assert [call.result(timeout=5) for call in calls] == ["closed", "closed"]
    assert not is_running(pid)
    assert kind_of(pool, "echo") == "closed"


def test_children_end_when_the_parent_is_killed(tmp_path: Path) -> None:
    program = (
        "import sys, time\n"
        "from documents.pool import Pool\n"
        "pool = Pool(size=2, program=(sys.executable, '-c', sys.argv[1]))\n"
        "first = pool.call('pid', document='a').values['pid']\n"
        "print(first, pool.call('pid', document='b').values['pid'], flush=True)\n"
        "time.sleep(60)\n"
    )
    root = Path(child_process.ROOT)
    parent = subprocess.Popen([sys.executable, "-c", program, CHILD], cwd=root, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pids = [int(word) for word in parent.stdout.readline().split()]
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert len(pids) == 2
    assert wait_until(lambda: not any(is_running(pid) for pid in pids))


def test_no_thread_is_left_behind(start: Callable[..., Pool]) -> None:
    before = threading.active_count()
    pool = start(size=2)
    pool.call("echo")
    pool.close()
    assert threading.active_count() == before
