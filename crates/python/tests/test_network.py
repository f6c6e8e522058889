"""Opening, looking at and misusing networks."""

import ast
import copy
import gzip
import hashlib
import json
import os
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import chess
import numpy as np
import pytest
from conftest import DEFAULT, ROOT, START

import nnue


def test_files_are_recognised(default):
    opened = nnue.Network.open(DEFAULT)
    assert (opened.arch, opened.name) == ("default", "Default")
    assert nnue.Network.open(str(DEFAULT), "default").evaluate(START) == default.evaluate(START)
    assert nnue.Network.from_bytes(DEFAULT.read_bytes()).evaluate(START).value == 24


def test_compressed_files_are_opened(tmp_path, default):
    data = gzip.compress(DEFAULT.read_bytes())
    path = tmp_path / "packed.nnue"
    path.write_bytes(data)
    opened = nnue.Network.open(path)
    assert (opened.arch, opened.evaluate(START)) == ("default", default.evaluate(START))
    assert nnue.Network.from_bytes(data).to_bytes() == DEFAULT.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(OSError, match="the gzip compression is damaged"):
        nnue.Network.open(path)


def test_names_that_say_a_hash_are_compared(tmp_path, recwarn):
    data = DEFAULT.read_bytes()
    digits = hashlib.sha256(data).hexdigest()[:12]
    right, wrong = tmp_path / f"nn-{digits}.nnue", tmp_path / "nn-0123456789ab.nnue"
    for path in [right, wrong]:
        path.write_bytes(data)
    nnue.Network.open(right)
    assert not recwarn.list
    with pytest.warns(UserWarning, match=f"its SHA-256 begins {digits}"):
        assert nnue.Network.open(wrong).evaluate(START).value == 24


def test_files_that_do_not_fit(tmp_path):
    whole = DEFAULT.read_bytes()
    wrong = tmp_path / "wrong.nnue"
    for contents, message in [
        (b"", "truncated|empty"),
        (whole[:-1], "truncated"),
        (whole + b"x", "trailing bytes"),
        (b"this is no network\n", "not a network: this is a text file"),
    ]:
        wrong.write_bytes(contents)
        with pytest.raises(nnue.LoadError, match=message):
            nnue.Network.open(wrong)
    with pytest.raises(nnue.LoadError, match="architecture mismatch"):
        nnue.Network.open(DEFAULT, "sfnnv9")
    with pytest.raises(FileNotFoundError) as error:
        nnue.Network.open(tmp_path / "missing.nnue")
    assert error.value.filename == str(tmp_path / "missing.nnue")
    with pytest.raises(OSError, match="irectory"):
        nnue.Network.open(tmp_path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "fifo")
        with pytest.raises(OSError, match="fifo: .*a regular file is expected"):
            nnue.Network.open(tmp_path / "fifo")
    with pytest.raises(nnue.DeclarationError, match="unknown architecture `v99`; known: default, sfnnv1"):
        nnue.Network.open(DEFAULT, "v99")


def test_errors_are_value_errors():
    for error in [nnue.LoadError, nnue.DeclarationError, nnue.PositionError, nnue.RowsError, nnue.MoveError]:
        assert issubclass(error, ValueError) and error.__module__ == "nnue"
        assert str(pickle.loads(pickle.dumps(error("message")))) == "message"


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "8 ranks"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "one king"),
        ("4k3/8/8/8/8/8/8/4K3", "`w` or `b`"),
        ("4k3/8/8/8/9/8/8/4K3 w", "8 squares|no piece"),
        ("4k3/8/8/8/♔/8/8/4K3 w", "no piece"),
        ("x" * 10_000, r"x\.\."),
    ],
)
def test_what_is_no_position(default, fen, message):
    with pytest.raises(nnue.PositionError, match=message):
        default.evaluate(fen)
    with pytest.raises(nnue.PositionError, match="position 300: "):
        default.evaluate_many([START] * 300 + [fen], threads=2)


def test_boards_that_are_no_position(default):
    board = chess.Board(None)
    for evaluate in [default.evaluate, lambda board: default.evaluate_many([board])]:
        with pytest.raises(nnue.PositionError, match="0 white kings"):
            evaluate(board)
        for wrong in [3, None, b"x", [START]]:
            with pytest.raises(TypeError, match="a FEN or a `chess.Board`, not"):
                evaluate(wrong)
    with pytest.raises(nnue.PositionError, match="in a list"):
        default.evaluate_many(START)


def test_arrays_that_are_no_positions(default):
    right = np.array([[0, 0, 0, 0, 0, 1 << 60 | 1 << 4, 1 << 4, 1 << 60, 1]], dtype=np.uint64)
    assert default.evaluate_many(right)[0]["value"] == default.evaluate("4k3/8/8/8/8/8/8/4K3 w").value
    assert len(default.evaluate_many(right[:0])) == 0
    for wrong in [right[:, :8], right[0], right.astype(np.int64), right.astype(np.uint32)]:
        with pytest.raises(nnue.PositionError, match=r"uint64 in the shape \(n, 9\)"):
            default.evaluate_many(wrong)
    for column, number, message in [(8, 2, "side to move is 2"), (6, 0, "two pieces"), (0, 1 << 4, "two pieces")]:
        wrong = np.repeat(right, 2, axis=0)
        wrong[1, column] = number
        with pytest.raises(nnue.PositionError, match=f"position 1: .*{message}"):
            default.evaluate_many(wrong)
    every_other = np.repeat(right, 6, axis=0)[::2]
    assert len(set(default.evaluate_many(every_other).tolist())) == 1
    with pytest.raises(ValueError, match="at least 1"):
        default.evaluate_many([], threads=0)


def test_threads_share_a_network(default, fens):
    expected = [default.evaluate(fen) for fen in fens]

    def evaluate(_):
        return [default.evaluate(fen) for fen in fens]

    with ThreadPoolExecutor(4) as pool:
        assert all(said == expected for said in pool.map(evaluate, range(8)))


def test_python_goes_on_during_evaluate_many(default, fens):
    """While the main thread evaluates, another one counts: it could not if the lock of the interpreter were kept."""
    running, counted = threading.Event(), []

    def count():
        running.wait()
        while running.is_set():
            counted.append(None)

    counter = threading.Thread(target=count)
    counter.start()
    array = default_array(fens, 200_000)
    running.set()
    default.evaluate_many(array, threads=1)
    seen = len(counted)
    running.clear()
    counter.join()
    assert seen > 0


def default_array(fens, count):
    def row(board):
        kinds = [board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings]
        return [*kinds, board.occupied_co[True], board.occupied_co[False], board.turn]

    rows = np.array([row(chess.Board(fen)) for fen in fens], dtype=np.uint64)
    return np.resize(rows, (count, 9))


def test_tensors_are_views(default):
    tensors = default.tensors()
    assert tensors["ft_weight"].shape == (3072, 128) and tensors["fc0_weight"].shape == (8, 16, 128)
    assert all(np.shares_memory(tensors[name], again) for name, again in default.tensors().items())
    assert not any(tensor.flags.writeable or tensor.flags.owndata for tensor in tensors.values())
    with pytest.raises(ValueError, match="read-only"):
        tensors["ft_bias"][0] = 1


def test_tensors_outlive_their_network():
    network = nnue.Network.open(DEFAULT)
    tensor = network.tensors()["ft_weight"]
    copy = tensor.copy()
    del network
    [nnue.Network.open(DEFAULT) for _ in range(3)]
    assert np.array_equal(tensor, copy)


def test_inspect_says_what_tensors_are(default):
    about = default.inspect()
    assert (about["name"], about["arch"], about["stacks"]) == ("Default", "default", 8)
    assert about["features"] == [{"set": "Chess768", "rows": 3072, "element": "i16"}]
    assert about["file"]["encoding"] == "leb128" and about["file"]["description"] == "trained by nnue-train"
    assert "never wraps" in about["bounds"]
    assert json.loads(json.dumps(about))["stacks"] == 8
    tensors = default.tensors()
    assert list(about["tensors"]) == list(tensors)
    for name, said in about["tensors"].items():
        tensor = tensors[name]
        found = (tensor.shape, f"{tensor.dtype.kind}{8 * tensor.itemsize}", tensor.min(), tensor.max(), (tensor == 0).sum())
        assert tuple(said[key] for key in ["shape", "element", "min", "max", "zeros"]) == found
    assert about["bytes"] == sum(tensor.nbytes for tensor in tensors.values())


def test_the_version_is_that_of_the_package():
    assert f'version = "{nnue.__version__}"' in (ROOT / "crates/python/Cargo.toml").read_text()


def test_networks_are_copied_and_pickled(default, fens):
    small = "pub struct Small = (768 -> 32)x2 -> 1 { format raw { padding: none } };"
    tensors = [np.arange(768 * 32, dtype=np.int16) % 100, np.arange(32, dtype=np.int16)]
    layers = [np.arange(64, dtype=np.int8), np.array([1000], dtype=np.int32)]
    declared = nnue.Network.from_bytes(b"".join(tensor.tobytes() for tensor in tensors + layers), small)
    for network in [default, declared]:
        for again in [pickle.loads(pickle.dumps(network)), copy.deepcopy(network)]:
            assert (again.name, again.arch, again.notation) == (network.name, network.arch, network.notation)
            assert again.to_bytes() == network.to_bytes()
            assert np.array_equal(again.evaluate_many(fens), network.evaluate_many(fens))
    assert default.to_bytes() == DEFAULT.read_bytes()
    text = declared.declaration()
    assert text.startswith("pub struct Small {") and "format raw { padding: none }" in text
    assert nnue.Network.from_bytes(declared.to_bytes(), text).declaration() == text


def test_intermediate_values_lead_to_the_evaluation(default, fens):
    weights = default.tensors()
    for fen in fens[:20]:
        found = default.intermediate(fen)
        said = default.evaluate(fen)
        assert found["evaluation"] == said
        accumulators = found["accumulators"]
        assert (accumulators.shape, accumulators.dtype) == ((2, 128), np.int16)
        clipped = accumulators.clip(0, 127).astype(np.int64)
        first = np.concatenate([side[:64] * side[64:] >> 7 for side in clipped])
        assert np.array_equal(list(found["activations"].values())[0], first)
        last = first
        for number, (name, sums) in enumerate(found["sums"].items()):
            weight = weights[f"{name}_weight"][said.bucket][:, : len(last)].astype(np.int64)
            assert np.array_equal(weight @ last + weights[f"{name}_bias"][said.bucket], sums)
            last = (sums >> 6).clip(0, 127)
            if number < 2:
                assert np.array_equal(list(found["activations"].values())[number + 1], last)
        assert found["sums"]["fc2"].tolist() == [said.positional]


def test_the_trace_has_every_stack(default, fens):
    for fen in fens[:20]:
        said = default.evaluate(fen)
        trace = default.trace(fen)
        assert [stack.bucket for stack in trace] == list(range(8)) and trace[said.bucket] == said


def test_evaluations_are_values(default):
    said = default.evaluate(START)
    assert float(said) == said.real and int(said.real) == 24
    assert (int(said), said.value, hash(said)) == (24, 24, hash(default.evaluate(START)))
    assert repr(said) == f"Evaluation(value=24, real={said.real}, psqt=0, positional={said.positional}, bucket=7)"
    assert said != default.evaluate("4k3/8/8/8/8/8/8/4K3 w") and said != 24
    assert default.outputs(START) == {}


def test_stubs_name_what_is_there():
    stubs = ast.parse((ROOT / "crates/python/python/nnue/__init__.pyi").read_text())
    assert Path(nnue.__file__).with_name("py.typed").exists()
    declared = {node.name: node for node in stubs.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert {name for name in declared if not name.startswith("_")} == set(nnue.__all__) - {"__version__", "tables"}
    for name in ["ArrowValues", "Evaluation", "Network", "RowsStack", "Stack"]:
        members = {node.name for node in declared[name].body if isinstance(node, ast.FunctionDef)}
        public = {member for member in vars(getattr(nnue, name)) if not member.startswith("_")}
        assert {member for member in members if not member.startswith("_")} == public
        assert all(getattr(getattr(nnue, name), member).__doc__ for member in public)


def test_contributions_are_differences(default):
    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R"
    for side, sign in [("w", 1), ("b", -1)]:
        board = chess.Board(f"{fen} {side} KQkq - 2 3")
        found = default.contributions(board)
        assert found.shape == (8, 8) and found.dtype == np.float64
        whole = default.evaluate(board).value
        for square in chess.SQUARES:
            piece, said = board.piece_at(square), found[chess.square_rank(square), chess.square_file(square)]
            if piece is None or piece.piece_type == chess.KING:
                assert np.isnan(said)
            else:
                without = board.copy()
                without.remove_piece_at(square)
                assert said == sign * (whole - default.evaluate(without).value)
    with pytest.raises(nnue.PositionError):
        default.contributions("8/8 w")
