"""Evaluates graphs with onnxruntime: those of this folder, against the outputs that were recorded, and those that the command writes, against the vectors
that it writes with them, networks over lists of rows against those of `tests/vectors/rows`. Whole numbers are equal.

    pip install -r requirements.txt
    python engine.py target/debug/nnue        # built with the feature `graphs`
"""

import csv
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
import onnxruntime

HERE = Path(__file__).parent
TOLERANCE = 1e-5  # in parts of the largest number
# Signs of numbers near zero: with its optimisations, the engine adds in another order.
UNOPTIMISED = {"binary"}
# What becomes of each graph over features: the set of features.
KINGS = "Chess768[buckets: [0 x 32, 1 x 32]]"
OVER_FEATURES = {
    "perspective": "768", "buckets": "768", "wdl": "768", "kings": KINGS, "psqt": "768", "separate": "768", "quantised": "768",
    "gates": "768", "neighbours": "768", "signs": "768", "deeper": "768", "quantmoid": "768", "pooled": "768",
}
OVER_NUMBERS = ["digits", "tower", "activations", "binary"]
ROWS = HERE.parent / "vectors/rows"
OVER_ROWS = ["single", "double", "stacks", "trained"]


def run(command, *arguments):
    done = subprocess.run([command, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, f"{arguments}: {done.stderr}"
    return done.stdout


def compare(name, model, vectors, unoptimised=False):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    if unoptimised:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    arrays = dict(numpy.load(vectors))
    expected = [arrays.pop(key) for key in sorted(arrays) if key.startswith("expected")]
    inputs = {one.name: arrays[one.name] for one in session.get_inputs()}
    names = [one.name for one in session.get_outputs()]
    assert len(names) == len(expected), f"{name}: {names}"
    for output, found, wanted in zip(names, session.run(None, inputs), expected):
        assert found.shape == wanted.shape, f"{name}, {output}: {found.shape}, expected {wanted.shape}"
        if wanted.dtype.kind == "i":
            assert found.dtype.kind == "i" and (found == wanted).all(), f"{name}: whole numbers differ"
            print(f"{name}, {output}: equal, up to {abs(wanted).max()}")
            continue
        worst, largest = abs(found - wanted).max(), abs(wanted).max()
        assert largest > 0 and worst <= TOLERANCE * largest, f"{name}, {output}: differs by {worst} of {largest}"
        print(f"{name}, {output}: differs by {worst:.1e}, up to {largest:.3f}")


def padded(lists, most, padding):
    rows = numpy.full((len(lists), most), padding, dtype=numpy.int64)
    for position, active in enumerate(lists):
        rows[position, : len(active)] = active
    return rows


def compare_rows(name, model):
    """Networks over lists of rows have the values of the vectors that all languages are compared with."""
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    with open(ROWS / f"{name}.tsv", newline="") as file:
        table = list(csv.DictReader(file, delimiter="\t"))
    (declared,) = re.findall(r"rows\[(.*?), active", (ROWS / f"{name}.rs").read_text())
    padding = sum(int(number) for number in re.findall(r"\d+", declared))
    us, them = [], []
    for line in table:
        lists = [[int(row) for row in part.split()] for part in line["rows"].removesuffix("b").split("|")]
        black = line["rows"].endswith("b") and len(lists) == 2
        us.append(lists[black])
        them.append(lists[not black] if len(lists) == 2 else [])
    # `by row(phase)`: the lowest active row of the last group
    phases = [min((row - 60 for row in rows if row >= 60), default=0) for rows in us]
    given = {"us": us, "them": them}
    inputs = {
        one.name: numpy.array(phases).reshape(-1, 1) if one.name == "stack" else padded(given[one.name], one.shape[1], padding)
        for one in session.get_inputs()
    }
    (found,) = session.run(["value"], inputs)
    expected = [int(line["value"]) for line in table]
    assert found.ravel().tolist() == expected, f"{name}: values differ"
    print(f"{name}: equal in {len(expected)} positions")


def main(command):
    for model in sorted(HERE.glob("*.onnx")):
        compare(model.name, model, model.with_suffix(".npz"), model.stem in UNOPTIMISED)
    with tempfile.TemporaryDirectory() as folder:
        model, vectors, weights, declaration = (Path(folder) / name for name in ["m.onnx", "v.npz", "weights", "net.rs"])

        def exported(name, *arguments, unoptimised=False):
            run(command, "export", "onnx", *arguments, "--vectors", vectors, "-o", model)
            compare(f"export of {name}", model, vectors, unoptimised)

        exported("the built-in network")
        exported("the built-in network, QDQ", "--qdq")
        for name, features in OVER_FEATURES.items():
            graph = HERE / f"{name}.onnx"
            declaration.write_text(run(command, "import", "onnx", graph, "--features", features, "--quantize", weights))
            exported(name, "--declaration", declaration, "--net", weights)
            if "f32" not in declaration.read_text().split("nnue::nnue!")[1]:
                exported(f"{name}, QDQ", "--declaration", declaration, "--net", weights, "--qdq")
        for name in OVER_NUMBERS:
            declaration.write_text(run(command, "import", "onnx", HERE / f"{name}.onnx", "-o", weights))
            exported(name, "--declaration", declaration, "--net", weights, unoptimised=name in UNOPTIMISED)
        for name in OVER_ROWS:
            run(command, "export", "onnx", "--declaration", ROWS / f"{name}.rs", "--net", ROWS / f"{name}.nnue", "-o", model)
            compare_rows(name, model)


main(Path(sys.argv[1]).resolve())
