"""Chess networks (NNUE): open, evaluate, follow games.

>>> import nnue
>>> nnue.Network.default().evaluate("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1").value > 0
True
"""

from ._nnue import (
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
    "train",
]
