//! A network of any architecture, behind two object-safe traits: what evaluates, and what has compiled code.
//!
//! A `Network<A>` is generic over its declaration. Whoever chooses the declaration at run time, as this command does, writes a
//! trait like this one; loops over many positions belong inside, so that they are compiled for each network.

use nnue::{AccumulatorStack, Architecture, AvailableLevel, Network, Parameters};
use nnue_format::Header;
use nnue_spec::{NetDesc, TensorRef};
use shakmaty::Position;

use super::{Ply, Verdict, Verdicts};
use crate::bench::{self, Data, Timer, Times, Traffic, Workload};
use crate::input::{Placement, games::Game};
use crate::random::Random;

/// A network that judges positions, with compiled code or without.
pub(crate) trait Evaluator: Send + Sync {
    /// Everything about it but its weights.
    fn spec(&self) -> &'static NetDesc<'static>;

    /// What its file says besides the weights.
    fn header(&self) -> &Header;

    /// The weights.
    fn tensors(&self) -> Vec<TensorRef<'_>>;

    /// Who evaluates, in words.
    fn evaluated_by(&self) -> String;

    /// The names of the numbers that tables show behind the two parts; none where only the parts are compared.
    fn columns(&self) -> Vec<&'static str>;

    /// Evaluates a position from scratch.
    fn evaluate(&self, position: &Placement) -> Verdict;

    /// Evaluates a position with every layer stack.
    fn trace(&self, position: &Placement) -> Verdicts;

    /// Evaluates every ply of a game, incrementally or each from scratch.
    fn play(&self, game: &Game, refresh: bool, each: &mut dyn FnMut(Ply<'_>));
}

/// A network with compiled code, of any architecture.
pub(crate) trait AnyNetwork: Evaluator {
    /// The level whose instructions evaluate.
    fn level(&self) -> AvailableLevel;

    /// The same network for another level.
    fn with_level(self: Box<Self>, level: AvailableLevel) -> Box<dyn AnyNetwork>;

    /// Goes through a game as a search does: pushes moves, takes some back, and evaluates only now and then.
    fn wander(&self, game: &Game, random: &mut Random, each: &mut dyn FnMut(Ply<'_>));

    /// Counts the bytes that the workloads read.
    fn traffic(&self, data: &Data) -> Traffic;

    /// Runs a workload once; a forward pass reads `layer_bytes`.
    fn measure(&self, workload: Workload, data: &Data, layer_bytes: usize, timer: Timer) -> Times;
}

impl<A: Architecture> Evaluator for Network<A> {
    fn spec(&self) -> &'static NetDesc<'static> {
        const { &A::SPEC }
    }

    fn header(&self) -> &Header {
        self.header()
    }

    fn tensors(&self) -> Vec<TensorRef<'_>> {
        self.params().tensors()
    }

    fn evaluated_by(&self) -> String {
        self.level().to_string()
    }

    fn columns(&self) -> Vec<&'static str> {
        Vec::new()
    }

    fn evaluate(&self, position: &Placement) -> Verdict {
        self.forward(&self.accumulate(position)).into()
    }

    fn trace(&self, position: &Placement) -> Verdicts {
        let trace = self.trace(position);
        Verdicts { bucket: trace.bucket, buckets: trace.buckets.into_iter().map(Verdict::from).collect() }
    }

    fn play(&self, game: &Game, refresh: bool, each: &mut dyn FnMut(Ply<'_>)) {
        let mut stack = AccumulatorStack::new();
        let mut position = game.start.clone();
        for number in 0..=game.moves.len() {
            let evaluation =
                if refresh { self.forward(&self.accumulate(&position)) } else { self.evaluate(&position, &mut stack) };
            each(Ply { number, position: &position, verdict: evaluation.into() });
            if let Some(&next) = game.moves.get(number) {
                stack.push(nnue::shakmaty::change_of(&position, &next));
                position.play_unchecked(next);
            }
        }
    }
}

impl<A: Architecture> AnyNetwork for Network<A> {
    fn level(&self) -> AvailableLevel {
        self.level()
    }

    fn with_level(self: Box<Self>, level: AvailableLevel) -> Box<dyn AnyNetwork> {
        Box::new((*self).with_level(level))
    }

    fn wander(&self, game: &Game, random: &mut Random, each: &mut dyn FnMut(Ply<'_>)) {
        let mut stack = AccumulatorStack::new();
        let positions = game.positions();
        let mut number = 0;
        loop {
            let position = &positions[number];
            if random.below(3) == 0 {
                each(Ply { number, position, verdict: self.evaluate(position, &mut stack).into() });
            }
            if number > 0 && random.below(4) == 0 {
                stack.pop();
                number -= 1;
            } else if let Some(&next) = game.moves.get(number) {
                stack.push(nnue::shakmaty::change_of(position, &next));
                number += 1;
            } else {
                return;
            }
        }
    }

    fn traffic(&self, data: &Data) -> Traffic {
        Traffic::new(self, data)
    }

    fn measure(&self, workload: Workload, data: &Data, layer_bytes: usize, timer: Timer) -> Times {
        bench::measure(self, workload, data, layer_bytes, timer)
    }
}
