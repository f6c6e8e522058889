"""Shogi as lists of rows: pieces on squares, and pieces in hand, as each side sees them.

    python shogi.py check 20       follows random games
    python shogi.py records 3000   prints records for `nnue train`

A piece on a square is a row, of one's own or of the opponent's; the first pawn in hand is a row, the second one another. So 40 rows are active, and a
move changes at most four of them. The rule against mate by a dropped pawn, and repetitions, are left out.
"""

from copy import deepcopy

import follow

PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK, KING = range(8)
PROMOTED = {PAWN: 8, LANCE: 9, KNIGHT: 10, SILVER: 11, BISHOP: 12, ROOK: 13}
PLAIN = {promoted: kind for kind, promoted in PROMOTED.items()}
KINDS, SQUARES = 14, 81
MOST = [18, 4, 4, 4, 4, 2, 2]  # in one hand
HAND = sum(MOST)
OWN, OTHER, OWN_HAND, OTHER_HAND = 0, KINDS * SQUARES, 2 * KINDS * SQUARES, 2 * KINDS * SQUARES + HAND

STRAIGHT, DIAGONAL = [(1, 0), (-1, 0), (0, 1), (0, -1)], [(1, 1), (1, -1), (-1, 1), (-1, -1)]
GOLDEN = [(1, 0), (1, 1), (1, -1), (0, 1), (0, -1), (-1, 0)]
# Steps and slides of each kind, as (forwards, sideways).
STEPS = {
    PAWN: [(1, 0)],
    KNIGHT: [(2, 1), (2, -1)],
    SILVER: [(1, 0), *DIAGONAL],
    GOLD: GOLDEN,
    KING: STRAIGHT + DIAGONAL,
    **{PROMOTED[kind]: GOLDEN for kind in [PAWN, LANCE, KNIGHT, SILVER]},
    PROMOTED[BISHOP]: STRAIGHT,
    PROMOTED[ROOK]: DIAGONAL,
}
SLIDES = {LANCE: [(1, 0)], BISHOP: DIAGONAL, ROOK: STRAIGHT, PROMOTED[BISHOP]: DIAGONAL, PROMOTED[ROOK]: STRAIGHT}
BACK_RANK = [LANCE, KNIGHT, SILVER, GOLD, KING, GOLD, SILVER, KNIGHT, LANCE]


class Shogi:
    DECLARATION = f"""pub struct Shogi = rows[own: {KINDS * SQUARES}, other: {KINDS * SQUARES}, own_hand: {HAND}, other_hand: {HAND}, active 40]
        -> 32x2 -> 1 {{ format raw {{ padding: none }} }};"""

    def __init__(self):
        self.board = {}  # square: (owner, kind)
        for side in [0, 1]:
            for file, kind in enumerate(BACK_RANK):
                self.board[turned(side, file)] = (side, kind)
                self.board[turned(side, 18 + file)] = (side, PAWN)
            self.board[turned(side, 10)] = (side, BISHOP)
            self.board[turned(side, 16)] = (side, ROOK)
        self.hands = [[0] * 7, [0] * 7]
        self.black = self.over = False

    def rows(self):
        return tuple(self.list(side) for side in [0, 1])

    def list(self, side):
        rows = [on_board(side, owner, kind, square) for square, (owner, kind) in self.board.items()]
        for owner in [0, 1]:
            for kind, count in enumerate(self.hands[owner]):
                rows += [in_hand(side, owner, kind, number) for number in range(count)]
        return sorted(rows)

    def moves(self):
        """Moves `(from, to, kind after it)`; of a drop, the first is `None`."""
        side = int(self.black)
        for square, (owner, kind) in self.board.items():
            if owner == side:
                for target in self.targets(square, side, kind):
                    yield from self.with_promotions(side, square, target, kind)
        for kind, count in enumerate(self.hands[side]):
            if count:
                for square in range(SQUARES):
                    if square not in self.board and self.may_drop(side, kind, square):
                        yield None, square, kind

    def targets(self, square, side, kind):
        for steps, most in [(STEPS.get(kind, []), 1), (SLIDES.get(kind, []), 8)]:
            for forwards, sideways in steps:
                rank, file = divmod(square, 9)
                for _ in range(most):
                    rank, file = rank + (forwards if side == 0 else -forwards), file + sideways
                    if not (0 <= rank < 9 and 0 <= file < 9):
                        break
                    found = self.board.get(9 * rank + file)
                    if found is None or found[0] != side:
                        yield 9 * rank + file
                    if found is not None:
                        break

    def with_promotions(self, side, square, target, kind):
        ranks = [turned(side, one) // 9 for one in [square, target]]
        if kind in PROMOTED and max(ranks) >= 6:
            yield square, target, PROMOTED[kind]
        if can_move_on(kind, ranks[1]):
            yield square, target, kind

    def may_drop(self, side, kind, square):
        has_pawn = kind == PAWN and any(self.board.get(9 * rank + square % 9) == (side, PAWN) for rank in range(9))
        return can_move_on(kind, turned(side, square) // 9) and not has_pawn

    def legal(self, move):
        """Whether the king is not left to be taken."""
        after = deepcopy(self)
        after.play(move)
        side = int(self.black)
        return all(after.board.get(target) != (side, KING) for _, target, _ in after.moves())

    def change(self, move):
        square, target, kind = move
        mover, taken = int(self.black), self.board.get(target)
        added, removed = ([], []), ([], [])
        for side in [0, 1]:
            added[side].append(on_board(side, mover, kind, target))
            if square is None:
                removed[side].append(in_hand(side, mover, kind, self.hands[mover][kind] - 1))
            else:
                removed[side].append(on_board(side, mover, self.board[square][1], square))
            if taken:
                removed[side].append(on_board(side, *taken, target))
                plain = PLAIN.get(taken[1], taken[1])
                added[side].append(in_hand(side, mover, plain, self.hands[mover][plain]))
        return added, removed

    def play(self, move):
        square, target, kind = move
        mover, taken = int(self.black), self.board.get(target)
        if square is None:
            self.hands[mover][kind] -= 1
        else:
            del self.board[square]
        if taken:
            plain = PLAIN.get(taken[1], taken[1])
            self.hands[mover][plain] += 1
        self.board[target] = (mover, kind)
        self.black = not self.black

    def result(self, black):
        """Who has more at the end, from 0 to 1."""
        worth = [1, 3, 3, 5, 6, 8, 10, 0]
        lead = 0
        for owner, kind in self.board.values():
            lead += worth[PLAIN.get(kind, kind)] * (1 if owner == black else -1)
        for owner, hand in enumerate(self.hands):
            lead += sum(worth[kind] * count for kind, count in enumerate(hand)) * (1 if owner == black else -1)
        return 1 / (1 + 10 ** (-lead / 20))


def turned(side, square):
    """A square as a side sees it, which plays from below."""
    return square if side == 0 else SQUARES - 1 - square


def can_move_on(kind, rank):
    """Whether a piece on this rank, from its own side, can ever move on."""
    return rank < {PAWN: 8, LANCE: 8, KNIGHT: 7}.get(kind, 9)


def on_board(side, owner, kind, square):
    return (OWN if owner == side else OTHER) + SQUARES * kind + turned(side, square)


def in_hand(side, owner, kind, number):
    return (OWN_HAND if owner == side else OTHER_HAND) + sum(MOST[:kind]) + number


if __name__ == "__main__":
    follow.main("shogi", Shogi, deepcopy, Shogi.result)
