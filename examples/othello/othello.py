"""Othello with a network over lists of rows: the rules are here, the network knows only which rows are active.

    python othello.py play              plays a game against itself and prints it
    python othello.py match 20          against a player who takes the most discs
    python othello.py records 3000      prints records for `nnue train net.toml`

`pip install nnue`. A row is a square with a disc of one's own (0 to 63) or of the opponent (64 to 127), for each side a list. The number of discs
chooses one of eight layer stacks. A move changes the few rows of the discs that it turns, and the network follows.
"""

import random
import sys
from pathlib import Path

NAMES = [f"{column}{row}" for row in range(1, 9) for column in "abcdefgh"]
DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
BLACK, WHITE = 0, 1  # Black begins: in `nnue` the side that begins is White


def line(square, direction):
    """The squares from a square to the edge of the board."""
    row, column = divmod(square, 8)
    squares = []
    while True:
        row, column = row + direction[0], column + direction[1]
        if not (0 <= row < 8 and 0 <= column < 8):
            return squares
        squares.append(8 * row + column)


LINES = [[line(square, direction) for direction in DIRECTIONS] for square in range(64)]


class Board:
    """The discs of both sides, and the side to move."""

    def __init__(self):
        self.discs = [{28, 35}, {27, 36}]
        self.side = BLACK

    def turned(self, square):
        """The discs that a move turns; none if it is not legal."""
        own, other = self.discs[self.side], self.discs[1 - self.side]
        if square in own or square in other:
            return []
        all_turned = []
        for squares in LINES[square]:
            turned = []
            for next_square in squares:
                if next_square in other:
                    turned.append(next_square)
                    continue
                if next_square in own:
                    all_turned += turned
                break
        return all_turned

    def moves(self):
        """The legal moves with the discs that each turns."""
        found = ((square, self.turned(square)) for square in range(64))
        return [(square, turned) for square, turned in found if turned]

    def play(self, square, turned):
        self.discs[self.side] |= {square, *turned}
        self.discs[1 - self.side] -= set(turned)
        self.side = 1 - self.side

    def undo(self, square, turned):
        self.side = 1 - self.side
        self.discs[self.side] -= {square, *turned}
        self.discs[1 - self.side] |= set(turned)

    def rows(self):
        """The list of each side: its own discs, then the opponent's."""
        return tuple(
            sorted(self.discs[side]) + sorted(64 + square for square in self.discs[1 - side]) for side in [BLACK, WHITE]
        )

    def lead(self):
        """How many more discs the side to move has."""
        return len(self.discs[self.side]) - len(self.discs[1 - self.side])

    def __str__(self):
        disc = {**{square: "X" for square in self.discs[BLACK]}, **{square: "O" for square in self.discs[WHITE]}}
        return "\n".join(" ".join(disc.get(8 * row + column, ".") for column in range(8)) for row in range(8))


def change(side, square, turned):
    """The rows that a move adds and removes, for each side."""
    own = [square, *turned]
    added = [own, [64 + disc for disc in own]]
    removed = [[64 + disc for disc in turned], list(turned)]
    return (tuple(added), tuple(removed)) if side == BLACK else (tuple(added[::-1]), tuple(removed[::-1]))


class Player:
    """A search of a few moves; the stack follows each of them."""

    def __init__(self, network, depth):
        self.stack, self.depth, self.positions = network.rows_stack(), depth, 0

    def begin(self, board):
        self.stack.set(board.rows(), black_to_move=board.side == WHITE)

    def follow(self, board, square, turned):
        """Plays a move on the board and on the stack."""
        added, removed = change(board.side, square, turned)
        board.play(square, turned)
        self.stack.push_rows(added, removed, black_to_move=board.side == WHITE)

    def passes(self, board):
        board.side = 1 - board.side
        self.stack.push_rows(black_to_move=board.side == WHITE)

    def search(self, board, depth, alpha, beta, has_passed=False):
        """The value of the position for the side to move."""
        moves = board.moves()
        if not moves and has_passed:
            return 100_000 * board.lead()
        if depth == 0:
            self.positions += 1
            return self.stack.evaluate().value
        if not moves:
            self.passes(board)
            value = -self.search(board, depth, -beta, -alpha, True)
            self.stack.pop()
            board.side = 1 - board.side
            return value
        for square, turned in moves:
            self.follow(board, square, turned)
            value = -self.search(board, depth - 1, -beta, -alpha)
            self.stack.pop()
            board.undo(square, turned)
            if value >= beta:
                return value
            alpha = max(alpha, value)
        return alpha

    def choose(self, board):
        """The best move, the first of equal ones."""
        best, value = None, -(1 << 40)
        for square, turned in board.moves():
            self.follow(board, square, turned)
            found = -self.search(board, self.depth - 1, -(1 << 40), -value)
            self.stack.pop()
            board.undo(square, turned)
            if found > value:
                best, value = (square, turned), found
        return best, value


def game(choose_black, choose_white, board=None):
    """Plays to the end: yields the side, the move (`None`: it passes) and the board after it."""
    board = board or Board()
    passed = 0
    while passed < 2:
        side = board.side
        if board.moves():
            move, passed = [choose_black, choose_white][side](board), 0
            board.play(*move)
        else:
            move, passed = None, passed + 1
            board.side = 1 - side
        yield side, move, board


def opened():
    import nnue

    folder = Path(__file__).parent
    return nnue.Network.open(folder / "net.nnue", (folder / "net.rs").read_text())


def play():
    network = opened()
    player = Player(network, depth=3)
    values = []

    def choose(board):
        player.begin(board)
        move, value = player.choose(board)
        values.append(value)
        return move

    board, moves = Board(), []
    for _side, move, after in game(choose, choose, board):
        moves.append("pass" if move is None else NAMES[move[0]])
        # What the stack followed is what the rows of the board say.
        player.begin(after)
        assert player.stack.evaluate() == network.evaluate_listed(after.rows(), black_to_move=after.side == WHITE)
    for first in range(0, len(moves), 15):
        print(" ".join(moves[first : first + 15]))
    print(board)
    print(f"X {len(board.discs[BLACK])}, O {len(board.discs[WHITE])}; {player.positions} positions evaluated")
    print("values", " ".join(f"{value:+}" for value in values[:12]))


def play_match(games):
    """Each opening of four random moves is played twice, with the colours changed."""
    player, chance = Player(opened(), depth=2), random.Random(1)

    def by_network(board):
        player.begin(board)
        return player.choose(board)[0]

    def by_discs(board):
        return max(board.moves(), key=lambda move: len(move[1]))

    won = drawn = 0
    for number in range(games):
        if number % 2 == 0:
            opening = [chance.random() for _ in range(4)]
        board = Board()
        for share in opening:
            moves = board.moves()
            board.play(*moves[int(share * len(moves))])
        players = [by_network, by_discs] if number % 2 == 0 else [by_discs, by_network]
        for _ in game(*players, board):
            pass
        lead = len(board.discs[number % 2]) - len(board.discs[1 - number % 2])
        won, drawn = won + (lead > 0), drawn + (lead == 0)
    print(f"{games} games: {won} won, {drawn} drawn, {games - won - drawn} lost")


def records(games):
    """Games of random moves and of greedy ones; the target is the result for the side to move."""
    chance = random.Random(2)

    def choose(board):
        moves = board.moves()
        if chance.random() < 0.3:
            return min(moves, key=lambda move: len(move[1]))
        return chance.choice(moves)

    for _ in range(games):
        seen, board = [], Board()
        for side, _move, after in game(choose, choose, board):
            seen.append((after.rows(), after.side))
        black = len(board.discs[BLACK]) - len(board.discs[WHITE])
        for rows, side in seen[chance.randrange(4) :: 4]:
            lead = black if side == BLACK else -black
            lists = " | ".join(" ".join(map(str, rows)) for rows in rows)
            print(f"{lists}{' b' if side == WHITE else ' w'} | {0.5 + 0.5 * ((lead > 0) - (lead < 0))}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["play"]:
            play()
        case ["match", games]:
            play_match(int(games))
        case ["records", games]:
            records(int(games))
        case _:
            sys.exit(__doc__)
