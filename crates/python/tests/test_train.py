"""Training from arrays."""

import signal
import threading
from types import SimpleNamespace

import numpy as np
import pytest

import nnue

LIKES = "pub struct Likes = rows[users: 40, items: 24, active 4] -> 32 -> 8 -> 1;"
DOUBLE = "pub struct Double = rows[20, active 20] -> 32x2 -> 8 -> 1;"


def csr(lists):
    """What is read of a `scipy.sparse.csr_matrix`."""
    indptr = np.cumsum([0, *map(len, lists)]).astype(np.int32)
    indices = np.array([row for rows in lists for row in rows], dtype=np.int32)
    return SimpleNamespace(indptr=indptr, indices=indices, data=np.ones(len(indices)), format="csr")


def likes(count, seed=1):
    """Users and items of two kinds each; users like the items of the other kind."""
    chance = np.random.default_rng(seed)
    users, items = chance.integers(40, size=count), chance.integers(24, size=count)
    return csr(np.stack([users, 40 + items], axis=1).tolist()), (users % 2 != items % 2)


def train(lists, targets, **keys):
    keys = {"threads": 2, "batch": 128, "batches": 30, "superbatches": 3, "rate": 0.01} | keys
    return nnue.train(LIKES, lists, targets, **keys)


def test_a_network_learns():
    lists, targets = likes(3000)
    rows = []
    network = train(lists, targets, validation=0.2, progress=rows.append, loss={"error": "cross_entropy"})
    assert [row["superbatch"] for row in rows] == [1, 2, 3]
    assert rows[-1]["quantized_loss"] < rows[0]["quantized_loss"]
    others, expected = likes(500, seed=2)
    assert ((network.evaluate_rows(others)["value"] > 0) == expected).mean() > 0.95


def test_the_same_seed_gives_the_same_network():
    lists, targets = likes(1000)
    few = {"batches": 5, "superbatches": 1}
    network = train(lists, targets, **few)
    pair = (lists.indptr, lists.indices.astype(np.int64))
    assert train(pair, targets.astype(float), **few).to_bytes() == network.to_bytes()
    assert train(lists, targets, seed=2, **few).to_bytes() != network.to_bytes()


def test_validation_and_weights():
    lists, targets = likes(1000)
    few = {"batches": 5, "superbatches": 1}
    for validation in [np.arange(1000) % 5 == 0, likes(200, seed=3), (*likes(200, seed=3), np.ones(200), np.zeros(200, bool))]:
        rows = []
        train(lists, targets, validation=validation, progress=rows.append, **few)
        assert len(rows) == 1


def test_records_without_weight_do_not_count():
    lists, targets = likes(3000)
    counts = np.random.default_rng(5).random(3000) < 0.5
    network = train(lists, np.where(counts, targets, ~targets), weights=counts)
    others, expected = likes(500, seed=2)
    assert ((network.evaluate_rows(others)["value"] > 0) == expected).mean() > 0.95


def test_two_perspectives():
    chance = np.random.default_rng(4)
    lists = [[sorted(chance.choice(20, 3, replace=False).tolist()) for _ in range(600)] for _ in range(2)]
    black = chance.random(600) < 0.5
    white_is_better = np.array([sum(white) > sum(black) for white, black in zip(*lists)])
    pair = tuple(map(csr, lists))
    keys = {"batch": 64, "batches": 100, "superbatches": 2, "rate": 0.01, "threads": 2, "validation": 0.2}
    network = nnue.train(DOUBLE, pair, white_is_better != black, black_to_move=black, **keys)
    values = network.evaluate_rows(pair, black_to_move=black)["value"]
    assert ((values > 0) == (white_is_better != black)).mean() > 0.85


def test_what_is_wrong_is_refused(tmp_path):
    lists, targets = likes(10)
    nan = np.where(np.arange(10) == 3, np.nan, 0.5)
    bad = csr([[1]] * 9 + [[64]])
    for given, keys, error, message in [
        ((lists, targets[:9]), {}, nnue.TrainingError, "`targets` has 9 numbers for 10 lists"),
        ((lists, nan), {}, nnue.TrainingError, "^record 3: the target is NaN, expected a number from 0 to 1"),
        ((lists, targets + 1), {}, nnue.TrainingError, r"record \d: the target is 2"),
        ((lists, targets[:, None]), {}, nnue.TrainingError, "`targets` has bool in 2 dimensions"),
        ((lists, ["a"] * 10), {}, nnue.TrainingError, "`targets` has <U1"),
        ((lists, targets), {"weights": -nan}, nnue.TrainingError, "record 0: the weight is -0.5"),
        ((bad, targets), {}, nnue.RowsError, "^position 9: row 64: there are only 64 rows"),
        ((lists, targets), {"validation": (bad, targets)}, nnue.RowsError, "^validation: position 9: row 64"),
        ((lists, targets), {"validation": targets[:3]}, nnue.TrainingError, "`validation` has 3 numbers for 10 lists"),
        ((lists, targets), {"validation": 2.0}, nnue.TrainingError, "`validation.held_out` is a number above 0"),
        ((lists, targets), {"epochs": 3}, nnue.TrainingError, "there is no key `epochs`"),
        ((lists, targets), {"batch": 0}, nnue.TrainingError, "`batch` is an integer from 1"),
        ((lists, targets), {"rate": float("nan")}, ValueError, None),
        ((lists, targets), {"output": tmp_path / "a" / "\0"}, (ValueError, OSError), None),
    ]:
        with pytest.raises(error, match=message):
            train(*given, **keys)
    with pytest.raises(nnue.RowsError, match="`A` are boards of chess"):
        nnue.train("pub struct A = Chess768 -> 32x2 -> 1;", lists, targets)
    with pytest.raises(nnue.DeclarationError):
        nnue.train("pub struct", lists, targets)
    with pytest.raises(nnue.RowsError, match="two perspectives"):
        nnue.train(DOUBLE, lists, targets)


def test_an_interrupted_training_resumes_with_the_same_network(tmp_path):
    lists, targets = likes(1000)
    keys = {"batches": 20, "superbatches": 3}

    class Stop(Exception):
        pass

    def stop(row):
        raise Stop

    with pytest.raises(Stop):
        train(lists, targets, output=tmp_path / "out", progress=stop, **keys)
    with pytest.raises(nnue.TrainingError, match="pass `resume=True`"):
        train(lists, targets, output=tmp_path / "out", **keys)
    with pytest.raises(nnue.TrainingError, match="others than those of the checkpoint"):
        train(lists, ~targets, output=tmp_path / "out", resume=True, **keys)
    resumed = train(lists, targets, output=tmp_path / "out", resume=True, **keys)
    assert resumed.to_bytes() == train(lists, targets, **keys).to_bytes()


def test_ctrl_c_ends_a_training():
    lists, targets = likes(1000)
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        train(lists, targets, batches=10**6)
    timer.join()
