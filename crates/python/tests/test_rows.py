"""Networks over lists of rows: evaluated one by one, as sparse matrices, along changes, and compared with the command's values."""

import csv
import os
import pickle
import random
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import chess
import numpy as np
import pytest
from conftest import DEFAULT, ROOT, START

import nnue

VECTORS = ROOT / "tests/vectors/rows"
SINGLE, DOUBLE, FLOATS, STACKS, TRAINED = "single", "double", "floats", "stacks", "trained"
WIDE = "pub struct Wide = rows[20000, active 600] -> 256 -> 16 -> 1 { format raw { padding: none } };"


def opened(name):
    return nnue.Network.open(VECTORS / f"{name}.nnue", (VECTORS / f"{name}.rs").read_text())


@pytest.fixture(scope="module")
def single():
    return opened(SINGLE)


@pytest.fixture(scope="module")
def double():
    return opened(DOUBLE)


@pytest.fixture(scope="module")
def wide():
    """A network whose batches take some time."""
    chance = np.random.default_rng(1)
    weights = chance.integers(-20, 20, 256 * 20001, dtype=np.int16)
    layers = bytes(16 * 256 + 4 * 16 + 16 + 4)
    return nnue.Network.from_bytes(weights.tobytes() + layers, WIDE)


def csr(lists, element=np.int32):
    """What is read of a `scipy.sparse.csr_matrix`."""
    indptr = np.cumsum([0, *map(len, lists)]).astype(element)
    indices = np.array([row for rows in lists for row in rows], dtype=element)
    return SimpleNamespace(indptr=indptr, indices=indices, data=np.ones(len(indices)), format="csr")


def vectors(name):
    """The lists of rows, whether Black moves, and the expected values of the command's table."""
    with open(VECTORS / f"{name}.tsv", newline="") as file:
        for line in csv.DictReader(file, delimiter="\t"):
            text = line["rows"]
            lists = [[int(row) for row in part.split()] for part in text.removesuffix("b").split("|")]
            yield text, lists, text.endswith("b"), tuple(int(line[field]) for field in ["psqt", "positional", "value"])


@pytest.mark.parametrize("name", [SINGLE, FLOATS])
def test_real_values_are_those_before_rounding(name):
    """Of a network of floats the real value is its output times the scale of the value, of another one a quotient."""
    network = opened(name)
    with open(VECTORS / f"{name}.tsv", newline="") as file:
        for line in csv.DictReader(file, delimiter="\t"):
            said = network.evaluate_listed(line["rows"])
            if name == FLOATS:
                [output] = np.array([int(line["bits"], 16)], dtype=np.uint32).view(np.float32)
                assert said.real == float(output * np.float32(400))
            else:
                assert said.real == said.positional / 16
            assert int(said.real) == said.value
            many = network.evaluate_rows(csr([[int(row) for row in line["rows"].split()]]))
            stack = network.rows_stack(line["rows"])
            assert many["real"][0] == said.real == stack.evaluate().real == stack.evaluate_candidates([([], [])])["real"][0]
            assert network.trace(line["rows"])[said.bucket] == said


def numbers(said):
    return said.psqt, said.positional, said.value


def fields(array):
    return list(zip(*(array[field].tolist() for field in ["psqt", "positional", "value"])))


@pytest.mark.parametrize("name", [SINGLE, DOUBLE, FLOATS, STACKS, TRAINED])
def test_values_are_those_of_the_command(name):
    network, rows = opened(name), list(vectors(name))
    assert len(rows) > 40
    two = len(rows[0][1]) == 2
    stack = network.rows_stack()
    for text, lists, black, expected in rows:
        position = tuple(lists) if two else lists[0]
        assert numbers(network.evaluate_listed(text)) == expected
        assert numbers(network.evaluate_listed(position, black_to_move=black)) == expected
        before = stack.rows() if two else (stack.rows(),)
        added = tuple(sorted(set(new) - set(old)) for old, new in zip(before, lists))
        removed = tuple(sorted(set(old) - set(new)) for old, new in zip(before, lists))
        if max(map(len, added)) > 0 or max(map(len, removed)) > 0:
            stack.push_rows(added if two else added[0], removed if two else removed[0], black_to_move=black)
        else:
            stack.push_rows(black_to_move=black)
        assert numbers(stack.evaluate()) == expected
        stack.verify()
    expected = [expected for *_, expected in rows]
    sides = np.array([black for _, _, black, _ in rows])
    for element in [np.int32, np.int64, np.uint32, np.uint64, np.int16]:
        matrices = tuple(csr([lists[side] for _, lists, _, _ in rows], element) for side in range(1 + two))
        pairs = tuple((matrix.indptr, matrix.indices) for matrix in matrices)
        for threads in [1, 3]:
            given = matrices if two else matrices[0]
            assert fields(network.evaluate_rows(given, black_to_move=sides, threads=threads)) == expected
        given = (pairs,) if two else pairs[0]
        assert fields(network.evaluate_rows(*given, black_to_move=sides.tolist())) == expected


# In CI; the nightly check `million-changes` sets a million.
CHANGES = int(os.environ.get("NNUE_ROW_CHANGES", "20000"))


class Position:
    """The active rows by sets, and changes of them, right and wrong."""

    def __init__(self, about, lists):
        self.rows, self.most, self.lists = *about, [set() for _ in range(lists)]

    def active(self, at, count):
        return random.sample(sorted(self.lists[at]), min(count, len(self.lists[at])))

    def inactive(self, at, count):
        return random.sample(sorted(set(range(self.rows)) - self.lists[at]), count)

    def right(self, at):
        """Rows that are added to a list, and rows that are removed from it."""
        now = self.lists[at]
        removed = self.active(at, random.randrange(4))
        kind = random.randrange(8)
        if kind == 0:
            return [], []
        if kind == 1:
            return [], list(now)
        if kind == 2:
            return list(now), list(now)
        room = self.most - len(now) + len(removed)
        new = self.inactive(at, room if kind == 3 else random.randrange(min(room, 3) + 1))
        return new, removed

    def wrong(self, at):
        """The same with a mistake, and what the message says."""
        kind, (added, removed) = random.randrange(5), self.right(at)
        if kind == 0 and len(self.lists[at]) < self.rows:
            return added, removed + self.inactive(at, 1), "is not active, it cannot be removed"
        if kind == 1 and self.lists[at]:
            return self.active(at, 1), [], "is active already, it cannot be added"
        if kind == 2 and added:
            return [*added, added[0]], removed, "is active already, it cannot be added"
        if kind == 3:
            return self.inactive(at, self.most + 1 - len(self.lists[at])), [], "the declaration allows"
        return [*added, self.rows + random.randrange(1 << 20)], removed, "there are only"

    def after(self, added, removed):
        next = Position((self.rows, self.most), 0)
        next.lists = [now - set(old) | set(new) for now, new, old in zip(self.lists, added, removed)]
        return next


def check_candidates(stack, position, given, lists):
    """Right changes in sparse matrices have the values of the pairs; a wrong one among them is named, and nothing is changed."""
    changes = [list(zip(*(position.right(at) for at in range(lists)))) for _ in range(6)]
    matrices = lambda changes: [given([csr([change[part][at] for change in changes]) for at in range(lists)]) for part in range(2)]
    values = stack.evaluate_candidate_rows(*matrices(changes))
    assert (values == stack.evaluate_candidates([tuple(map(given, change)) for change in changes])).all()
    for change, value in zip(changes, values):
        stack.push_rows(*map(given, change))
        said = stack.evaluate()
        assert (said.value, said.real, said.bucket) == (value["value"], value["real"], value["bucket"])
        stack.pop()
    at, number = random.randrange(lists), random.randrange(6)
    added, removed, message = position.wrong(at)
    changes[number] = [tuple(part if list == at else [] for list in range(lists)) for part in (added, removed)]
    with pytest.raises(nnue.RowsError, match=f"^candidate {number}: .*{message}"):
        stack.evaluate_candidate_rows(*matrices(changes))


@pytest.mark.parametrize(("name", "lists", "about"), [(SINGLE, 1, (100, 12)), (DOUBLE, 2, (80, 20))])
def test_random_changes_are_followed_or_refused(name, lists, about):
    random.seed(34)
    network, line, right = opened(name), [Position(about, lists)], 0
    stack = network.rows_stack()
    given = (lambda rows: tuple(rows)) if lists == 2 else (lambda rows: rows[0])
    for _ in range(CHANGES):
        changes = [line[-1].right(at) for at in range(lists)]
        if random.random() < 0.6:
            added, removed = zip(*changes)
            stack.push_rows(given(added), given(removed))
            line.append(line[-1].after(added, removed))
            right += 1
        else:
            at = random.randrange(lists)
            *changes[at], message = line[-1].wrong(at)
            added, removed = zip(*changes)
            with pytest.raises(nnue.RowsError, match=message):
                stack.push_rows(given(added), given(removed))
        while len(line) == 40 or (len(line) > 1 and random.random() < 0.4):
            stack.pop()
            line.pop()
        now = given([sorted(rows) for rows in line[-1].lists])
        if random.randrange(16) == 0:
            check_candidates(stack, line[-1], given, lists)
        assert stack.rows() == now and len(stack) == len(line) - 1
        assert stack.evaluate() == network.evaluate_listed(now)
    stack.verify()
    assert CHANGES // 2 < right < CHANGES


def test_intermediate_values_are_those_of_a_formula(single):
    weights = single.tensors()
    rows = [3, 17, 72, 99]
    found = single.intermediate(rows)
    accumulator = weights["ft_weight"][rows].sum(axis=0, dtype=np.int64) + weights["ft_bias"]
    assert found["accumulators"].tolist() == [accumulator.tolist()]
    last = accumulator.clip(0, 127)
    for name, sums in found["sums"].items():
        weight = weights[f"{name}_weight"][0][:, : len(last)].astype(np.int64)
        assert sums.tolist() == (weight @ last + weights[f"{name}_bias"][0]).tolist()
        last = (sums.astype(np.int64) >> 6).clip(0, 127)
    assert found["evaluation"] == single.evaluate_listed(rows) == single.trace(rows)[0]
    assert found["evaluation"].positional == found["sums"]["fc1"][0]
    about = single.inspect()
    assert (about["accumulator"]["perspectives"], about["accumulator"]["width"]) == (1, 32)


def test_outputs_with_names():
    text = """pub struct Named {
        acc = accumulate(rows[6, active 6], 32);
        let x = crelu(affine(crelu(acc), 16));
        output value = affine(x, 1);
        output wdl = wdl(affine(x, 3: i8 @ 32));
        format raw { padding: none }
    }"""
    before_the_last_bias = 2 * (6 * 32 + 32) + 16 * 32 + 4 * 16 + 16 + 4 + 3 * 16
    logits = np.array([-1, 0, 2], dtype=np.int32)
    data = bytes(before_the_last_bias) + (logits * 127 * 32).astype(np.int32).tobytes()
    network = nnue.Network.from_bytes(data, text)
    chances = np.exp(logits) / np.exp(logits).sum()
    assert network.outputs([1, 2])["wdl"] == pytest.approx(chances, rel=1e-6)
    assert network.rows_stack([1, 2]).outputs() == network.outputs([1, 2])


def test_rows_may_be_written_in_any_way(single):
    expected = single.evaluate_listed([3, 17, 40])
    for rows in ["3 17,40", (40, 3, 17), {3, 17, 40}, range(3, 4), iter([17, 40, 3])]:
        said = single.evaluate_listed(rows)
        assert said == expected or rows == range(3, 4)
    for element in ["u4", "i4", "i8", "u1", ">i4", "u8"]:
        assert single.evaluate_listed(np.array([3, 17, 40], dtype=element)) == expected
    assert single.evaluate_listed(np.arange(0, 60, 2, dtype="u4")[1::9]) == single.evaluate_listed([2, 20, 38, 56])
    assert single.evaluate_listed([]) == single.rows_stack().evaluate()
    every_other = np.array([3, 0, 17, 0, 40, 0])[::2]
    indptr = np.array([0, 3], dtype=">i8")
    assert single.evaluate_rows(indptr, every_other)["value"].tolist() == [expected.value]
    assert single.evaluate_rows([0, 3], [3, 17, 40])["value"].tolist() == [expected.value]
    assert single.evaluate_rows([0, 0], [])["value"].tolist() == [single.evaluate_listed("").value]
    assert single.evaluate_rows([0], [], black_to_move=[])["value"].tolist() == []


@pytest.mark.parametrize("name", [SINGLE, DOUBLE])
def test_every_line_of_changes_is_evaluated_as_its_last_position(name):
    network, chance = opened(name), random.Random(name)
    two = name == DOUBLE
    most, rows = (20, 80) if two else (12, 100)
    stack, line = network.rows_stack(), [([set(), set()][: 1 + two], False)]
    pack = tuple if two else (lambda lists: lists[0])

    def change(lists):
        removed = [chance.sample(sorted(active), min(len(active), chance.randrange(4))) for active in lists]
        room = [most - len(active) + len(gone) for active, gone in zip(lists, removed)]
        added = [
            chance.sample(sorted(set(range(rows)) - active), min(free, chance.randrange(5))) for active, free in zip(lists, room)
        ]
        return added, removed

    for _ in range(400):
        lists, black = line[-1]
        added, removed = change(lists)
        if chance.random() < 0.4 and len(stack):
            stack.pop()
            line.pop()
        else:
            after = [(active - set(gone)) | set(new) for active, new, gone in zip(lists, added, removed)]
            black = chance.random() < 0.5
            stack.push_rows(pack(added), pack(removed), black_to_move=black)
            line.append((after, black))
        lists, black = line[-1]
        current = pack([sorted(active) for active in lists])
        assert (len(stack), stack.rows(), stack.black_to_move) == (len(line) - 1, current, black)
        assert stack.evaluate() == network.evaluate_listed(current, black_to_move=black)
    changes = [change(lists) for _ in range(30)]
    values = stack.evaluate_candidates([(pack(added), pack(removed)) for added, removed in changes])
    for (added, removed), value in zip(changes, fields(values)):
        stack.push_rows(pack(added), pack(removed))
        assert numbers(stack.evaluate()) == value
        stack.pop()
    stack.make_root()
    assert len(stack) == 0 and stack.rows() == current
    stack.verify()
    assert stack.evaluate_candidates([]).tolist() == []


WRONG_LISTS = [
    ([3, 100], "row 100: there are only 100 rows"),
    ([3, -1], "row -1: there are only 100 rows"),
    ([3, 1 << 40], "row 1099511627776: there are only 100 rows"),
    (np.array([3, -1]), "row -1: there are only 100 rows"),
    (np.array([3, 1 << 63], dtype=np.uint64), "row 9223372036854775808: there are only 100 rows"),
    ([63, 63], "row 63 \\(row 3 of `items`\\) is listed twice"),
    (range(13), "13 rows are active, the declaration allows 12"),
]


@pytest.mark.parametrize(("rows", "message"), WRONG_LISTS)
def test_wrong_lists_are_refused_and_change_nothing(single, rows, message):
    stack = single.rows_stack([3, 17])
    stack.push_rows([5])
    before = (stack.rows(), len(stack), stack.evaluate())
    for call in [single.evaluate_listed, single.outputs, single.intermediate, single.trace, stack.set]:
        with pytest.raises(nnue.RowsError, match=f"^{message}"):
            call(rows)
    rows = [int(row) for row in rows]
    for threads in [1, 3]:
        lists = [[1]] * 300 + [rows, [1], [1000]]
        element = np.uint64 if max(rows) >> 62 else np.int64
        with pytest.raises(nnue.RowsError, match=f"^position 300: {message}"):
            single.evaluate_rows(csr(lists, element), threads=threads)
    assert (stack.rows(), len(stack), stack.evaluate()) == before
    stack.verify()


def test_wrong_changes_are_refused_and_change_nothing(single, double):
    stack = single.rows_stack([3, 17])
    stack.push_rows([5])
    before = (stack.rows(), len(stack), stack.evaluate())
    for added, removed, message in [
        ([3], [], "row 3 \\(row 3 of `users`\\) is active already, it cannot be added"),
        ([], [4], "row 4 \\(row 4 of `users`\\) is not active, it cannot be removed"),
        ([7, 7], [], "row 7 .* is active already"),
        ([100], [3], "row 100: there are only 100 rows"),
        ([1 << 200], [3], "128 bits"),
        (range(20, 40), [], "23 rows are active"),
    ]:
        with pytest.raises(nnue.RowsError, match=f"^.*{message}"):
            stack.push_rows(added, removed, black_to_move=True)
        with pytest.raises(nnue.RowsError, match=message):
            stack.evaluate_candidates([([1], []), (added, removed)])
        assert (stack.rows(), len(stack), stack.evaluate(), stack.black_to_move) == (*before, False)
    with pytest.raises(nnue.RowsError, match="^candidate 1: row 3 "):
        stack.evaluate_candidates([([1], []), ([3], [])])
    with pytest.raises(nnue.RowsError, match=r"a candidate is a pair of rows, `\(added, removed\)`"):
        stack.evaluate_candidates([[1, 2, 3]])
    with pytest.raises(TypeError, match="not a boolean: `numpy.flatnonzero`"):
        stack.push_rows(np.array([True, False]))
    with pytest.raises(TypeError, match="not a boolean"):
        stack.push_rows([True])
    with pytest.raises(nnue.RowsError, match="`rows` has float64 in 1 dimensions"):
        stack.push_rows(np.array([1.0]))
    for wrong in [[1.5], ["3"], [None], 3]:
        with pytest.raises(TypeError):
            stack.set(wrong)
    stack.pop()
    with pytest.raises(IndexError, match="pop from a stack without changes"):
        stack.pop()
    both = double.rows_stack(([1], [2]), black_to_move=True)
    with pytest.raises(nnue.RowsError, match="^row 2 of the second list is active already"):
        both.push_rows(([3], [2]), ([], []))
    with pytest.raises(nnue.RowsError, match="^row -3 of the first list: there are only 80 rows"):
        both.push_rows(([-3], [2]), ([], []))
    for wrong in [[1], [[1], [2], [3]], [], csr([[1]])]:
        with pytest.raises(nnue.RowsError, match="two perspectives: give a pair of lists"):
            both.set(wrong)
    assert both.rows() == ([1], [2]) and both.black_to_move
    with pytest.raises(nnue.RowsError, match=r"^`1 \| 2 \| 3`: expected at most two lists"):
        both.set("1 | 2 | 3")


def test_arrays_that_are_no_matrices(single, double):
    right = csr([[1, 2], [], [3]])
    for wrong, message in [
        (SimpleNamespace(**(vars(right) | {"format": "csc"})), "format `csc`, expected `csr`"),
        (SimpleNamespace(**(vars(right) | {"data": np.array([1, 0.5, 1])})), r"`data\[1\]` is 0.5, expected 1"),
        (SimpleNamespace(**(vars(right) | {"data": np.array([1, 1, np.nan])})), r"`data\[2\]` is nan, expected 1"),
        (([0, np.nan], right.indices), "`indptr` has float64 in 1 dimensions, expected integers in one"),
        (([], right.indices), "`indptr` is empty"),
        (([0, 2, 1, 3], right.indices), r"`indptr\[2\]` is 1, expected 2"),
        (([-1, 2], right.indices), r"`indptr\[0\]` is -1"),
        (([0, 4], right.indices), r"`indptr\[1\]` is 4, .* to 3 \(the number of indices\)"),
        (([0.0, 3.0], right.indices), "`indptr` has float64 in 1 dimensions, expected integers in one"),
        (([0, 3], [[1, 2, 3]]), "`indices` has int64 in 2 dimensions"),
        (([0, 3], ["1", "2", "3"]), "`indices` has <U1"),
        ((0, right.indices), "`indptr` has int64 in 0 dimensions"),
    ]:
        with pytest.raises(nnue.RowsError, match=message):
            single.evaluate_rows(wrong)
    for sides, message in [
        (np.array([True, False]), "2 sides to move for 3 positions"),
        (np.array([1, 0, 1]), "`black_to_move` has int64, expected an array of bool"),
        (np.array([[True]]), "dimensions"),
        (np.frombuffer(b"\1\2\0", dtype=bool), "position 1: the side to move is 2"),
    ]:
        with pytest.raises(nnue.RowsError, match=message):
            single.evaluate_rows(right, black_to_move=sides)
    for wrong in [right, (right,), (right, right, right)]:
        with pytest.raises(nnue.RowsError, match=r"two perspectives: give a pair of matrices, `\(white, black\)`"):
            double.evaluate_rows(wrong)
    with pytest.raises(nnue.RowsError, match="give a pair of matrices"):
        double.evaluate_rows(right.indptr, right.indices)
    with pytest.raises(nnue.RowsError, match="2 lists in the second matrix for 3 positions"):
        double.evaluate_rows((right, csr([[], []])))
    with pytest.raises(nnue.RowsError, match="position 2: row 80 of the second list: there are only 80 rows"):
        double.evaluate_rows((right, csr([[], [], [80]])))
    with pytest.raises(TypeError, match=r"`\(indptr, indices\)`, not as `list`"):
        single.evaluate_rows([[1, 2]])
    with pytest.raises(ValueError, match="at least 1"):
        single.evaluate_rows(right, threads=0)


def test_candidates_are_lines_of_matrices(single, double):
    stack = single.rows_stack([3, 17])
    added, removed = csr([[20 + i % 70] for i in range(700)]), csr([[3, 17][i % 2 :] for i in range(700)])
    before = stack.evaluate()
    expected = stack.evaluate_candidates([([20 + i % 70], [3, 17][i % 2 :]) for i in range(700)])
    for element in [np.int32, np.int64, np.uint32, np.uint64, np.int16, ">i8"]:
        arrays = [(part.indptr.astype(element), part.indices.astype(element)) for part in (added, removed)]
        assert (stack.evaluate_candidate_rows(*arrays) == expected).all()
    assert (stack.evaluate_candidate_rows(added, removed) == expected).all()
    only_added = stack.evaluate_candidate_rows(added)
    assert (only_added == stack.evaluate_candidates([([20 + i % 70], []) for i in range(700)])).all()
    assert stack.evaluate_candidate_rows(csr([]), csr([])).tolist() == []
    both = double.rows_stack(([1], [2]), black_to_move=True)
    values = both.evaluate_candidate_rows((csr([[5], []]), csr([[], [6]])), (csr([[1], []]), csr([[], []])))
    assert (values == both.evaluate_candidates([(([5], []), ([1], [])), (([], [6]), ([], []))])).all()

    wrong = csr([[3, 17][i % 2 :] for i in range(700)])
    wrong.indices[-1] = 5
    for added_rows, removed_rows, message in [
        (added, wrong, "^candidate 699: row 5 .* is not active, it cannot be removed"),
        (csr([[4], [17]]), None, "^candidate 1: row 17 .* is active already"),
        (csr([[4], [100]]), None, "^candidate 1: row 100: there are only 100 rows"),
        (csr([[4], [-1]]), None, "^candidate 1: row -1: there are only 100 rows"),
        (csr([range(20, 31)]), None, "^candidate 0: 13 rows are active, the declaration allows 12"),
        (added, csr([[]]), "^the matrix of removed rows has 1 lists, expected 700, one for each candidate"),
        (added, ([0, 2, 1], [3, 17]), r"^`removed`: `indptr\[2\]` is 1, expected 2"),
        (([], []), None, "^`added`: `indptr` is empty"),
        (([0.5], []), None, "`indptr` has float64"),
        (SimpleNamespace(**(vars(added) | {"format": "csc"})), None, "format `csc`, expected `csr`"),
    ]:
        with pytest.raises(nnue.RowsError, match=message):
            stack.evaluate_candidate_rows(added_rows, removed_rows)
    with pytest.raises(nnue.RowsError, match=r"give a pair of matrices, `\(white, black\)`"):
        both.evaluate_candidate_rows(added)
    with pytest.raises(nnue.RowsError, match="^the matrix of removed rows of the second list has 1 lists, expected 700"):
        both.evaluate_candidate_rows((added, added), (added, csr([[]])))
    with pytest.raises(TypeError, match=r"`\(indptr, indices\)`, not as `list`"):
        stack.evaluate_candidate_rows([[1], [2]])
    assert (stack.rows(), len(stack), stack.evaluate()) == ([3, 17], 0, before)
    stack.verify()


def test_the_right_function_is_named(single, default):
    for call in [single.evaluate, single.stack]:
        for position in [START, chess.Board(), [3, 17]]:
            with pytest.raises(nnue.PositionError, match="`Single` are lists of rows.*`evaluate_listed`.*`rows_stack`"):
                call(position)
    with pytest.raises(nnue.PositionError, match="`evaluate_rows` many"):
        single.evaluate_many([START])
    with pytest.raises(nnue.RowsError, match="`Default` are boards of chess.*`evaluate` evaluates one"):
        default.evaluate_listed([3])
    with pytest.raises(nnue.RowsError, match="`evaluate_many` many"):
        default.evaluate_rows([0, 1], [3])
    with pytest.raises(nnue.RowsError, match="`stack` follows moves"):
        default.rows_stack()
    with pytest.raises(TypeError, match="a FEN or a `chess.Board`, not"):
        default.outputs([3, 17])
    with pytest.raises(nnue.RowsError, match="expected the number of a row, found `8/8"):
        single.outputs("8/8/4k3/8/8/3QK3/8/8 w - - 0 1")


def test_networks_over_rows_are_copied_and_files_are_checked(single):
    again = pickle.loads(pickle.dumps(single))
    assert again.to_bytes() == single.to_bytes()
    assert again.evaluate_listed([1, 2]) == single.evaluate_listed([1, 2])
    assert again.declaration() == single.declaration()
    with pytest.raises(nnue.LoadError):
        nnue.Network.open(DEFAULT, (VECTORS / "single.rs").read_text())
    assert repr(single.rows_stack([5, 3])) == "<nnue.RowsStack after 0 changes: 3 5>"


def matrix(count):
    indices = np.random.default_rng(2).integers(0, 20000 - 500, count, dtype=np.uint32)
    return 500 * np.arange(count + 1), (indices[:, None] + np.arange(500, dtype=np.uint32)).ravel()


def test_python_goes_on_during_evaluate_rows(wide):
    indptr, indices = matrix(4000)
    running, counted = threading.Event(), []

    def count():
        running.wait()
        while running.is_set():
            counted.append(None)
            time.sleep(0)

    counter = threading.Thread(target=count)
    counter.start()
    running.set()
    before = len(counted)
    wide.evaluate_rows(indptr, indices, threads=1)
    seen = len(counted) - before
    running.clear()
    counter.join()
    assert seen > 0


def test_arrays_are_read_in_place(wide):
    """Of 100 MB of indices nothing is copied."""

    status = Path("/proc/self/status")

    def most():
        lines = status.read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) << 10

    if not status.exists():
        pytest.skip("Linux says how much memory there was")
    indptr = 500 * np.arange(50_001)
    indices = np.broadcast_to(np.arange(500, dtype=np.uint32), (50_000, 500)).ravel()
    wide.evaluate_rows(indptr[:2], indices)
    before = most()
    values = wide.evaluate_rows(indptr, indices, threads=1)
    assert len(values) == 50_000 and most() - before < 30 << 20
    values = wide.rows_stack().evaluate_candidate_rows((indptr, indices))
    assert len(values) == 50_000 and most() - before < 30 << 20
