"""Makes `neighbours`, `signs`, `deeper`, `quantmoid` and `pooled`, `.onnx` and `.npz`: pools of neighbours, layers of signs after accumulators, the sigmoid in two
parabolas, and pools in a graph that rounds.

    pip install numpy onnx onnxruntime
    python pools.py
"""

from graphs import SIDES, Graph


def shaped(g, x, shape, name):
    return g.node("Reshape", [x, g.constant(f"{name}_shape", shape, "int64")], name)


def every(g, x, step, size, name):
    """The first, the second, .. of each `step` neighbours."""
    return [g.part(x, start, size, f"{name}_{start}", step) for start in range(step)]


def sums(g, width=32):
    g.layer("ft", 768, width)
    return [g.affine("ft", side) for side in SIDES]


def output(g, values, size, name, producer="pools.py"):
    g.layer("out", size, 1)
    y = g.node("Concat", values, "y", axis=1) if len(values) > 1 else values[0]
    g.node("Gemm", [y, "out_weight", "out_bias"], "value", transB=1)
    g.save(name, producer)


def neighbours():
    """Of accumulators, and of layers of floats; some before they are activated."""
    g = Graph(2)
    both = g.node("Concat", sums(g), "acc", axis=1)
    greatest = g.clip(g.node("Max", every(g, both, 2, 64, "acc"), "acc_larger"), "acc_greatest")
    clipped = g.clip(both, "acc_clipped")
    products = g.node("Mul", every(g, clipped, 2, 64, "clipped"), "acc_products")
    means = g.node("ReduceMean", [shaped(g, clipped, [-1, 32, 2], "acc_pairs")], "acc_means", axes=[2], keepdims=0)
    g.layer("l1", 96, 24)
    h1 = g.affine("l1", g.node("Concat", [greatest, products, means], "x", axis=1))
    fours = g.node("ReduceMax", [shaped(g, h1, [-1, 6, 4], "h1_fours")], "h1_greatest", axes=[2], keepdims=0)
    tanh = every(g, g.node("Tanh", [h1], "h1_tanh"), 3, 24, "tanh")
    three = g.node("Add", [g.node("Add", tanh[:2], "tanh_two"), tanh[2]], "tanh_sum")
    three = g.node("Mul", [three, g.constant("third", 1 / 3, "float32")], "tanh_mean")
    low = g.part(g.node("Sigmoid", [h1], "h1_sigmoid"), 0, 8, "sigmoid_low")
    two = g.node("Mul", every(g, low, 2, 8, "sigmoid"), "sigmoid_products")
    halves = shaped(g, g.node("Relu", [h1], "h1_relu"), [-1, 2, 12], "relu_halves")
    halves = g.node("ReduceMax", [halves], "relu_larger", axes=[1], keepdims=0)
    output(g, [g.clip(fours, "h1_crelu"), three, two, halves], 30, "neighbours")


def sign(g, x, name):
    return g.node("Where", [g.node("Greater", [x, "zero"], f"{name}_above"), "one", "minus"], f"{name}_sign")


def binary(g, name, x, inputs, outputs, scale):
    weights = g.constant(f"{name}_signs", g.random.choice([-1.0, 1.0], (inputs, outputs)), "float32")
    scales = g.constant(f"{name}_scales", g.random.integers(8, 33, outputs) / scale, "float32")
    bias = g.constant(f"{name}_bias", g.random.integers(-64, 65, outputs) / 256, "float32")
    x = g.node("Mul", [g.node("MatMul", [x, weights], f"{name}_product"), scales], f"{name}_scaled")
    return g.node("Add", [x, bias], name)


def signs():
    """A layer of signs of accumulators, each output with a scale of its own, before layers of floats."""
    g = Graph(3)
    g.constant("minus", -1, "float32")
    h1 = binary(g, "h1", sign(g, g.node("Concat", sums(g), "acc", axis=1), "acc"), 64, 16, 256)
    clipped = g.clip(h1, "h1_clipped")
    square = g.part(g.node("Mul", [clipped, clipped], "h1_square"), 0, 8, "square_low")
    g.layer("l2", 24, 8)
    h2 = g.affine("l2", g.node("Concat", [clipped, square], "x", axis=1))
    output(g, [g.node("Sigmoid", [h2], "gate")], 8, "signs")


def deeper():
    """A layer of signs of sums after that."""
    g = Graph(6)
    g.constant("minus", -1, "float32")
    h1 = binary(g, "h1", sign(g, g.node("Concat", sums(g), "acc", axis=1), "acc"), 64, 16, 256)
    h2 = binary(g, "h2", sign(g, g.part(h1, 0, 12, "h1_low"), "h1"), 12, 8, 128)
    g.layer("l3", 24, 8)
    h3 = g.affine("l3", g.node("Concat", [g.clip(h1, "h1_clipped"), g.clip(h2, "h2_clipped")], "x", axis=1))
    output(g, [g.clip(h3, "h3_clipped")], 8, "deeper")


def quantmoid():
    """Of accumulators and of a layer, in two ways to write it."""
    g = Graph(4)
    g.constant("times", 127 * 127 / (256 * 126), "float32")

    def parabolas(x, name, clipped):
        size = g.node("Abs", [x], f"{name}_size")
        if clipped:
            rest = g.node("Sub", ["one", g.node("Clip", [size, "", "one"], f"{name}_clipped")], f"{name}_rest")
        else:
            rest = g.node("Relu", [g.node("Sub", ["one", size], f"{name}_difference")], f"{name}_rest")
        q = g.node("Mul", [g.node("Mul", [rest, rest], f"{name}_square"), "times"], f"{name}_below")
        above = g.node("Sub", ["one", q], f"{name}_beyond")
        return g.node("Where", [g.node("Greater", [x, "zero"], f"{name}_above"), above, q], f"{name}_quantmoid")

    x = parabolas(g.node("Concat", sums(g), "acc", axis=1), "acc", True)
    g.layer("l1", 64, 16, 8128)
    output(g, [parabolas(g.affine("l1", x), "h1", False)], 16, "quantmoid")


def pooled():
    """Activations in steps of 1/127, and what is made of two or more of them."""
    g = Graph(5)
    g.constant("byte", 1 / 127, "float32")
    g.constant("nothing", 0, "uint8")
    g.constant("half", 0.5, "float32")

    def rounded(x, name):
        clipped = g.clip(x, f"{name}_clipped")
        return g.node("DequantizeLinear", [g.node("QuantizeLinear", [clipped, "byte", "nothing"], f"{name}_q"), "byte", "nothing"], name)

    averages, greatest = [], []
    for side, x in zip(SIDES, sums(g)):
        x = rounded(x, f"{side}_bytes")
        halves = [g.part(x, 0, 16, f"{side}_low"), g.part(x, 16, 32, f"{side}_high")]
        averages.append(g.node("Mul", [g.node("Add", halves, f"{side}_sum"), "half"], f"{side}_average"))
        greatest.append(g.node("Max", every(g, x, 2, 32, side), f"{side}_greatest"))
    g.layer("l1", 64, 16)
    x = rounded(g.affine("l1", g.node("Concat", averages + greatest, "x", axis=1)), "h1_bytes")
    low, high = g.part(x, 0, 8, "h1_low"), g.part(x, 8, 16, "h1_high")
    total = g.node("Add", [low, high], "h1_sum")
    values = [
        g.node("Max", [low, high], "h1_larger"),
        g.clip(total, "h1_total"),
        g.node("Mul", [total, "half"], "h1_average"),
        g.node("ReduceMean", [x], "h1_mean", axes=[1], keepdims=1),
        g.node("ReduceMax", [shaped(g, x, [-1, 4, 4], "h1_fours")], "h1_greatest", axes=[2], keepdims=0),
    ]
    output(g, values, 29, "pooled")


for make in [neighbours, signs, deeper, quantmoid, pooled]:
    make()
