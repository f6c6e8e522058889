"""The programs in Python print what they are expected to."""

import subprocess
import sys

from conftest import ROOT


def test_othello():
    folder = ROOT / "examples/othello"
    played = subprocess.run([sys.executable, folder / "othello.py", "play"], capture_output=True, text=True, check=True)
    assert played.stdout == (folder / "expected.txt").read_text()
