//! Published bounds, attacked: a search for positions and weights whose values leave them.
//!
//! For every feature set and every form of output, weights are made in several ways, and a hill climbs from a random position toward
//! the greatest and the least value of each published quantity; then the weights climb too, each time with new bounds. Values come
//! from the reference interpreter and from sums in 64 bits, which do not wrap.

mod climb;
mod position;
mod quantity;
mod weights;

use climb::attack;
use fastrand::Rng;
use nnue_format::Tensors;
use nnue_spec::reference::CustomActivation;
use position::Position;

/// Attacks the network of each set of inputs with the rest of its declaration.
fn attack_each(seed: u64, sources: &[(&str, &str)]) {
    for (index, (inputs, head)) in sources.iter().enumerate() {
        let source = format!("struct N = {inputs} -> {head};");
        attack(&source, &[], seed + index as u64);
    }
}

const STACKS: &str = "32x2 psqt 2 -> (16 -> 8 -> 1)x2";

#[test]
fn sets_of_pieces() {
    let sets = [
        "Chess768[mirrored]",
        "Chess768[buckets: [0, 0, 1, 1, 2 x 4, 3 x 24], mirrored]",
        "Chess768[buckets: [0 x 16, 1 x 48], rotated]",
        "Chess704[buckets: [0 x 32, 1 x 32]]",
        "Chess704[buckets: [0 x 16, 1 x 16], mirrored]",
        "Chess768[attacks]",
        "Chess704[buckets: [0 x 32, 1 x 32], attacks]",
    ];
    attack_each(1, &sets.map(|set| (set, STACKS)));
}

#[test]
fn sets_with_a_group_for_each_square_of_the_king() {
    attack_each(
        20,
        &["HalfKP", "HalfKAv2", "HalfKAv2_hm"].map(|set| (set, "32x2 psqt 2 -> 1x2")),
    );
}

#[test]
fn sets_of_pairs() {
    attack_each(
        40,
        &[
            ("768 + PawnPairs", STACKS),
            ("768hm + PawnPairs", "32x2 @ 255 pairwise -> 1"),
            ("768 + Threats(P: NBRQ, N: RQ, B: RQ)", STACKS),
            ("768 + Threats(P: P, pushes) + PawnPairs", STACKS),
            ("768 + Threats(N: PNBRQ, K: PNBR) + PawnPairs", "32 -> 1"),
            (
                "768 + Threats(N: RQ, B: RQ)",
                "32x2 separate -> 8 -> 1 { format raw }",
            ),
        ],
    );
}

#[test]
fn all_threats() {
    attack_each(
        50,
        &[
            ("768 + FullThreats[59808] + PawnPairs", "32x2 -> 1"),
            (ALL_ATTACKS, "32 -> 1"),
        ],
    );
}

/// Every kind attacks every kind.
const ALL_ATTACKS: &str =
    "768 + Threats(P: PNBRQK, N: PNBRQK, B: PNBRQK, R: PNBRQK, Q: PNBRQK, K: PNBRQK)";

#[test]
fn the_search_starts_from_169_threats() {
    let plans = nnue_codegen::plan_text(&format!("struct N = {ALL_ATTACKS} -> 32 -> 1;"))
        .expect("it is right");
    let tables = plans[0].tables();
    let net = tables.descriptor();
    let start = Position::start(&net, 0, &mut Rng::with_seed(0));
    let weights = Tensors::zeroed(&net);
    let rows = &start.evaluate(&net, &weights.refs(), &[]).features[0];
    let threats = rows
        .iter()
        .filter(|row| **row >= net.features[0].rows)
        .count();
    assert_eq!((rows.len() - threats, threats), (32, 169));
}

#[test]
fn activations() {
    let heads = [
        "32x2 @ 255 pairwise -> 16 sqr_crelu -> 8 -> 1",
        "64x2 @ 181 sqr_crelu >> 9 -> 8 crelu >> 3 -> 1",
        "32x2 quantmoid4 -> 8 quantmoid4 -> 1",
        "32x2 max_neighbours -> 16 pairwise -> 8 avg_halves -> 1",
        "32 @ 2895 pairwise -> 8 @ 128 -> 1 @ 128",
    ];
    attack_each(60, &heads.map(|head| ("768", head)));
}

#[test]
fn outputs() {
    let heads = [
        "32x2 psqt 2 -> (16 -> 1)x2 { value psqt / 3 + positional / 3; }",
        "32x2 psqt 2 -> (16 -> 1)x2 { value psqt / 1 + positional / 1; }",
        "32x2 psqt 2 -> (16 -> 1)x2 { value (psqt + positional) / 1; }",
        "32x2 -> (16 -> 1)x2 { value positional / 3; }",
        "32x2 psqt 2 white_first -> (16 -> 1)x2 { value (psqt + positional) / 5; }",
        "32 white_first -> 16 -> 1",
        "32x2 white_first -> 16 -> 1 { value output * 400; }",
        "32x2 @ 255 -> 1: i16 { format raw }",
        "32x2 @ 255 screlu white_first -> 1x2: i16 by material_count { format raw; value output * 2147483647; }",
        "64x2 @ 181 pairwise -> 1: i16 { format raw; value output * 1; }",
        "32x2 @ 255 screlu separate -> 1: i16 { format raw }",
        "32x2 @ 255 pairwise separate white_first -> 8 -> 1 { format raw }",
    ];
    attack_each(80, &heads.map(|head| ("768", head)));
}

#[test]
fn outputs_in_floats() {
    let heads = [
        "32x2 @ 255 screlu -> 1: f32 { format raw }",
        "32x2 @ 255 white_first -> 1: f32 { format raw; value sigmoid(output) * 16777219; }",
        "32x2 @ 255 pairwise -> 8: i8 @ 32 screlu -> 3: f32 { format raw; value wdl * 1000; }",
        "32x2 white_first -> 3: f32 { format raw; value wdl * 2147483647; }",
        "32x2 psqt 3: f32 -> 3: f32 { format raw; value wdl * 1000; }",
    ];
    attack_each(100, &heads.map(|head| ("768", head)));
}

#[test]
fn neurons_added_to_the_output() {
    let terms = [
        "h2 + h1[7] * 9600 / 8128",
        "h2 - h1[7] * 2147483647 / 3",
        "(h2 - h1[7]) * 600 / 8128",
        "h2 - h1[6] + h1[7] as i64 * 9600 / 1",
        "(h2 - h1[6] - h1[7] * 2) as i64 * 2147483647 / 2147483647",
    ];
    for (index, terms) in terms.into_iter().enumerate() {
        let source = format!(
            "struct N {{
                acc = accumulate(Chess768, 32) x 2, psqt 2, white_first;
                stacks 2 {{
                    let h1 = affine(crelu(acc), 8);
                    let h2 = affine(concat(crelu(h1[1..6]), sqr_crelu(h1[3..])), 1);
                    output {terms};
                }}
            }}"
        );
        attack(&source, &[], 120 + index as u64);
    }
}

#[test]
fn sets_of_the_program() {
    attack_each(
        140,
        &[
            ("self::Own[147, active 49]", "32x2 psqt 1 -> 8 -> 1"),
            (
                "self::Own[147, active 49]",
                "32x2 @ 255 screlu white_first -> 1: i16 { format raw }",
            ),
            (
                "self::Own[147]",
                "32x2 @ 255 screlu separate -> 1: i16 { format raw }",
            ),
        ],
    );
}

#[test]
fn activations_of_the_program() {
    let functions = [
        (
            "own::byte",
            CustomActivation::Accumulators(&|value| (value >> 3) as u8),
        ),
        (
            "own::step",
            CustomActivation::Sums(&|sum| if sum > 0 { 255 } else { 0 }),
        ),
    ];
    attack(
        "struct N = 768 -> 32x2 own::byte max 100 -> 8 own::step -> 1;",
        &functions,
        150,
    );
    attack(
        "struct N = 768 -> 32x2 white_first own::byte -> 8 own::step max 3 -> 1;",
        &functions,
        151,
    );
}
