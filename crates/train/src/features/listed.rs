//! Records of networks over lists of rows: the caller has found the active rows.

use nnue_data::rows::{CheckedRecord, Checker, Targets};
use nnue_spec::{NetDesc, PerspectiveOrder, Selector, StackDesc};

use super::{Encode, FeaturesError};
use crate::batch::{Batch, Target};
use crate::loss::{Error, Loss, Objective};
use crate::network::{Head, Meaning};

/// Encodes records of a network over [`rows[N, active M]`](nnue_data::rows).
///
/// ```
/// use nnue_data::rows::RowsRecord;
/// use nnue_spec::plan::plan;
/// use nnue_train::batches::{Batches, Settings};
/// use nnue_train::features::{ListedRows, Meant};
/// use nnue_train::loss::{Loss, Objective};
/// use nnue_train::network::Network;
///
/// let graph = &nnue_codegen::graph_text("pub struct Ranker = rows[4096, active 64] -> 32 -> 16 -> 1;").unwrap()[0];
/// let (network, plan) = (Network::<f32>::new(graph)?, plan(graph));
/// let encoder = ListedRows::new(&plan.tables().descriptor(), Meant::Expected)?;
/// let objective = Objective::from(encoder.meant().loss(Loss::bullet(400.0)));
///
/// // Records from any iterator; the checker validates each.
/// let mut checker = encoder.checker(&objective, network.meaning());
/// let clicks = [(vec![3, 17, 40], 1.0), (vec![3, 18], 0.0)];
/// let records = clicks.into_iter().map(move |(rows, target)| checker.check(RowsRecord::new(rows, target)));
///
/// let settings = Settings { size: 2.try_into()?, threads: 1.try_into()?, skip: 0 };
/// let mut batches = Batches::new(encoder, records, settings);
/// while let Some(batch) = batches.next_batch()? {
///     assert_eq!(batch.rows(0, 0), [3, 17, 40]);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ListedRows {
    rows: u32,
    lists: usize,
    checker: Checker,
    perspectives: usize,
    order: PerspectiveOrder,
    stacks: StackDesc,
    meant: Meant,
}

/// The meaning of the targets of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meant {
    /// Expected results from 0 to 1, such as probabilities. A loss compares them with the curve of the value.
    Expected,
    /// Scores in the unit of the network's value. A loss compares both through its curves.
    Scores,
}

impl Meant {
    /// A loss whose target is the target of records alone: that of an expected result, or that of a score.
    #[must_use]
    pub fn loss(self, loss: Loss) -> Loss {
        Loss {
            share: match self {
                Self::Expected => 0.0,
                Self::Scores => 1.0,
            },
            ..loss
        }
    }

    /// The targets of records that an objective accepts.
    pub fn targets(self, objective: &Objective, meaning: Meaning<'_>) -> Targets {
        let is_wdl = |head: Head| matches!(head, Head::Wdl { .. });
        let value = objective.value > 0.0
            && objective.loss.error == Error::CrossEntropy
            && meaning.value.is_some_and(is_wdl);
        let named = meaning.named.iter().zip(&objective.named);
        let needs_outcomes = value
            || named
                .into_iter()
                .any(|(output, loss)| output.is_wdl && loss.weight > 0.0);
        match self {
            Self::Scores => Targets::Scores,
            Self::Expected if needs_outcomes => Targets::Outcomes,
            Self::Expected => Targets::Expected,
        }
    }

    /// The target of a record for the first perspective, which is the other side's if `negate`.
    fn target(self, target: f32, negate: bool) -> (f32, f32) {
        match (self, negate) {
            (Self::Expected, false) => (target, target),
            (Self::Expected, true) => (1.0 - target, 1.0 - target),
            (Self::Scores, false) => (target, 0.5),
            (Self::Scores, true) => (-target, 0.5),
        }
    }
}

impl ListedRows {
    /// For records whose targets mean this.
    ///
    /// # Errors
    ///
    /// If positions of the network are not lists of rows, or a function of the program chooses its layer stack.
    pub fn new(net: &NetDesc<'_>, meant: Meant) -> Result<Self, FeaturesError> {
        let Some(shape) = net.rows_shape() else {
            return Err(FeaturesError::NotListed(net.name.into()));
        };
        if net.stacks.selector == Selector::Custom {
            return Err(FeaturesError::CustomStacks(net.name.into()));
        }
        Ok(Self {
            rows: shape.rows,
            lists: shape.lists,
            checker: Checker::new(&shape, Targets::Scores),
            perspectives: net.accumulator.perspectives,
            order: net.accumulator.order,
            stacks: net.stacks,
            meant,
        })
    }

    /// The meaning of targets.
    pub const fn meant(&self) -> Meant {
        self.meant
    }

    /// Checks records for this network and an objective.
    pub fn checker(&self, objective: &Objective, meaning: Meaning<'_>) -> Checker {
        let targets = self.meant.targets(objective, meaning);
        self.checker.clone().with_targets(targets)
    }
}

impl Encode for ListedRows {
    type Record = CheckedRecord;
    type Scratch = [Vec<i32>; 2];

    fn perspectives(&self) -> usize {
        self.perspectives
    }

    fn has_target(record: &CheckedRecord) -> bool {
        record.weight > 0.0
    }

    /// # Panics
    ///
    /// If the record was checked for a network with other lists or more rows.
    fn push(&self, record: &CheckedRecord, rows: &mut [Vec<i32>; 2], batch: &mut Batch) {
        let lists = record.lists.as_slice();
        assert_eq!(lists.len(), self.lists, "lists of another network");
        for (rows, list) in rows.iter_mut().zip(lists) {
            let row = |&row: &u32| {
                assert!(row < self.rows, "a row of another network");
                row as i32
            };
            rows.clear();
            rows.extend(list.iter().map(row));
        }
        let black_first = self.order.begins_with_black(record.black_to_move);
        let [first, second] = if black_first && lists.len() == 2 {
            [&rows[1], &rows[0]]
        } else {
            [&rows[0], &rows[1]]
        };
        let is_other = black_first != record.black_to_move;
        let (score, result) = self.meant.target(record.target, is_other);
        let own = &lists[usize::from(record.black_to_move).min(lists.len() - 1)];
        let target = Target {
            stack: self.stacks.select_by_rows(own) as u16,
            score,
            result,
            ply: 0,
            weight: record.weight,
        };
        batch.push(&[&first[..], &second[..]][..self.perspectives], target);
    }
}
