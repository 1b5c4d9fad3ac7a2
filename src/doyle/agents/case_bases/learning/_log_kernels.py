"""Compiled reader of STATE lines: text to hands and decisions, checked as the plain reader checks.

A line that is not plain (another field layout, a comment, bytes beyond ASCII, chips in fractions, a
showdown with hidden cards) or that breaks a rule is left to the plain reader, which reads it or says
what is wrong: nothing is refused here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from doyle.base._numba import Array, kernel
from doyle.cards._ranking_kernels import card_bit, rank_of
from doyle.cards.ranking import RankTables

_NEWLINE, _RETURN, _HASH, _COLON, _BAR, _SLASH, _MINUS = 10, 13, 35, 58, 124, 47, 45
_LOWER_F, _LOWER_C, _LOWER_R = 102, 99, 114
_STATE = np.array([83, 84, 65, 84, 69], np.uint8)
_UNSEEN = -1
_RANK_OF = np.array(["23456789TJQKA".find(chr(sign)) for sign in range(256)], np.int64)
_SUIT_OF = np.array(["cdhs".find(chr(sign)) for sign in range(256)], np.int64)
"""The rank and the suit that a byte stands for, -1 if none."""


class Names(NamedTuple):
    """Player names as places in the text: start[m], length[m]."""

    start: Array
    length: Array


@kernel
def _card(text: Array, position: int, end: int, seen: Any) -> Any:
    """The card written at `position`, or -1; also for one that is among `seen`, a mask."""
    if position + 1 >= end:
        return -1
    rank, suit = _RANK_OF[text[position]], _SUIT_OF[text[position + 1]]
    card = 4 * rank + suit
    if rank < 0 or suit < 0 or (seen >> np.uint64(card)) & np.uint64(1):
        return -1
    return card


@kernel
def read_number(text: Array, position: int, end: int, out: Array) -> Any:
    """Read -?[0-9]{1,15} into out[0]; the place after it, or -1."""
    negative = position < end and text[position] == _MINUS
    if negative:
        position += 1
    first = position
    value = np.int64(0)
    while position < end and 48 <= text[position] <= 57:
        value = 10 * value + np.int64(text[position]) - 48
        position += 1
    if position == first or position - first > 15:
        return -1
    out[0] = -value if negative else value
    return position


@kernel
def _rank_seven(tables: RankTables, hole: Array, board: Array) -> Any:
    key = tables.keys[52]
    mask = np.uint64(0)
    for cards in (hole, board):
        for place in range(len(cards)):
            card = np.uint64(cards[place])
            key += tables.keys[card]
            mask |= card_bit(card)
    return np.int64(rank_of(tables, key, mask))


@kernel
def name_number(text: Array, start: int, length: int, names: Names, count: Array) -> Any:
    """The number of a name, new ones are added; -1 if there is no room."""
    for number in range(count[0]):
        if names.length[number] == length:
            other = names.start[number]
            same = True
            for place in range(length):
                if text[start + place] != text[other + place]:
                    same = False
                    break
            if same:
                return number
    if count[0] == len(names.start):
        return -1
    names.start[count[0]] = start
    names.length[count[0]] = length
    count[0] += 1
    return count[0] - 1


@kernel
def read_cards(
    text: Array, position: int, end: int, rounds: int, players: int, hole: Array, board: Array
) -> Any:
    """Read the cards of a line up to round `rounds`; cards on the board, or -1."""
    seen = np.uint64(0)
    for seat in range(players):
        if seat > 0:
            if position >= end or text[position] != _BAR:
                return -1
            position += 1
        if position < end and text[position] != _BAR and text[position] != _SLASH:
            for place in range(2):
                card = _card(text, position, end, seen)
                if card < 0:
                    return -1
                seen |= np.uint64(1) << np.uint64(card)
                hole[seat, place] = card
                position += 2
        else:
            hole[seat, 0] = hole[seat, 1] = _UNSEEN
    count = 0
    for round_ in range(1, rounds + 1):
        if position >= end or text[position] != _SLASH:
            return -1
        position += 1
        for _ in range(3 if round_ == 1 else 1):
            card = _card(text, position, end, seen)
            if card < 0:
                return -1
            seen |= np.uint64(1) << np.uint64(card)
            board[count] = card
            count += 1
            position += 2
    if position != end:
        return -1
    fill = np.uint64(0)
    for place in range(count, 5):  # any cards that are not out: only lookups read them
        while (seen >> fill) & np.uint64(1):
            fill += np.uint64(1)
        seen |= np.uint64(1) << fill
        board[place] = fill
    return count


@kernel
def payoffs_agree(
    hole: Array, board: Array, payoff: Array, spent: Array, folded: Array, players: int,
    is_showdown: int, tables: RankTables,
) -> bool:  # fmt: skip
    """Whether the chips of a line are what the rules give; False where that takes more than this."""
    pot = np.int64(0)
    for seat in range(players):
        pot += spent[seat]
    best, winners, level = np.int64(-1), 0, np.int64(-1)
    won = np.zeros(3, np.int64)
    for seat in range(players):
        if folded[seat] == 1:
            continue
        if is_showdown == 0:
            rank = np.int64(0)
        else:
            if hole[seat, 0] < 0 or (level >= 0 and spent[seat] != level):
                return False
            level = spent[seat]
            rank = _rank_seven(tables, hole[seat], board)
        if rank > best:
            best, winners = rank, 0
            won[:] = 0
        if rank == best:
            winners += 1
            won[seat] = 1
    for seat in range(players):
        if is_showdown == 1 and spent[seat] > level:
            return False
    if pot % winners != 0:
        return False
    for seat in range(players):
        if payoff[seat] != won[seat] * (pot // winners) - spent[seat]:
            return False
    return True


MOST_ACTIONS_OF_A_HAND = 256
"""Room that one line must find in the output: four rounds of 64 actions."""


class Rules(NamedTuple):
    """The rules of a game and how its bets are read; the arrays are by seat or by round.

    `shares` are those of the bet letters, `has_all_in` says whether a letter for all-in follows them.
    """

    players: int
    is_limit: int
    big_blind: int
    blinds: Array
    stacks: Array
    raise_sizes: Array
    first_players: Array
    max_raises: Array
    shares: Array
    has_all_in: int
    letters: int
    commitment_classes: int


class Hands(NamedTuple):
    """Output by hand: holes[n, seats, 2] (-1 unseen), board[n, 5], cards on it, chips, name numbers."""

    line: Array
    hole: Array
    board: Array
    board_count: Array
    payoff: Array
    name: Array


class Made(NamedTuple):
    """Output by decision: the hand, seat, round, node of the sequence, letter, commitment class."""

    hand: Array
    seat: Array
    round: Array
    node: Array
    letter: Array
    commitment: Array


@kernel
def _letter_of_bet(share: float, all_in_share: float, rules: Rules) -> Any:
    """The letter that a bet is read as: equation 3, as `doyle.agents.case_bases.features.bets.read_hard`."""
    count = len(rules.shares)
    if rules.has_all_in == 1 and share >= all_in_share:
        return 2 + count
    below, next_ = -1, -1
    for place in range(count):
        value = rules.shares[place]
        if rules.has_all_in == 1 and value >= all_in_share:
            break
        if value <= share:
            below = place
        elif next_ < 0:
            next_ = place
    if below < 0:
        return 2
    upper = rules.shares[next_] if next_ >= 0 else all_in_share
    if next_ < 0:
        if rules.has_all_in == 0:
            return 2 + below
        next_ = count
    return 2 + (below if rules.shares[below] * upper > share * share else next_)


@kernel
def _child(children: Array, size: Array, node: Any, letter: Any) -> Any:
    """The node after `letter`, made if it is new; size[0] nodes are there."""
    found = children[node, letter]
    if found == 0:
        found = size[0]
        children[node, letter] = found
        size[0] += 1
    return np.int64(found)


@kernel
def _actor_from(rules: Rules, spent: Array, folded: Array, seat: int) -> Any:
    seat %= rules.players
    while folded[seat] == 1 or spent[seat] >= rules.stacks[seat]:
        seat = (seat + 1) % rules.players
    return seat


@kernel
def _play(
    text: Array, position: int, end: int, rules: Rules, children: Array, trie: Array,
    made: Made, first: int, hand: int, spent: Array, folded: Array, after: Array,
) -> Any:  # fmt: skip
    """Play the betting text[position:end]; decisions from row `first` on; the row after, or -1.

    after[0] is the last round, after[1] whether the hand is a showdown.
    """
    players = rules.players
    row = first
    able, largest = 0, np.int64(0)
    for seat in range(players):
        spent[seat] = rules.blinds[seat]
        folded[seat] = 0
        able += rules.blinds[seat] < rules.stacks[seat]
        largest = max(largest, rules.blinds[seat])
    if able == 0:
        return -1
    least, raises, waiting = largest + rules.big_blind, 0, able
    round_, made_in_round, node = 0, 0, np.int64(0)
    left, slashes = players, 0
    actor = _actor_from(rules, spent, folded, rules.first_players[0])
    while position < end:
        sign = text[position]
        if sign == _SLASH:
            slashes += 1
            if slashes > round_:
                return -1
            position += 1
            continue
        if actor < 0 or slashes < round_:
            return -1
        stack = rules.stacks[actor]
        made.hand[row] = hand
        made.seat[row] = actor
        made.round[row] = round_
        made.node[row] = node
        made.commitment[row] = min(
            rules.commitment_classes - 1, spent[actor] * rules.commitment_classes // stack
        )
        waiting -= 1
        letter = 0
        if sign == _LOWER_F:
            if spent[actor] >= largest:
                return -1
            folded[actor] = 1
            left -= 1
            able -= 1
            position += 1
        elif sign == _LOWER_C:
            letter = 1
            spent[actor] = min(largest, stack)
            able -= spent[actor] == stack
            position += 1
        elif sign == _LOWER_R:
            position += 1
            if (
                stack <= largest
                or able <= 1
                or raises >= rules.max_raises[round_]
                or made_in_round + players > 64
            ):
                return -1
            if rules.is_limit == 1:
                total = min(largest + rules.raise_sizes[round_], stack)
                letter = 2
            else:
                total = np.int64(0)
                digits = 0
                while position < end and 48 <= text[position] <= 57 and digits < 11:
                    total = 10 * total + np.int64(text[position]) - 48
                    position += 1
                    digits += 1
                if digits == 0 or digits > 10 or text[position - digits] == 48:
                    return -1
                if total > stack or total < min(least, stack):
                    return -1
                pot = largest - spent[actor]
                for seat in range(players):
                    pot += spent[seat]
                letter = _letter_of_bet((total - largest) / pot, (stack - largest) / pot, rules)
            least = max(least, 2 * total - largest)
            largest = total
            raises += 1
            waiting = able - 1
            spent[actor] = total
            able -= total == stack
        else:
            return -1
        made.letter[row] = letter
        made_in_round += 1
        row += 1
        node = _child(children, trie, node, letter)
        if left == 1:
            actor = -1
        elif waiting > 0:
            actor = _actor_from(rules, spent, folded, actor + 1)
        elif able > 1 and round_ < 3:
            round_ += 1
            made_in_round, raises, waiting = 0, 0, able
            least = largest + rules.big_blind
            actor = _actor_from(rules, spent, folded, rules.first_players[round_])
            node = _child(children, trie, node, rules.letters)
        else:
            actor = -1
            if able <= 1:
                round_ = 3
    if actor >= 0:
        return -1
    after[0] = round_
    after[1] = 1 if left > 1 else 0
    return row


@kernel
def read_lines(
    text: Array, position: int, rules: Rules, tables: RankTables, children: Array, trie: Array,
    hands: Hands, made: Made, names: Names, name_count: Array, counts: Array, left: Array,
) -> Any:  # fmt: skip
    """Read lines from text[position:] until one output is full; the place of the first unread line.

    `counts` is [lines, hands, decisions, lines left to the plain reader], all changed in place;
    left[m, 3] are the line numbers, starts and ends of those. `trie` is [number of nodes].
    """
    spent, folded = np.zeros(3, np.int64), np.zeros(3, np.int64)
    after, value = np.zeros(2, np.int64), np.zeros(1, np.int64)
    fields = np.zeros(7, np.int64)
    size = len(text)
    while position < size:
        if (
            counts[1] == len(hands.line)
            or counts[2] + MOST_ACTIONS_OF_A_HAND > len(made.hand)
            or counts[3] == len(left)
            or trie[0] + 2 * MOST_ACTIONS_OF_A_HAND > len(children)
        ):
            return position
        start = position
        colons, plain = 0, True
        while position < size and text[position] != _NEWLINE:
            sign = text[position]
            if sign == _COLON:
                if colons < 5:
                    fields[colons] = position
                colons += 1
            elif sign == _HASH or sign > 126:
                plain = False
            position += 1
        end = position
        position += 1
        if end > start and text[end - 1] == _RETURN:
            end -= 1
        number = counts[0]
        counts[0] += 1
        if end == start or text[start] == _HASH:
            continue
        row = -1
        hand = counts[1]
        if (
            plain
            and colons == 5
            and fields[0] == start + 5
            and (text[start : start + 5] == _STATE).all()
            and 1 < fields[1] - fields[0] <= 19
        ):
            row = _play(
                text, fields[1] + 1, fields[2], rules, children, trie, made, counts[2], hand,
                spent, folded, after,
            )  # fmt: skip
            for place in range(fields[0] + 1, fields[1]):
                if not 48 <= text[place] <= 57:
                    row = -1
        if row >= 0:
            hole, board = hands.hole[hand], hands.board[hand]
            count = read_cards(text, fields[2] + 1, fields[3], after[0], rules.players, hole, board)
            place = fields[3] + 1
            for seat in range(rules.players):
                if count < 0 or place < 0:
                    break
                if seat > 0:
                    if place >= fields[4] or text[place] != _BAR:
                        place = -1
                        break
                    place += 1
                place = read_number(text, place, fields[4], value)
                hands.payoff[hand, seat] = value[0]
            if (
                count < 0
                or place != fields[4]
                or not payoffs_agree(
                    hole, board, hands.payoff[hand], spent, folded, rules.players, after[1], tables
                )
            ):
                row = -1
            else:
                hands.board_count[hand] = count
        if row >= 0:
            place = fields[4] + 1
            for seat in range(rules.players):
                stop = place
                while stop < end and text[stop] != _BAR:
                    stop += 1
                is_last = seat == rules.players - 1
                if stop == place or (stop == end) != is_last:
                    row = -1
                    break
                known = name_number(text, place, stop - place, names, name_count)
                if known < 0:
                    row = -1
                    break
                hands.name[hand, seat] = known
                place = stop + 1
        if row < 0:
            left[counts[3], 0] = number
            left[counts[3], 1] = start
            left[counts[3], 2] = end
            counts[3] += 1
        else:
            hands.line[hand] = number
            counts[1] += 1
            counts[2] = row
    return position
