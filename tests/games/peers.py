"""Random hands played in step with PokerKit and with OpenSpiel's universal_poker.

Each `play_with_*` plays one random hand with doyle's rules and with the peer's at once, compares the
seat to act and the legal actions before every action and the chips won at the end, and returns the
number of decisions compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from doyle.cards.cards import CARD_NAMES
from doyle.games import CALL, FOLD, Action, Deal, Game, State

# OpenSpiel ranks three cards without straights and flushes, so only the betting is compared there.
OPEN_SPIEL_RANKS_OTHERWISE = {"rhode-island"}
# PokerKit's Kuhn poker has three cards, too few for three players.
NOT_IN_POKERKIT = {"kuhn-3p"}


def pairs(names: Iterable[str]) -> list[tuple[str, str]]:
    """Every peer with each game it has."""
    return [
        (peer, name)
        for peer in ("pokerkit", "open_spiel")
        for name in names
        if peer != "pokerkit" or name not in NOT_IN_POKERKIT
    ]


def random_deal(game: Game, rng: np.random.Generator) -> Deal:
    count = game.hole_cards * game.players + game.board_ends[-1]
    cards = [int(card) for card in rng.choice(game.deck, count, replace=False)]
    hole = tuple(
        tuple(cards[seat * game.hole_cards : (seat + 1) * game.hole_cards])
        for seat in range(game.players)
    )
    return Deal(hole, tuple(cards[game.hole_cards * game.players :]))


def random_action(state: State, rng: np.random.Generator) -> Action:
    """Folds seldom, so that hands get far; raises of all sizes, the least and the largest often."""
    draw = rng.random()
    if draw < 0.08 and state.can_fold:
        return FOLD
    if draw < 0.55 or not state.max_raise_to:
        return CALL
    low, high = state.min_raise_to, state.max_raise_to
    if draw < 0.65 or low == high:
        return low
    if draw < 0.68:
        return high
    if draw < 0.72:
        return int(rng.integers(low, high + 1))
    return min(high, int(low + (state.pot + 1) * rng.random() * 2))


def random_game(rng: np.random.Generator) -> Game:
    """A game nobody plays: two to six players, stacks of all sizes, blinds anywhere."""
    limit = bool(rng.random() < 0.3)
    players = int(rng.integers(2, 5 if limit else 7))
    rounds = int(rng.integers(1, 5))
    blinds = rng.integers(0, 4, players)
    blinds[rng.integers(players)] = rng.integers(1, 6)
    # OpenSpiel does not hand the stacks of limit games on to the server's code.
    stacks = () if limit else tuple(map(int, rng.integers(8, 80, players)))
    return Game(
        name="random",
        betting="limit" if limit else "nolimit",
        players=players,
        rounds=rounds,
        blinds=tuple(map(int, blinds)),
        suits=4,
        ranks=13,
        hole_cards=2,
        board_cards=(0, 3, 1, 1)[:rounds],
        stacks=stacks,
        raise_sizes=tuple(map(int, rng.integers(1, 9, rounds))) if limit else (),
        first_players=tuple(map(int, rng.integers(0, players, rounds))),
        max_raises=tuple(map(int, rng.integers(1, 5, rounds))) if limit else (),
    )


def play_many(task: tuple[str, str, int, int]) -> tuple[int, int]:
    """Play hands [first, last) of one game with one peer; (hands, decisions) compared."""
    peer, name, first, last = task
    play = {"pokerkit": play_with_pokerkit, "open_spiel": play_with_open_spiel}[peer]
    game = Game.named(name)
    decisions = 0
    for number in range(first, last):
        decisions += play(game, np.random.default_rng((20260, number)))
    return last - first, decisions


def play_with_open_spiel(game: Game, rng: np.random.Generator) -> int:
    deal = random_deal(game, rng)
    state = State.start(game, deal)
    peer = _open_spiel_game(game).new_initial_state()
    index = {card: position for position, card in enumerate(game.deck)}
    cards = [card for hole in deal.hole for card in hole] + list(deal.board)
    decisions = 0

    def deal_cards() -> None:
        while peer.is_chance_node():
            peer.apply_action(index[cards.pop(0)])

    deal_cards()
    while not state.is_over:
        decisions += 1
        assert peer.current_player() == state.actor, state
        legal = state.legal_actions()
        ours = [min(action, 2) for action in legal] if game.is_limit else list(legal)
        assert peer.legal_actions() == ours, state
        action = random_action(state, rng)
        state = state.apply(action)
        peer.apply_action(min(action, 2) if game.is_limit else action)
        deal_cards()
    assert peer.is_terminal(), state
    if game.name not in OPEN_SPIEL_RANKS_OTHERWISE or not state.is_showdown:
        assert [float(chips) for chips in state.payoffs()] == peer.returns(), state
    return decisions


@cache
def _open_spiel_game(game: Game) -> Any:
    import pyspiel

    def joined(values: tuple[int, ...]) -> str:
        return " ".join(map(str, values))

    parameters: dict[str, Any] = {
        "betting": game.betting,
        "numPlayers": game.players,
        "numRounds": game.rounds,
        "blind": joined(game.blinds),
        "firstPlayer": joined(tuple(seat + 1 for seat in game.first_players)),
        "numSuits": game.suits,
        "numRanks": game.ranks,
        "numHoleCards": game.hole_cards,
        "numBoardCards": joined(game.board_cards),
        "stack": joined(game.stacks),
    }
    if game.is_limit:
        parameters |= {"raiseSize": joined(game.raise_sizes), "maxRaises": joined(game.max_raises)}
    else:
        parameters["bettingAbstraction"] = "fullgame"
    return pyspiel.load_game("universal_poker", parameters)


def play_with_pokerkit(game: Game, rng: np.random.Generator) -> int:
    deal = random_deal(game, rng)
    state = State.start(game, deal)
    create, name_of = _pokerkit_game(game)
    peer = create()
    antes = game.blinds[0] if len(set(game.blinds)) == 1 else 0
    before_round = antes  # what our totals include and PokerKit's bets of the round do not
    board = list(deal.board)
    decisions = 0

    def deal_cards() -> None:
        while peer.can_deal_hole():
            seat = peer.hole_dealee_index
            peer.deal_hole("".join(name_of(card) for card in deal.hole[seat]))
        while peer.can_burn_card() or peer.can_deal_board():
            if peer.can_burn_card():
                peer.burn_card("??")
            count = peer.board_dealing_count
            peer.deal_board("".join(name_of(board.pop(0)) for _ in range(count)))

    deal_cards()
    while not state.is_over:
        decisions += 1
        assert peer.actor_index == state.actor, state
        assert peer.can_fold() == state.can_fold, state
        bounds = (
            peer.min_completion_betting_or_raising_to_amount,
            peer.max_completion_betting_or_raising_to_amount,
        )
        totals = tuple(0 if bound is None else bound + before_round for bound in bounds)
        assert totals == (state.min_raise_to, state.max_raise_to), state
        action = random_action(state, rng)
        if action == FOLD:
            peer.fold()
        elif action == CALL:
            peer.check_or_call()
        else:
            peer.complete_bet_or_raise_to(action - before_round)
        after = state.apply(action)
        if after.round != state.round:
            before_round = after.largest
        state = after
        deal_cards()
    assert not peer.status, state
    assert tuple(peer.payoffs) == state.payoffs(), state
    return decisions


@cache
def _pokerkit_game(game: Game) -> tuple[Callable[[], Any], Callable[[int], str]]:
    """A maker of PokerKit states for a game, and the names it has for our cards."""
    import pokerkit

    automations = tuple(
        automation
        for automation in pokerkit.Automation
        if automation.name not in ("HOLE_DEALING", "BOARD_DEALING", "CARD_BURNING")
    )

    def exact_divmod(pot: Any, shares: int) -> tuple[Any, int]:
        return Fraction(pot) / shares, 0

    options: dict[str, Any] = {"divmod": exact_divmod}
    first = (automations, True)
    if game.ranks == 13 and game.hole_cards == 2:
        blinds = game.blinds[::-1] if game.players == 2 else game.blinds
        kind: Any
        if game.is_limit:
            sizes: tuple[int, ...] = (game.raise_sizes[0], game.raise_sizes[2])
            kind = pokerkit.FixedLimitTexasHoldem
        else:
            sizes = (game.big_blind,)
            kind = pokerkit.NoLimitTexasHoldem
        made = kind(*first, 0, blinds, *sizes, **options)
    elif game.rounds == 1:
        made = pokerkit.KuhnPoker(*first, *(1, 1), **options)
    elif game.rounds == 3:
        made = pokerkit.RhodeIslandHoldem(*first, 5, 10, 20, **options)
    else:
        sizes = game.raise_sizes or (1, 1)
        made = pokerkit.LeducHoldem(*first, 1, *sizes, **options)
    if game.is_limit:
        # PokerKit's caps belong to its classes; ours are data of the game.
        made.streets = tuple(
            replace(street, max_completion_betting_or_raising_count=cap)
            for street, cap in zip(made.streets, game.max_raises, strict=True)
        )
    else:
        made.betting_structure = pokerkit.BettingStructure.NO_LIMIT
        made.streets = tuple(
            replace(street, max_completion_betting_or_raising_count=None) for street in made.streets
        )
    # PokerKit's small decks have J, Q and K; ours have Q, K and A.
    shift = 4 if game.ranks == 3 else 0
    return (lambda: made(game.stacks, game.players)), (lambda card: CARD_NAMES[card - shift])
