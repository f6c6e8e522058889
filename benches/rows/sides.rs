//! What is compared: a set of the program, lists, and lists of a network that is described at run time.

use nnue::game::Architecture;
use nnue::rows::{Candidate, Given, RowSets, RowsStack};
use nnue::{AccumulatorStack, Evaluation, Network, dynamic};
use nnue_testkit::random::Random;

use crate::networks::{Exchange, Held};
use crate::support::{Record, Workload};

/// A base, and changes of it.
pub(crate) struct Sample {
    base: Vec<u32>,
    changes: Vec<Exchange>,
}

impl Sample {
    const ROWS: usize = 4096;
    const ACTIVE: usize = 40;
    const CANDIDATES: usize = 256;

    pub(crate) fn new() -> Self {
        let mut random = Random::new(7);
        let mut base: Vec<u32> = Vec::new();
        while base.len() < Self::ACTIVE {
            let row = random.below(Self::ROWS) as u32;
            if !base.contains(&row) {
                base.push(row);
            }
        }
        let mut exchange = || {
            let at = random.below(Self::ACTIVE);
            let removed = [
                base[at],
                base[(at + 1 + random.below(Self::ACTIVE - 1)) % Self::ACTIVE],
            ];
            let mut free = || loop {
                let row = random.below(Self::ROWS / 2) as u32 * 2;
                if !base.contains(&row) && !base.contains(&(row + 1)) {
                    return row;
                }
            };
            let first = free();
            let added = [first, first + 1];
            Exchange { removed, added }
        };
        let changes = (0..Self::CANDIDATES).map(|_| exchange()).collect();
        Self { base, changes }
    }

    /// The rows after a change.
    fn after(&self, change: &Exchange) -> Vec<u32> {
        let stay = self.base.iter().filter(|row| !change.removed.contains(row));
        stay.copied().chain(change.added).collect()
    }

    fn positions(&self) -> Vec<Vec<u32>> {
        self.changes
            .iter()
            .map(|change| self.after(change))
            .collect()
    }

    fn candidates(&self) -> Vec<Candidate<'_>> {
        let changes = self.changes.iter();
        changes
            .map(|change| Candidate::new(&change.added, &change.removed))
            .collect()
    }
}

/// A pass in one section.
struct Pass<F>(F);

impl<F: FnMut(&mut Vec<i32>)> Workload for Pass<F> {
    fn pass(&mut self, record: &mut Record) {
        record.clear();
        record.time(|values| (self.0)(values));
    }
}

type Boxed<'a> = Box<dyn Workload + 'a>;

fn pass<'a>(work: impl FnMut(&mut Vec<i32>) + 'a) -> Boxed<'a> {
    Box::new(Pass(work))
}

/// A set of the program, with a stack.
pub(crate) struct Typed<'a, A: Architecture> {
    network: &'a Network<A>,
    sample: &'a Sample,
}

impl<'a, A: Architecture<Inputs = Held>> Typed<'a, A> {
    pub(crate) const fn new(network: &'a Network<A>, sample: &'a Sample) -> Self {
        Self { network, sample }
    }

    /// 0: fresh, 1 and 2: the stack, as such a set has no candidates.
    pub(crate) fn workload(&self, at: usize) -> Boxed<'a> {
        let (network, changes) = (self.network, &self.sample.changes);
        let positions = self.sample.positions();
        if at == 0 {
            return pass(move |values| {
                values.extend(
                    positions
                        .iter()
                        .map(|rows| network.evaluate_fresh(rows).value),
                );
            });
        }
        let base = &self.sample.base;
        let mut stack = AccumulatorStack::<A>::new();
        pass(move |values| {
            network.evaluate(base, &mut stack);
            for (change, rows) in changes.iter().zip(&positions) {
                stack.push(change.clone());
                values.push(network.evaluate(rows, &mut stack).value);
                stack.pop();
            }
        })
    }
}

/// The same operations of compiled and described networks.
macro_rules! lists {
    ($name:ident $(<$model:ident>)?, $network:ty, $stack:ty, $new:expr, $rows:expr) => {
        impl<'a $(, $model: Architecture<Inputs = Given>)?> $name<'a $(, $model)?> {
            pub(crate) const fn new(network: &'a $network, sample: &'a Sample) -> Self {
                Self { network, sample }
            }

            /// 0: fresh, 1: the stack, 2: candidates.
            pub(crate) fn workload(&self, at: usize) -> Boxed<'a> {
                let (network, sample) = (self.network, self.sample);
                if at == 0 {
                    let empty: RowSets = $rows(network);
                    let set = |rows: Vec<u32>| {
                        let mut set = empty.clone();
                        set.set(&rows).expect("rows of the network");
                        set
                    };
                    let positions: Vec<RowSets> = sample.positions().into_iter().map(set).collect();
                    return pass(move |values| {
                        let value = |rows| network.evaluate_listed(rows).value;
                        values.extend(positions.iter().map(value));
                    });
                }
                let mut stack: $stack = $new(network);
                stack.set(&sample.base).expect("rows of the network");
                if at == 1 {
                    return pass(move |values| {
                        for change in &sample.changes {
                            let pushed = stack.push_rows(&change.added, &change.removed);
                            pushed.expect("a change of the base");
                            values.push(stack.evaluate(network).value);
                            stack.pop();
                        }
                    });
                }
                let candidates = sample.candidates();
                let mut evaluations = Vec::<Evaluation>::new();
                pass(move |values| {
                    let evaluated = stack.evaluate_candidates(network, &candidates, &mut evaluations);
                    evaluated.expect("changes of the base");
                    values.extend(evaluations.iter().map(|evaluation| evaluation.value));
                })
            }
        }
    };
}

/// Lists, compiled.
pub(crate) struct Lists<'a, A: Architecture> {
    network: &'a Network<A>,
    sample: &'a Sample,
}

/// Lists, described at run time.
pub(crate) struct Described<'a> {
    network: &'a dynamic::Network,
    sample: &'a Sample,
}

lists!(
    Lists<A>,
    Network<A>,
    RowsStack<A>,
    |_| RowsStack::new(),
    Network::rows
);
lists!(
    Described,
    dynamic::Network,
    dynamic::RowsStack,
    |network| dynamic::RowsStack::new(network).expect("lists of rows"),
    |network: &dynamic::Network| RowSets::new(&network.rows_shape().expect("lists of rows"))
);
