"""Makes `gates.onnx` and `gates.npz` with the package `onnx`, and their outputs with `onnxruntime`: what PyTorch's exporters write in other ways.

    pip install numpy onnx onnxruntime
    python gates.py
"""

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

ROWS, OPSET = 16, 17
random = numpy.random.default_rng(1)
nodes, initializers = [], []


def constant(name, values, kind):
    initializers.append(numpy_helper.from_array(numpy.asarray(values, kind), name))
    return name


def node(operation, inputs, output, **attributes):
    nodes.append(helper.make_node(operation, inputs, [output], output, **attributes))
    return output


def layer(name, inputs, outputs):
    """Weights of 8 bits in steps of 1/64."""
    weights = random.integers(-40, 41, (outputs, inputs))
    constant(f"{name}_q", weights, "int8")
    constant(f"{name}_bias", random.integers(-32, 33, outputs) / 128, "float32")
    return node("DequantizeLinear", [f"{name}_q", "step"], f"{name}_weight")


def affine(name, x):
    return node("Gemm", [x, f"{name}_weight", f"{name}_bias"], f"{name}_{x}", transB=1)


def clip(x, name):
    return node("Clip", [x, "zero", "one"], name)


def part(x, start, end, name):
    return node("Slice", [x, constant(f"{name}_from", [start], "int64"), constant(f"{name}_to", [end], "int64"), "axis"], name)


constant("step", 1 / 64, "float32")
constant("zero", 0, "float32")
constant("one", 1, "float32")
constant("axis", [1], "int64")
layer("ft", 768, 32)
constant("half", 0.5, "float32")
larger, averages = [], []
for side in ["stm", "nstm"]:
    clipped = clip(affine("ft", side), f"{side}_clipped")
    halves = [part(clipped, 0, 16, f"{side}_low"), part(clipped, 16, 32, f"{side}_high")]
    larger.append(node("Max", halves, f"{side}_larger"))
    averages.append(node("Mul", [node("Add", halves, f"{side}_sum"), "half"], f"{side}_average"))
x = node("Concat", larger + averages, "x", axis=1)
layer("l1", 64, 16)
h1 = affine("l1", x)
gate = node("Sigmoid", [part(h1, 8, 16, "h1_high")], "gate")
glu = node("Mul", [part(h1, 0, 8, "h1_low"), gate], "glu")
layer("l2", 8, 8)
norm = [constant(f"norm_{what}", values, "float32") for what, values in [
    ("weight", random.uniform(0.5, 1.5, 8)), ("bias", random.normal(0, 0.25, 8)),
    ("mean", random.normal(0, 0.25, 8)), ("variance", random.uniform(0.5, 2, 8))]]
h2 = node("BatchNormalization", [affine("l2", glu), *norm], "h2", epsilon=1e-3)
crelu = clip(h2, "crelu")
residual = node("Add", [glu, crelu], "residual")
mean = node("ReduceMean", [residual], "mean", axes=[1], keepdims=1)
larger = node("Max", [residual, node("Tanh", [h2], "tanh")], "larger")
product = node("Mul", [part(crelu, 0, 4, "crelu_low"), part(glu, 2, 6, "glu_middle")], "product")
layer("out", 21, 1)
node("Gemm", [node("Concat", [residual, mean, larger, product], "y", axis=1), "out_weight", "out_bias"], "value", transB=1)

inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["rows", 768]) for name in ["stm", "nstm"]]
outputs = [helper.make_tensor_value_info("value", TensorProto.FLOAT, ["rows", 1])]
graph = helper.make_graph(nodes, "gates", inputs, outputs, initializers)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8, producer_name="gates.py")
onnx.checker.check_model(model)
onnx.save(model, "gates.onnx")

arrays = {}
for side in ["stm", "nstm"]:
    arrays[side] = numpy.zeros((ROWS, 768), "float32")
    for row in arrays[side]:
        row[random.permutation(768)[: random.integers(3, 33)]] = 1
(expected,) = onnxruntime.InferenceSession("gates.onnx").run(None, arrays)
numpy.savez_compressed("gates.npz", **arrays, expected=expected)
print(expected.ravel())
