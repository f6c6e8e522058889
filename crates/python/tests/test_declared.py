"""Networks of one's own: a file made by numpy, evaluated by its formula in numpy."""

import gzip
import threading
import time
from pathlib import Path

import chess
import numpy as np
import pytest
from conftest import DEFAULT

import nnue

WIDTH = 64
TEXT = f"pub struct Own = (768 -> {WIDTH})x2 @ 255 screlu -> 1: i16 @ 64 {{ format raw {{ padding: none }} }};"


@pytest.fixture(scope="module")
def weights():
    random = np.random.default_rng(1)
    return {
        "ft_weight": random.integers(-60, 90, (768, WIDTH), dtype=np.int16),
        "ft_bias": random.integers(-100, 100, WIDTH, dtype=np.int16),
        "fc0_weight": random.integers(-128, 128, (1, 1, 2 * WIDTH), dtype=np.int16),
        "fc0_bias": np.array([[321]], dtype=np.int16),
    }


@pytest.fixture(scope="module")
def own(weights, tmp_path_factory):
    path = tmp_path_factory.mktemp("nets") / "own.nnue"
    path.write_bytes(b"".join(tensor.tobytes() for tensor in weights.values()))
    return nnue.Network.open(path, TEXT)


def formula(weights, board):
    """The output before it becomes a value."""

    def accumulator(view):
        acc = weights["ft_bias"].astype(np.int64)
        for square, piece in board.piece_map().items():
            seen = square if view == chess.WHITE else square ^ 56
            acc = acc + weights["ft_weight"][384 * (piece.color != view) + 64 * (piece.piece_type - 1) + seen]
        return np.clip(acc, 0, 255) ** 2

    both = np.concatenate([accumulator(board.turn), accumulator(not board.turn)])
    total = int(both @ weights["fc0_weight"].reshape(-1).astype(np.int64))
    return int(total / 255) + int(weights["fc0_bias"][0, 0])


def test_formula(own, weights, fens):
    for fen in fens:
        board = chess.Board(fen)
        output = formula(weights, board)
        said = own.evaluate(fen)
        assert (said.positional, said.value) == (output, int(output * 400 / (255 * 64)))


def test_tensors_are_those_of_the_file(own, weights):
    for name, tensor in own.tensors().items():
        expected = weights[name].astype(tensor.dtype)
        assert np.array_equal(tensor, expected), name


def test_outputs_with_names(tmp_path):
    """All weights are zero, so that outputs are their biases: a loss, a draw and a win have the logits -1, 0 and 2."""
    text = """pub struct Scored {
        acc = accumulate(Chess768[..], 64) x 2;
        let x = crelu(affine(crelu(acc), 16));
        output value = affine(x, 1);
        output wdl = wdl(affine(x, 3: i8 @ 32));
        format raw { padding: none }
    }"""
    before_the_last_bias = 2 * (768 * 64 + 64) + 16 * 128 + 4 * 16 + 16 + 4 + 3 * 16
    logits = np.array([-1, 0, 2], dtype=np.int32)
    (tmp_path / "net").write_bytes(bytes(before_the_last_bias) + (logits * 127 * 32).astype(np.int32).tobytes())
    network = nnue.Network.open(tmp_path / "net", text)
    assert network.inspect()["outputs"] == ["wdl"]
    chances = np.exp(logits) / np.exp(logits).sum()
    assert network.outputs(chess.STARTING_FEN)["wdl"] == pytest.approx(chances, rel=1e-6)


def test_names_choose(own, tmp_path):
    (tmp_path / "net").write_bytes(DEFAULT.read_bytes())
    with pytest.raises(nnue.DeclarationError, match="`A`, `B`"):
        nnue.Network.open(tmp_path / "net", "struct A = 768 -> 32 -> 1; struct B = 768 -> 64 -> 1;")
    with pytest.raises(nnue.DeclarationError, match="does not declare `C`"):
        nnue.Network.open(tmp_path / "net", TEXT, name="C")
    assert own.inspect()["arch"] is None and own.name == "Own"


def test_wrong_declarations_are_underlined(tmp_path):
    with pytest.raises(nnue.DeclarationError) as error:
        nnue.Network.open(tmp_path / "none", "struct Wrong = Chess768[700] -> 64x2 -> 1;")
    assert "  |                         ^^^\n  = help: write `768`" in str(error.value)


def test_code_of_programs_is_missing(tmp_path):
    (tmp_path / "net").write_bytes(bytes(64))
    with pytest.raises(nnue.DeclarationError, match="`Mine` is code of a program"):
        nnue.Network.open(tmp_path / "net", "struct N = self::Mine[100] -> 32x2 -> 16 -> 32 -> 1;")


def test_other_threads_run_while_a_network_opens(own, weights, tmp_path):
    path = tmp_path / "own.nnue"
    path.write_bytes(b"".join(tensor.tobytes() for tensor in weights.values()))
    many = "".join(TEXT.replace("Own", f"Own{number}") for number in range(200))
    gaps, begin = [], time.perf_counter()
    opener = threading.Thread(target=lambda: nnue.Network.open(path, many, name="Own199"))
    opener.start()
    last = begin
    while opener.is_alive():
        time.sleep(0.001)
        now = time.perf_counter()
        gaps.append(now - last)
        last = now
    opener.join()
    took = time.perf_counter() - begin
    assert len(gaps) > 3 and max(gaps) < max(took / 2, 0.05), (took, max(gaps))


def test_texts_that_are_read_again_leave_nothing(own, weights, tmp_path):
    path = tmp_path / "own.nnue"
    path.write_bytes(b"".join(tensor.tobytes() for tensor in weights.values()))

    def opened(numbers):
        for number in numbers:
            nnue.Network.open(path, f"// {number} {'x' * 20000}\n{TEXT}")
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    if not Path("/proc/self/statm").exists():
        pytest.skip("Linux says how much memory there is")
    before = opened(range(50))
    assert opened(range(50, 1000)) - before < 8 << 20


def test_declarations_of_a_file(own, weights, fens, tmp_path):
    path = tmp_path / "unknown.bin"
    path.write_bytes(gzip.compress(b"".join(tensor.tobytes() for tensor in weights.values())))
    first, *others = nnue.declarations(path)
    assert first.declaration == f"pub struct Network = (768 -> {WIDTH})x2 @ 255 screlu -> 1: i16 @ 64 {{\n    format raw {{ padding: none }}\n}};\n"
    assert (first.doubt, first.scale) == (None, 400.0)
    assert any("golden values" in line for line in first.unknown)
    assert first == nnue.declarations(path)[0] and all(other != first for other in others)
    assert repr(first) == f"<Guess {first.shape}>"
    network = nnue.Network.open(path, first.declaration)
    assert network.evaluate(fens[0]) == own.evaluate(fens[0])
    (only,) = nnue.declarations(DEFAULT)
    assert only.shape == "--arch default" and only.scale is None


def test_declarations_of_other_files(tmp_path):
    path = tmp_path / "other"
    with pytest.raises(FileNotFoundError):
        nnue.declarations(path)
    path.write_bytes(b"PK\x03\x04weights of another program")
    with pytest.raises(nnue.LoadError, match="nnue quantize"):
        nnue.declarations(path)
    path.write_bytes(bytes(12345))
    with pytest.raises(nnue.LoadError, match="12345 bytes"):
        nnue.declarations(path)
    for arguments in [{"name": "two words"}, {"hidden": [16, 32]}, {"program": "let x = 5;"}]:
        with pytest.raises(ValueError):
            nnue.declarations(DEFAULT.parent.parent / "data/suite.fen", **arguments)
