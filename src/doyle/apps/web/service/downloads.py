"""One's hands as files: an ACPC log or PHH, as `doyle.games.histories` writes them."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi.responses import PlainTextResponse

from doyle.apps.web.service.tables import LiveHand, LiveTable
from doyle.games.histories import Hand, format_phh, format_score_line, format_state_line
from doyle.games.histories.logs import Totals
from doyle.matches.log import log_name


def history(table: LiveTable, hand: LiveHand) -> Hand:
    """A finished hand with its players by position."""
    names = tuple(
        log_name(table.player_name) if seat == table.seat else log_name(table.agent_names[seat])
        for seat in hand.seat_of
    )
    return Hand(hand.number, hand.state, names)


def attachment(hands: Iterable[Hand], name: str, kind: str) -> PlainTextResponse:
    """Hands as a file, an ACPC log if its `kind` is log, else PHH."""
    text = acpc_log(hands) if kind == "log" else phh(hands)
    disposition = f'attachment; filename="{name}.{kind}"'
    return PlainTextResponse(text, headers={"Content-Disposition": disposition})


def acpc_log(hands: Iterable[Hand]) -> str:
    """Hands as an ACPC log, the score last."""
    totals, lines = Totals(), []
    for hand in hands:
        lines.append(format_state_line(hand))
        totals.add(hand)
    if totals.by_player:
        lines.append(format_score_line(totals.score()))
    return "".join(line + "\n" for line in lines)


def phh(hands: Iterable[Hand]) -> str:
    """Hands as the text of a `.phhs` file."""
    return "\n".join(f"[{place}]\n{format_phh(hand)}" for place, hand in enumerate(hands, 1))
