"""Training: arguments of Python as the file of a run."""

import contextlib
import json
import os
import tempfile
from pathlib import Path

from ._nnue import Network, TrainingError, _train


def _toml(value):
    """A value of TOML. Strings, numbers, booleans and lists are those of JSON."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_toml(str(key))} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def train(
    declaration,
    lists,
    targets,
    *,
    weights=None,
    black_to_move=None,
    validation=0.05,
    output=None,
    resume=False,
    progress=None,
    name=None,
    batch=512,
    **keys,
):
    """Trains a network over `rows[..]`; see the types of the package."""
    network = {**keys.pop("network", {}), "declaration": declaration} | ({} if name is None else {"name": name})
    if isinstance(validation, (int, float)):
        keys["validation"] = {"held_out": validation} | keys.get("validation", {})
        validation = None
    elif isinstance(validation, tuple):
        if not 2 <= len(validation) <= 4:
            raise TrainingError("`validation` is a share, an array of bool, or `(lists, targets, weights, black_to_move)`")
        validation = (*validation, None, None)[:4]
    with contextlib.ExitStack() as stack:
        if output is None:
            output = stack.enter_context(tempfile.TemporaryDirectory(prefix="nnue-"))
        folder = Path(os.path.abspath(output))
        if not resume and (folder / "checkpoint").exists():
            raise TrainingError(f"{folder} has the checkpoint of an earlier run: pass `resume=True`, or another `output`")
        keys = {"output": str(folder), "batch": batch, "network": network, **keys}
        run = "\n".join(f"{key} = {_toml(value)}" for key, value in keys.items())
        _train((declaration, name), run, (lists, targets, weights, black_to_move), validation, resume, progress)
        [file] = [file for file in ("net.nnue", "net.bin") if (folder / file).exists()]
        return Network.open(folder / file, (folder / "net.rs").read_text(encoding="utf-8"), name=name)
