#!/usr/bin/env python3
"""Makes the networks of this folder: NAME.pt2, NAME.onnx and NAME.npz, which has inputs by their names and the outputs of PyTorch in `expected`.

    pip install torch onnx onnxscript numpy        # tested with torch 2.15, onnx 1.23
    python3 make.py [NAME ..]

Weights are random, with as few bits as keeps the files small when they are compressed.
"""

import re
import sys
import warnings

import numpy
import onnx
import torch
import torch.ao.quantization.fx._decomposed  # what PyTorch's quantiser exports
from torch import nn
from torch.nn import functional as F

warnings.filterwarnings("ignore")
DECOMPOSED = torch.ops.quantized_decomposed
ROWS = 16


def coarse(tensor):
    return torch.round(tensor * 64) / 64


class Digits(nn.Module):
    """Convolutions, pools, batch norms after them, a layer."""

    def __init__(self):
        super().__init__()
        self.c1, self.b1 = nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4)
        self.c2, self.b2 = nn.Conv2d(4, 6, 3, padding=1, stride=2), nn.BatchNorm2d(6, eps=1e-3)
        self.out = nn.Linear(24, 10)

    def forward(self, x):
        x = self.b1(F.max_pool2d(self.c1(x).relu(), 2))
        x = F.avg_pool2d(self.b2(self.c2(x)).relu(), 2)
        return self.out(x.flatten(1))

    def inputs(self):
        return {"x": torch.randn(ROWS, 1, 18, 18)}


class Tower(nn.Module):
    """Residual blocks over planes of a board, and a concatenation."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(5, 8, 3, padding=1, bias=False)
        self.n0 = nn.BatchNorm2d(8)
        self.a, self.na = nn.Conv2d(8, 8, 3, padding=1), nn.BatchNorm2d(8)
        self.b, self.nb = nn.Conv2d(8, 8, 3, padding=1), nn.BatchNorm2d(8)
        self.h = nn.Linear(16, 12)
        self.out = nn.Linear(12, 3)

    def forward(self, board):
        x = self.n0(self.first(board)).relu()
        y = self.nb(self.b(self.na(self.a(x)).relu()))
        y = (x + y).relu()
        y = torch.cat([x, y], 1).mean([2, 3])
        return self.out(F.silu(self.h(y)))

    def inputs(self):
        return {"board": (torch.rand(ROWS, 5, 8, 8) < 0.3).float()}


class Activations(nn.Module):
    """Every activation of single numbers, after numbers that are centred first."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(12, 12) for _ in range(10)])
        self.out = nn.Linear(12, 2)
        self.register_buffer("mean", torch.randn(12))
        self.register_buffer("deviation", torch.rand(12) + 0.5)

    def forward(self, x):
        x = (x - self.mean) / self.deviation
        functions = [
            F.silu,
            F.hardswish,
            torch.tanh,
            torch.sigmoid,
            F.leaky_relu,
            F.relu6,
            lambda y: y.clamp(0, 1),
            lambda y: y.clamp(0, 1) ** 2,
            lambda y: (y * y).clamp(0, 1),
            lambda y: y * torch.clamp(y + 3, 0, 6) / 6,
        ]
        for layer, function in zip(self.layers, functions):
            x = function(layer(x) * 1.5)
        return self.out(x * 0.5 + 0.25)

    def inputs(self):
        return {"x": torch.randn(ROWS, 12)}


def sign(x):
    return torch.where(x > 0, 1.0, -1.0)


class BinaryConvolutions(nn.Module):
    """Convolutions of signs, scaled by the magnitude of the weights of each output and by that of the input."""

    def __init__(self):
        super().__init__()
        self.c1, self.b1 = nn.Conv2d(2, 6, 3), nn.BatchNorm2d(6)
        self.c2 = nn.Conv2d(6, 8, 3, stride=2)
        self.fc = nn.Linear(72, 4)

    def forward(self, x):
        w = self.c1.weight
        y = F.conv2d(sign(x), sign(w)) * w.abs().mean([1, 2, 3])[:, None, None] * x.abs().mean([1, 2, 3], keepdim=True)
        x = self.b1((y + self.c1.bias[:, None, None]).relu())
        w = self.c2.weight
        x = F.conv2d(sign(x), sign(w), stride=2) * w.abs().mean() + self.c2.bias.view(1, -1, 1, 1)
        x = x.flatten(1)
        return F.linear(sign(x), sign(self.fc.weight)) * self.fc.weight.abs().mean(1) + self.fc.bias

    def inputs(self):
        return {"x": torch.randn(ROWS, 2, 9, 9)}


def one_hot(rows=768):
    x = torch.zeros(ROWS, rows)
    for row in x:
        row[torch.randperm(rows)[: int(torch.randint(3, 33, (1,)))]] = 1
    return x


class Perspective(nn.Module):
    """(768 -> 32)x2 -> 8 -> 1 over numbers that are 0 or 1, the side to move first."""

    def __init__(self):
        super().__init__()
        self.ft, self.l1, self.out = nn.Linear(768, 32), nn.Linear(64, 8), nn.Linear(8, 1)

    def forward(self, stm, nstm):
        x = torch.cat([self.ft(stm), self.ft(nstm)], 1).clamp(0, 1) ** 2
        return self.out(self.l1(x).clamp(0, 1))

    def inputs(self):
        return {"stm": one_hot(), "nstm": one_hot()}


class Buckets(nn.Module):
    """Eight outputs, of which the number of pieces chooses one; lists of rows, filled up with a row of zeros."""

    def __init__(self):
        super().__init__()
        self.ft = nn.Parameter(torch.randn(769, 32) / 8)
        self.bias = nn.Parameter(torch.randn(32) / 4)
        self.out = nn.Linear(64, 8)
        with torch.no_grad():
            self.ft[768] = 0

    def forward(self, stm, nstm, count):
        a = (self.ft[stm].sum(1) + self.bias).clamp(0, 1)
        b = (self.ft[nstm].sum(1) + self.bias).clamp(0, 1)
        y = self.out(torch.cat([a * a, b * b], 1))
        return y.gather(1, torch.div(count - 2, 4, rounding_mode="floor")[:, None])

    def inputs(self):
        count = torch.randint(2, 33, (ROWS,))
        lists = torch.full((2, ROWS, 32), 768)
        for lists_of_side in lists:
            for row, pieces in zip(lists_of_side, count):
                row[:pieces] = torch.randperm(768)[:pieces]
        return {"stm": lists[0], "nstm": lists[1], "count": count}


class Bags(nn.Module):
    """Bags of rows, White's and Black's, in turns; stacks of two layers, of which the second adds a neuron of the first to its output."""

    def __init__(self):
        super().__init__()
        self.ft = nn.EmbeddingBag(769, 32, mode="sum", padding_idx=768)
        self.bias = nn.Parameter(torch.randn(32) / 4)
        self.l1, self.l2 = nn.Linear(64, 4 * 16), nn.Linear(30, 4)

    def forward(self, us, white, black, count):
        w, b = self.ft(white) + self.bias, self.ft(black) + self.bias
        x = (us * torch.cat([w, b], 1) + (1 - us) * torch.cat([b, w], 1)).clamp(0, 1)
        stack = torch.div(count - 1, 8, rounding_mode="floor")
        h = self.l1(x).view(-1, 4, 16)[torch.arange(us.shape[0]), stack]
        y = torch.cat([(h[:, :15] ** 2).clamp(0, 1), h[:, :15].clamp(0, 1)], 1)
        return self.l2(y).view(-1, 4, 1)[torch.arange(us.shape[0]), stack] + h[:, 15:]

    def inputs(self):
        lists = Buckets().inputs()
        us = torch.randint(0, 2, (ROWS, 1)).float()
        return {"us": us, "white": lists["stm"], "black": lists["nstm"], "count": lists["count"]}


class Wdl(nn.Module):
    """Pairwise products, and three outputs for a loss, a draw and a win."""

    def __init__(self):
        super().__init__()
        self.ft, self.l1, self.out = nn.Linear(768, 32), nn.Linear(32, 16), nn.Linear(16, 3)

    def forward(self, stm, nstm):
        def pairwise(x):
            a, b = self.ft(x).clamp(0, 1).chunk(2, 1)
            return a * b

        x = torch.cat([pairwise(stm), pairwise(nstm)], 1)
        return self.out(self.l1(x).clamp(0, 1) ** 2).softmax(1)

    def inputs(self):
        return {"stm": one_hot(), "nstm": one_hot()}


class KingBuckets(nn.Module):
    """Two king buckets, whose weights have a part in common."""

    def __init__(self):
        super().__init__()
        self.ft, self.common = nn.Linear(1536, 32), nn.Linear(768, 32, bias=False)
        self.out = nn.Linear(64, 1)

    def forward(self, stm, nstm):
        weight = self.ft.weight + self.common.weight.repeat(1, 2)
        a = F.linear(stm, weight, self.ft.bias)
        b = F.linear(nstm, weight, self.ft.bias)
        return self.out(torch.cat([a, b], 1).clamp(0, 1))

    def inputs(self):
        return {"stm": one_hot(1536), "nstm": one_hot(1536)}


class Separate(nn.Module):
    """The side to move is seen through other weights than the other side, of 8 bits in the file."""

    def __init__(self):
        super().__init__()
        self.us, self.them, self.out = nn.Linear(768, 32), nn.Linear(768, 32), nn.Linear(64, 1)

    def forward(self, stm, nstm):
        return self.out(torch.cat([self.us(stm), self.them(nstm)], 1).clamp(0, 1))

    def inputs(self):
        return {"stm": one_hot(), "nstm": one_hot()}


class Psqt(nn.Module):
    """As nnue-pytorch has it: rows with PSQT outputs at their end, pairwise products, and stacks of three layers with dual activations and a skip."""

    def __init__(self):
        super().__init__()
        self.ft = nn.Parameter(torch.randn(768, 32 + 4) / 8)
        self.bias = nn.Parameter(torch.randn(32 + 4) / 4)
        self.l1, self.l2, self.out = nn.Linear(32, 4 * 16), nn.Linear(30, 4 * 32), nn.Linear(32, 4)

    def sums(self, rows):
        return (self.ft[rows.clamp(min=0)] * (rows >= 0).float().unsqueeze(-1)).sum(1) + self.bias

    def forward(self, us, white, black, count):
        w, wp = self.sums(white).split([32, 4], 1)
        b, bp = self.sums(black).split([32, 4], 1)
        x = (us * torch.cat([w, b], 1) + (1 - us) * torch.cat([b, w], 1)).clamp(0, 1)
        x = x.split(16, 1)
        x = torch.cat([x[0] * x[1], x[2] * x[3]], 1) * (127 / 128)
        stack, batch = torch.div(count - 1, 8, rounding_mode="floor"), torch.arange(us.shape[0])
        h = self.l1(x).view(-1, 4, 16)[batch, stack]
        y = torch.cat([h[:, :15] ** 2 * (127 / 128), h[:, :15]], 1).clamp(0, 1)
        y = self.l2(y).view(-1, 4, 32)[batch, stack].clamp(0, 1)
        y = self.out(y).view(-1, 4, 1)[batch, stack] + h[:, 15:]
        stack = stack.unsqueeze(1)
        return y + (wp.gather(1, stack) - bp.gather(1, stack)) * (us - 0.5)

    def inputs(self):
        inputs = Bags().inputs()
        for name in ["white", "black"]:
            inputs[name] = torch.where(inputs[name] == 768, -1, inputs[name])
        return inputs


class Quantised(nn.Module):
    """(768 -> 32)x2 -> 8 -> 1 as it is trained for whole numbers: activations rounded to steps of 1/127, weights of 8 bits."""

    def __init__(self):
        super().__init__()
        self.ft, self.l1, self.out = nn.Linear(768, 32), nn.Linear(64, 8), nn.Linear(8, 1)

    def rounded(self, x):
        steps = (1 / 127, 0, 0, 255, torch.uint8)
        return DECOMPOSED.dequantize_per_tensor(DECOMPOSED.quantize_per_tensor(x.clamp(0, 1), *steps), *steps)

    def forward(self, stm, nstm):
        x = self.rounded(torch.cat([self.ft(stm), self.ft(nstm)], 1))
        return self.out(self.rounded(self.l1(x)))

    def inputs(self):
        return {"stm": one_hot(), "nstm": one_hot()}


NETWORKS = {
    "digits": Digits,
    "tower": Tower,
    "activations": Activations,
    "binary": BinaryConvolutions,
    "perspective": Perspective,
    "buckets": Buckets,
    "bags": Bags,
    "wdl": Wdl,
    "kings": KingBuckets,
    "psqt": Psqt,
    "separate": Separate,
    "quantised": Quantised,
}


def in_8_bits(path):
    """Weights as whole numbers with a scale, which `DequantizeLinear` makes floats of."""
    model = onnx.load(path)
    graph = model.graph
    for steps in (64, 127):
        graph.initializer.append(onnx.numpy_helper.from_array(numpy.float32(1 / steps), f"scale{steps}"))
    for tensor in [tensor for tensor in graph.initializer if len(tensor.dims) == 2]:
        floats = onnx.numpy_helper.to_array(tensor)
        steps = 64 if (floats * 64 == (floats * 64).round()).all() else 127
        numbers = (floats * steps).round()
        assert (numpy.float32(1 / steps) * numbers.astype("float32") == floats).all() and abs(numbers).max() < 128
        graph.initializer.append(onnx.numpy_helper.from_array(numbers.astype("int8"), tensor.name + "_q"))
        node = onnx.helper.make_node("DequantizeLinear", [tensor.name + "_q", f"scale{steps}"], [tensor.name])
        graph.node.insert(0, node)
        graph.initializer.remove(tensor)
    onnx.save(model, path)


def make(name):
    torch.manual_seed(len(name))
    model = NETWORKS[name]().eval()
    with torch.no_grad():
        for module in model.modules():
            if isinstance(module, nn.BatchNorm2d):
                module.running_mean.normal_(0, 0.25)
                module.running_var.uniform_(0.5, 2)
                module.weight.uniform_(0.5, 1.5)
                module.bias.normal_(0, 0.25)
        for tensor in list(model.parameters()) + [b for b in model.buffers() if b.is_floating_point()]:
            tensor.copy_(coarse(tensor))
            if tensor.dim() == 1 and tensor.min() > 0:
                tensor.clamp_(min=1 / 64)
        if name == "quantised":
            step = torch.tensor(numpy.float32(1 / 127))
            model.ft.weight.copy_(torch.round(model.ft.weight * 127) * step)
            model.ft.bias.copy_(torch.round(model.ft.bias * 127) * step)
            # Sums in whole numbers are odd: none is in the middle between two steps, where engines round in their own ways.
            model.l1.weight.copy_(torch.round(model.l1.weight * 32) / 32)
            model.l1.bias.copy_((2 * torch.round(model.l1.bias * 4064) + 1) / 8128)
    inputs = model.inputs()
    with torch.no_grad():
        expected = model(**inputs)
    batch = torch.export.Dim("batch", min=2, max=512)
    example = tuple(value[:2].clone() for value in inputs.values())
    program = torch.export.export(model, example, dynamic_shapes={name: {0: batch} for name in inputs})
    for node in program.graph.nodes:  # no paths of the machine
        trace = node.meta.get("stack_trace") or ""
        node.meta["stack_trace"] = re.sub(r'File "[^"]*?(site-packages/[^"]*|[^"/]*)"', r'File "\1"', trace)
    torch.export.save(program, f"{name}.pt2")
    if name != "bags":  # a loop in ONNX
        torch.onnx.export(program, f=f"{name}.onnx", dynamo=True, external_data=False, verbose=False)
    if name in ("psqt", "separate", "quantised"):
        in_8_bits(f"{name}.onnx")
    numpy.savez_compressed(f"{name}.npz", **{key: value.numpy() for key, value in inputs.items()}, expected=expected.numpy())


for name in sys.argv[1:] or NETWORKS:
    make(name)
    print(name)
