"""Finding the agent that ends its own process: a batch played in a process set apart.

An agent that crashes the interpreter takes a worker process with it, and the worker cannot say who
it was. The batch is then played once more in a process of its own, which notes in shared memory who
is about to act; when that process dies too, the last one noted forfeits.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import MutableSequence
from multiprocessing.connection import Connection

from doyle.errors import DoyleError
from doyle.matches.play import Batch, Forfeit, Played, play_batch

_NOBODY = -1


def play_apart(batch: Batch) -> Played | Forfeit:
    """What happened in the batch, or who ended the process and in which hand."""
    context = multiprocessing.get_context("spawn")
    witness = context.RawArray("q", [_NOBODY, _NOBODY])
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_play_and_send, args=(batch, witness, sender))
    process.start()
    sender.close()
    try:
        answer = receiver.recv()
    except EOFError:
        answer = None
    process.join()
    if isinstance(answer, Played):
        return answer
    if isinstance(answer, Exception):
        raise answer
    if witness[0] == _NOBODY:
        raise DoyleError(f"a worker process died before any agent acted (exit {process.exitcode})")
    return Forfeit(player=witness[0], hand=witness[1], reason="its process died")


def _play_and_send(batch: Batch, witness: MutableSequence[int], sender: Connection) -> None:
    try:
        sender.send(play_batch(batch, witness=witness))
    except Exception as error:  # told to the parent, which raises it
        sender.send(error)
    sender.close()
