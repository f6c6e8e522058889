"""Xiangqi as lists of rows: pieces on points, as each side sees them.

    python xiangqi.py check 20       follows random games
    python xiangqi.py records 3000   prints records for `nnue train`

A piece on a point is a row, of one's own or of the opponent's. Repetitions are left out.
"""

from copy import deepcopy

import follow

GENERAL, ADVISOR, ELEPHANT, HORSE, CHARIOT, CANNON, SOLDIER = range(7)
FILES, RANKS = 9, 10
POINTS = FILES * RANKS
BACK_RANK = [CHARIOT, HORSE, ELEPHANT, ADVISOR, GENERAL, ADVISOR, ELEPHANT, HORSE, CHARIOT]
STRAIGHT, DIAGONAL = [(1, 0), (-1, 0), (0, 1), (0, -1)], [(1, 1), (1, -1), (-1, 1), (-1, -1)]


class Xiangqi:
    DECLARATION = f"""pub struct Xiangqi = rows[own: {7 * POINTS}, other: {7 * POINTS}, active 32]
        -> 32x2 -> 1 {{ format raw {{ padding: none }} }};"""

    def __init__(self):
        self.board = {}  # point: (owner, kind)
        for side in [0, 1]:
            for file, kind in enumerate(BACK_RANK):
                self.board[turned(side, file)] = (side, kind)
            for file in [1, 7]:
                self.board[turned(side, 2 * FILES + file)] = (side, CANNON)
            for file in range(0, FILES, 2):
                self.board[turned(side, 3 * FILES + file)] = (side, SOLDIER)
        self.black = self.over = False

    def rows(self):
        pieces = self.board.items()
        return tuple(sorted(row(side, owner, kind, point) for point, (owner, kind) in pieces) for side in [0, 1])

    def moves(self):
        """Moves `(from, to)`."""
        side = int(self.black)
        for point, (owner, kind) in self.board.items():
            if owner == side:
                for target in self.targets(point, side, kind):
                    if self.board.get(target, (1 - side,))[0] != side:
                        yield point, target

    def targets(self, point, side, kind):
        """Where a piece may go, if no piece of its own is there."""
        if kind in (CHARIOT, CANNON):
            return self.slides(point, kind == CANNON)
        rank, file = divmod(turned(side, point), FILES)
        steps = {GENERAL: STRAIGHT, ADVISOR: DIAGONAL, SOLDIER: [(1, 0)], ELEPHANT: [], HORSE: []}[kind]
        found = [(rank + up, file + right) for up, right in steps]
        if kind == SOLDIER and rank >= 5:
            found += [(rank, file - 1), (rank, file + 1)]
        if kind == ELEPHANT:  # its eye must be empty
            found += [(rank + 2 * up, file + 2 * right) for up, right in DIAGONAL if self.is_empty(side, rank + up, file + right)]
        if kind == HORSE:  # its leg must be empty
            for up, right in STRAIGHT:
                if self.is_empty(side, rank + up, file + right):
                    found += [(rank + 2 * up + right, file + 2 * right + up), (rank + 2 * up - right, file + 2 * right - up)]
        allowed = {
            GENERAL: lambda rank, file: rank < 3 and 3 <= file < 6,
            ADVISOR: lambda rank, file: rank < 3 and 3 <= file < 6,
            ELEPHANT: lambda rank, _file: rank < 5,
        }.get(kind, lambda _rank, _file: True)
        points = [turned(side, FILES * r + f) for r, f in found if on_board(r, f) and allowed(r, f)]
        # Generals that see each other may take each other.
        facing = self.facing(point) if kind == GENERAL else None
        return points if facing is None else [*points, facing]

    def is_empty(self, side, rank, file):
        return on_board(rank, file) and turned(side, FILES * rank + file) not in self.board

    def slides(self, point, jumps):
        for up, right in STRAIGHT:
            rank, file = divmod(point, FILES)
            screens = 0
            while on_board(rank := rank + up, file := file + right):
                target = FILES * rank + file
                is_taken = target in self.board
                if screens == (1 if jumps and is_taken else 0):
                    yield target
                screens += is_taken
                if screens > (1 if jumps else 0):
                    break

    def facing(self, point):
        """The other general, if nothing stands between on the file."""
        side = self.board[point][0]
        step = FILES if side == 0 else -FILES
        target = point + step
        while 0 <= target < POINTS:
            if target in self.board:
                return target if self.board[target] == (1 - side, GENERAL) else None
            target += step
        return None

    def legal(self, move):
        """Whether the general is not left to be taken."""
        after = deepcopy(self)
        after.play(move)
        side = int(self.black)
        return all(after.board.get(target) != (side, GENERAL) for _, target in after.moves())

    def change(self, move):
        point, target = move
        mover, taken = self.board[point], self.board.get(target)
        added = tuple([row(side, *mover, target)] for side in [0, 1])
        removed = tuple([row(side, *mover, point)] + ([row(side, *taken, target)] if taken else []) for side in [0, 1])
        return added, removed

    def play(self, move):
        point, target = move
        self.board[target] = self.board.pop(point)
        self.black = not self.black

    def result(self, black):
        """Who has more at the end, from 0 to 1."""
        worth = [0, 2, 2, 4, 9, 5, 1]
        lead = sum(worth[kind] * (1 if owner == black else -1) for owner, kind in self.board.values())
        return 1 / (1 + 10 ** (-lead / 10))


def turned(side, point):
    """A point as a side sees it, which plays from below."""
    return point if side == 0 else POINTS - 1 - point


def on_board(rank, file):
    return 0 <= rank < RANKS and 0 <= file < FILES


def row(side, owner, kind, point):
    return (0 if owner == side else 7 * POINTS) + POINTS * kind + turned(side, point)


if __name__ == "__main__":
    follow.main("xiangqi", Xiangqi, deepcopy, Xiangqi.result)
