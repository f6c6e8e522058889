//! Names, shapes, scales and shifts.

use alloc::string::ToString;

use super::*;
use crate::descriptor::ElementType;

/// `Chess768 -> 64 x 2` with these bindings, and an output that reads the last one through a clipped ReLU.
fn graph(bindings: Vec<Binding>) -> NetSpec {
    let last = bindings
        .last()
        .map_or("acc", |binding| &binding.name.value)
        .to_string();
    net(
        FeatureSetId::Chess768,
        64,
        bindings,
        vec![term(affine(crelu(name(&last)), 1))],
    )
}

/// The graph with `h1`, 16 sums, and another value.
fn after_h1(value: Expr) -> NetSpec {
    let h1 = bind("h1", affine(crelu(name("acc")), 16));
    graph(vec![h1, bind("h2", affine(value, 32))])
}

/// With float layers after the first.
fn of_floats(mut spec: NetSpec) -> NetSpec {
    let output = spec.output.terms.iter_mut().map(|term| &mut term.value);
    for value in spec
        .bindings
        .iter_mut()
        .skip(1)
        .map(|binding| &mut binding.value)
        .chain(output)
    {
        if let Expr::Affine { element, .. } = value {
            element.value = ElementType::F32;
        }
    }
    spec
}

/// The value of binding `index`.
fn value(spec: &NetSpec, index: usize) -> &Expr {
    &spec.bindings[index].value
}

/// The first operand of an expression, for expected locations.
fn input(expr: &Expr) -> &Expr {
    match expr {
        Expr::Affine { input, .. }
        | Expr::Activate { input, .. }
        | Expr::Reduce { input, .. }
        | Expr::Slice { input, .. } => input,
        Expr::Concat { parts, .. }
        | Expr::Arithmetic {
            operands: parts, ..
        } => &parts[0],
        Expr::Pool { operands, .. } => &operands[0],
        Expr::Name(_) | Expr::Number(_) | Expr::Float(_) => expr,
    }
}

/// The location of the operator that the second binding reads.
fn operator_of(spec: &NetSpec) -> Loc {
    input(value(spec, 1)).loc()
}

fn arithmetic_examples() -> Vec<Example> {
    let part = slice(name("h1"), 0, 8);
    let lengths = after_h1(arithmetic(Arithmetic::Add, [name("h1"), part]));
    let sum = after_h1(arithmetic(
        Arithmetic::Add,
        [name("h1"), Expr::Number(at(64))],
    ));
    vec![
        example(
            at_loc(lengths, operator_of),
            Code::Arithmetic,
            "`+` takes values of the same length, `h1` has 16 and `h1[0..8]` has 8",
            "write a part: `h1[..8]`",
        ),
        example(
            at_loc(sum, operator_of),
            Code::ArithmeticRange,
            "`+` may give -2147483584 to 2147483711, which does not fit in 32 bits",
            "clip or shift the operands first; if the engine computes modulo 2^32, write `wrapping_add(h1, 64)`",
        ),
    ]
}

fn slice_places(expr: &Expr) -> [Loc; 3] {
    match expr {
        Expr::Slice {
            start, end, loc, ..
        } => [start.expect("written").loc, end.expect("written").loc, *loc],
        _ => panic!("not a slice: {expr}"),
    }
}

fn concat_place(expr: &Expr) -> Loc {
    match expr {
        Expr::Concat { loc, .. } => *loc,
        _ => panic!("not a concatenation: {expr}"),
    }
}

fn with_layer(change: impl FnOnce(&mut Expr) -> Loc) -> (NetSpec, Loc) {
    let mut spec = after_h1(crelu(name("h1")));
    let loc = change(&mut spec.bindings[0].value);
    (spec, loc)
}

fn scaled(value: u64) -> (NetSpec, Loc) {
    with_layer(|layer| match layer {
        Expr::Affine { scale, .. } => {
            scale.value = value;
            scale.loc
        }
        _ => panic!("`h1` is a layer"),
    })
}

fn outputs(value: u64) -> (NetSpec, Loc) {
    with_layer(|layer| match layer {
        Expr::Affine { outputs, .. } => {
            outputs.value = value;
            outputs.loc
        }
        _ => panic!("`h1` is a layer"),
    })
}

fn element() -> (NetSpec, Loc) {
    with_layer(|layer| match layer {
        Expr::Affine { element, .. } => {
            element.value = ElementType::I16;
            element.loc
        }
        _ => panic!("`h1` is a layer"),
    })
}

/// A binary layer of a wrong type, and the location of the type.
fn binary(input: Expr) -> (NetSpec, Loc) {
    let mut layer = affine(input, 16);
    let Expr::Affine {
        element, binary, ..
    } = &mut layer
    else {
        panic!("a layer")
    };
    (element.value, *binary) = (ElementType::I16, Some(element.loc));
    let loc = element.loc;
    (graph(vec![bind("h1", layer)]), loc)
}

/// A block-sparse layer with `reached` blocks of `size` outputs, and the locations of both numbers.
fn block_sparse(outputs: u64, reached: u64, size: u64) -> (NetSpec, [Loc; 2]) {
    reaching(ReachKind::Blocks, outputs, [reached, size])
}

/// A layer with `kind` count of size, and the locations of both numbers.
fn reaching(kind: ReachKind, outputs: u64, [count, size]: [u64; 2]) -> (NetSpec, [Loc; 2]) {
    let mut layer = affine(crelu(name("acc")), outputs);
    let Expr::Affine { reach, .. } = &mut layer else {
        panic!("a layer")
    };
    let written = ReachSpec {
        kind,
        count: at(count),
        size: at(size),
        loc: at(()).loc,
    };
    let places = [written.count.loc, written.size.loc];
    *reach = Some(written);
    (graph(vec![bind("h1", layer)]), places)
}

/// The first activation with an explicit shift, and the location of the shift.
fn first_activation(function: Activation, one: u64, shift: u64) -> (NetSpec, Loc) {
    let x = shifted(function, name("acc"), shift);
    let Expr::Activate {
        shift: Some(written),
        ..
    } = &x
    else {
        panic!("it has a shift")
    };
    let loc = written.loc;
    let mut spec = graph(vec![bind("x", x), bind("h1", affine(name("x"), 16))]);
    spec.accumulator.one = at(one);
    (spec, loc)
}

/// The first activation of accumulators @ `one`, kept in 16 bits, and the location of `as i16`.
fn first_words(function: Activation, one: u64) -> (NetSpec, Loc) {
    let mut x = activate(function, name("acc"));
    let Expr::Activate { words, .. } = &mut x else {
        panic!("an activation")
    };
    let loc = at(()).loc;
    *words = Some(loc);
    let mut spec = graph(vec![bind("x", x), bind("h1", affine(name("x"), 16))]);
    spec.accumulator.one = at(one);
    (spec, loc)
}

fn at_loc(spec: NetSpec, loc: impl FnOnce(&NetSpec) -> Loc) -> (NetSpec, Loc) {
    let loc = loc(&spec);
    (spec, loc)
}

pub(super) fn examples() -> Vec<Example> {
    let mut all = name_examples();
    all.extend(slice_examples());
    all.extend(layer_examples());
    all.extend(range_examples());
    all.extend(arithmetic_examples());
    let (too_many, [reached, _]) = block_sparse(256, 20, 16);
    let (other_size, [_, size]) = block_sparse(256, 4, 32);
    let (one_shard, [count, _]) = reaching(ReachKind::Shards, 8, [1, 16]);
    all.extend([
        example(
            (one_shard, count),
            Code::Shards,
            "a layer has two shards or more, not 1",
            "leave `shards` out",
        ),
        example(
            (too_many, reached),
            Code::BlockSparse,
            "of 16 blocks, an input reaches 1 to 15, not 20",
            "leave `blocks` out: inputs of `affine(x, 256)` reach all outputs",
        ),
        example((other_size, size), Code::BlockSparse, "a block has 16 outputs, not 32", "write `blocks 4 of 16`"),
        example(
            first_words(Activation::Pairwise, 255),
            Code::SixteenBits,
            "`pairwise` of an accumulator @ 255 reaches 65025, 16-bit values 32767",
            "`pairwise(..) >> 1` is the smallest shift that fits",
        ),
        example(
            first_words(Activation::Quantmoid4, 127),
            Code::SixteenBits,
            "`quantmoid4` is not kept in 16 bits",
            "leave `as i16` out, or write `crelu`, `screlu`, `sqr_crelu` or `pairwise`",
        ),
        example(
            at_loc(graph(vec![bind("h1", affine(name("acc"), 32))]), |spec| input(value(spec, 0)).loc()),
            Code::AffineOfAccumulator,
            "`acc` is an accumulator, a layer reads activated values",
            "activate it, for example `crelu(acc)`",
        ),
        example(
            binary(name("acc")),
            Code::BinaryLayer,
            "weights of a binary layer are signs, not `i16`",
            "leave the type out: `256 binary`",
        ),
        example(
            at_loc(after_h1(name("h1")), |spec| input(value(spec, 1)).loc()),
            Code::MissingActivation,
            "`h1` are sums of a layer, a layer reads activated values",
            "activate it, for example `crelu(h1)`",
        ),
        example(
            at_loc(after_h1(pool(Pool::Product, [crelu(name("h1")), name("h1")])), |spec| {
                match input(value(spec, 1)) {
                    Expr::Pool { operands, .. } => operands[1].loc(),
                    other => other.loc(),
                }
            }),
            Code::MissingActivation,
            "`mul` reads activated values, and `h1` are sums of a layer",
            "write the activation that is meant, for example `crelu(h1)`",
        ),
        example(
            at_loc(after_h1(pairwise(name("h1"))), |spec| input(input(value(spec, 1))).loc()),
            Code::MissingActivation,
            "`pairwise` reads activated values, and `h1` are sums of a layer",
            "write the activation that is meant, for example `crelu(h1)`",
        ),
        example(
            at_loc(
                graph(vec![bind("h1", affine(activate(Activation::MaxHalves, name("acc")), 16))]),
                |spec| input(input(value(spec, 0))).loc(),
            ),
            Code::MissingActivation,
            "`max_halves` reads activated values, and `acc` is an accumulator",
            "write the activation that is meant, for example `crelu(acc)`",
        ),
        example(
            at_loc(after_h1(crelu(sqr_crelu(name("h1")))), |spec| input(value(spec, 1)).loc()),
            Code::DoubleActivation,
            "`sqr_crelu(h1)` is activated already",
            "remove `crelu`",
        ),
        example(
            at_loc(after_h1(pairwise(slice(crelu(name("h1")), 0, 15))), |spec| input(value(spec, 1)).loc()),
            Code::PoolLength,
            "`pairwise` takes two values each, and `crelu(h1)[0..15]` has 15",
            "write a value of 14 or 16, or a part: `crelu(h1)[0..15][..14]`",
        ),
        example(
            at_loc(after_h1(pool(Pool::Maximum, [crelu(name("h1")), slice(crelu(name("h1")), 0, 3)])), |spec| {
                input(value(spec, 1)).loc()
            }),
            Code::PoolLength,
            "`max` takes two values of the same length, `crelu(h1)` has 16 and `crelu(h1)[0..3]` has 3",
            "give both the same number of outputs, or write a part: `crelu(h1)[..3]`",
        ),
        example(
            at_loc(
                graph(vec![bind("h1", affine(activate(Activation::AvgHalves, sqr_crelu(name("acc"))), 16))]),
                |spec| input(value(spec, 0)).loc(),
            ),
            Code::PoolOperands,
            "`avg_halves` reads values of layers or clipped accumulators, and `sqr_crelu(acc)` is neither",
            "write `avg_halves(crelu(acc))`, with the accumulator at `@ 127`",
        ),
        example(
            at_loc(
                after_h1(pool(Pool::Add, [crelu(name("h1")), activate(Activation::Quantmoid4, name("h1"))])),
                |spec| input(value(spec, 1)).loc(),
            ),
            Code::PoolOperands,
            "`add` takes values of one scale: 1.0 is 127 in some of them, 126 in others",
            "activate both by the same function, for example `crelu`",
        ),
        example(
            at_loc(after_h1(concat([name("h1"), crelu(name("h1"))])), |spec| input(input(value(spec, 1))).loc()),
            Code::ConcatUnactivated,
            "`h1` is not activated, `concat` joins activated values",
            "write `crelu(h1)`",
        ),
        example(
            at_loc(after_h1(concat([crelu(name("h1"))])), |spec| concat_place(input(value(spec, 1)))),
            Code::ConcatCount,
            "`concat` joins 2 or more values, found 1",
            "leave `concat` out: `crelu(h1)`",
        ),
        example(
            at_loc(of_floats(after_h1(concat([crelu(name("h1")), crelu(name("acc"))]))), |spec| {
                concat_place(input(value(spec, 1)))
            }),
            Code::UnsupportedMixedInputs,
            "a layer of floats does not read what layers of 8-bit weights read of the accumulators",
            "give all layers the type `f32`, or concatenate activations of layers alone",
        ),
    ]);
    all
}

fn name_examples() -> Vec<Example> {
    vec![
        example(
            at_loc(after_h1(crelu(name("hl"))), |spec| {
                input(input(value(spec, 1))).loc()
            }),
            Code::UnknownName,
            "no value is called `hl`",
            "did you mean `h1`?",
        ),
        example(
            at_loc(after_h1(crelu(name("h2"))), |spec| {
                input(input(value(spec, 1))).loc()
            }),
            Code::UnknownName,
            "`h2` is read before it is bound",
            "move `let h2 = ..;` up",
        ),
        example(
            at_loc(
                graph(vec![
                    bind("h1", affine(crelu(name("acc")), 16)),
                    bind("h1", affine(crelu(name("h1")), 32)),
                ]),
                |spec| spec.bindings[1].name.loc,
            ),
            Code::DuplicateName,
            "`h1` is bound twice",
            "choose another name for one of the two",
        ),
        example(
            at_loc(
                graph(vec![
                    bind("h1", affine(crelu(name("acc")), 16)),
                    bind("h2", affine(crelu(name("acc")), 32)),
                ]),
                |spec| spec.bindings[0].name.loc,
            ),
            Code::UnusedBinding,
            "`h1` is never read",
            "remove `h1`, or read it in the output or in another value",
        ),
        example(
            at_loc(
                graph(vec![bind("fc1", affine(crelu(name("acc")), 16))]),
                |spec| spec.bindings[0].name.loc,
            ),
            Code::ReservedName,
            "`fc1` is the name of other parameters in the generated type",
            "this layer is `fc0` there; call it so, or for example `h0`",
        ),
    ]
}

fn slice_examples() -> Vec<Example> {
    let sliced = |start, end, place: usize| {
        at_loc(after_h1(crelu(slice(name("h1"), start, end))), |spec| {
            slice_places(input(input(value(spec, 1))))[place]
        })
    };
    vec![
        example(
            sliced(0, 17, 1),
            Code::SliceRange,
            "`h1` has 16 values, the end of the slice is 17",
            "the last value is `[15]`, all of them are `[..16]`",
        ),
        example(
            sliced(16, 17, 0),
            Code::SliceRange,
            "`h1` has 16 values, the index is 16",
            "the last value is `[15]`, all of them are `[..16]`",
        ),
        example(
            sliced(4, 4, 2),
            Code::SliceEmpty,
            "the slice `4..4` has no values",
            "the end is not included: write `[4..5]`",
        ),
        example(
            sliced(9, 4, 2),
            Code::SliceInverted,
            "the slice starts at 9 and ends at 4",
            "did you mean `[4..9]`?",
        ),
        example(
            at_loc(
                graph(vec![bind(
                    "h1",
                    affine(crelu(slice(name("acc"), 0, 32)), 16),
                )]),
                |spec| slice_places(input(input(value(spec, 0))))[2],
            ),
            Code::UnsupportedSlice,
            "`acc` is an accumulator, and can be cut only when it is activated",
            "write `crelu(acc)[..]` with the range after the activation",
        ),
    ]
}

fn layer_examples() -> Vec<Example> {
    vec![
        example(
            outputs(0),
            Code::LayerWidth,
            "a layer has 1 to 16384 outputs, not 0",
            "common are 16 and 32, and 1 for the output",
        ),
        example(
            element(),
            Code::UnsupportedWeightElement,
            "a layer of 16-bit weights has 1 output, not 16",
            "layers of several outputs read what is kept in 16 bits, `pairwise(acc) as i16`, or have the type `i8` or `f32`; one output per number of pieces is `1x8`",
        ),
        example(
            scaled(0),
            Code::LayerScale,
            "a weight scale is 1 to 32768, not 0",
            "the common scale is `i8 @ 64`",
        ),
        example(
            scaled(100),
            Code::LayerScale,
            "no shift follows from scale 100, which is not a power of two",
            "write the shift of the engine after the activation, `>> 6`, or train with `@ 64` or `@ 128`",
        ),
        example(
            at_loc(
                after_h1(shifted(Activation::Crelu, name("h1"), 32)),
                |spec| match input(value(spec, 1)) {
                    Expr::Activate {
                        shift: Some(shift), ..
                    } => shift.loc,
                    other => panic!("no shift in {other}"),
                },
            ),
            Code::ShiftRange,
            "`crelu` shifts by at most 31 bits, not by 32",
            "shift by 31 bits or fewer, or leave the shift out",
        ),
    ]
}

fn range_examples() -> Vec<Example> {
    vec![
        example(
            first_activation(Activation::SqrCrelu, 127, 14),
            Code::ShiftRange,
            "`sqr_crelu` is always 0: its greatest value is 127 * 127 >> 14",
            "`>> 7` is the smallest shift that fits; it is taken where none is written",
        ),
        example(
            first_activation(Activation::Pairwise, 2895, 17),
            Code::ShiftRange,
            "`pairwise` shifts by at most 16 bits, not by 17",
            "`>> 16` is the smallest shift that fits; it is taken where none is written",
        ),
        example(
            first_activation(Activation::Quantmoid4, 127, 1),
            Code::MisplacedShift,
            "`quantmoid4` of an accumulator has no shift, found `>> 1`",
            "remove the shift, or take a product: `sqr_crelu` or `pairwise`",
        ),
        example(
            first_activation(Activation::Pairwise, 255, 7),
            Code::ActivationRange,
            "`pairwise` reaches 255 * 255 >> 7 = 508, layers read 0 to 127",
            "`>> 9` is the smallest shift that fits; it is taken where none is written",
        ),
        example(
            {
                let mut spec = simple();
                spec.accumulator.one = at(255);
                let h1 = &spec.output.terms[0].value;
                let loc = input(input(input(input(input(h1))))).loc();
                (spec, loc)
            },
            Code::ActivationRange,
            "`crelu` of an accumulator @ 255 does not fit: layers read 0 to 127",
            "shift it, `crelu >> 1`; give the layer the type `i16` if it is the output, or `f32`; or train with `@ 127`, or with `sqr_crelu` or `pairwise`, which are shifted",
        ),
    ]
}
