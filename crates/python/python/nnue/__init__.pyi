"""Chess networks (NNUE): open, evaluate, follow games."""

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, Protocol, final, overload

import numpy as np
import numpy.typing as npt

from . import tables as tables

__version__: str

class _Board(Protocol):
    """What is read of a `chess.Board`. Bit 0 of a number is a1, bit 7 is h1, bit 63 is h8."""

    pawns: int
    knights: int
    bishops: int
    rooks: int
    queens: int
    kings: int
    occupied_co: list[int]
    """the pieces of Black, of White"""
    turn: bool
    """whether White moves"""

class _Game(Protocol):
    """What begins a `Stack`: a `chess.Board`."""

    def fen(self) -> str: ...

class _Move(Protocol):
    """A `chess.Move`."""

    def uci(self) -> str: ...

class _Matrix(Protocol):
    """What is read of a `scipy.sparse.csr_matrix`: list `i` is `indices[indptr[i] : indptr[i + 1]]`."""

    indptr: npt.NDArray[np.integer]
    indices: npt.NDArray[np.integer]

_List = Iterable[int] | npt.NDArray[np.integer]
_Rows = str | _List | tuple[_List, _List]
_Lists = _Matrix | tuple[npt.ArrayLike, npt.ArrayLike]

class _ArrowArray(Protocol):
    """A column of a library that speaks Arrow: a `pyarrow.Array`, for example."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

class _ArrowStream(Protocol):
    """A column in parts: a `pyarrow.ChunkedArray`, a `polars.Series`."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class LoadError(ValueError):
    """A file is not exactly one network of the architecture. The message says what was expected and what is there."""

class DeclarationError(ValueError):
    """A declaration is wrong, or needs code of a program; or no architecture has the name."""

class PositionError(ValueError):
    """What was given is no position."""

class RowsError(ValueError):
    """Rows are no position of the network, or no change of one. The message names the row, its list, and the limit."""

class TrainingError(ValueError):
    """A training cannot begin or go on: a wrong option, target or weight, or a loss that is not finite."""

class MoveError(ValueError):
    """A move is not legal in the position."""

def declarations(
    path: str | os.PathLike[str],
    *,
    program: str | None = None,
    name: str = "Network",
    width: int | None = None,
    king_buckets: int | None = None,
    output_buckets: int | None = None,
    hidden: Sequence[int] = (),
) -> list[Guess]:
    """The declarations that read a file, the likeliest first, at most 13; those that the numbers of the file contradict
    come last. The file may be compressed by gzip or zstd.

    `program` is the text of a trainer of bullet, of which the list `save_format` is read; without it that of its
    one-layer examples is assumed. `name` is that of the declared type; the others are sizes that are known.

    Raises `OSError` if the file cannot be read, `LoadError` if it is of another kind or has the size of no network, and
    `ValueError` if another argument is wrong.
    """

@final
class Guess:
    """A declaration that reads a file."""

    @property
    def declaration(self) -> str:
        """The declaration, for `Network.open(path, guess.declaration)`."""
    @property
    def shape(self) -> str:
        """Its sizes as options of the command `nnue import net`; of a known architecture `--arch NAME`."""
    @property
    def doubt(self) -> str | None:
        """What speaks against it in the numbers of the file."""
    @property
    def scale(self) -> float | None:
        """What an output of 1.0 is worth, also if it is a guess; `None` for known architectures."""
    @property
    def unknown(self) -> list[str]:
        """What the file does not tell, and what would."""
    def __eq__(self, other: object, /) -> bool: ...

@final
class Evaluation:
    """What a network says about a position. `int(evaluation)` is its value, `float(evaluation)` the value before rounding."""

    @property
    def value(self) -> int:
        """In the unit of the network, from the point of view of the side to move: positive is good for it."""
    @property
    def real(self) -> float:
        """The value before it was rounded to an integer; NaN if an output of floats is."""
    @property
    def psqt(self) -> int:
        """The PSQT part, raw; 0 if the network has none."""
    @property
    def positional(self) -> int:
        """The part of the layers, raw."""
    @property
    def bucket(self) -> int:
        """The layer stack that was used."""
    def __int__(self) -> int: ...
    def __float__(self) -> float: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class ArrowValues:
    """A column of 32-bit values for any library that reads Arrow: `pyarrow.array(values)`, `polars.Series(values)`."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Capsules of the type and of the values, which are not copied."""
    def to_pylist(self) -> list[int | None]:
        """The values; a null is `None`."""
    @property
    def null_count(self) -> int:
        """How many values are null."""
    def __len__(self) -> int:
        """How many there are, with those that are null."""

@final
class Network:
    """A network that was opened. It never changes, and threads may share it."""

    @staticmethod
    def open(path: str | os.PathLike[str], arch: str | None = None, *, name: str | None = None) -> Network:
        """Opens a file.

        `arch` is one of `architectures()`, or a declaration as text; without it the file says what it is. Where a
        text declares several networks, `name` chooses one.

        Raises `OSError` if the file cannot be read, `LoadError` if it is not exactly one such network, and
        `DeclarationError` if `arch` is wrong.
        """
    @staticmethod
    def from_bytes(data: bytes, arch: str | None = None, *, name: str | None = None) -> Network:
        """As `open`, from the bytes of a file."""
    @staticmethod
    def default() -> Network:
        """The network that the package contains. Its unit is about a hundredth of a pawn."""
    @property
    def name(self) -> str:
        """The declared name."""
    @property
    def arch(self) -> str | None:
        """One of `architectures()`, `None` for a declaration of one's own."""
    @property
    def notation(self) -> str:
        """The network as a chain."""
    @property
    def level(self) -> str:
        """The instructions of the processor that evaluate. The variable `NNUE_LEVEL` of the environment chooses others."""
    def evaluate(self, position: str | _Board) -> Evaluation:
        """Evaluates a FEN, of which the first two fields count, or a `chess.Board`.

        Raises `PositionError` unless there is one king of each colour, and at most 32 pieces.
        """
    def evaluate_listed(self, rows: _Rows, *, black_to_move: bool = False) -> Evaluation:
        """Evaluates one position of a network over `rows[..]`: the active rows as integers, with two perspectives a pair of
        lists, or a text such as `3 17 40` or `3 17 | 8 9 b`.

        Raises `RowsError` unless each row exists and is listed once, and there are not more than may be active.
        """
    def outputs(self, position: str | _Board | _Rows) -> dict[str, list[float]]:
        """The numbers of each output with a name of its own. Of an output of win, draw and loss they are the
        probabilities of a loss, a draw and a win."""
    def evaluate_many(
        self, positions: Iterable[str | _Board] | npt.NDArray[np.uint64], *, threads: int | None = None
    ) -> npt.NDArray[np.void]:
        """Evaluates many positions on all cores, or on `threads` threads; other threads of Python go on meanwhile.

        `positions` are FENs and boards, or an array of uint64 in the shape (n, 9): pawns, knights, bishops, rooks,
        queens, kings, the pieces of White, of Black, and 1 if White moves, 0 if Black does.

        The result has the fields `value`, `psqt`, `positional` and `bucket`, of int32, and `real`, of float64, in the order
        of the positions.
        """
    def evaluate_arrow(
        self,
        fens: _ArrowArray | _ArrowStream,
        *,
        threads: int | None = None,
        wrong: Literal["error", "null"] = "error",
    ) -> ArrowValues:
        """Evaluates a column of FENs, an Arrow array of strings, on all cores, or on `threads` threads; other threads of
        Python go on meanwhile.

        A null has the value null. A text that is no position raises `PositionError`, or is a null with `wrong="null"`.
        """
    @overload
    def evaluate_rows(
        self,
        lists: _Lists | tuple[_Lists, _Lists],
        /,
        *,
        black_to_move: npt.NDArray[np.bool_] | None = None,
        threads: int | None = None,
    ) -> npt.NDArray[np.void]:
        """Evaluates many positions of a network over `rows[..]` on all cores, or on `threads` threads; other threads of
        Python go on meanwhile.

        Positions are the rows of a `scipy.sparse.csr_matrix` of ones, or of its arrays `indptr` and `indices`. With two
        perspectives there is a pair of them, `(white, black)`, and `black_to_move` says whose list is read first.
        Contiguous arrays of int32, int64, uint32 and uint64 are read in place and must not change meanwhile.

        The result has the fields `value`, `psqt`, `positional` and `bucket`, of int32, and `real`, of float64, in the order
        of the positions.
        Raises `RowsError` with the number of the first position that is wrong, from 0.
        """
    @overload
    def evaluate_rows(
        self,
        indptr: npt.ArrayLike,
        indices: npt.ArrayLike,
        /,
        *,
        black_to_move: npt.NDArray[np.bool_] | None = None,
        threads: int | None = None,
    ) -> npt.NDArray[np.void]: ...
    def stack(self, position: str | _Game | None = None) -> Stack:
        """A stack at this position; without one, at the start of a game."""
    def rows_stack(self, rows: _Rows | None = None, *, black_to_move: bool = False) -> RowsStack:
        """A stack of a network over `rows[..]` whose root has these rows; without them, no active rows."""
    def intermediate(self, position: str | _Board | _Rows) -> dict[str, Any]:
        """Everything that the network computes for a position, as arrays:

        `accumulators` in the order in which layers read the perspectives, `activations` and `sums` by the names of the
        declaration (`sums` are those of layers, before their activation), and the `evaluation`. The numbers are those of
        `evaluate`, to the last bit; computing them takes a hundred times as long.
        """
    def trace(self, position: str | _Board | _Rows) -> list[Evaluation]:
        """The evaluation by each layer stack. That of the position is at the index `evaluate(position).bucket`."""
    def contributions(self, position: str | _Board) -> npt.NDArray[np.float64]:
        """The contribution of each piece, for White: the value of the position minus its value without that piece.

        By rank and file, `[0, 0]` is a1; NaN for empty squares and for kings, which every position needs.
        """
    def to_bytes(self) -> bytes:
        """The bytes of the file that the network was opened from."""
    def declaration(self) -> str:
        """The network as a declaration, for `open` and for Rust."""
    def inspect(self) -> dict[str, Any]:
        """What is in the network: its file, features, accumulator, layers, tensors with their ranges, and what can overflow.
        `json.dumps` takes it."""
    def tensors(self) -> dict[str, npt.NDArray[Any]]:
        """The weights by name: arrays that read the memory of the network, without a copy. They cannot be written to.

        Biases have one dimension, weights two. Those of layers have the layer stack before them, and columns of
        padding where the file has them.
        """

@final
class Stack:
    """A position, the moves that led to it, and what the network computed on the way.

    Evaluating a position after a move takes a part of the time that the position alone would take.
    """

    def push(self, move: str | _Move) -> None:
        """Makes a move: a `chess.Move`, or UCI notation. `0000` and `chess.Move.null()` pass.

        Raises `MoveError` if it is not legal.
        """
    def pop(self) -> None:
        """Takes the last move back. Raises `IndexError` if there is none."""
    def evaluate(self) -> Evaluation:
        """Evaluates the position after the moves."""
    def reset(self, position: str | _Game | None = None) -> None:
        """Forgets the moves, and begins at this position; without one, at the start of a game."""
    def fen(self) -> str:
        """The position after the moves. Moves are not counted: the last number is 1."""
    def __len__(self) -> int:
        """How many moves were pushed and not popped."""

@final
class RowsStack:
    """Active rows of a network over `rows[..]`, the changes that led to them, and what the network computed on the way.

    What is refused raises `RowsError` and changes nothing.
    """

    def set(self, rows: _Rows, *, black_to_move: bool | None = None) -> None:
        """Makes these rows the root, and forgets the changes before. Without `black_to_move` the side to move stays, or is
        that of the text."""
    def push_rows(
        self,
        added: _List | tuple[_List, _List] | None = None,
        removed: _List | tuple[_List, _List] | None = None,
        *,
        black_to_move: bool | None = None,
    ) -> None:
        """Removes rows and adds others, in this order. Without `black_to_move` the side to move stays."""
    def pop(self) -> None:
        """Takes the last change back, and the side to move before it. Raises `IndexError` if there is none."""
    def make_root(self) -> None:
        """Forgets the changes, and keeps the rows."""
    def evaluate(self) -> Evaluation:
        """Evaluates the active rows."""
    def outputs(self) -> dict[str, list[float]]:
        """The numbers of each output with a name of its own."""
    def evaluate_candidates(
        self, candidates: Iterable[tuple[_List | tuple[_List, _List], _List | tuple[_List, _List]]]
    ) -> npt.NDArray[np.void]:
        """Evaluates the rows after each of many small changes, pairs `(added, removed)`, and changes nothing. Other threads
        of Python go on meanwhile. The result is that of `Network.evaluate_rows`."""
    def evaluate_candidate_rows(
        self, added: _Lists | tuple[_Lists, _Lists], removed: _Lists | tuple[_Lists, _Lists] | None = None
    ) -> npt.NDArray[np.void]:
        """`evaluate_candidates` of changes in the form of sparse matrices, which are read in place: line `i` of `added` and of
        `removed` is a list of rows of candidate `i`. Matrices are given as to `Network.evaluate_rows`; without `removed` no rows
        are removed."""
    def verify(self) -> None:
        """Compares the accumulators with those computed from the rows alone. A difference, which would be a fault of this
        package, raises `RuntimeError`."""
    def rows(self) -> list[int] | tuple[list[int], list[int]]:
        """The active rows, ascending: a list, or of a network with two perspectives a pair of lists."""
    @property
    def black_to_move(self) -> bool:
        """Whether Black is to move, whose list the network then reads first."""
    def __len__(self) -> int:
        """How many changes were pushed and not popped."""

def train(
    declaration: str,
    lists: _Lists | tuple[_Lists, _Lists],
    targets: npt.ArrayLike,
    *,
    weights: npt.ArrayLike | None = None,
    black_to_move: npt.NDArray[np.bool_] | None = None,
    validation: float | npt.NDArray[np.bool_] | tuple[Any, ...] = 0.05,
    output: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: Callable[[dict[str, float]], object] | None = None,
    name: str | None = None,
    batch: int = 512,
    **keys: Any,
) -> Network:
    """Trains a network over `rows[..]`, and returns it quantised.

    `lists` and `black_to_move` are those of `Network.evaluate_rows`. A target is an expected result from 0 to 1 for the side
    to move; with `loss={"target": "score"}` any number in the unit of the value. Records of weight 0 do not count. Arrays are
    copied.

    `validation` is the share of the records that are held out, an array that is true for these, or others:
    `(lists, targets)`, also with weights and sides to move. `keys` are those of the file of a run: `superbatches=20`,
    `rate={"schedule": "cosine", "start": 0.004, "end": 1e-5}`, `seed=2`, `threads=1`. Without `batches`, a superbatch is about one epoch.
    The same arguments with the same number of threads give the same network.

    `progress` is called with the metrics of each superbatch. Other lines go to the logger `nnue`. What `progress` raises, and
    Ctrl-C, end the training after a batch. The files of the run are written to the folder `output`; with `resume=True` it goes on
    from the last checkpoint there.

    Raises `RowsError` for wrong rows, `DeclarationError` for a wrong declaration, `TrainingError` for anything else.
    """

def architectures() -> list[str]:
    """The names of the architectures whose files are recognised, as the command `nnue archs` lists them."""
