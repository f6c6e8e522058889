//! The search: hill climbing toward the ends of every bound.

use fastrand::Rng;
use nnue_format::Tensors;
use nnue_spec::NetDesc;
use nnue_spec::reference::CustomActivations;
use nnue_tools::bounds::{Bounds, prove, prove_tightly};

use crate::position::Position;
use crate::quantity::{Quantity, quantities};
use crate::weights::{self, Profile};

/// Quantities that are attacked with each set of weights.
const TARGETS: usize = 6;
/// Positions on the way to one of them.
const STEPS: usize = 60;
/// Weights that are proved anew while weights climb, all their sets together: proofs take the time.
const PROVED: usize = 1_000_000;

/// Attacks the bounds of the network that `source` declares.
///
/// # Panics
///
/// If a value leaves its bound.
pub(crate) fn attack(source: &str, custom: CustomActivations<'_>, seed: u64) {
    let plans = nnue_codegen::plan_text(source)
        .unwrap_or_else(|errors| panic!("{}", errors[0].shown_in("N", source)));
    let tables = plans[0].tables();
    let net = tables.descriptor();
    let mut random = Rng::with_seed(seed);
    for profile in [Profile::Counting, Profile::Random, Profile::Extreme] {
        let mut attack = Attack {
            source,
            net: &net,
            custom,
            tensors: weights::make(&net, profile, &mut random),
            position: Position::start(&net, 0, &mut random),
        };
        attack.positions(&mut random);
        attack.weights(&mut random);
    }
}

/// The weights and the position that the search has come to.
struct Attack<'a> {
    source: &'a str,
    net: &'a NetDesc<'a>,
    custom: CustomActivations<'a>,
    tensors: Tensors,
    position: Position,
}

impl Attack<'_> {
    /// The quantities of a position, none of which leaves its bound.
    fn quantities(&self, bounds: &Bounds, position: &Position) -> Vec<Quantity> {
        let tensors = self.tensors.refs();
        let trace = position.evaluate(self.net, &tensors, self.custom);
        let all = quantities(self.net, &tensors, bounds, &trace);
        for Quantity {
            what,
            place,
            value,
            range,
        } in &all
        {
            let within = range.min <= *value && *value <= range.max;
            assert!(
                within,
                "{}\n{what} {place:?} is {value}, not in {range}, in {position:?}\n{bounds}",
                self.source
            );
        }
        all
    }

    /// With these weights, positions climb.
    fn positions(&mut self, random: &mut Rng) {
        let bounds = [prove, prove_tightly][random.usize(..2)](self.net, &self.tensors.refs());
        for number in 0..TARGETS {
            self.position = Position::start(self.net, number, random);
            let mut all = self.quantities(&bounds, &self.position);
            let target = pick(&all, random);
            let sign = if random.bool() { 1 } else { -1 };
            for _ in 0..STEPS {
                let position = self.position.mutated(self.net, random);
                let next = self.quantities(&bounds, &position);
                if sign * next[target].value >= sign * all[target].value {
                    (self.position, all) = (position, next);
                }
            }
        }
    }

    /// In this position, weights climb: what is left between a value and its bound gets less.
    fn weights(&mut self, random: &mut Rng) {
        let size: usize = self.net.tensors.iter().map(|tensor| tensor.len()).sum();
        let mut all = self.quantities(&prove(self.net, &self.tensors.refs()), &self.position);
        let target = pick(&all, random);
        for _ in 0..(PROVED / size).min(STEPS) {
            let before = self.tensors.clone();
            (0..8).for_each(|_| weights::mutate(self.net, &mut self.tensors, random));
            let next = self.quantities(&prove(self.net, &self.tensors.refs()), &self.position);
            let left = |quantity: Quantity| quantity.range.max - quantity.value;
            if left(next[target]) > left(all[target]) {
                self.tensors = before;
            } else {
                all = next;
            }
        }
    }
}

/// Any quantity, each kind as often as the others: there are many neurons and one value.
fn pick(all: &[Quantity], random: &mut Rng) -> usize {
    let mut kinds: Vec<&str> = all.iter().map(|quantity| quantity.what).collect();
    kinds.dedup();
    kinds.sort_unstable();
    kinds.dedup();
    let kind = kinds[random.usize(..kinds.len())];
    let places: Vec<usize> = (0..all.len())
        .filter(|&place| all[place].what == kind)
        .collect();
    places[random.usize(..places.len())]
}
