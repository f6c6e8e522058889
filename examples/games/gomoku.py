"""Gomoku as lists of rows: stones, and every line of five squares with stones of one side only.

    python gomoku.py check 20       follows random games
    python gomoku.py records 3000   prints records for `nnue train`

A stone changes the rows of at most 20 lines: a line of five that had two stones of a side has three, or is of no use to it any more.
"""

from copy import deepcopy

import follow

SIZE = 15
SQUARES = SIZE * SIZE


def lines():
    """The squares of each line of five."""
    found = []
    for row in range(SIZE):
        for column in range(SIZE):
            for down, right in [(0, 1), (1, 0), (1, 1), (1, -1)]:
                squares = [(row + step * down, column + step * right) for step in range(5)]
                if all(0 <= r < SIZE and 0 <= c < SIZE for r, c in squares):
                    found.append([SIZE * r + c for r, c in squares])
    return found


LINES = lines()
THROUGH = [[number for number, line in enumerate(LINES) if square in line] for square in range(SQUARES)]
PATTERNS = 5 * len(LINES)


class Gomoku:
    DECLARATION = f"""pub struct Gomoku = rows[own: {SQUARES}, other: {SQUARES}, own_lines: {PATTERNS}, other_lines: {PATTERNS},
        active {SQUARES + len(LINES)}] -> 32x2 -> 1 {{ format raw {{ padding: none }} }};"""

    def __init__(self):
        self.stones = [set(), set()]
        self.counts = [[0, 0] for _ in LINES]  # stones of each side in each line
        self.black = self.over = False

    def rows(self):
        return tuple(self.list(side) for side in [0, 1])

    def list(self, side):
        rows = [self.stone(side, owner, square) for owner in [0, 1] for square in self.stones[owner]]
        patterns = (self.pattern(side, number, counts) for number, counts in enumerate(self.counts))
        return sorted(rows + [row for row in patterns if row is not None])

    @staticmethod
    def stone(side, owner, square):
        return square if owner == side else SQUARES + square

    @staticmethod
    def pattern(side, number, counts):
        """The row of a line for a side, if it has stones, and of one owner only."""
        own, other = counts[side], counts[1 - side]
        if (own == 0) == (other == 0):
            return None
        return 2 * SQUARES + (PATTERNS if other else 0) + 5 * number + own + other - 1

    def moves(self):
        """Empty squares near stones; the middle of an empty board."""
        taken = self.stones[0] | self.stones[1]
        if not taken:
            return [SQUARES // 2]
        near = {
            SIZE * row + column
            for stone in taken
            for row in range(max(stone // SIZE - 2, 0), min(stone // SIZE + 3, SIZE))
            for column in range(max(stone % SIZE - 2, 0), min(stone % SIZE + 3, SIZE))
        }
        return sorted(near - taken)

    def legal(self, _square):
        return True

    def change(self, square):
        mover = int(self.black)
        added = ([self.stone(0, mover, square)], [self.stone(1, mover, square)])
        removed = ([], [])
        for number in THROUGH[square]:
            before = self.counts[number]
            after = [count + (owner == mover) for owner, count in enumerate(before)]
            for side in [0, 1]:
                for rows, counts in [(removed, before), (added, after)]:
                    row = self.pattern(side, number, counts)
                    if row is not None:
                        rows[side].append(row)
        return added, removed

    def play(self, square):
        mover = int(self.black)
        self.stones[mover].add(square)
        for number in THROUGH[square]:
            self.counts[number][mover] += 1
            self.over |= self.counts[number][mover] == 5
        self.over |= len(self.stones[0]) + len(self.stones[1]) == SQUARES
        self.black = not self.black

    def result(self, black):
        """1 if the side has won, 0 if it has lost."""
        won = [any(counts[side] == 5 for counts in self.counts) for side in [0, 1]]
        return 0.5 + 0.5 * (won[black] - won[not black])


if __name__ == "__main__":
    follow.main("gomoku", Gomoku, deepcopy, Gomoku.result)
