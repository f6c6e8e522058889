"""Makes models in shapes that exporters write: a convolution whose padding is as wide as its kernel, and a network with two outputs.

    pip install onnx numpy                         # tested with onnx 1.23
    python shapes.py
"""

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

generator = numpy.random.default_rng(39)


def coarse(*shape):
    return numpy.round(generator.normal(0, 16, shape)).astype("float32") / 16


def save(name, nodes, tensors, inputs, outputs, arrays):
    info = lambda values: [helper.make_tensor_value_info(key, TensorProto.FLOAT, ["rows", *shape]) for key, shape in values.items()]
    constants = [numpy_helper.from_array(value, key) for key, value in tensors.items()]
    graph = helper.make_graph(nodes, name, info(inputs), info(outputs), constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, f"{name}.onnx")
    numpy.savez_compressed(f"{name}.npz", **arrays)


def padded():
    """A 1 x 1 convolution with padding 1: zeros of the padding leave the bias at the border."""
    x, w, b = coarse(8, 2, 3, 3), coarse(2, 2, 1, 1), coarse(2)
    wide = numpy.pad(x, [(0, 0), (0, 0), (1, 1), (1, 1)])
    expected = numpy.maximum(numpy.einsum("nchw,oc->nohw", wide, w[:, :, 0, 0]) + b[:, None, None], 0)
    nodes = [helper.make_node("Conv", ["x", "w", "b"], ["h"], pads=[1, 1, 1, 1]), helper.make_node("Relu", ["h"], ["y"])]
    save("padded", nodes, {"w": w, "b": b}, {"x": [2, 3, 3]}, {"y": [2, 5, 5]}, {"x": x, "expected": expected})


def heads():
    """A value and a policy over one layer; the policy is recorded."""
    x, w, v, p = coarse(8, 6), coarse(6, 4), coarse(4, 1), coarse(4, 3)
    expected = numpy.maximum(x @ w, 0) @ p
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["h"]),
        helper.make_node("Relu", ["h"], ["a"]),
        helper.make_node("MatMul", ["a", "v"], ["value"]),
        helper.make_node("MatMul", ["a", "p"], ["policy"]),
    ]
    outputs = {"value": [1], "policy": [3]}
    save("heads", nodes, {"w": w, "v": v, "p": p}, {"x": [6]}, outputs, {"x": x, "expected": expected})


padded()
heads()
