"""The documents say the truth: their lines are run and compared."""

import doctest
import shlex
import shutil
import subprocess
import sys

import numpy as np
from conftest import DEFAULT, ROOT


def test_page(tmp_path, monkeypatch):
    shutil.copy(DEFAULT, tmp_path / "my.nnue")
    shutil.copy(ROOT / "tests/vectors/rows/single.nnue", tmp_path / "ranker.nnue")
    numbers = np.arange(768 * 64 + 64 + 2 * 64 + 1) % 90
    (tmp_path / "quantised.bin").write_bytes(numbers.astype("<i2").tobytes())
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs/python.md").read_text()
    lines = ["" if line.startswith("```") else line for line in page.splitlines()]
    test = doctest.DocTestParser().get_doctest("\n".join(lines), {}, "python.md", "docs/python.md", 0)
    assert len(test.examples) > 20
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    assert runner.run(test).failed == 0


def test_readme(default):
    """The command after the installation prints an evaluation."""
    lines = (ROOT / "README.md").read_text().splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("$ python3 -c"))
    assert lines[at - 1].startswith("$ pip install")
    _, _, program = shlex.split(lines[at].removeprefix("$ "))
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert printed == f"{default.evaluate('8/8/4k3/8/8/3QK3/8/8 w - - 0 1')!r}\n"
