"""Stacks follow games as python-chess does."""

import random

import chess
import pytest
from conftest import START

import nnue

FENS = [
    START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",  # castling
    "8/8/3p4/1Pp4r/1K3p2/6k1/4P1P1/1R6 w - c6 0 3",  # en passant
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",  # promotions
]


def wander(network, board, chance, plies=200):
    """Pushes and pops as a search does."""
    stack = network.stack(board)
    for _ in range(plies):
        moves = list(board.legal_moves)
        if len(stack) and (not moves or chance.random() < 0.3):
            assert stack.pop() is None
            board.pop()
        elif moves:
            move = chance.choice(moves)
            stack.push(move if chance.random() < 0.5 else move.uci())
            board.push(move)
        if chance.random() < 0.5:
            assert stack.evaluate() == network.evaluate(board), board.fen()
        assert stack.fen().split()[0] == board.board_fen()


@pytest.mark.parametrize("fen", FENS)
def test_every_line_is_evaluated_as_its_last_position(default, fen):
    for seed in range(10):
        wander(default, chess.Board(fen), random.Random(seed))


@pytest.mark.parametrize("number", [0, 100, 518, 959])
def test_chess960(default, number):
    wander(default, chess.Board.from_chess960_pos(number), random.Random(number), 400)


def test_castling_is_written_in_both_ways(default):
    for move in ["e1g1", "e1h1"]:
        stack = default.stack("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
        stack.push(move)
        assert stack.fen() == "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"


def test_null_moves(default):
    board = chess.Board()
    stack = default.stack()
    for move in [chess.Move.null(), chess.Move.from_uci("e7e5")]:
        board.push(move)
        stack.push(move)
        assert stack.evaluate() == default.evaluate(board)
    stack.push("0000")
    assert len(stack) == 3


@pytest.mark.parametrize("move", ["e2e5", "e7e5", "e1e2", "e2", "e2e4q", "", "♔"])
def test_moves_are_legal(default, move):
    stack = default.stack()
    with pytest.raises(nnue.MoveError, match=START.split()[0]):
        stack.push(move)
    assert (len(stack), stack.fen()) == (0, START)


def test_nothing_is_left_to_pop(default):
    stack = default.stack()
    with pytest.raises(IndexError, match="without moves"):
        stack.pop()


def test_reset(default):
    stack = default.stack()
    stack.push("e2e4")
    stack.reset(FENS[1])
    assert (len(stack), stack.fen()) == (0, FENS[1])
    assert stack.evaluate() == default.evaluate(FENS[1])
    stack.reset()
    assert stack.fen() == START


def test_roots_are_positions(default):
    for wrong in ["8/8/8/8/8/8/8/8 w - - 0 1", "x"]:
        with pytest.raises(nnue.PositionError):
            default.stack(wrong)
