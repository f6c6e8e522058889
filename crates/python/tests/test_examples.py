"""The programs in Python print what they are expected to."""

import subprocess
import sys

import nnue
import pytest
from conftest import ROOT

GAMES = ROOT / "examples/games"


def printed(program, *arguments):
    return subprocess.run([sys.executable, program, *arguments], capture_output=True, text=True, check=True).stdout


def test_othello():
    folder = ROOT / "examples/othello"
    assert printed(folder / "othello.py", "play") == (folder / "expected.txt").read_text()


@pytest.mark.parametrize("name", ["gomoku", "shogi", "xiangqi"])
def test_games_are_followed(name):
    """The program compares each step with a fresh evaluation; the sums of values are those of any machine."""
    expected = dict(line.split(": ") for line in (GAMES / "expected.txt").read_text().splitlines())
    assert printed(GAMES / f"{name}.py", "check", "4") == f"{name}: {expected[name]}\n"


@pytest.mark.parametrize("name", ["gomoku", "shogi", "xiangqi"])
def test_records_of_games_are_positions(name, monkeypatch):
    monkeypatch.syspath_prepend(GAMES)
    game, follow = __import__(name), __import__("follow")
    [declaration] = [value.DECLARATION for value in vars(game).values() if hasattr(value, "DECLARATION")]
    network = follow.random_network(declaration)
    records = printed(GAMES / f"{name}.py", "records", "1").splitlines()
    assert len(records) > 10
    for record in records:
        position, target = record.rsplit("|", 1)
        assert 0 <= float(target) <= 1
        assert isinstance(network.evaluate_listed(position), nnue.Evaluation)
