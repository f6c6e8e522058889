"""The numbers of released engines, by every way of asking."""

import chess
import numpy as np
import pytest
from conftest import rows

import nnue


def parts(row):
    return int(row["psqt"]), int(row["positional"]), int(row["bucket"])


def masks(board):
    kinds = [board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings]
    return [*kinds, board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK], board.turn]


def test_positions(vectors):
    name, network = vectors
    suite = rows("suite", name)
    fens = [row["fen"] for row in suite]
    boards = [chess.Board(fen) for fen in fens]
    expected = [parts(row) for row in suite]
    array = np.array([masks(board) for board in boards], dtype=np.uint64)
    assert len(suite) > 300
    for position in [*zip(fens, expected), *zip(boards, expected)]:
        said = network.evaluate(position[0])
        assert (said.psqt, said.positional, said.bucket) == position[1], position[0]
    for positions, threads in [(fens, None), (boards, 1), (array, 3), (iter(fens * 5), 2)]:
        many = network.evaluate_many(positions, threads=threads)
        repeated = expected * (len(many) // len(expected))
        assert many[["psqt", "positional", "bucket"]].tolist() == repeated
    values = [network.evaluate(fen).value for fen in fens]
    assert network.evaluate_many(array)["value"].tolist() == values


def test_games(vectors, games):
    name, network = vectors
    expected = {(row["game"], int(row["ply"])): parts(row) for row in rows("games", name)}
    stack, seen = network.stack(), 0
    for number, fen, moves in games:
        board = chess.Board(fen)
        stack.reset(board)
        for ply, uci in enumerate([None, *moves]):
            if uci:
                move = board.parse_uci(uci)
                board.push(move)
                stack.push(move)
            if (number, ply) in expected:
                said = stack.evaluate()
                assert (said.psqt, said.positional, said.bucket) == expected[number, ply], board.fen()
                seen += 1
        assert len(stack) == len(moves)
    assert seen == len(expected) > 0


@pytest.mark.parametrize("name", nnue.architectures())
def test_architectures_have_names(name, tmp_path):
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(nnue.LoadError, match="truncated|empty"):
        nnue.Network.open(tmp_path / "empty", name)
