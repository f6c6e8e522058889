"""Where vectors and networks are."""

import csv
import gzip
import os
from pathlib import Path

import pytest

import nnue

ROOT = Path(__file__).parents[3]
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
DEFAULT = ROOT / "crates/cli/nets/default.nnue"

# Names of vectors, each with the folder of its network, the name of its file, and the architecture; `None`: the file says it.
SMALL = {"v9s": "sfnn_small", "v14s": "sfnn_small_255"}
GENERATIONS = ["v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v14.1", "v15", "v16"]
NETWORKS = {
    f"syn-{name}": ("NNUE_SYNTHETIC", f"{name}-normal-1.nnue", SMALL.get(name, name)) for name in [*GENERATIONS, *SMALL]
} | {
    f"real-nn-{digits}": ("NNUE_NETS", f"nn-{digits}.nnue", None)
    for digits in ["ad9b42354671", "1c0000000000", "37f18f62d772"]
}


def rows(kind, name):
    """The lines of a file of vectors, as dictionaries."""
    with gzip.open(ROOT / "tests/vectors" / kind / f"{name}.tsv.gz", "rt") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.fixture(params=NETWORKS, scope="module")
def vectors(request):
    """The name of vectors, and their network."""
    variable, file, arch = NETWORKS[request.param]
    path = Path(os.environ.get(variable, "")) / file
    if variable not in os.environ or not path.exists():
        missing = pytest.fail if "CI" in os.environ else pytest.skip
        missing(f"{file} is not in the folder that {variable} names")
    return request.param, nnue.Network.open(path, arch)


@pytest.fixture(scope="session")
def default():
    return nnue.Network.default()


@pytest.fixture(scope="session")
def fens():
    """The positions of the vectors."""
    lines = (ROOT / "crates/cli/data/suite.fen").read_text().splitlines()
    return [line.split("\t")[0] for line in lines]


@pytest.fixture(scope="session")
def games():
    """Number, first position and moves of the games of the vectors."""
    lines = (ROOT / "crates/cli/data/games.tsv").read_text().splitlines()
    return [(number, fen, moves.split()) for number, fen, moves in (line.split("\t") for line in lines)]
