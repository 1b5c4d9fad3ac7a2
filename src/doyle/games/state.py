"""`State`: one moment of one hand under the rules of the ACPC reference server. Immutable.

Bets are "raise to" totals over all rounds. After a raise to S over the largest bet M the least next
raise is to max(old least, 2S - M); a new round starts at the chips spent plus the big blind; when
the least raise exceeds the stack only all-in remains. Folding with nothing to call is illegal. A
round has room for 64 actions: no raise once the actions made plus the players exceed that. Seats
that are all-in are passed over, and when at most one seat can still bet and all bets are matched,
the hand runs to the showdown at once.

One departure: a limit raise by a seat whose stack does not exceed the largest bet is illegal here;
the server accepts it and lowers the bet. (No bundled game can reach it.)
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from doyle.errors import DoyleError
from doyle.games.deal import Deal
from doyle.games.game import Game
from doyle.games.payoffs import payoffs

if TYPE_CHECKING:
    from doyle.games.view import View

Action: TypeAlias = int
FOLD: Action = 0
CALL: Action = 1

MAX_ACTIONS_PER_ROUND = 64


class State:
    """One moment of one hand; `apply` gives the next one.

    >>> state = State.start(Game.named("holdem-nl-200bb"))
    >>> state.actor, state.spent, state.min_raise_to, state.max_raise_to
    (1, (100, 50), 200, 20000)
    >>> state = state.apply(CALL).apply(300)
    >>> state.min_raise_to, state.can_fold, state.apply(CALL).round
    (500, True, 1)
    """

    game: Game
    deal: Deal | None
    round: int
    """The betting round, from 0; the last one after an all-in has run to the showdown."""
    actor: int
    """The seat to act, or -1 when the hand is over."""
    spent: tuple[int, ...]
    """Chips each seat has put in, over all rounds."""
    folded: tuple[bool, ...]
    betting: tuple[tuple[Action, ...], ...]
    """The actions of each round reached so far."""
    largest: int
    """The largest of `spent`: the bet to call."""
    min_raise_to: int
    """The least legal raise, as a total; 0 when no raise is allowed."""
    max_raise_to: int
    """The largest legal raise, as a total; 0 when no raise is allowed."""
    _least: int  # the least raise of the round in no-limit games, before the stack is looked at
    _raises: int  # raises made in the round
    _waiting: int  # seats that must act before the round ends

    __slots__ = (
        "_least",
        "_raises",
        "_waiting",
        "actor",
        "betting",
        "deal",
        "folded",
        "game",
        "largest",
        "max_raise_to",
        "min_raise_to",
        "round",
        "spent",
    )

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError("a State cannot be changed; apply() gives the next one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a State cannot be changed")

    @staticmethod
    def start(game: Game, deal: Deal | None = None) -> State:
        """The state after the blinds; without a deal it knows the betting only."""
        able = sum(blind < stack for blind, stack in zip(game.blinds, game.stacks, strict=True))
        over = able == 0  # every seat is all-in with its blind
        return _new(
            game,
            deal,
            game.rounds - 1 if over else 0,
            -1 if over else _next_actor(game, game.blinds, (False,) * game.players, -1, 0),
            game.blinds,
            (False,) * game.players,
            ((),) * (game.rounds if over else 1),
            game.big_blind,
            2 * game.big_blind,
            0,
            able,
        )

    @property
    def is_over(self) -> bool:
        return self.actor < 0

    @property
    def pot(self) -> int:
        """All chips put in so far."""
        return sum(self.spent)

    @property
    def to_call(self) -> int:
        """Chips the actor must add to call (less than the bet when that takes the whole stack)."""
        if self.actor < 0:
            return 0
        return min(self.largest, self.game.stacks[self.actor]) - self.spent[self.actor]

    @property
    def can_fold(self) -> bool:
        return self.actor >= 0 and self.spent[self.actor] < self.largest

    @property
    def board(self) -> tuple[int, ...]:
        """The board cards visible now; none when the deal is unknown."""
        if self.deal is None:
            return ()
        return self.deal.board[: self.game.board_ends[self.round]]

    @property
    def action_count(self) -> int:
        """How many actions have been made in the hand."""
        return sum(map(len, self.betting))

    @property
    def is_showdown(self) -> bool:
        """Whether the hand is over with more than one seat left."""
        return self.actor < 0 and self.folded.count(False) > 1

    def legal_actions(self) -> tuple[Action, ...]:
        """All legal actions, ascending; in no-limit games there may be thousands of raises."""
        if self.actor < 0:
            return ()
        passive = (FOLD, CALL) if self.spent[self.actor] < self.largest else (CALL,)
        if not self.max_raise_to:
            return passive
        return (*passive, *range(self.min_raise_to, self.max_raise_to + 1))

    def is_legal(self, action: Action) -> bool:
        if self.actor < 0:
            return False
        if action > CALL:
            return self.min_raise_to <= action <= self.max_raise_to
        return action == CALL or (action == FOLD and self.spent[self.actor] < self.largest)

    def nearest_legal(self, action: Action) -> Action:
        """The legal action the ACPC dealer plays for `action`: sizes clamped, the rest a call."""
        if self.is_legal(action):
            return action
        if action <= CALL or not self.max_raise_to:
            return CALL
        return min(max(action, self.min_raise_to), self.max_raise_to)

    def apply(self, action: Action) -> State:
        """The state after the actor's `action`; DoyleError if it is illegal."""
        if not self.is_legal(action):
            raise DoyleError(f"illegal action: {self.describe(action)}")
        game = self.game
        seat = self.actor
        spent, folded, largest = self.spent, self.folded, self.largest
        least, raises, waiting = self._least, self._raises, self._waiting - 1
        if action > CALL:
            least = max(least, 2 * action - largest)
            largest = action
            spent = (*spent[:seat], action, *spent[seat + 1 :])
            raises += 1
            stacks = game.stacks
            waiting = 0
            for other in range(game.players):
                if other != seat and not folded[other] and spent[other] < stacks[other]:
                    waiting += 1
        elif action == CALL:
            spent = (*spent[:seat], min(largest, game.stacks[seat]), *spent[seat + 1 :])
        else:
            folded = (*folded[:seat], True, *folded[seat + 1 :])
        betting = (*self.betting[:-1], (*self.betting[-1], action))
        round_ = self.round
        if action == FOLD and folded.count(False) == 1:
            actor = -1
        elif not waiting:
            waiting = _able(game, spent, folded)
            if waiting > 1 and round_ + 1 < game.rounds:
                round_ += 1
                betting = (*betting, ())
                least, raises = largest + game.big_blind, 0
                actor = _next_actor(game, spent, folded, -1, round_)
            else:
                if waiting <= 1:
                    betting += ((),) * (game.rounds - 1 - round_)
                    round_ = game.rounds - 1
                actor = -1
        else:
            actor = _next_actor(game, spent, folded, seat, round_)
        return _new(
            game, self.deal, round_, actor, spent, folded, betting, largest, least, raises, waiting
        )

    def payoffs(self) -> tuple[Fraction | int, ...]:
        """Chips won by each seat (negative: lost), exactly; needs the cards at a showdown."""
        if self.actor >= 0:
            raise DoyleError("payoffs: the hand is not over")
        return payoffs(self.game, self.deal, self.spent, self.folded)

    def with_deal(self, deal: Deal | None) -> State:
        """The same betting with other cards."""
        copy = _create(State)
        for name, set_slot in _SLOTS:
            set_slot(copy, getattr(self, name))
        _set_deal(copy, deal)
        return copy

    def public(self) -> State:
        """What everybody sees: the betting and the visible board, no hole cards."""
        deal = self.deal
        if deal is None:
            return self
        return self.with_deal(deal.seen_by(-1, self.game.board_ends[self.round]))

    def view(self, seat: int, hand_seed: tuple[int, ...] = (0,)) -> View:
        """What `seat` may see; everything it may know when it acts."""
        from doyle.games.view import View

        deal = self.deal
        hole = deal.hole[seat] if deal is not None else ()
        return View(seat, self.public(), hole, self.board, hand_seed)

    def describe(self, action: Action) -> str:
        """An action in words, with the reason if it is illegal."""
        if self.actor < 0:
            return "the hand is over"
        if action == FOLD:
            return f"seat {self.actor} folds" + ("" if self.can_fold else " with nothing to call")
        if action == CALL:
            return f"seat {self.actor} calls {self.to_call}"
        if action < FOLD:
            return f"{action} is not an action"
        if not self.max_raise_to:
            return f"seat {self.actor} raises to {action}, but no raise is allowed"
        allowed = f"{self.min_raise_to} to {self.max_raise_to}"
        fits = self.min_raise_to <= action <= self.max_raise_to
        return f"seat {self.actor} raises to {action}" + ("" if fits else f", allowed: {allowed}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        # Everything else follows from these three.
        return (self.betting, self.deal, self.game) == (other.betting, other.deal, other.game)

    def __hash__(self) -> int:
        return hash((self.betting, self.deal))

    def __repr__(self) -> str:
        return f"State({self.game.name}, betting={self.betting}, deal={self.deal})"

    def __reduce__(self) -> tuple[Callable[..., State], tuple[Any, ...]]:
        names = ("game", "deal", "round", "actor", "spent", "folded", "betting", "largest")
        hidden = (self._least, self._raises, self._waiting)
        return _new, (*(getattr(self, name) for name in names), *hidden)


# Writing through the slots' own descriptors is how a State is filled although it refuses changes.
_create = object.__new__
_SLOTS = tuple((name, State.__dict__[name].__set__) for name in State.__slots__)
(
    _set_least,
    _set_raises,
    _set_waiting,
    _set_actor,
    _set_betting,
    _set_deal,
    _set_folded,
    _set_game,
    _set_largest,
    _set_max_raise_to,
    _set_min_raise_to,
    _set_round,
    _set_spent,
) = (set_slot for _, set_slot in _SLOTS)


def _new(
    game: Game,
    deal: Deal | None,
    round_: int,
    actor: int,
    spent: tuple[int, ...],
    folded: tuple[bool, ...],
    betting: tuple[tuple[Action, ...], ...],
    largest: int,
    least: int,
    raises: int,
    waiting: int,
) -> State:
    """A state, with the bounds of the next raise worked out."""
    state = _create(State)
    _set_game(state, game)
    _set_deal(state, deal)
    _set_round(state, round_)
    _set_actor(state, actor)
    _set_spent(state, spent)
    _set_folded(state, folded)
    _set_betting(state, betting)
    _set_largest(state, largest)
    _set_least(state, least)
    _set_raises(state, raises)
    _set_waiting(state, waiting)
    low = high = 0
    if (
        actor >= 0
        and raises < game.max_raises[round_]
        and len(betting[-1]) + game.players <= MAX_ACTIONS_PER_ROUND
        and game.stacks[actor] > largest
        and _able(game, spent, folded) > 1
    ):
        stack = game.stacks[actor]
        if game.betting == "limit":
            low = high = min(largest + game.raise_sizes[round_], stack)
        else:
            low, high = min(least, stack), stack
    _set_min_raise_to(state, low)
    _set_max_raise_to(state, high)
    return state


def _able(game: Game, spent: tuple[int, ...], folded: tuple[bool, ...]) -> int:
    """How many seats have neither folded nor spent all their chips."""
    count = 0
    for seat, stack in enumerate(game.stacks):
        if not folded[seat] and spent[seat] < stack:
            count += 1
    return count


def _next_actor(
    game: Game, spent: tuple[int, ...], folded: tuple[bool, ...], seat: int, round_: int
) -> int:
    """The first seat able to act after `seat`, or from the round's first player if that is -1."""
    players, stacks = game.players, game.stacks
    seat = game.first_players[round_] if seat < 0 else (seat + 1) % players
    while folded[seat] or spent[seat] >= stacks[seat]:
        seat = (seat + 1) % players
    return seat
