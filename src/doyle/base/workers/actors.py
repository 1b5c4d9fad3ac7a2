"""Actors: workers that keep something between calls, in this process or on a Ray cluster.

Work that repeatedly reads the same large arrays (clustering, payoff products) divides them once.
Each *part* is made by a pure function of its description and lives where it was made; a call runs
one function on every part and returns the results in the order of the parts. A part's content is a
function of its description and of the calls so far, so a part lost with its node is rebuilt and
those calls are repeated: results do not depend on the assignment of parts. If rebuilding all parts
is cheaper for the caller, the loss is reported instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from doyle.base.errors import DoyleError
from doyle.base.version import __version__
from doyle.base.workers.cluster import (
    RETRIES,
    ask_head,
    check_head,
    cluster_cores,
    connect,
    core_nodes,
    divided,
    references,
    results,
    undivided,
)
from doyle.base.workers.local import Workers, map_threads

Description = TypeVar("Description")
Part = TypeVar("Part")
Argument = TypeVar("Argument")
Result = TypeVar("Result")
Message = tuple[bytes, list[Any]]
"""A function with its arguments as bytes, and the references of shared values in it."""


class LostPartError(DoyleError):
    """A part was lost with its node, and its calls were not kept."""


class Actors(Generic[Description, Part]):
    """One part for each description, made by `make`; a context manager, which ends them.

    `make` and the functions of calls must be picklable for a cluster. Without `replace`, calls are not
    kept, and one that meets a lost part raises `LostPartError`.

    >>> with Actors(list, [(1, 2), (3,)]) as actors:
    ...     actors.call(list.index, [2, 3])
    [1, 0]
    """

    def __init__(
        self,
        make: Callable[[Description], Part],
        descriptions: Sequence[Description],
        *,
        workers: Workers | None = None,
        label: str = "working",
        replace: bool = True,
    ) -> None:
        chosen = workers or Workers()
        self._count = len(descriptions)
        self._team: _Here[Part] | _OnCluster
        if chosen.cluster is None:
            self._team = _Here([make(one) for one in descriptions], chosen)
        else:
            self._team = _OnCluster(make, descriptions, chosen.cluster, label, replace)

    def __enter__(self) -> Actors[Description, Part]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return self._count

    def call(
        self,
        function: Callable[[Part, Argument], Result],
        arguments: Sequence[Argument],
        *,
        changes: bool = True,
        afresh: bool = False,
    ) -> list[Result]:
        """`function(part, argument)` for each part and its argument, in the order of the parts.

        `changes` is False if parts are only read; `afresh` declares the changes of earlier calls
        irrelevant.
        """
        return self._team.call(function, arguments, changes=changes, afresh=afresh)

    def ask(
        self, number: int, function: Callable[[Part, Argument], Result], argument: Argument
    ) -> Result:
        """`function(part, argument)` of one part, which must not change it."""
        found: Result = self._team.ask(number, function, argument)
        return found

    def close(self) -> None:
        """End the actors; further calls raise."""
        self._team.close()


def cores_of(workers: Workers) -> int:
    """How many parts these workers run at once, at this moment.

    >>> cores_of(Workers(3))
    3
    """
    if workers.cluster is None:
        return workers.count
    return cluster_cores(connect(workers.cluster), workers.cluster)


class _Here(Generic[Part]):
    """Parts in this process; calls run on threads."""

    def __init__(self, parts: list[Part], workers: Workers) -> None:
        self._parts, self._workers = parts, workers

    def call(
        self,
        function: Callable[[Part, Any], Any],
        arguments: Sequence[Any],
        *,
        changes: bool,
        afresh: bool,
    ) -> list[Any]:
        pairs = list(zip(self._parts, arguments, strict=True))
        return list(map_threads(lambda pair: function(*pair), pairs, workers=self._workers))

    def ask(self, number: int, function: Callable[[Part, Any], Any], argument: Any) -> Any:
        return function(self._parts[number], argument)

    def close(self) -> None:
        self._parts = []


class PartHolder:
    """The parts of one actor, on a node of the cluster.

    They are made by the first call: its failures are then errors of that call; in a constructor Ray
    would report a dead actor.
    """

    def __init__(self, version: str, data: bytes, *values: Any) -> None:
        self._made: tuple[str, bytes, tuple[Any, ...]] | None = (version, data, values)
        self._parts: list[Any] = []

    def run(self, version: str, data: bytes, *values: Any) -> list[Any]:
        """The results of some (place of a part, argument) pairs."""
        if self._made is not None:
            make, descriptions = undivided(*self._made)
            self._parts = [make(one) for one in descriptions]
            self._made = None
        function, pairs = undivided(version, data, values)
        return [function(self._parts[place], argument) for place, argument in pairs]


class _OnCluster:
    """As many actors as the cluster has cores at the start, each with every so-manieth part.

    Actors reserve no core, or other work of the same command would wait for them for ever; each is
    started where a core is meant for it, or elsewhere if that node is gone.
    """

    def __init__(
        self,
        make: Callable[[Any], Any],
        descriptions: Sequence[Any],
        address: str,
        label: str,
        replace: bool,
    ) -> None:
        self._ray: Any = connect(address)
        self._address, self._label, self._replace = address, label, replace
        self._count = min(len(descriptions), cluster_cores(self._ray, address))
        self._parts = len(descriptions)
        self._made = [
            self._message((make, descriptions[n :: self._count])) for n in range(self._count)
        ]
        self._past: list[list[Message]] = [[] for _ in range(self._count)]
        self._actors = [self._start(number) for number in range(self._count)]

    def _message(self, work: tuple[Any, Any]) -> Message:
        data, shared = divided(work)
        return data, references(self._ray, shared)

    def _start(self, number: int) -> Any:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        data, values = self._made[number]
        nodes = core_nodes(self._ray, self._address)
        place = NodeAffinitySchedulingStrategy(nodes[number % len(nodes)], soft=True)
        remote = self._ray.remote(PartHolder).options(num_cpus=0, scheduling_strategy=place)
        return ask_head(partial(remote.remote, __version__, data, *values), self._address)

    def call(
        self, function: Callable[..., Any], arguments: Sequence[Any], *, changes: bool, afresh: bool
    ) -> list[Any]:
        if len(arguments) != self._parts:
            raise DoyleError(f"{self._label}: {len(arguments)} arguments for {self._parts} parts")
        if afresh:
            self._past = [[] for _ in range(self._count)]
        messages = [
            self._message((function, list(enumerate(arguments[number :: self._count]))))
            for number in range(self._count)
        ]
        pending = [self._send(number, message) for number, message in enumerate(messages)]
        found: list[Any] = [None] * self._parts
        for number, message in enumerate(messages):
            found[number :: self._count] = self._received(number, message, pending[number])
            if changes and self._replace:
                self._past[number].append(message)
        return found

    def ask(self, number: int, function: Callable[..., Any], argument: Any) -> Any:
        place, owner = divmod(number, self._count)
        message = self._message((function, [(place, argument)]))
        return self._received(owner, message, self._send(owner, message))[0]

    def _send(self, number: int, message: Message) -> Any:
        data, values = message
        return self._actors[number].run.remote(__version__, data, *values)

    def _received(self, number: int, message: Message, pending: Any) -> list[Any]:
        """The results of a call; an actor that is lost is started again, with its past."""
        for _ in range(RETRIES):
            try:
                found: list[Any] = results(self._ray, pending, self._label, self._address)
                return found
            except self._ray.exceptions.RayActorError as error:
                check_head(self._address)
                if not self._replace:
                    raise LostPartError(f"{self._label}: an actor was lost") from error
                self._actors[number] = self._start(number)
                for earlier in self._past[number]:
                    self._send(number, earlier)  # calls of an actor run in their order
                pending = self._send(number, message)
        raise DoyleError(
            f"{self._label}: an actor was lost {RETRIES} times; see that the nodes of the cluster are "
            "up and have memory, then run the command again"
        )

    def close(self) -> None:
        for actor in self._actors:
            try:
                self._ray.kill(actor)
            except Exception:  # the cluster may be gone, and with it the actors
                break
        self._actors = []
