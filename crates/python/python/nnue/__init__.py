"""Chess networks (NNUE): open, evaluate, follow games.

>>> import nnue
>>> nnue.Network.default().evaluate("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1").value > 0
True
"""

from . import tables
from ._nnue import (
    ArrowValues,
    DeclarationError,
    Evaluation,
    Guess,
    LoadError,
    MoveError,
    Network,
    PositionError,
    RowsError,
    RowsStack,
    Stack,
    TrainingError,
    __version__,
    architectures,
    declarations,
)
from ._train import train

__all__ = [
    "ArrowValues",
    "DeclarationError",
    "Evaluation",
    "Guess",
    "LoadError",
    "MoveError",
    "Network",
    "PositionError",
    "RowsError",
    "RowsStack",
    "Stack",
    "TrainingError",
    "__version__",
    "architectures",
    "declarations",
    "tables",
    "train",
]
