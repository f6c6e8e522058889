"""Random games over lists of rows: a network follows every move, and each value is compared with that of the rows alone.

A game is a class with

    DECLARATION     of its network, `rows[..] -> 32x2 -> 1`
    black           whether the side that did not begin is to move
    over            whether the game has ended, though there are moves
    rows()          the active rows of each side, a pair of lists
    moves()         moves; not all of them need be legal
    change(move)    the rows that it adds and removes, each a pair of lists
    play(move)      makes it
    legal(move)     whether it may be made
"""

import random
import re
import struct
import sys

WIDTH, LONGEST = 32, 150


def random_network(declaration, seed=1):
    """A network with small random weights: what it says means nothing, and is the same on every machine."""
    import nnue

    chance = random.Random(seed)
    source = re.search(r"rows\[(.*?),\s+active", declaration)[1]
    rows = sum(int(number) for number in re.findall(r"\d+", source))
    words = [chance.randrange(-30, 31) for _ in range(WIDTH * (rows + 1))]  # rows, then biases
    layer = [chance.randrange(-60, 61) for _ in range(2 * WIDTH)]
    return nnue.Network.from_bytes(struct.pack(f"<{len(words)}h{len(layer)}bi", *words, *layer, 0), declaration)


def some_move(game, chance):
    """A legal move, or `None`."""
    moves = list(game.moves())
    chance.shuffle(moves)
    return next((move for move in moves if game.legal(move)), None)


class Follower:
    """A network, and a stack that follows a game."""

    def __init__(self, network):
        self.network, self.stack = network, network.rows_stack()
        self.moves = self.candidates = self.total = 0

    def alone(self, game, black):
        return self.network.evaluate_listed(game.rows(), black_to_move=black)

    def step(self, game, move):
        """Plays a move, follows it by the rows that it changes, and compares the value with that of all rows."""
        added, removed = game.change(move)
        game.play(move)
        self.stack.push_rows(added, removed, black_to_move=game.black)
        said = self.stack.evaluate()
        assert said == self.alone(game, game.black), (move, added, removed)
        self.moves, self.total = self.moves + 1, self.total + said.value
        return said

    def look_ahead(self, game, chance, copy):
        """Evaluates moves at once, and compares each with the position after it."""
        moves = list(game.moves())
        moves = chance.sample(moves, min(len(moves), 30))
        values = self.stack.evaluate_candidates([game.change(move) for move in moves])
        for move, value in zip(moves, values["value"].tolist()):
            after = copy(game)
            after.play(move)
            assert value == self.alone(after, game.black).value, move
        self.candidates += len(moves)

    def game(self, game, chance, copy):
        self.stack.set(game.rows(), black_to_move=game.black)
        said = [self.stack.evaluate()]
        while not game.over and len(said) <= LONGEST:
            if len(said) % 25 == 0:
                self.look_ahead(game, chance, copy)
            move = some_move(game, chance)
            if move is None:
                break
            said.append(self.step(game, move))
        # Moves are taken back, and the values before them are there again.
        while len(said) > 1:
            assert self.stack.evaluate() == said.pop()
            self.stack.pop()
        assert self.stack.evaluate() == said[0] and len(self.stack) == 0


def records(new_game, games, target):
    """Records for `nnue train`: positions of random games, with the result that `target(game)` says for the side to move."""
    chance = random.Random(2)
    for _ in range(games):
        game, seen = new_game(), []
        while not game.over and len(seen) < LONGEST:
            move = some_move(game, chance)
            if move is None:
                break
            game.play(move)
            seen.append((game.rows(), game.black))
        for rows, black in seen[chance.randrange(4) :: 4]:
            lists = " | ".join(" ".join(map(str, rows)) for rows in rows)
            print(f"{lists} {'b' if black else 'w'} | {target(game, black)}")


def main(name, new_game, copy, target):
    """`check GAMES` follows random games, `records GAMES` prints them for `nnue train`."""
    match sys.argv[1:]:
        case ["check", games]:
            follower, chance = Follower(random_network(new_game().DECLARATION)), random.Random(1)
            for _ in range(int(games)):
                follower.game(new_game(), chance, copy)
            print(f"{name}: {follower.moves} moves and {follower.candidates} candidates followed, sum of values {follower.total}")
        case ["records", games]:
            records(new_game, int(games), target)
        case _:
            sys.exit(f"python {name}.py check GAMES | records GAMES")
