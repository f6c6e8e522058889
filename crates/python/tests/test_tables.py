"""Columns of tables: Arrow arrays, and networks as functions of DuckDB, Polars and DataFusion."""

import gc
import importlib
import os
import sys

import pytest

from nnue import ArrowValues, PositionError, tables

FENS = ["8/8/4k3/8/8/3QK3/8/8 w - - 0 1", None, "8/8/4k3/8/8/3QK3/8/8 b", "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1"]


def library(name):
    """A library that the package does without: tests of CI have it."""
    if "CI" in os.environ:
        return importlib.import_module(name)
    return pytest.importorskip(name)


@pytest.fixture(scope="module")
def pa():
    return library("pyarrow")


@pytest.fixture(scope="module")
def values(default):
    return [None if fen is None else default.evaluate(fen).value for fen in FENS]


def test_arrays_of_every_kind(pa, default, values):
    kinds = [pa.string(), pa.large_string(), pa.string_view()]
    for array in [*(pa.array(FENS, kind) for kind in kinds), *(pa.array(["?", *FENS, "?"], kind)[1:-1] for kind in kinds)]:
        said = default.evaluate_arrow(array)
        assert isinstance(said, ArrowValues) and (len(said), said.null_count) == (len(FENS), 1)
        made = pa.array(said)
        made.validate(full=True)
        assert (made.type, made.to_pylist(), said.to_pylist()) == (pa.int32(), values, values)
    for count in [0, 1, 7, 8, 9]:
        assert pa.array(default.evaluate_arrow(pa.array(FENS[:1] * count, pa.string()))).to_pylist() == values[:1] * count


def test_streams(pa, default, values):
    chunks = pa.chunked_array([FENS[:1], [], FENS[1:]], pa.string())
    assert default.evaluate_arrow(chunks).to_pylist() == values


def test_many_on_threads(pa, default, fens):
    one = default.evaluate_many(fens)["value"].tolist()
    for threads in [1, 3]:
        assert default.evaluate_arrow(pa.array(fens), threads=threads).to_pylist() == one


def test_values_live_as_long_as_their_arrays(pa, default):
    made = [pa.array(default.evaluate_arrow(pa.array(FENS[:1] * 1000))) for _ in range(20)]
    gc.collect()
    assert len({array.to_pylist()[-1] for array in made}) == 1
    untaken = default.evaluate_arrow(pa.array(FENS)).__arrow_c_array__()
    del untaken  # releases what nobody took


def test_what_is_no_column(pa, default):
    class Taken:
        def __init__(self, array):
            self.capsules = array.__arrow_c_array__()

        def __arrow_c_array__(self, requested_schema=None):
            return self.capsules

    for given, error, message in [
        (pa.array([1, 2]), ValueError, "strings .* found values of the format `l`"),
        (pa.array(FENS).dictionary_encode(), ValueError, "found values of a dictionary"),
        (pa.table({"fen": FENS}), ValueError, "found values of the format"),
        (FENS, TypeError, "not `list`"),
        (pa.array(["4k3/8/8/8/8/8/8/4K3 w", "8/8 w"]), PositionError, "position 1: `8/8 w`"),
    ]:
        with pytest.raises(error, match=message):
            default.evaluate_arrow(given)
    taken = Taken(pa.array(FENS))
    pa.array(taken)
    with pytest.raises(ValueError, match="taken already"):
        default.evaluate_arrow(taken)
    assert default.evaluate_arrow(pa.array(["8/8 w", None]), wrong="null").to_pylist() == [None, None]
    with pytest.raises(ValueError, match="`error` or `null`"):
        default.evaluate_arrow(pa.array(FENS), wrong="skip")
    with pytest.raises(ValueError, match="threads is 0"):
        default.evaluate_arrow(pa.array(FENS), threads=0)


def duckdb_values(connection, texts):
    connection.execute("CREATE OR REPLACE TABLE positions (id INTEGER, fen VARCHAR)")
    connection.executemany("INSERT INTO positions VALUES (?, ?)", list(enumerate(texts)))
    return [value for (value,) in connection.execute("SELECT nnue_eval(fen) FROM positions ORDER BY id").fetchall()]


@pytest.mark.parametrize("has_arrow", [True, False])
def test_duckdb(default, values, has_arrow, monkeypatch):
    duckdb = library("duckdb")
    if has_arrow:
        library("pyarrow")
    else:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    connection = duckdb.connect()
    tables.register_duckdb(connection, default)
    assert duckdb_values(connection, FENS) == values
    with pytest.raises(duckdb.Error, match="a board has 8 ranks, found 2"):
        duckdb_values(connection, ["8/8 w"])
    lenient = duckdb.connect()
    tables.register_duckdb(lenient, default, wrong="null")
    assert duckdb_values(lenient, [*FENS, "8/8 w"]) == [*values, None]


def test_polars(default, values):
    polars = library("polars")
    frame = polars.LazyFrame({"fen": FENS})
    said = frame.select("fen", value=tables.polars_expression("fen", default)).collect()
    assert (said["value"].to_list(), said["value"].dtype) == (values, polars.Int32)
    won = frame.filter(tables.polars_expression(polars.col("fen"), default) > 0).collect()
    assert won["fen"].to_list() == [FENS[0], FENS[3]]


def test_datafusion(default, values, pa):
    datafusion = library("datafusion")
    context = datafusion.SessionContext()
    tables.register_datafusion(context, default)
    for kind in [pa.string(), pa.large_string(), pa.string_view()]:
        context.from_arrow(pa.table({"id": range(len(FENS)), "fen": pa.array(FENS, kind)}), f"of_{kind}")
        rows = context.sql(f"SELECT nnue_eval(fen) AS value FROM of_{kind} ORDER BY id").to_pydict()
        assert rows["value"] == values
