"""`State`: one moment of one hand under the rules of the ACPC reference server. Immutable.

Bets are "raise to" totals over all rounds. After a raise to S over the largest bet M the least next
raise is to max(old least, 2S - M); a round starts at the largest bet plus the big blind; when
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
from typing import Any, NoReturn, TypeAlias, cast

from doyle.base.errors import DoyleError
from doyle.games.deal import Deal
from doyle.games.game import Game
from doyle.games.payoffs import payoffs
from doyle.games.view import View

Action: TypeAlias = int
FOLD: Action = 0
CALL: Action = 1

MAX_ACTIONS_PER_ROUND = 64


class _Fields:
    """The contents of a state while it is being filled; it becomes a `State` when done."""

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
    _able: int  # seats that have neither folded nor spent all their chips

    __slots__ = (
        "_able",
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


class State(_Fields):
    """One moment of one hand; `apply` gives the next one.

    >>> state = State.start(Game.named("holdem-nl-200bb"))
    >>> state.actor, state.spent, state.min_raise_to, state.max_raise_to
    (1, (100, 50), 200, 20000)
    >>> state = state.apply(CALL).apply(300)
    >>> state.min_raise_to, state.can_fold, state.apply(CALL).round
    (500, True, 1)
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError("a State cannot be changed; apply() gives the next one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a State cannot be changed")

    @staticmethod
    def start(game: Game | str, deal: Deal | None = None) -> State:
        """The state after the blinds of a game or of its name; without a deal it knows the betting only."""
        if isinstance(game, str):
            game = Game.named(game)
        able = sum(blind < stack for blind, stack in zip(game.blinds, game.stacks, strict=True))
        folded = (False,) * game.players
        over = able == 0  # every seat is all-in with its blind
        fields = _Fields()
        fields.game = game
        fields.deal = deal
        fields.round = game.rounds - 1 if over else 0
        fields.actor = -1 if over else _actor_from(game, game.blinds, folded, game.first_players[0])
        fields.spent = game.blinds
        fields.folded = folded
        fields.betting = ((),) * (game.rounds if over else 1)
        fields.largest = max(game.blinds)
        fields._least = fields.largest + game.big_blind
        fields._raises = 0
        fields._waiting = fields._able = able
        return _finish(fields)

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
        spent, folded, largest, betting = self.spent, self.folded, self.largest, self.betting
        least, raises, round_ = self._least, self._raises, self.round
        waiting, able = self._waiting - 1, self._able
        if action == FOLD:
            folded = (*folded[:seat], True, *folded[seat + 1 :])
            able -= 1
        else:
            stack = game.stacks[seat]
            if action > CALL:
                least = max(least, 2 * action - largest)
                largest = total = action
                raises += 1
                waiting = able - 1  # everybody else answers the raise
            else:
                total = largest if largest < stack else stack
            spent = (*spent[:seat], total, *spent[seat + 1 :])
            if total == stack:
                able -= 1
        betting = (*betting[:-1], (*betting[-1], action))
        if action == FOLD and folded.count(False) == 1:
            actor = -1
        elif waiting:
            actor = _actor_from(game, spent, folded, seat + 1)
        elif able > 1 and round_ + 1 < game.rounds:
            round_ += 1
            betting = (*betting, ())
            least, raises, waiting = largest + game.big_blind, 0, able
            actor = _actor_from(game, spent, folded, game.first_players[round_])
        else:
            actor = -1
            if able <= 1:
                betting += ((),) * (game.rounds - 1 - round_)
                round_ = game.rounds - 1
        fields = _Fields()
        fields.game = game
        fields.deal = self.deal
        fields.round = round_
        fields.actor = actor
        fields.spent = spent
        fields.folded = folded
        fields.betting = betting
        fields.largest = largest
        fields._least = least
        fields._raises = raises
        fields._waiting = waiting
        fields._able = able
        return _finish(fields)

    def payoffs(self) -> tuple[Fraction | int, ...]:
        """Chips won by each seat (negative: lost), exactly; needs the cards at a showdown."""
        if self.actor >= 0:
            raise DoyleError("payoffs: the hand is not over")
        return payoffs(self.game, self.deal, self.spent, self.folded)

    def with_deal(self, deal: Deal | None) -> State:
        """The same betting with other cards."""
        fields = _Fields()
        fields.game = self.game
        fields.deal = deal
        fields.round = self.round
        fields.actor = self.actor
        fields.spent = self.spent
        fields.folded = self.folded
        fields.betting = self.betting
        fields.largest = self.largest
        fields.min_raise_to = self.min_raise_to
        fields.max_raise_to = self.max_raise_to
        fields._least = self._least
        fields._raises = self._raises
        fields._waiting = self._waiting
        fields._able = self._able
        fields.__class__ = State
        return cast(State, fields)

    def public(self) -> State:
        """What everybody sees: the betting, the visible board, and the hands shown at a showdown."""
        deal = self.deal
        if deal is None:
            return self
        board = self.board
        if self.is_showdown:
            shown = zip(deal.hole, self.folded, strict=True)
            hole = tuple(() if folded else cards for cards, folded in shown)
        elif any(deal.hole) or len(deal.board) != len(board):
            hole = ((),) * self.game.players
        else:
            return self
        return self.with_deal(Deal(hole, board))

    def view(
        self, seat: int, *, dice_key: bytes = b"", hole: tuple[int, ...] | None = None
    ) -> View:
        """What `seat` may see; everything it may know.

        A state that is public already does not know the seat's own `hole`, which is then given.
        """
        deal = self.deal
        if deal is None:
            return View(seat, self, hole or (), (), dice_key)
        public = self.public()
        return View(seat, public, deal.hole[seat] if hole is None else hole, public.board, dice_key)

    def action_name(self, action: Action) -> str:
        """fold, check, call, raise N or all-in.

        >>> State.start("holdem-nl-20bb").action_name(2000)
        'all-in'
        """
        return action_name(action, to_call=self.to_call, stack=self.game.stacks[self.actor])

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
        return _rebuilt, tuple(getattr(self, name) for name in _Fields.__slots__)


def action_name(action: Action, *, to_call: int, stack: int) -> str:
    """An action in one or two words: the one rule for states, trees, grids and pages.

    The raise of a limit game that leaves chips behind is a raise, although no larger one is allowed.
    """
    if action == FOLD:
        return "fold"
    if action == CALL:
        return "call" if to_call else "check"
    return "all-in" if action >= stack else f"raise {action}"


def _rebuilt(*values: Any) -> State:
    """A copy of a state from the values of its fields, for sending it to another process."""
    fields = _Fields()
    for name, value in zip(_Fields.__slots__, values, strict=True):
        setattr(fields, name, value)
    fields.__class__ = State
    return cast(State, fields)


def _finish(fields: _Fields) -> State:
    """Work out the bounds of the next raise and close the state to changes."""
    low = high = 0
    actor = fields.actor
    if actor >= 0:
        game, largest, round_ = fields.game, fields.largest, fields.round
        stack = game.stacks[actor]
        if (
            stack > largest
            and fields._able > 1
            and fields._raises < game.max_raises[round_]
            and len(fields.betting[-1]) + game.players <= MAX_ACTIONS_PER_ROUND
        ):
            if game.betting == "limit":
                high = largest + game.raise_sizes[round_]
                low = high = high if high < stack else stack
            else:
                low, high = min(fields._least, stack), stack
    fields.min_raise_to = low
    fields.max_raise_to = high
    # Switching the class is what makes filling a state fast although a State refuses changes.
    fields.__class__ = State
    return cast(State, fields)


def _actor_from(game: Game, spent: tuple[int, ...], folded: tuple[bool, ...], seat: int) -> int:
    """The first seat able to act, from `seat` on around the table."""
    players, stacks = game.players, game.stacks
    seat %= players
    while folded[seat] or spent[seat] >= stacks[seat]:
        seat = (seat + 1) % players
    return seat
