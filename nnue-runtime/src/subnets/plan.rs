//! The weights of subnets in the kernel's order: rows of whole pieces of eight neurons, the bias
//! after the rows.

use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

use nnue_spec::subnets::{Numbers, SubnetsDesc};

use crate::kernel::subnets::{Group, LANES, Listed, Logits, Weight};
use crate::memory::Line;
use crate::simd::{AvailableLevel, dispatch_family};

/// Prepared weights of either type.
pub(super) enum Plan {
    Floats(Prepared<f32>),
    Whole(Prepared<i16>),
}

pub(super) struct Prepared<W> {
    groups: Vec<Group>,
    /// lines of the values of all subnets
    lines: usize,
    weights: Vec<Line>,
    element: PhantomData<W>,
}

impl Plan {
    pub(super) fn new(net: &SubnetsDesc<'_>, numbers: &Numbers) -> Self {
        match numbers {
            Numbers::Floats(numbers) => Self::Floats(Prepared::new(net, numbers)),
            Numbers::Whole(numbers) => Self::Whole(Prepared::new(net, numbers)),
        }
    }

    /// Computes the logits of `moves`; `rows` are the active rows, ascending.
    pub(super) fn run<M: Listed>(
        &self,
        net: &SubnetsDesc<'_>,
        (level, terms): (AvailableLevel, &[f32]),
        rows: &[u32],
        moves: &[M],
        logits: &mut [f32],
    ) {
        match self {
            Self::Floats(prepared) => prepared.run(net, (level, terms), rows, moves, logits),
            Self::Whole(prepared) => prepared.run(net, (level, terms), rows, moves, logits),
        }
    }
}

impl<W: Weight> Prepared<W> {
    fn new(net: &SubnetsDesc<'_>, numbers: &[W]) -> Self {
        let (groups, lines) = places::<W>(net);
        let pieces = groups.last().map_or(0, |last| {
            last.weights + last.count * (net.rows() + 1) * last.pieces
        });
        let bytes = pieces * size_of::<[W; LANES]>();
        let mut weights: Vec<Line> =
            vec![bytemuck::Zeroable::zeroed(); bytes.div_ceil(size_of::<Line>())];
        let prepared: &mut [[W; LANES]] = bytemuck::cast_slice_mut(&mut weights);
        for (index, group) in groups.iter().enumerate() {
            let file = &numbers[net.first_number(index, 0)..];
            // The file has the biases after the rows as well.
            let rows = file
                .chunks_exact(group.width)
                .take(group.count * (net.rows() + 1));
            let prepared = prepared[group.weights..].chunks_exact_mut(group.pieces);
            for (prepared, row) in prepared.zip(rows) {
                prepared.as_flattened_mut()[..group.width].copy_from_slice(row);
            }
        }
        Self {
            groups,
            lines,
            weights,
            element: PhantomData,
        }
    }

    fn run<M: Listed>(
        &self,
        net: &SubnetsDesc<'_>,
        (level, terms): (AvailableLevel, &[f32]),
        rows: &[u32],
        moves: &[M],
        logits: &mut [f32],
    ) {
        let subnets = self.groups.last().map_or(0, |last| last.first + last.count);
        let mut values: Vec<Line> = vec![bytemuck::Zeroable::zeroed(); self.lines];
        let mut ready = vec![false; subnets];
        let task = Logits {
            groups: &self.groups,
            products: net.products,
            features: net.rows(),
            weights: bytemuck::cast_slice::<Line, [W; LANES]>(&self.weights),
            unit: net.unit(),
            terms,
            rows,
            moves,
            values: &mut values,
            ready: &mut ready,
            logits,
        };
        dispatch_family(level, task);
    }
}

/// The layout of each group, and the number of lines of all values. The values of a group are whole
/// lines.
fn places<W: Weight>(net: &SubnetsDesc<'_>) -> (Vec<Group>, usize) {
    let of_line = size_of::<Line>() / size_of::<[W::Value; LANES]>();
    let (mut weights, mut first, mut lines) = (0, 0, 0);
    let place = |group: &nnue_spec::subnets::SubnetGroup<'_>| {
        let pieces = group.width.div_ceil(LANES);
        let end = lines + (group.count * pieces).div_ceil(of_line);
        let placed = Group {
            count: group.count,
            width: group.width,
            pieces,
            weights,
            values: lines * of_line,
            first,
            lines: lines..end,
            activation: group.activation,
            one: group.one,
        };
        (weights, first, lines) = (
            weights + group.count * (net.rows() + 1) * pieces,
            first + group.count,
            end,
        );
        placed
    };
    let groups = net.groups.iter().map(place).collect();
    (groups, lines)
}
