//! Networks whose rows the caller lists: incremental values are fresh ones and those of the reference interpreter, on every level, along
//! random changes of every kind, right and wrong.

use std::collections::BTreeSet;

use nnue::rows::{Candidate, CandidateBatchError, Given, RowLists, RowSets, RowsError, RowsStack};
use nnue::spec::reference;
use nnue::{Batch, Evaluation, Level, Model, Network, Parameters, game, nnue};
use nnue_testkit::random::Random;

use super::games::network;
use super::rows_described::Described;

nnue! {
    /// One list.
    pub struct Single = rows[300, active 20] -> 64 -> 16 -> 1;
    /// Two lists, each with named parts.
    pub struct Double = rows[own: 100, other: 77, active 30] -> 64x2 pairwise, psqt 1 -> 16 -> 1;
    /// The first list is White's, whoever moves.
    pub struct Fixed = rows[90] -> 32x2, white_first -> 1;
    /// Two sources: the rows of each list have weights of their own.
    pub struct Apart = (rows[users: 60, items: 50, active 20] -> 32)x2 @ 255 screlu, white_first, separate -> 1: i16 { format raw };
    /// Floats of rows, which are not incremental.
    pub struct Floats = rows[150, active 12] as i8 -> 32 @ 255 pairwise, psqt 1: f32 -> 16 screlu -> 1: f32 { format raw };
    /// All rows may be active.
    pub struct Every = rows[24] -> 32 -> 1;
    /// The number of active rows of a group chooses the stack and the PSQT output.
    pub struct Counted = rows[words: 80, phases: 12, active 30] -> 32x2, psqt 4 -> (8 -> 1)x4 by (row_count(phases) - 1) / 3;
    /// The number of active rows chooses the stack.
    pub struct Sized = rows[120, active 40] -> 32 -> (8 -> 1)x6 by row_count / 8;
    /// The active row of a group chooses the stack.
    pub struct Phased = rows[words: 80, phases: 4, active 30] -> 32x2 -> (8 -> 1)x4 by row(phases);
    /// The network of the vectors that `nnue train` and `nnue quantize` made.
    pub struct Trained = rows[users: 60, items: 20, crosses: 128, active 8] -> 32 -> 8 -> 1;
    /// A rule of the program chooses the stack.
    pub struct Stacks = rows[120, active 40] -> 32 -> (8 -> 1)x4 by by_count;
}

fn by_count(rows: &RowSets) -> usize {
    rows.list(0).len() / 8
}

/// The active rows of `80..` of the side to move, by what the page of the language says.
fn phases(rows: &RowSets) -> Vec<usize> {
    let list = rows.list(usize::from(rows.lists() == 2 && rows.black_to_move()));
    let mut phases: Vec<_> = list.iter().filter_map(|row| row.checked_sub(80)).collect();
    phases.sort_unstable();
    phases.into_iter().map(|phase| phase as usize).collect()
}

/// The kinds of right changes, and of wrong ones.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// of a few rows
    Right,
    Empty,
    /// removes all rows of a list
    Cleared,
    /// adds as many rows to a list as may be active
    Filled,
    /// removes all rows of a list and adds them again
    Swapped,
    AbsentRow,
    PresentRow,
    NoSuchRow,
    Repeated,
    TooMany,
    OtherLists,
}

impl Kind {
    const fn is_right(self) -> bool {
        matches!(
            self,
            Self::Right | Self::Empty | Self::Cleared | Self::Filled | Self::Swapped
        )
    }
}

const KINDS: [Kind; 14] = [
    Kind::Right,
    Kind::Right,
    Kind::Right,
    Kind::Right,
    Kind::Empty,
    Kind::Cleared,
    Kind::Filled,
    Kind::Swapped,
    Kind::AbsentRow,
    Kind::PresentRow,
    Kind::NoSuchRow,
    Kind::Repeated,
    Kind::TooMany,
    Kind::OtherLists,
];

type Lists = [Vec<u32>; 2];

/// A change of a position, by list.
#[derive(Clone, Debug, Default)]
struct Change {
    added: Lists,
    removed: Lists,
}

fn lists(lists: &Lists, count: usize) -> RowLists<'_> {
    match count {
        1 => (&lists[0]).into(),
        _ => lists.into(),
    }
}

/// The position by simple sets: what the library is compared with.
#[derive(Clone, Debug)]
struct Known {
    rows: u32,
    most: usize,
    lists: Vec<BTreeSet<u32>>,
    black: bool,
}

impl Known {
    fn absent(&self, list: usize, random: &mut Random) -> u32 {
        loop {
            let row = random.below(self.rows as usize) as u32;
            if !self.lists[list].contains(&row) {
                return row;
            }
        }
    }

    /// A change of all rows of a list.
    fn change_of_list(&self, kind: Kind, random: &mut Random) -> Change {
        let list = random.below(self.lists.len());
        let active = || self.lists[list].iter().copied().collect();
        let mut change = Change::default();
        match kind {
            Kind::Cleared => change.removed[list] = active(),
            Kind::Swapped => {
                change.removed[list] = active();
                change.added[list] = active();
            }
            Kind::Filled => {
                let free = (0..self.rows).filter(|row| !self.lists[list].contains(row));
                let room = self.most - self.lists[list].len();
                change.added[list] = free.take(room).collect();
            }
            other => unreachable!("{other:?} is no change of a list"),
        }
        change
    }

    /// A change of this kind; `None` if the position has none.
    fn change(&self, kind: Kind, random: &mut Random) -> Option<Change> {
        match kind {
            Kind::Empty => return Some(Change::default()),
            Kind::Cleared | Kind::Filled | Kind::Swapped => {
                return Some(self.change_of_list(kind, random));
            }
            _ => {}
        }
        if self
            .lists
            .iter()
            .any(|list| list.len() == self.rows as usize)
        {
            return None; // no row is absent
        }
        let mut change = Change::default();
        for (list, active) in self.lists.iter().enumerate() {
            let mut present: Vec<u32> = active.iter().copied().collect();
            for _ in 0..random.below(5).min(present.len()) {
                let row = present.swap_remove(random.below(present.len()));
                change.removed[list].push(row);
            }
            let room = self.most - present.len();
            let mut new = BTreeSet::new();
            for _ in 0..random
                .below(5)
                .min(room)
                .min(self.rows as usize - active.len())
            {
                new.insert(self.absent(list, random));
            }
            change.added[list].extend(new);
        }
        let list = random.below(self.lists.len());
        let Change { added, removed } = &mut change;
        match kind {
            Kind::AbsentRow => removed[list].push(self.absent(list, random)),
            Kind::PresentRow => {
                let stays = |row: &&u32| !removed[list].contains(*row);
                added[list].push(*self.lists[list].iter().find(stays)?);
            }
            Kind::NoSuchRow => added[list].push(self.rows + random.below(1 << 20) as u32),
            Kind::Repeated => {
                let row = *added[list].first()?;
                added[list].push(row);
            }
            Kind::TooMany => {
                let (before, left) = (&self.lists[list], self.lists[list].len());
                let free = (0..self.rows).filter(|row| !before.contains(row));
                removed[list].clear();
                added[list] = free.take(self.most - left + 1).collect();
                if added[list].len() + left <= self.most {
                    return None;
                }
            }
            _ => {}
        }
        Some(change)
    }

    fn apply(&mut self, change: &Change) {
        for (list, rows) in self.lists.iter_mut().enumerate() {
            change.removed[list].iter().for_each(|row| {
                rows.remove(row);
            });
            rows.extend(&change.added[list]);
        }
    }

    fn position(&self, shape: &nnue::rows::RowsShape<'_>) -> RowSets {
        let each: Vec<Vec<u32>> = self
            .lists
            .iter()
            .map(|list| list.iter().copied().collect())
            .collect();
        let both = [each[0].clone(), each.get(1).cloned().unwrap_or_default()];
        let mut rows = RowSets::of(shape, lists(&both, self.lists.len())).expect("known rows");
        rows.set_black_to_move(self.black);
        rows
    }
}

fn is_of(kind: Kind, error: &RowsError) -> bool {
    matches!(
        (kind, error),
        (Kind::AbsentRow, RowsError::Inactive(_))
            | (Kind::PresentRow | Kind::Repeated, RowsError::Active(_))
            | (Kind::NoSuchRow, RowsError::OutOfRange { .. })
            | (Kind::TooMany, RowsError::TooMany { .. })
            | (Kind::OtherLists, RowsError::Lists { .. })
    )
}

trait Listed: game::Architecture<Inputs = Given> {}
impl<A: game::Architecture<Inputs = Given>> Listed for A {}

/// Pushes, pops and sets at random; every position is evaluated incrementally and from scratch.
fn follows<A: Listed>(network: &Network<A>, seed: u64, steps: usize) {
    let shape = network.rows_shape();
    let mut random = Random::new(seed);
    let start = Known {
        rows: shape.rows,
        most: shape.most_active as usize,
        lists: vec![BTreeSet::new(); shape.lists],
        black: false,
    };
    let (mut line, mut stack) = (vec![start], RowsStack::<A>::new());
    for step in 0..steps {
        let kind = KINDS[random.below(KINDS.len())];
        let known = line.last().expect("never empty").clone();
        match known.change(kind, &mut random) {
            Some(change) if kind.is_right() => {
                let count = shape.lists;
                stack
                    .push_rows(lists(&change.added, count), lists(&change.removed, count))
                    .expect("a right change");
                let mut next = known;
                next.apply(&change);
                next.black = shape.lists == 2 && random.below(2) == 1;
                stack.set_black_to_move(next.black);
                line.push(next);
            }
            Some(change) => {
                let count = match kind {
                    Kind::OtherLists => 3 - shape.lists,
                    _ => shape.lists,
                };
                let depth = stack.depth();
                let result =
                    stack.push_rows(lists(&change.added, count), lists(&change.removed, count));
                let error = result.expect_err("a wrong change");
                assert!(is_of(kind, &error), "{kind:?} {change:?}: {error}");
                assert_eq!(stack.depth(), depth);
                assert_eq!(*stack.rows(), known.position(&shape), "{error}");
            }
            None => {}
        }
        for _ in 0..[0, 0, 1, 3][random.below(4)].min(stack.depth()) {
            stack.pop();
            line.pop();
        }
        let known = line.last().expect("never empty");
        if random.below(40) == 0 {
            let again = known.clone();
            let all: Vec<Vec<u32>> = again
                .lists
                .iter()
                .map(|list| list.iter().copied().collect())
                .collect();
            let both = [all[0].clone(), all.get(1).cloned().unwrap_or_default()];
            stack.set_black_to_move(again.black);
            stack.set(lists(&both, shape.lists)).expect("known rows");
            line = vec![again];
        }
        let known = line.last().expect("never empty");
        if random.below(3) == 0 {
            let position = known.position(&shape);
            assert_eq!(*stack.rows(), position);
            let fresh = network.evaluate_listed(&position);
            assert_eq!(stack.evaluate(network), fresh, "step {step}: {position:?}");
            stack.verify(network).expect("equal accumulators");
        }
    }
}

/// Fresh evaluations and those of batches are the interpreter's.
fn agrees<A: Listed>(network: &Network<A>, stack_of: impl Fn(&RowSets) -> usize) {
    let (shape, tensors) = (network.rows_shape(), network.params().tensors());
    let mut random = Random::new(7);
    let mut positions = Vec::new();
    for _ in 0..30 {
        let mut known = Known {
            rows: shape.rows,
            most: shape.most_active as usize,
            lists: vec![BTreeSet::new(); shape.lists],
            black: random.below(2) == 1,
        };
        for _ in 0..random.below(12) {
            let change = known.change(Kind::Right, &mut random).expect("a change");
            known.apply(&change);
        }
        positions.push(known.position(&shape));
    }
    let mut values = vec![Evaluation::default(); positions.len()];
    network.evaluate_batch(&positions, &mut values, &mut Batch::new());
    for (position, value) in positions.iter().zip(values) {
        let trace = reference::evaluate(&A::SPEC, &tensors, position);
        let fresh = network.evaluate_listed(position);
        let stack = stack_of(position);
        assert_eq!(fresh.bucket, stack);
        assert_eq!(fresh.positional, trace.positional[stack], "{position:?}");
        let psqt = trace.psqt.get(stack).copied().unwrap_or(0);
        assert_eq!((fresh.psqt, fresh), (psqt, value));
        if stack == 0 || !A::SPEC.has_custom_code() {
            assert_eq!(fresh.value, trace.value, "{position:?}");
        }
    }
}

/// Values of candidates, one by one and as sparse matrices, are those of pushing, evaluating and popping.
fn candidates<A: Listed>(network: &Network<A>, rounds: usize) {
    let (shape, mut random) = (network.rows_shape(), Random::new(3));
    let mut described = Described::of(network);
    let mut known = Known {
        rows: shape.rows,
        most: shape.most_active as usize,
        lists: vec![BTreeSet::new(); shape.lists],
        black: shape.lists == 2,
    };
    let mut stack = RowsStack::<A>::new();
    stack.set_black_to_move(known.black);
    for _ in 0..rounds {
        let change = known
            .change(Kind::Right, &mut random)
            .unwrap_or_else(|| known.change_of_list(Kind::Cleared, &mut random));
        known.apply(&change);
        let [added, removed] = [&change.added, &change.removed].map(|of| lists(of, shape.lists));
        stack.push_rows(added, removed).expect("a right change");
        let right = [Kind::Right, Kind::Empty, Kind::Cleared, Kind::Swapped];
        let changes: Vec<_> = (0..40)
            .filter_map(|_| known.change(right[random.below(right.len())], &mut random))
            .collect();
        let all: Vec<_> = changes
            .iter()
            .map(|change| {
                let [added, removed] =
                    [&change.added, &change.removed].map(|of| lists(of, shape.lists));
                Candidate::new(added, removed)
            })
            .collect();
        let mut values = vec![Evaluation::default(); 2];
        stack
            .evaluate_candidates(network, &all, &mut values)
            .expect("right ones");
        assert_eq!(values.len(), all.len());
        for (candidate, value) in all.iter().zip(&values) {
            stack
                .push_rows(candidate.added, candidate.removed)
                .expect("a right change");
            assert_eq!(stack.evaluate(network), *value);
            stack.pop();
        }
        assert_eq!(*stack.rows(), known.position(&shape));
        if let Some(described) = &mut described {
            assert_eq!(described.values(stack.rows(), &all), Ok(values.clone()));
        }
        let mut wrong = Change::default();
        wrong.added[0].push(shape.rows);
        let [added, removed] = [&wrong.added, &wrong.removed].map(|of| lists(of, shape.lists));
        let all: Vec<_> = all
            .into_iter()
            .chain([Candidate::new(added, removed)])
            .collect();
        let error = stack
            .evaluate_candidates(network, &all, &mut values)
            .expect_err("a wrong one");
        assert_eq!(error.candidate, all.len() - 1);
        assert!(
            matches!(error.error, RowsError::OutOfRange { .. }),
            "{error}"
        );
        assert!(values.is_empty());
        assert_eq!(*stack.rows(), known.position(&shape));
        if let Some(described) = &mut described {
            let of_matrices = described.values(stack.rows(), &all);
            assert_eq!(of_matrices, Err(CandidateBatchError::Candidate(error)));
        }
    }
}

fn checked<A: Listed>(seed: u64, steps: usize, stack_of: impl Fn(&RowSets) -> usize) {
    for wild in [false, true] {
        let mut network = network::<A>(seed, wild);
        for level in Level::available() {
            network = network.with_level(level);
            follows(&network, seed + 1, steps);
            agrees(&network, &stack_of);
            candidates(&network, steps / 75);
        }
    }
}

fn all(steps: usize) {
    checked::<Single>(1, steps, |_| 0);
    checked::<Double>(2, steps, |_| 0);
    checked::<Fixed>(3, steps, |_| 0);
    checked::<Apart>(10, steps, |_| 0);
    checked::<Floats>(4, steps, |_| 0);
    checked::<Stacks>(5, steps, |rows| by_count(rows).min(3));
    checked::<Every>(6, steps, |_| 0);
    checked::<Counted>(7, steps, |rows| phases(rows).len().saturating_sub(1) / 3);
    checked::<Sized>(8, steps, |rows| rows.list(0).len() / 8);
    checked::<Phased>(9, steps, |rows| phases(rows).first().copied().unwrap_or(0));
}

#[test]
fn incremental_values_are_fresh_ones() {
    all(600);
}

/// A million changes of each kind of network, divided among the levels and weights.
#[test]
#[ignore = "long"]
fn million_changes_in_rust() {
    let runs = 2 * Level::available().count();
    all(1_000_000_usize.div_ceil(runs));
}

/// Python, C and SQL are compared with the same file and table.
#[test]
fn the_trained_network_has_the_values_of_the_command() {
    let bytes = include_bytes!("../vectors/rows/trained.nnue");
    let network = Network::<Trained>::from_bytes(bytes).expect("the network of the vectors");
    let table = include_str!("../vectors/rows/trained.tsv");
    let mut stack = RowsStack::<Trained>::new();
    for line in table.lines().skip(1) {
        let fields: Vec<_> = line.split('\t').collect();
        stack.set_text(fields[0]).expect("a list");
        let value = network.evaluate_listed(stack.rows());
        assert_eq!(stack.evaluate(&network), value);
        assert_eq!(fields[3], value.value.to_string(), "{line}");
    }
    assert_eq!(table.lines().count(), 62);
}

#[test]
fn the_descriptor_says_whose_rows_they_are() {
    assert!(Double::SPEC.has_listed_rows());
    assert!(!Double::SPEC.has_custom_code() && !Double::SPEC.is_of_chess());
    assert!(Stacks::SPEC.has_custom_code());
    let names: Vec<_> = Double::SPEC
        .custom
        .groups
        .iter()
        .map(|group| group.name)
        .collect();
    assert_eq!(names, ["own", "other"]);
    let network = network::<Double>(1, false);
    let error = RowsStack::<Double>::new().push_rows([&[][..], &[101, 177]], [&[][..], &[]]);
    assert_eq!(
        error.expect_err("a wrong row").to_string(),
        "row 177 of the second list: there are only 177 rows"
    );
    assert_eq!(network.rows().lists(), 2);
}

#[test]
#[should_panic(expected = "the rows of a network with other rows than `Single`")]
fn rows_of_another_network_are_refused() {
    let rows = network::<Floats>(1, false).rows();
    network::<Single>(1, false).evaluate_listed(&rows);
}

mod golden {
    use nnue::{LoadErrorKind, Network, nnue};

    nnue! {
        struct Right = rows[8, active 3] -> 32x2 -> 1 { golden rows[1, 7 | 2] = 0; };
        struct Wrong = rows[8, active 3] -> 32x2 -> 1 { golden rows[1, 7 | 2] = 5; };
        struct Written = rows[8, active 3] -> 32 -> 1 { golden "1 7" = 0; };
    }

    #[test]
    fn golden_rows_are_compared() {
        let zeros = Network::<Right>::from_params(nnue::Parameters::zeroed());
        let bytes = zeros.to_bytes().expect("a file");
        Network::<Right>::from_bytes(&bytes).expect("its golden value");
        let error = Network::<Wrong>::from_bytes(&bytes).expect_err("another value");
        assert_eq!(error.kind(), LoadErrorKind::Golden);
        let message = "`1, 7 | 2` has the value 0 in `Wrong`, declared is 5".replace("1, 7", "1 7");
        assert!(error.to_string().contains(&message), "{error}");
        let zeros = Network::<Written>::from_params(nnue::Parameters::zeroed());
        Network::<Written>::from_bytes(&zeros.to_bytes().expect("a file")).expect("its value");
    }
}

#[test]
fn the_page_shows_the_example() {
    let example = include_str!("../../examples/21_rows.rs").replace("\n    ", "\n");
    let page = include_str!("../../docs/rows.md");
    let (_, section) = page.split_once("\n## In Rust\n").expect("the section");
    let section = section.split("\n## ").next().expect("its text");
    let blocks: Vec<_> = section.split("```rust\n").skip(1).collect();
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        let code = block.split("```").next().expect("the block ends");
        assert!(example.contains(code), "{code}");
    }
}
