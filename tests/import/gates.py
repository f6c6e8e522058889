"""Makes `gates.onnx` and `gates.npz`: gates, pools of two values, means, and a residual, as PyTorch's exporters write them in other ways.

    pip install numpy onnx onnxruntime
    python gates.py
"""

from graphs import SIDES, Graph

g = Graph(1)
g.layer("ft", 768, 32)
g.constant("half", 0.5, "float32")
larger, averages = [], []
for side in SIDES:
    clipped = g.clip(g.affine("ft", side), f"{side}_clipped")
    halves = [g.part(clipped, 0, 16, f"{side}_low"), g.part(clipped, 16, 32, f"{side}_high")]
    larger.append(g.node("Max", halves, f"{side}_larger"))
    averages.append(g.node("Mul", [g.node("Add", halves, f"{side}_sum"), "half"], f"{side}_average"))
x = g.node("Concat", larger + averages, "x", axis=1)
g.layer("l1", 64, 16)
h1 = g.affine("l1", x)
gate = g.node("Sigmoid", [g.part(h1, 8, 16, "h1_high")], "gate")
glu = g.node("Mul", [g.part(h1, 0, 8, "h1_low"), gate], "glu")
g.layer("l2", 8, 8)
norm = [g.constant(f"norm_{what}", values, "float32") for what, values in [
    ("weight", g.random.uniform(0.5, 1.5, 8)), ("bias", g.random.normal(0, 0.25, 8)),
    ("mean", g.random.normal(0, 0.25, 8)), ("variance", g.random.uniform(0.5, 2, 8))]]
h2 = g.node("BatchNormalization", [g.affine("l2", glu), *norm], "h2", epsilon=1e-3)
crelu = g.clip(h2, "crelu")
residual = g.node("Add", [glu, crelu], "residual")
mean = g.node("ReduceMean", [residual], "mean", axes=[1], keepdims=1)
larger = g.node("Max", [residual, g.node("Tanh", [h2], "tanh")], "larger")
product = g.node("Mul", [g.part(crelu, 0, 4, "crelu_low"), g.part(glu, 2, 6, "glu_middle")], "product")
g.layer("out", 21, 1)
g.node("Gemm", [g.node("Concat", [residual, mean, larger, product], "y", axis=1), "out_weight", "out_bias"], "value", transB=1)
g.save("gates", "gates.py")
