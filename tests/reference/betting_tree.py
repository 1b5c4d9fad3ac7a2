"""Plain twin of the betting-tree kernel: recursion over `State`, fractions in exact arithmetic."""

from __future__ import annotations

from doyle.abstractions.betting import BettingModel
from doyle.games import State

Row = tuple[int, int, int, int, int, tuple[int, ...], tuple[bool, ...]]


def model_actions(
    model: BettingModel, state: State, used: frozenset[tuple[int, str]]
) -> dict[int, str]:
    """The actions a model allows in a state, each with the symbol of the size it stands for."""
    if state.actor == 1 and model.second is not None:
        model = model.second
    actions = {0: "f", 1: "c"} if state.can_fold else {1: "c"}
    if not state.max_raise_to:
        return actions
    if model.kind != "pot":
        return actions | dict.fromkeys(range(state.min_raise_to, state.max_raise_to + 1), "r")
    raises = sum(action > 1 for action in state.betting[-1])
    capped = model.raise_cap is not None and raises >= model.raise_cap
    sizes: dict[int, str] = {}
    if not capped:
        after_call = state.pot + state.to_call
        for bet in reversed(model.bets):
            if bet.rounds is not None and state.round not in bet.rounds:
                continue
            if raises < bet.least_raises or (
                bet.most_raises is not None and raises > bet.most_raises
            ):
                continue
            if bet.once and (state.round == 0 or (state.actor, bet.symbol) in used):
                continue
            total = state.largest + round(bet.fraction * after_call)
            stack = state.game.stacks[state.actor]
            if model.committed_share is not None and total > model.committed_share * stack:
                continue
            total = min(total, stack)
            if total < state.min_raise_to or (bet.once and sizes.get(total, "").isupper()):
                continue
            # A capital letter marks a size that is not restricted; it wins over a restricted one.
            sizes[total] = bet.symbol if bet.once else "FREE"
    if model.all_in and not (capped and model.cap_stops_all_in):
        sizes[state.max_raise_to] = "FREE"
    return actions | {total: sizes[total] for total in sorted(sizes)}


def history(state: State, start: State) -> str:
    """The betting string that led from one state to a later one."""
    rounds = []
    for number in range(start.round, state.round + 1):
        before = len(start.betting[number]) if number == start.round else 0
        made = state.betting[number][before:]
        rounds.append("".join("fc"[action] if action < 2 else f"r{action}" for action in made))
    return "/".join(rounds)


def build(model: BettingModel, state: State) -> list[Row]:
    """Rows (kind, round, actor, parent, action, spent, folded), depth-first."""
    rows: list[Row] = []
    start = state
    extra: dict[str, list[int]] = {}
    for bet in model.added:
        extra.setdefault(bet.history, []).append(bet.raise_to)

    def visit(state: State, parent: int, action: int, used: frozenset[tuple[int, str]]) -> None:
        node = len(rows)
        # A leaf belongs to the round in which the betting ended; State has moved on to the last.
        ended = max((r for r, actions in enumerate(state.betting) if actions), default=0)
        kind = 0 if not state.is_over else 2 if state.is_showdown else 1
        round_ = state.round if kind == 0 else ended
        rows.append((kind, round_, state.actor, parent, action, state.spent, state.folded))
        if state.is_over:
            return
        own = model.second if state.actor == 1 and model.second is not None else model
        actions = model_actions(model, state, used)
        for total in extra.get(history(state, start), ()):
            assert total not in actions
            actions[total] = "FREE"
        for choice, symbol in sorted(actions.items()):
            after = state.apply(choice)
            restricted = any(bet.symbol == symbol and bet.once for bet in own.bets)
            below = used | {(state.actor, symbol)} if restricted else used
            visit(after, node, choice, below if after.round == state.round else frozenset())

    visit(state, -1, -1, frozenset())
    return rows
