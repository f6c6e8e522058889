"""Networks as functions of tables: DuckDB, Polars, DataFusion.

>>> nnue.tables.register_duckdb(connection, network)
>>> connection.sql("SELECT fen, nnue_eval(fen) AS value FROM 'positions.parquet'")

Each library is imported only by the function that is for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._nnue import Network

if TYPE_CHECKING:
    import datafusion
    import duckdb
    import polars

__all__ = ["polars_expression", "register_datafusion", "register_duckdb"]

NAME = "nnue_eval"


def register_duckdb(
    connection: duckdb.DuckDBPyConnection, network: Network, name: str = NAME, *, wrong: str = "error"
) -> None:
    """Makes `network` the function `name(fen)` of a connection: an INTEGER, of a null a null.

    With pyarrow, columns are evaluated whole; without it, row by row.
    """
    try:
        import pyarrow
    except ModuleNotFoundError:
        connection.create_function(name, _by_row(network, wrong), ["VARCHAR"], "INTEGER", null_handling="special")
        return

    def evaluate(fens: Any) -> Any:
        return pyarrow.array(network.evaluate_arrow(fens, wrong=wrong))

    connection.create_function(name, evaluate, ["VARCHAR"], "INTEGER", type="arrow", null_handling="special")


def register_datafusion(
    context: datafusion.SessionContext, network: Network, name: str = NAME, *, wrong: str = "error"
) -> None:
    """Makes `network` the function `name(fen)` of a context: an Int32, of a null a null."""
    import pyarrow
    from datafusion import udf

    def evaluate(fens: Any) -> Any:
        return pyarrow.array(network.evaluate_arrow(fens, wrong=wrong))

    context.register_udf(udf(evaluate, [pyarrow.string()], pyarrow.int32(), "immutable", name))


def polars_expression(column: str | polars.Expr, network: Network, *, wrong: str = "error") -> polars.Expr:
    """The values of a column of FENs as an expression, for `select`, `with_columns` and `filter`: Int32, of a null a null."""
    import polars

    def evaluate(fens: polars.Series) -> polars.Series:
        return polars.Series(fens.name, network.evaluate_arrow(fens, wrong=wrong))

    fens = polars.col(column) if isinstance(column, str) else column
    return fens.map_batches(evaluate, return_dtype=polars.Int32, is_elementwise=True)


def _by_row(network: Network, wrong: str) -> Any:
    """The value of one FEN, for libraries that call a function for each row."""

    def evaluate(fen: str | None) -> int | None:
        if fen is None:
            return None
        try:
            return network.evaluate(fen).value
        except ValueError:
            if wrong == "null":
                return None
            raise

    return evaluate
