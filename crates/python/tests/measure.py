"""What calls cost: the least of rounds in which all of them take turns.

    python tests/measure.py [NETWORK]
"""

import sys
import time

import chess
import numpy as np
from conftest import ROOT

import nnue

ROUNDS = 25


def game():
    """Boards and moves of a game of the vectors."""
    _, fen, moves = (ROOT / "crates/cli/data/games.tsv").read_text().splitlines()[0].split("\t")
    board, boards, played = chess.Board(fen), [], []
    for uci in moves.split():
        boards.append(board.copy(stack=False))
        played.append(board.parse_uci(uci))
        board.push(played[-1])
    return boards, played


def row(board):
    kinds = [board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings]
    return [*kinds, board.occupied_co[True], board.occupied_co[False], board.turn]


def measured(network):
    """What is measured: its name, a function, how many positions it evaluates."""
    boards, moves = game()
    fens = [board.fen() for board in boards]
    many = fens * 100
    array = np.array([row(board) for board in boards] * 100, dtype=np.uint64)
    stack = network.stack(boards[0])

    def follow():
        for move in moves:
            stack.push(move)
            stack.evaluate()
        for _ in moves:
            stack.pop()

    return [
        ("evaluate(fen)", lambda: [network.evaluate(fen) for fen in fens], len(fens)),
        ("evaluate(board)", lambda: [network.evaluate(board) for board in boards], len(boards)),
        ("board.fen()", lambda: [board.fen() for board in boards], len(boards)),
        ("push, evaluate, pop", follow, len(moves)),
        ("evaluate_many(fens), one thread", lambda: network.evaluate_many(many, threads=1), len(many)),
        ("evaluate_many(array), one thread", lambda: network.evaluate_many(array, threads=1), len(array)),
        ("evaluate_many(array), all cores", lambda: network.evaluate_many(array), len(array)),
    ]


def main():
    network = nnue.Network.open(sys.argv[1]) if len(sys.argv) > 1 else nnue.Network.default()
    calls = measured(network)
    seconds = {name: [] for name, _, _ in calls}
    for _ in range(ROUNDS):
        for name, call, _ in calls:
            start = time.perf_counter()
            call()
            seconds[name].append(time.perf_counter() - start)
    print(network, network.level)
    for name, _, count in calls:
        print(f"{name:<34} {min(seconds[name]) / count * 1e9:8.0f} ns")


if __name__ == "__main__":
    main()
