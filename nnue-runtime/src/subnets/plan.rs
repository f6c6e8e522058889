//! The weights of subnets in the kernel's order: rows of whole pieces of eight neurons, the bias
//! after the rows.

use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

use nnue_spec::subnets::{Numbers, SubnetsDesc};

use crate::kernel::subnets::{Group, LANES, Listed, Logits, Weight};
use crate::memory::Line;
use crate::simd::{AvailableLevel, dispatch_family};

/// The memory of an evaluation, for
/// [`Network::policy_with`](super::Network::policy_with): a program that keeps it, one per thread,
/// allocates nothing after the first evaluation.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// the active rows, ascending
    pub(super) rows: Vec<u32>,
    /// of all subnets
    values: Vec<Line>,
    /// for each subnet, whether a move names it
    named: Vec<bool>,
}

impl Workspace {
    /// An empty workspace, for any network.
    pub fn new() -> Self {
        Self::default()
    }
}

/// The logits that are asked for, and what besides the weights of subnets they depend on.
pub(super) struct Asked<'a, M> {
    pub(super) level: AvailableLevel,
    pub(super) terms: &'a [f32],
    pub(super) moves: &'a [M],
    pub(super) logits: &'a mut [f32],
}

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

    /// Computes the logits for the rows of `workspace`.
    pub(super) fn run<M: Listed>(
        &self,
        net: &SubnetsDesc<'_>,
        asked: Asked<'_, M>,
        workspace: &mut Workspace,
    ) {
        match self {
            Self::Floats(prepared) => prepared.run(net, asked, workspace),
            Self::Whole(prepared) => prepared.run(net, asked, workspace),
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
        asked: Asked<'_, M>,
        workspace: &mut Workspace,
    ) {
        let subnets = self.groups.last().map_or(0, |last| last.first + last.count);
        let Workspace {
            rows,
            values,
            named,
        } = workspace;
        values.resize(self.lines, bytemuck::Zeroable::zeroed());
        named.clear();
        named.resize(subnets, false);
        let Asked {
            level,
            terms,
            moves,
            logits,
        } = asked;
        let task = Logits {
            groups: &self.groups,
            products: net.products,
            features: net.rows(),
            weights: bytemuck::cast_slice::<Line, [W; LANES]>(&self.weights),
            unit: net.unit(),
            terms,
            rows,
            moves,
            values,
            named,
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
