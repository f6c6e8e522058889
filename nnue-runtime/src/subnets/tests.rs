//! Compares plans on every level with the reference interpreter, bit for bit: widths that do not
//! fill vectors, every activation, both types.

use nnue_spec::subnets::reference::{Listed as Reference, evaluate};
use nnue_spec::subnets::{SubnetGroup, SubnetProduct, SubnetsDesc};
use nnue_spec::{Activation, ElementType, FeatureSetId};

use super::plan::{Asked, Plan, Workspace};
use crate::kernel::subnets::Listed;
use crate::simd::Level;
use crate::testing::{ACTIVATIONS_OF_FLOATS, Random};

const OF_WHOLE_NUMBERS: [Activation; 3] = [Activation::Relu, Activation::Crelu, Activation::Screlu];

/// A move with any number of products.
struct Any {
    subnets: Vec<[u16; 2]>,
    terms: Vec<u16>,
}

impl Listed for Any {
    fn subnets(&self) -> &[[u16; 2]] {
        &self.subnets
    }

    fn terms(&self) -> &[u16] {
        &self.terms
    }
}

fn random_groups(random: &mut Random, element: ElementType) -> Vec<SubnetGroup<'static>> {
    let width = 1 + random.below(20);
    let activation = random.of(&OF_WHOLE_NUMBERS);
    let group = |random: &mut Random| SubnetGroup {
        name: "",
        count: 1 + random.below(9),
        width,
        one: if element == ElementType::F32 { 1 } else { 181 },
        // Integer products share one unit.
        activation: if element == ElementType::F32 {
            random.of(&ACTIVATIONS_OF_FLOATS)
        } else {
            activation
        },
    };
    (0..1 + random.below(3)).map(|_| group(random)).collect()
}

#[test]
fn networks_of_any_shape_equal_the_reference() {
    let mut random = Random(1);
    for element in [ElementType::F32, ElementType::I16] {
        for _ in 0..40 {
            let groups = random_groups(&mut random, element);
            let product = |random: &mut Random| SubnetProduct {
                negative: random.below(2) == 1,
                groups: [random.below(groups.len()), random.below(groups.len())],
            };
            let products: Vec<_> = (0..1 + random.below(3))
                .map(|_| product(&mut random))
                .collect();
            let net = SubnetsDesc {
                name: "N",
                set: FeatureSetId::Chess768,
                set_name: "",
                element,
                groups: &groups,
                products: &products,
                terms: random.below(4),
            };
            compare(&net, &mut random);
        }
    }
}

fn compare(net: &SubnetsDesc<'_>, random: &mut Random) {
    let parameters = nnue_format::subnets::random(net, random.next());
    let plan = Plan::new(net, &parameters.numbers);
    let mut rows: Vec<u32> = (0..random.below(65))
        .map(|_| random.below(768) as u32)
        .collect();
    rows.sort_unstable();
    let any = |random: &mut Random| {
        let subnet =
            |random: &mut Random, group: usize| random.below(net.groups[group].count) as u16;
        let subnets = net
            .products
            .iter()
            .map(|product| product.groups.map(|group| subnet(random, group)))
            .collect();
        let terms = if net.terms == 0 { 0 } else { random.below(5) };
        Any {
            subnets,
            terms: (0..terms).map(|_| random.below(net.terms) as u16).collect(),
        }
    };
    let moves: Vec<Any> = (0..random.below(50)).map(|_| any(random)).collect();
    let listed = |any: &Any| Reference {
        subnets: any
            .subnets
            .iter()
            .map(|pair| pair.map(usize::from))
            .collect(),
        terms: any.terms.iter().map(|&term| term.into()).collect(),
    };
    let listed: Vec<Reference> = moves.iter().map(listed).collect();
    let of_reference: Vec<usize> = rows.iter().rev().map(|&row| row as usize).collect();
    let expected = evaluate(net, &parameters, &of_reference, &listed);
    // used for every level, so that the values of one are there for the next
    let mut workspace = Workspace::new();
    workspace.rows = rows;
    for level in Level::available() {
        let mut found = vec![0.0; moves.len()];
        let asked = Asked {
            level,
            terms: &parameters.terms,
            moves: &moves,
            logits: &mut found,
        };
        plan.run(net, asked, &mut workspace);
        let same = found
            .iter()
            .zip(&expected)
            .all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(same, "{level}: {found:?} instead of {expected:?}: {net:?}");
    }
}

/// The greatest 16-bit weights in all rows of a full board: sums and products are exact.
#[test]
fn extreme_weights_do_not_wrap() {
    let group = SubnetGroup {
        name: "",
        count: 1,
        width: 9,
        one: 1 << 15,
        activation: Activation::Relu,
    };
    let net = SubnetsDesc {
        name: "N",
        set: FeatureSetId::Chess768,
        set_name: "",
        element: ElementType::I16,
        groups: &[group],
        products: &[SubnetProduct {
            negative: true,
            groups: [0, 0],
        }; 8],
        terms: 0,
    };
    let numbers = nnue_spec::subnets::Numbers::Whole(vec![i16::MAX; net.numbers()]);
    let plan = Plan::new(&net, &numbers);
    let mut workspace = Workspace::new();
    workspace.rows = (0..64).collect();
    let moves = [Any {
        subnets: vec![[0, 0]; 8],
        terms: Vec::new(),
    }];
    for level in Level::available() {
        let mut logit = [0.0];
        let asked = Asked {
            level,
            terms: &[],
            moves: &moves,
            logits: &mut logit,
        };
        plan.run(&net, asked, &mut workspace);
        assert_eq!(
            logit,
            [-8.0 * 9.0 * (65 * 32767_i64).pow(2) as f32 / (1_u64 << 30) as f32],
            "{level}"
        );
    }
}
