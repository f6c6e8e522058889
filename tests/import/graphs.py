"""Graphs over rows of 768 features, made with the package `onnx`, and their outputs with `onnxruntime`: `gates.py` and `pools.py` build theirs with it."""

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

ROWS, OPSET = 16, 17
SIDES = ["stm", "nstm"]


class Graph:
    def __init__(self, seed):
        self.random = numpy.random.default_rng(seed)
        self.nodes, self.initializers = [], []
        self.constant("step", 1 / 64, "float32")
        self.constant("zero", 0, "float32")
        self.constant("one", 1, "float32")
        self.constant("axis", [1], "int64")

    def constant(self, name, values, kind):
        self.initializers.append(numpy_helper.from_array(numpy.asarray(values, kind), name))
        return name

    def node(self, operation, inputs, output, **attributes):
        self.nodes.append(helper.make_node(operation, inputs, [output], output, **attributes))
        return output

    def layer(self, name, inputs, outputs, bias=128):
        """Weights of 8 bits in steps of 1/64."""
        weights = self.random.integers(-40, 41, (outputs, inputs))
        self.constant(f"{name}_q", weights, "int8")
        self.constant(f"{name}_bias", self.random.integers(-32, 33, outputs) / bias, "float32")
        return self.node("DequantizeLinear", [f"{name}_q", "step"], f"{name}_weight")

    def affine(self, name, x):
        return self.node("Gemm", [x, f"{name}_weight", f"{name}_bias"], f"{name}_{x}", transB=1)

    def clip(self, x, name):
        return self.node("Clip", [x, "zero", "one"], name)

    def part(self, x, start, end, name, step=None):
        limits = [self.constant(f"{name}_from", [start], "int64"), self.constant(f"{name}_to", [end], "int64"), "axis"]
        if step is not None:
            limits.append(self.constant(f"{name}_step", [step], "int64"))
        return self.node("Slice", [x, *limits], name)

    def rows(self):
        """Random rows of both sides, 1 where a row is active."""
        arrays = {}
        for side in SIDES:
            arrays[side] = numpy.zeros((ROWS, 768), "float32")
            for row in arrays[side]:
                row[self.random.permutation(768)[: self.random.integers(3, 33)]] = 1
        return arrays

    def save(self, name, producer, arrays=None):
        """The model, whose output is `value`, and inputs, or random rows, with what onnxruntime says about them."""
        arrays = arrays or self.rows()
        kinds = {"float32": TensorProto.FLOAT, "int64": TensorProto.INT64}
        inputs = [
            helper.make_tensor_value_info(side, kinds[str(array.dtype)], ["rows", *array.shape[1:]])
            for side, array in arrays.items()
        ]
        outputs = [helper.make_tensor_value_info("value", TensorProto.FLOAT, ["rows", 1])]
        graph = helper.make_graph(self.nodes, name, inputs, outputs, self.initializers)
        opset = [helper.make_opsetid("", OPSET)]
        model = helper.make_model(graph, opset_imports=opset, ir_version=8, producer_name=producer)
        onnx.checker.check_model(model)
        onnx.save(model, f"{name}.onnx")
        (expected,) = onnxruntime.InferenceSession(f"{name}.onnx").run(None, arrays)
        numpy.savez_compressed(f"{name}.npz", **arrays, expected=expected)
        print(name, expected.ravel())
