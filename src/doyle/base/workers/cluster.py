"""A Ray cluster as workers: the same mapping of pure items, on one machine or on many.

Every node has doyle installed in the same version and sees one cache folder (`DOYLE_CACHE` on a
shared disk): strategies and compiled kernels are read from there, so that items carry descriptions
and not arrays. Large inputs of items are wrapped in `Shared` and sent to each node once.

Ray runs an item again when its worker or its node dies. Results are yielded in the order of the
items, as everywhere, so they do not depend on the worker.

The head of a Ray cluster: whether it is there, and questions that are not put to one that is gone.

Ray itself waits a minute for a head that does not answer and then ends the process.
Code that waits for the cluster therefore checks the head meanwhile, and requests to the head run in
another thread, which is abandoned if the head is gone.
"""

from __future__ import annotations

import io
import logging
import os
import pickle
import socket
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from doyle.base.errors import DoyleError, FieldError
from doyle.base.paths import cache_folder
from doyle.base.version import __version__
from doyle.base.workers.memory import usable_memory

Answer = TypeVar("Answer")

SECONDS_BETWEEN_LOOKS = 1.0
_SECONDS_TO_ANSWER = 10.0
_LOOKS = 3


_lost = threading.Event()


class LostHeadError(DoyleError):
    """The head of the cluster died while work was under way."""


def is_lost() -> bool:
    """Whether the head of a cluster of this process was ever lost."""
    return _lost.is_set()


def look_at(address: str) -> None:
    """Connect to HOST:PORT and disconnect; `OSError` if nothing listens there."""
    host, _, port = address.rpartition(":")
    socket.create_connection((host, int(port)), timeout=_SECONDS_TO_ANSWER).close()


def check_head(address: str) -> None:
    """Raise if the cluster's head is gone; an empty address is a cluster of this process."""
    if not address:
        return
    for _ in range(_LOOKS):
        try:
            look_at(address)
            return
        except OSError as error:
            reason = error
            time.sleep(SECONDS_BETWEEN_LOOKS)
    _lost.set()
    raise LostHeadError(
        f"workers 'ray': the head of the cluster at {address} is gone ({reason}); restart it and "
        "its nodes, then repeat the command: it resumes from saved state"
    )


def ask_head(question: Callable[[], Answer], address: str) -> Answer:
    """The result or exception of a call that needs the head; `LostHeadError` if the head is gone.

    >>> ask_head(lambda: 3, "")
    3
    """
    answers: list[Answer] = []
    problems: list[BaseException] = []
    over = threading.Event()

    def ask() -> None:
        try:
            answers.append(question())
        except BaseException as problem:
            problems.append(problem)
        finally:
            over.set()

    threading.Thread(target=ask, name="ask-head", daemon=True).start()
    while not over.wait(SECONDS_BETWEEN_LOOKS):
        check_head(address)
    if problems:
        raise problems[0]
    return answers[0]


Value = TypeVar("Value")
Item = TypeVar("Item")
Result = TypeVar("Result")
Progress = Callable[[str, int, int], None]

SMALLEST_MEMORY = 2 << 30
"""Bytes that a machine must have before Ray is started on it: its own processes take most of a GiB."""
_OBJECT_STORE = 256 << 20
_LOOPBACK = "127.0.0.2"
"""Listening address of a cluster of one command. Ray treats 127.0.0.1 as the address of an
interface."""
RETRIES = 8
_SECONDS_BETWEEN_COUNTS = 2.0
_SECONDS_BEFORE_CANCELLING = 1.0
_ITEMS_UNDER_WAY = 2
_INSTALL = "pip install 'doyle[ray]'"


class Shared(Generic[Value]):
    """A large value that many items refer to; on a cluster it is sent to each node once.

    The value must not change as long as items with this object are mapped.

    >>> Shared([1, 2]).value
    [1, 2]
    """

    def __init__(self, value: Value) -> None:
        self.value = value


class _Pickler(pickle.Pickler):
    """Pickles an item, keeping `Shared` objects apart."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, protocol=5)
        self.shared: list[Shared[Any]] = []

    def persistent_id(self, obj: object) -> int | None:
        if not isinstance(obj, Shared):
            return None
        if obj not in self.shared:
            self.shared.append(obj)
        return self.shared.index(obj)


class _Unpickler(pickle.Unpickler):
    """Reads data that `_Pickler` of this process's driver wrote."""

    def __init__(self, data: bytes, values: Sequence[Any]) -> None:
        super().__init__(io.BytesIO(data))
        self._shared = [Shared(value) for value in values]

    def persistent_load(self, pid: int) -> Shared[Any]:
        return self._shared[pid]


def divided(work: tuple[Any, Any]) -> tuple[bytes, list[Shared[Any]]]:
    """A function with its item as bytes, and the shared values that they refer to."""
    file = io.BytesIO()
    pickler = _Pickler(file)
    pickler.dump(work)
    return file.getvalue(), pickler.shared


def run_divided(version: str, data: bytes, *values: Any) -> Any:
    """Run an item of `divided` on a node of the cluster."""
    function, item = undivided(version, data, values)
    return function(item)


def undivided(version: str, data: bytes, values: Sequence[Any]) -> tuple[Any, Any]:
    """The arguments of `divided`, on a node of the cluster that has the same version."""
    if version != __version__:
        raise DoyleError(
            f"workers: a node of the cluster has doyle {__version__}, this machine has {version}; "
            "install the same version everywhere"
        )
    function, item = _Unpickler(data, values).load()
    return function, item


def parse_cluster(text: str) -> str:
    """The address in `ray` or `ray:HOST:PORT`; empty for a cluster started on this machine.

    >>> parse_cluster("ray:10.0.0.5:6379")
    '10.0.0.5:6379'
    """
    if text == "ray":
        return ""
    host, _, port = text.removeprefix("ray:").rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or not 1 <= int(port[:6]) <= 65535:
        raise FieldError("workers", "expected ray or ray:HOST:PORT", value=text)
    return f"{host}:{int(port)}"


def connect(address: str) -> Any:
    """Ray, connected to the cluster at `address`, or started on this machine where that is empty."""
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_DEDUP_LOGS", "0")
    try:
        import ray
    except ImportError:
        raise FieldError("workers", f"Ray is not installed; {_INSTALL}", value="ray") from None
    if ray.is_initialized():
        return ray
    if address:
        _check_answers(address)  # Ray itself would wait for minutes
    options: dict[str, Any] = {
        "address": address or "local",
        "log_to_driver": False,
        "logging_level": logging.ERROR,
        "runtime_env": {"env_vars": _environment()},
    }
    if not address:
        memory = usable_memory()
        if memory < SMALLEST_MEMORY:
            raise DoyleError(
                f"workers 'ray': this machine has {memory / 2**30:.1f} GiB of memory and Ray needs "
                f"{SMALLEST_MEMORY / 2**30:.0f}; give a number of processes, or join a cluster by "
                "ray:HOST:PORT"
            )
        from doyle.base.workers.local import available_cores

        options |= {
            "num_cpus": available_cores(),
            "object_store_memory": min(_OBJECT_STORE, memory // 8),
            "include_dashboard": False,
        }
        if sys.platform == "linux":  # elsewhere Ray selects loopback by itself
            options["_node_ip_address"] = _LOOPBACK
    try:
        ray.init(**options)
    except Exception as error:  # Ray raises exceptions of many types, some of several lines
        where = f"no cluster answers at {address}" if address else "Ray does not start here"
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise DoyleError(f"workers 'ray': {where} ({reason})") from error
    return ray


def _check_answers(address: str) -> None:
    try:
        look_at(address)
    except OSError as error:
        raise DoyleError(
            f"workers 'ray': no cluster answers at {address} ({error}); start one there "
            "with `ray start`"
        ) from error


def _environment() -> dict[str, str]:
    """The environment that worker processes need before they import doyle."""
    kept = {"DOYLE_CACHE": str(cache_folder())}
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        kept[name] = "1"  # an item has one core; its own threads follow this number
    if "PYTHONPATH" in os.environ:
        kept["PYTHONPATH"] = os.environ["PYTHONPATH"]
    return kept


_sent: weakref.WeakKeyDictionary[Shared[Any], Any] = weakref.WeakKeyDictionary()
"""References to the shared values that are on the cluster, each as long as its object lives."""


def references(ray: Any, shared: Sequence[Shared[Any]]) -> list[Any]:
    """References of the shared values on the cluster; missing values are uploaded."""
    for one in shared:
        if one not in _sent:
            _sent[one] = ray.put(one.value)
    return [_sent[one] for one in shared]


def disconnect() -> None:
    """Leave the cluster, or end the one that was started here; no effect without a cluster."""
    _sent.clear()
    ray = sys.modules.get("ray")
    if ray is not None:
        ray.shutdown()


def cluster_cores(ray: Any, address: str) -> int:
    """Cores of all nodes of the cluster at this moment."""
    return max(1, int(ask_head(ray.cluster_resources, address).get("CPU", 1)))


def core_nodes(ray: Any, address: str) -> list[str]:
    """The node of each core of the cluster at this moment, the first core of every node first."""
    nodes = ask_head(ray.nodes, address)
    cores = [
        (place, node["NodeID"])
        for node in sorted(nodes, key=lambda node: str(node["NodeID"]))
        if node["Alive"]
        for place in range(int(node["Resources"].get("CPU", 0)))
    ]
    first = [name for _, name in sorted(cores)]
    return first or [ray.get_runtime_context().get_node_id()]


def map_on_cluster(
    function: Callable[[Item], Result],
    queue: Sequence[Item],
    *,
    address: str,
    progress: Progress | None,
    label: str,
) -> Iterator[Result]:
    """As `map_items`, by tasks of a Ray cluster; two items for each of its cores are under way."""
    ray = connect(address)
    remote = ray.remote(run_divided).options(num_cpus=1, max_retries=RETRIES)
    under_way: deque[Any] = deque()
    submitted = done = window = 0
    counted = -_SECONDS_BETWEEN_COUNTS
    try:
        while done < len(queue):
            if time.monotonic() - counted >= _SECONDS_BETWEEN_COUNTS:  # nodes come and go
                cores, counted = cluster_cores(ray, address), time.monotonic()
                window = _ITEMS_UNDER_WAY * cores
            while submitted < len(queue) and len(under_way) < window:
                data, shared = divided((function, queue[submitted]))
                send = partial(remote.remote, __version__, data, *references(ray, shared))
                under_way.append(ask_head(send, address))  # the function is sent through the head
                submitted += 1
            what = f"{label}: item {done + 1} of {len(queue)}"
            result = _result(ray, under_way[0], what, address)
            under_way.popleft()
            done += 1
            if progress is not None:
                progress(label, done, len(queue))
            yield result
    finally:
        if under_way:
            _cancel(ray, under_way)


def results(ray: Any, reference: Any, what: str, address: str) -> Any:
    """The result of an actor's call; a lost actor raises Ray's own error, which callers that can
    replace it catch."""
    try:
        return _waited(ray, reference, address)
    except ray.exceptions.RayActorError:
        raise
    except ray.exceptions.RayError as error:
        reason = str(error).strip().splitlines()[0]
        raise DoyleError(f"{what} was lost with the cluster ({reason})") from error


def _waited(ray: Any, reference: Any, address: str) -> Any:
    try:
        while not ray.wait([reference], timeout=SECONDS_BETWEEN_LOOKS)[0]:
            check_head(address)
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        cause = error.cause if isinstance(error.cause, BaseException) else None
        if isinstance(cause, DoyleError):
            raise cause from None
        raise error.as_instanceof_cause() from None


def _result(ray: Any, reference: Any, what: str, address: str) -> Any:
    try:
        return _waited(ray, reference, address)
    except ray.exceptions.RayError as error:
        reason = str(error).strip().splitlines()[0]
        raise DoyleError(
            f"{what} was lost with its worker {RETRIES} times or with the cluster ({reason}); "
            "see that its nodes are up and have memory, then run the command again"
        ) from error


def _cancel(ray: Any, references: deque[Any]) -> None:
    """Cancel running items.

    Items about to end may finish: Ray ends this process if an item is cancelled while its result
    arrives.
    """
    try:
        waiting = list(references)
        _, left = ray.wait(waiting, num_returns=len(waiting), timeout=_SECONDS_BEFORE_CANCELLING)
        for reference in left:
            ray.cancel(reference, force=True)
    except Exception:  # the cluster may be gone, and with it the items
        return
