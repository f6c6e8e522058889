//! The output, the value, the file, and the size of the network.

use super::*;

fn term_of(value: Expr) -> (NetSpec, Loc) {
    let loc = value.loc();
    let bindings = vec![bind("h1", affine(crelu(name("acc")), 16))];
    let terms = vec![term(affine(crelu(name("h1")), 1)), term(value)];
    (net(FeatureSetId::Chess768, 64, bindings, terms), loc)
}

fn factor(num: u64, den: u64) -> (NetSpec, [Loc; 2]) {
    let mut spec = simple();
    let ratio = ratio(num, den);
    spec.output.terms[0].ratio = Some(ratio);
    (spec, [ratio.num.loc, ratio.den.loc])
}

/// `acc -> 4096 -> 4096 ..`, read `times` times.
fn wide(times: usize, outputs: u64) -> (NetSpec, Loc) {
    let repeated = concat((0..times).map(|_| crelu(name("h1"))));
    let loc = repeated.loc();
    let bindings = vec![
        bind("h1", affine(crelu(name("acc")), 4096)),
        bind("h2", affine(repeated, outputs)),
    ];
    (
        net(
            FeatureSetId::Chess768,
            64,
            bindings,
            vec![term(affine(crelu(name("h2")), 1))],
        ),
        loc,
    )
}

pub(super) fn examples() -> Vec<Example> {
    [term_examples(), number_examples(), size_examples()]
        .into_iter()
        .flatten()
        .collect()
}

fn term_examples() -> Vec<Example> {
    vec![
        example(
            term_of(crelu(name("h1"))),
            Code::OutputTerm,
            "a term of the output is a neuron of a layer, `crelu(h1)` is not",
            "write `affine(crelu(h1), 1)`",
        ),
        example(
            term_of(name("acc")),
            Code::OutputTerm,
            "a term of the output is a neuron of a layer, `acc` is not",
            "write `affine(crelu(acc), 1)`",
        ),
        example(
            term_of(name("h1")),
            Code::OutputWidth,
            "a term of the output is 1 neuron, `h1` has 16",
            "write `h1[0]`, or `affine(crelu(h1), 1)`",
        ),
        example(
            {
                let last = affine(crelu(name("acc")), 2);
                let Expr::Affine { outputs, .. } = &last else {
                    panic!("a layer")
                };
                let loc = outputs.loc;
                (
                    net(FeatureSetId::Chess768, 64, vec![], vec![term(last)]),
                    loc,
                )
            },
            Code::OutputWidth,
            "the output is 1 neuron, its layer has 2",
            "end with a layer of 1 neuron; for one output per number of pieces, write layer stacks: `1x8`",
        ),
    ]
}

fn number_examples() -> Vec<Example> {
    vec![
        example(
            {
                let (spec, [_, den]) = factor(9600, 0);
                (spec, den)
            },
            Code::RatioDenominator,
            "`* 9600 / 0` divides by zero",
            "write the scale to divide by, for example `* 9600 / 8128`",
        ),
        example(
            {
                let (spec, [num, _]) = factor(0, 16);
                (spec, num)
            },
            Code::RatioRange,
            "a term times 0 adds nothing",
            "remove the term, or write its factor",
        ),
        example(
            {
                let (spec, [_, den]) = factor(1, 1 << 31);
                (spec, den)
            },
            Code::RatioRange,
            "a factor is a fraction of numbers up to 2147483647, found 2147483648",
            "divide numerator and denominator by the same number",
        ),
        example(
            {
                let mut spec = simple();
                let divide = at(0);
                spec.value = Some(ValueSpec {
                    form: ValueForm::Together,
                    number: divide,
                    den: 1,
                    over: None,
                });
                (spec, divide.loc)
            },
            Code::ValueDivisor,
            "a value is divided by 1 to 2147483647, not by 0",
            "networks of the Stockfish family divide by 16",
        ),
        example(
            {
                let mut spec = simple();
                let version = at(0x1_7AF3_2F20);
                spec.format.version = Some(version);
                (spec, version.loc)
            },
            Code::VersionRange,
            "version 0x17AF32F20 has more than 32 bits",
            "Stockfish's networks since SFNNv2 have 0x7AF32F20",
        ),
    ]
}

/// Sixty doublings of `width` values, and the location of one of them.
fn doubled(width: u64, doubling: usize) -> (NetSpec, Loc) {
    let mut bindings = vec![
        bind("h", affine(crelu(name("acc")), width)),
        bind("c0", crelu(name("h"))),
    ];
    for i in 0..60 {
        let joined = concat([name(&alloc::format!("c{i}")), name(&alloc::format!("c{i}"))]);
        bindings.push(bind(&alloc::format!("c{}", i + 1), joined));
    }
    let loc = bindings[1 + doubling].value.loc();
    (
        net(
            FeatureSetId::Chess768,
            64,
            bindings,
            vec![term(affine(name("c60"), 1))],
        ),
        loc,
    )
}

fn size_examples() -> Vec<Example> {
    vec![
        example(
            {
                let (spec, concat) = doubled(16, 11);
                (spec, Loc(concat.0 - 1)) // its second operand
            },
            Code::Limit,
            "`concat` joins up to 1024 parts of values, and here are more",
            "join fewer, or longer parts",
        ),
        example(
            doubled(2048, 10),
            Code::SumOverflow,
            "`concat` joins 2097152 values, the limit is 1048576",
            "no i32 holds the sum of so many: join fewer",
        ),
        example(
            wide(33, 16),
            Code::SumOverflow,
            "sums of 135168 inputs reach 2197291008, i32 holds 2147483647",
            "read at most 132104 values",
        ),
        example(
            {
                let (mut spec, _) = wide(32, 4096);
                spec.stacks = StackSpec {
                    count: at(8),
                    group: None,
                    by: None,
                };
                let loc = spec.name.loc;
                (spec, loc)
            },
            Code::NetworkTooLarge,
            "the network has 4299554976 bytes of parameters, the limit is 1073741824",
            "make the accumulator or the layers narrower, or declare fewer stacks",
        ),
    ]
}
