"""The notebook runs from its first cell to its last, and is kept without outputs."""

import importlib
import json
import os
import warnings

import pytest
from conftest import ROOT

PATH = ROOT / "examples/game.ipynb"


def notebook():
    return json.loads(PATH.read_text())


def matplotlib():
    """What draws: tests of CI have it."""
    if "CI" not in os.environ:
        pytest.importorskip("matplotlib")
    library = importlib.import_module("matplotlib")
    library.use("agg")
    return importlib.import_module("matplotlib.pyplot")


def test_it_is_kept_without_outputs():
    cells = [cell for cell in notebook()["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 4
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)


def test_its_cells_run(default):
    plt = matplotlib()
    names = {}
    for cell in notebook()["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), PATH.name, "exec"), names)
    figures = [plt.figure(number) for number in plt.get_fignums()]
    assert [figure.axes[0].get_title() for figure in figures] == ["The Opera Game", "12. O-O-O"]
    curve = figures[0].axes[0].lines[0].get_ydata()
    assert len(curve) == 34 and curve[0] == default.evaluate(names["fens"][0]).value
    assert curve[1] == -default.evaluate(names["fens"][1]).value
    assert max(curve) > 300  # White wins
    plt.close("all")


def test_jupyter_runs_it(tmp_path):
    """The same in a kernel of Jupyter, where there is one."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    pytest.importorskip("matplotlib")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        read = nbformat.read(PATH, as_version=4)
        done = nbclient.NotebookClient(read, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in done.cells if cell.cell_type == "code" for output in cell.outputs]
    assert sum("image/png" in output.get("data", {}) for output in outputs) == 2
