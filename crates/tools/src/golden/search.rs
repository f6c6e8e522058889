//! Searches a reading of the file that gives the golden values, if the declared one does not.
//!
//! ```text
//!   one fault, then two       two faults are of different groups; another scale of the value is a fault that needs no evaluation
//!   ranked by                 the number of golden values that agree, then the number of faults
//!   bounded by                MOST_WORK products and copied elements; one copy of the weights in addition to the file's
//! ```

use nnue_spec::reference::Parts;
use nnue_spec::{Fen, GoldenDesc, NetDesc, Padding, TensorRef};

use super::best::Best;
use super::bias::{self, OtherBias};
use super::fault::Fault;
use super::near::{Pair, near};
use super::order::Layout;
use super::reading::Reading;
use super::{activation, description, scale, weights};
use nnue_format::Elements;

/// Limit of products and copied elements in a search: less than a second in an optimised build.
const MOST_WORK: u64 = 1 << 27;

/// The result of a network for a position.
pub(super) enum Said {
    /// the parts of the value, and true if Black is to move
    Parts(Parts, bool),
    /// the value, computed by the caller
    Value(i32),
}

impl Said {
    /// The value that `net` computes from the parts.
    pub(super) fn value(&self, net: &NetDesc<'_>) -> i32 {
        match *self {
            Self::Parts(Parts { psqt, output }, black) => {
                net.value_of(psqt, output.positional(net.value), black)
            }
            Self::Value(value) => value,
        }
    }
}

/// Evaluates a golden position, by index, with a descriptor and weights.
pub(super) type Evaluate<'a> = &'a dyn Fn(&NetDesc<'_>, &[TensorRef<'_>], usize) -> Option<Said>;

/// The readings that give the most golden values. `padding` is the end of the file.
pub(super) fn search(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    padding: Padding,
    evaluate: Evaluate<'_>,
) -> Best {
    let goldens: Vec<i32> = net.goldens.iter().map(|golden| golden.value).collect();
    let mut search = Search {
        tensors,
        biases: bias::others(net, tensors, padding),
        evaluate,
        best: Best::new(goldens.len(), 0),
        goldens,
        each: work_of_one(net),
        left: MOST_WORK,
        held: None,
    };
    search.run(net);
    search.best
}

/// Golden and computed values; empty if some were not computed.
fn pairs(net: &NetDesc<'_>, said: &[Said]) -> Vec<Pair> {
    if said.len() < net.goldens.len() {
        return Vec::new();
    }
    let pair = |(said, golden): (&Said, &GoldenDesc<'_>)| Pair {
        found: said.value(net),
        declared: golden.value,
        black: Fen::parse(golden.fen)
            .ok()
            .filter(|_| net.is_of_chess())
            .map(|fen| fen.black_to_move),
    };
    said.iter().zip(net.goldens).map(pair).collect()
}

/// Number of products in an evaluation. Custom code also copies all weights to prepare them.
fn work_of_one(net: &NetDesc<'_>) -> u64 {
    let active: usize = net
        .features
        .iter()
        .map(|feature| feature.set.max_active().min(256))
        .sum();
    let layers: usize = net
        .layers
        .iter()
        .map(|layer| layer.inputs * layer.outputs)
        .sum();
    let copied: usize = match net.has_custom_code() {
        true => net.tensors.iter().map(|tensor| tensor.len()).sum(),
        false => 0,
    };
    (2 * active * net.accumulator.width + layers + copied) as u64
}

struct Search<'a> {
    tensors: &'a [TensorRef<'a>],
    /// other readings of the last bias
    biases: Vec<OtherBias>,
    evaluate: Evaluate<'a>,
    /// the declared values
    goldens: Vec<i32>,
    best: Best,
    /// work of one evaluation, and remaining work
    each: u64,
    left: u64,
    /// the last layout, and its tensors that differ from the declared ones
    held: Option<(Layout<'a>, Vec<Option<Elements>>)>,
}

impl<'a> Search<'a> {
    fn run(&mut self, net: &'a NetDesc<'a>) {
        let declared = Reading::declared(net);
        let said = self.said(&declared, 0);
        self.best.declared = declared.with(|net| self.agreeing(net, &said));
        self.best.near = declared.with(|net| near(&pairs(net, &said)));
        self.values(&declared, &said, &[]);
        let faults = faults(net, &self.biases);
        for fault in &faults {
            self.one(&declared, fault);
        }
        // For near values, two faults would only explain the rounding or the point of view.
        if self.best.is_complete() || self.best.near.is_some() {
            return;
        }
        for (at, first) in faults.iter().enumerate() {
            self.two(&declared, first, &faults[at + 1..]);
        }
    }

    fn one(&mut self, declared: &Reading<'a>, fault: &Fault<'_>) {
        let Some(reading) = with_fault(declared, fault) else {
            return;
        };
        let said = self.said(&reading, self.best.least());
        let agreeing = reading.with(|net| self.agreeing(net, &said));
        self.best.offer(agreeing, 1, || fault.says.clone());
    }

    /// Tries `first` with a second fault: another scale of the value, or one of `others`.
    fn two(&mut self, declared: &Reading<'a>, first: &Fault<'_>, others: &[Fault<'_>]) {
        let Some(reading) = with_fault(declared, first) else {
            return;
        };
        let said = self.said(&reading, 0);
        self.values(&reading, &said, &[&first.says]);
        for second in others
            .iter()
            .filter(|second| first.group.goes_with(second.group))
        {
            let Some(reading) = with_fault(&reading, second) else {
                continue;
            };
            let said = self.said(&reading, self.best.least());
            let agreeing = reading.with(|net| self.agreeing(net, &said));
            self.best
                .offer(agreeing, 2, || both(&first.says, &second.says));
        }
    }

    /// Tries other scales of the value on the results `said`, without further evaluations.
    fn values(&mut self, reading: &Reading<'a>, said: &[Said], before: &[&String]) {
        if matches!(said, [Said::Value(_), ..]) {
            return;
        }
        let mut others = scale::other_values(reading.value);
        if self.goldens.len() > 1 {
            let value = |said: &Said| reading.with(|net| said.value(net));
            let pairs = said.iter().map(value).zip(self.goldens.iter().copied());
            let greatest = pairs.max_by_key(|(_, declared)| declared.unsigned_abs());
            let solved =
                greatest.map(|(found, declared)| scale::solved(reading.value, found, declared));
            let solved = solved
                .into_iter()
                .flatten()
                .filter(|solved| !others.contains(solved))
                .collect::<Vec<_>>();
            others.extend(solved);
        }
        for (says, value) in others {
            let agreeing = reading.with(|net| self.agreeing(&NetDesc { value, ..*net }, said));
            self.best
                .offer(agreeing, before.len() + 1, || match before {
                    [before] => both(before, &says),
                    _ => says.clone(),
                });
        }
    }

    fn agreeing(&self, net: &NetDesc<'_>, said: &[Said]) -> usize {
        said.iter()
            .zip(&self.goldens)
            .filter(|(said, declared)| said.value(net) == **declared)
            .count()
    }

    /// The results for the golden positions. Stops as soon as fewer than `least` can agree, or no work is
    /// left.
    fn said(&mut self, reading: &Reading<'a>, least: usize) -> Vec<Said> {
        self.hold(reading);
        let Some((_, reread)) = &self.held else {
            return Vec::new();
        };
        let tensors: Vec<_> = reread
            .iter()
            .zip(self.tensors)
            .map(|(own, read)| own.as_ref().map_or(*read, Elements::borrow))
            .collect();
        reading.with(|net| {
            let (mut said, mut wrong) = (Vec::new(), 0);
            for (index, declared) in self.goldens.iter().enumerate() {
                if wrong + least > self.goldens.len() || self.left < self.each {
                    break;
                }
                self.left -= self.each;
                let Some(one) = (self.evaluate)(net, &tensors, index) else {
                    break;
                };
                wrong += usize::from(one.value(net) != *declared);
                said.push(one);
            }
            said
        })
    }

    /// Rereads the tensors in the layout, unless it is the last one or too much work.
    fn hold(&mut self, reading: &Reading<'a>) {
        if self
            .held
            .as_ref()
            .is_some_and(|(layout, _)| *layout == reading.layout)
        {
            return;
        }
        self.held = None;
        let work = reading.work();
        if work > self.left {
            return;
        }
        self.left -= work;
        self.held = Some((
            reading.layout.clone(),
            reading.weights(self.tensors, &self.biases),
        ));
    }
}

/// The faults to try, those of the weight order first. Networks with custom code have no others: the caller
/// can evaluate other weights, but not another descriptor. `biases` are other readings of the last bias.
fn faults<'a>(net: &'a NetDesc<'a>, biases: &[OtherBias]) -> Vec<Fault<'a>> {
    let mut faults = weights::faults(net);
    if !net.has_custom_code() {
        faults.extend(biases.iter().enumerate().map(Fault::of_bias));
        faults.extend(activation::faults(net));
        faults.extend(description::faults(net));
        faults.extend(scale::faults(net));
    }
    faults
}

fn with_fault<'a>(reading: &Reading<'a>, fault: &Fault<'_>) -> Option<Reading<'a>> {
    let mut changed = reading.clone();
    (fault.change)(&mut changed);
    changed.settle().then_some(changed)
}

fn both(first: &str, second: &str) -> String {
    format!("{first} and {second}")
}
