"""Makes `lists.onnx` and `lists.npz`: a sum of listed rows of a table, as an embedding bag is written, and layers. -1 is no row.

    pip install numpy onnx onnxruntime
    python lists.py
"""

import numpy

from graphs import ROWS, Graph

TABLE, LISTED, WIDTH = 300, 12, 32

g = Graph(3)
g.constant("table", g.random.integers(-60, 61, (TABLE, WIDTH)) / 255, "float32")
g.constant("table_bias", g.random.integers(0, 128, WIDTH) / 255, "float32")
g.constant("none", 0, "int64")
looked = g.node("Gather", ["table", g.node("Max", ["rows_of_item", "none"], "there")], "looked", axis=0)
is_row = g.node("Cast", [g.node("GreaterOrEqual", ["rows_of_item", "none"], "is_row")], "one_or_zero", to=1)
g.constant("last", [2], "int64")
masked = g.node("Mul", [looked, g.node("Unsqueeze", [is_row, "last"], "factor")], "masked")
total = g.node("Add", [g.node("ReduceSum", [masked, "axis"], "total", keepdims=0), "table_bias"], "with_bias")
x = g.clip(total, "x")
g.layer("l1", WIDTH, 16)
h1 = g.clip(g.affine("l1", x), "h1")
g.layer("l2", 16, 1)
g.node("Gemm", [h1, "l2_weight", "l2_bias"], "value", transB=1)

lists = numpy.full((ROWS, LISTED), -1, "int64")
for row in lists:
    count = g.random.integers(0, LISTED + 1)
    row[:count] = g.random.permutation(TABLE)[:count]
g.save("lists", "tests/import/lists.py", {"rows_of_item": lists})
