//! Networks over lists of rows: records to batches, their gradient, and the quantised network.

use std::convert::Infallible;
use std::num::NonZeroUsize;

use nnue_codegen::graph_text;
use nnue_data::rows::{CheckedRecord, Lists, RowsRecord, Targets};
use nnue_spec::TensorRole;
use nnue_spec::graph::{Graph, Tensor};
use nnue_spec::plan::{Plan, plan};
use nnue_spec::reference::evaluate;
use nnue_spec::rows::RowSets;
use nnue_testkit::random::Random;
use nnue_train::batch::Batch;
use nnue_train::batches::{Batches, Settings};
use nnue_train::features::{Encode, Features, FeaturesError, ListedRows, Meant};
use nnue_train::gradient::Gradient;
use nnue_train::initial::{Rule, draw};
use nnue_train::loss::{Error, Loss, Objective};
use nnue_train::network::{Network, Parameters, Position};
use nnue_train::optimizer::{Adam, Limits, Optimizer};
use nnue_train::quantized::Quantized;

use crate::declared::random;
use crate::differences::with_gradient;

const DECLARED: &str = "
    pub struct Single = rows[300, active 20] -> 64 -> 16 -> 1;
    pub struct Double = rows[own: 100, other: 77, active 30] -> 64x2 pairwise, psqt 1 -> 16 -> 1;
    pub struct Fixed = rows[90, active 16] -> 32x2, white_first -> 1;
    pub struct Floats = rows[150, active 12] as i8 -> 32 @ 255 pairwise, psqt 1: f32 -> 16 screlu -> 1: f32 { format raw };
";

pub(crate) fn graphs() -> Vec<Graph> {
    graph_text(DECLARED).unwrap_or_else(|errors| panic!("{}", errors[0].message))
}

/// Random records with either side to move.
fn records(plan: &Plan, size: usize) -> Vec<RowsRecord> {
    let tables = plan.tables();
    let shape = tables.descriptor().rows_shape().expect("lists of rows");
    let mut random = Random::new(7);
    let mut list = || {
        let count = random.below(shape.most_active as usize + 1);
        let mut rows: Vec<u32> = (0..count)
            .map(|_| random.below(shape.rows as usize) as u32)
            .collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    };
    let record = |number: usize| RowsRecord {
        lists: match shape.lists {
            1 => Lists::One(list()),
            _ => Lists::Two([list(), list()]),
        },
        black_to_move: number % 3 == 1,
        target: [0.0, 0.25, 0.5, 0.9, 1.0][number % 5],
        weight: 0.5 + (number % 4) as f32,
    };
    (0..size).map(record).collect()
}

fn loss(error: Error) -> Loss {
    Loss {
        error,
        ..Loss::bullet(300.0)
    }
}

struct Case {
    graph: Graph,
    plan: Plan,
    network: Network<f64>,
    encoder: ListedRows,
    objective: Objective,
}

/// Whether positions of a network are lists of rows.
pub(crate) fn is_listed(graph: &Graph) -> bool {
    graph.features.iter().any(|feature| feature.set.is_listed())
}

/// `size` random positions.
pub(crate) fn batch(graph: &Graph, size: usize) -> Batch {
    Case::new(graph.clone(), Error::SQUARED).batch(size)
}

impl Case {
    fn new(graph: Graph, error: Error) -> Self {
        let plan = plan(&graph);
        let encoder = ListedRows::new(&plan.tables().descriptor(), Meant::Expected);
        let encoder = encoder.expect("positions are lists of rows");
        Self {
            network: Network::new(&graph).expect("all activations are known"),
            objective: encoder.meant().loss(loss(error)).into(),
            graph,
            plan,
            encoder,
        }
    }

    fn all(error: Error) -> Vec<Self> {
        let graphs = graphs().into_iter();
        graphs.map(|graph| Self::new(graph, error)).collect()
    }

    fn checked(&self, records: Vec<RowsRecord>) -> Vec<CheckedRecord> {
        let mut checker = self
            .encoder
            .checker(&self.objective, self.network.meaning());
        let check = |record| checker.check(record).expect("it is right");
        records.into_iter().map(check).collect()
    }

    fn batch(&self, size: usize) -> Batch {
        let (mut batch, mut scratch) =
            (Batch::new(self.encoder.perspectives()), Default::default());
        for record in self.checked(records(&self.plan, size)) {
            self.encoder.push(&record, &mut scratch, &mut batch);
        }
        batch
    }
}

fn position(batch: &Batch, index: usize) -> Position<'_> {
    let second = match batch.perspectives() {
        2 => batch.rows(index, 1),
        _ => &[],
    };
    Position {
        rows: [batch.rows(index, 0), second],
        stack: 0,
        listed: &[],
    }
}

#[test]
fn gradients_of_records_are_finite_differences() {
    let errors = [Error::SQUARED, Error::CrossEntropy];
    for case in errors.into_iter().flat_map(Case::all) {
        let Case {
            network, objective, ..
        } = &case;
        let (name, batch) = (&case.graph.name, case.batch(23));
        let mut parameters = random(&case.graph, network, 3);
        let mut gradient = Gradient::new(network, 2.try_into().expect("not 0"));
        gradient.compute(network, &parameters, &batch, objective);
        let found = gradient.parameters().clone();
        let (mut random, mut compared, mut kinks) = (Random::new(5), 0, 0);
        for (tensor, numbers) in found.tensors.iter().enumerate() {
            let largest = numbers
                .iter()
                .fold(0.0_f64, |most, number| most.max(number.abs()));
            assert!(largest > 0.0, "{name}: tensor {tensor} has no gradient");
            for index in with_gradient(numbers, 6, &mut random) {
                let mut at = |parameters: &Parameters<f64>| {
                    gradient.compute(network, parameters, &batch, objective)
                };
                let (held, center) = (parameters.tensors[tensor][index], at(&parameters));
                let [right, left] = [1e-6, -1e-6].map(|h| {
                    parameters.tensors[tensor][index] = held + h;
                    (at(&parameters) - center) / h
                });
                parameters.tensors[tensor][index] = held;
                if (right - left).abs() > 1e-3 * largest {
                    kinks += 1;
                    continue;
                }
                let (found, quotient) = (numbers[index], (right + left) / 2.0);
                assert!(
                    (found - quotient).abs() < 1e-4 * largest,
                    "{name}: {found}, not {quotient}"
                );
                compared += 1;
            }
        }
        assert!(compared > 5 * kinks, "{name}: {compared} {kinks}");
    }
}

#[test]
fn only_rows_that_were_active_have_a_gradient() {
    for case in Case::all(Error::SQUARED) {
        let batch = case.batch(3);
        let mut gradient = Gradient::new(&case.network, NonZeroUsize::MIN);
        let parameters = random(&case.graph, &case.network, 3);
        gradient.compute(&case.network, &parameters, &batch, &case.objective);
        let tensors = &case.graph.tensors;
        let is_of_rows = |tensor: &Tensor| tensor.role == TensorRole::TransformerWeight;
        let tensor = tensors
            .iter()
            .position(is_of_rows)
            .expect("rows of weights");
        let weights = &gradient.parameters().tensors[tensor];
        let columns = tensors[tensor].cols;
        for (row, numbers) in weights.chunks_exact(columns).enumerate() {
            let is_active = (0..batch.len()).any(|index| {
                position(&batch, index)
                    .rows
                    .concat()
                    .contains(&(row as i32))
            });
            let has_gradient = numbers.iter().any(|&number| number != 0.0);
            assert!(!has_gradient || is_active, "{}: {row}", case.graph.name);
        }
    }
}

/// Values for the side to move: of the quantised network on what was encoded, and of the reference on the record.
#[test]
fn records_are_encoded_as_inference_reads_them() {
    for case in Case::all(Error::SQUARED) {
        let tables = case.plan.tables();
        let net = &tables.descriptor();
        let mut parameters = random(&case.graph, &case.network, 4).convert();
        Limits::of(&case.graph).apply(&mut parameters);
        let quantized = Quantized::new(net, &parameters).expect("within the limits");
        let batch = case.batch(40);
        let mut sets = RowSets::new(&net.rows_shape().expect("lists of rows"));
        let white_first = case.graph.name == "Fixed";
        for (index, record) in records(&case.plan, 40).iter().enumerate() {
            sets.set(&record.lists).expect("they are right");
            sets.set_black_to_move(record.black_to_move);
            let expected = evaluate(net, &quantized.tensors().refs(), &sets).value;
            let found = quantized.evaluate(position(&batch, index)).value;
            let is_other = white_first && record.black_to_move;
            assert_eq!(
                if is_other { -found } else { found },
                expected,
                "{}",
                case.graph.name
            );
            let target = if is_other {
                1.0 - record.target
            } else {
                record.target
            };
            assert_eq!(batch.results()[index], target);
            assert_eq!(batch.weights()[index], record.weight);
        }
    }
}

#[test]
fn a_program_trains_on_records_of_its_own() {
    let case = &Case::all(Error::SQUARED)[0];
    let network = Network::<f32>::new(&case.graph).expect("all activations are known");
    // A record is likely if rows 0 to 9 outnumber rows 10 to 19.
    let mut random = Random::new(3);
    let mut record = move || {
        let rows: Vec<u32> = (0..20).filter(|_| random.below(2) == 0).collect();
        let low = rows.iter().filter(|&&row| row < 10).count();
        RowsRecord::new(rows.clone(), if 2 * low > rows.len() { 1.0 } else { 0.0 })
    };
    let mut checker = case.encoder.checker(&case.objective, network.meaning());
    let checked = std::iter::repeat_with(move || checker.check(record()));
    let settings = Settings {
        size: 64.try_into().expect("not 0"),
        threads: 2.try_into().expect("not 0"),
        skip: 0,
    };
    let mut batches = Batches::new(case.encoder.clone(), checked, settings);
    let mut parameters = draw(&case.graph, Rule::Uniform, 1);
    let mut gradient = Gradient::new(&network, NonZeroUsize::MIN);
    let mut adam = Adam::bullet(network.zeros());
    let limits = Limits::of(&case.graph);
    let mut losses = Vec::new();
    for _ in 0..200 {
        let batch = batches.next_batch().expect("no error").expect("endless");
        losses.push(gradient.compute(&network, &parameters, batch, &case.objective));
        adam.step(
            0.01,
            &mut parameters,
            gradient.parameters(),
            NonZeroUsize::MIN,
        );
        limits.apply(&mut parameters);
    }
    let last: f64 = losses[180..].iter().sum::<f64>() / 20.0;
    assert!(losses[0] > 0.2 && last < 0.05, "{} {last}", losses[0]);
}

#[test]
fn a_wrong_record_ends_the_batches_with_its_error() {
    let case = &Case::all(Error::SQUARED)[0];
    let mut checker = case
        .encoder
        .checker(&case.objective, case.network.meaning());
    let rows = [vec![1], vec![2, 3], vec![4, 4], vec![5]];
    let checked = rows.map(|rows| checker.check(RowsRecord::new(rows, 1.0)));
    let settings = Settings {
        size: 8.try_into().expect("not 0"),
        threads: NonZeroUsize::MIN,
        skip: 0,
    };
    let mut batches = Batches::new(case.encoder.clone(), checked, settings);
    assert_eq!(
        batches.next_batch().expect("two records").map(Batch::len),
        Some(2)
    );
    let error = batches.next_batch().expect_err("row 4 is there twice");
    assert_eq!(error.to_string(), "row 4 is listed twice");
    assert!(batches.next_batch().expect("nothing more").is_none());
}

#[test]
fn records_without_weight_are_left_out() {
    let case = &Case::all(Error::SQUARED)[0];
    let mut given = records(&case.plan, 9);
    given[4].weight = 0.0;
    let settings = Settings {
        size: 9.try_into().expect("not 0"),
        threads: NonZeroUsize::MIN,
        skip: 0,
    };
    let given = case.checked(given).into_iter().map(Ok::<_, Infallible>);
    let mut batches = Batches::new(case.encoder.clone(), given, settings);
    assert_eq!(
        batches.next_batch().expect("no error").map(Batch::len),
        Some(8)
    );
}

/// Scores go through the curve of scores; expected results are compared as they are.
#[test]
fn targets_are_what_they_mean() {
    let graph = &graphs()[0];
    let plan = plan(graph);
    let (tables, network) = (plan.tables(), Network::<f64>::new(graph).expect("known"));
    let net = &tables.descriptor();
    let parameters = random(graph, &network, 2);
    let loss_of = |meant: Meant, target: f32| {
        let encoder = ListedRows::new(net, meant).expect("lists of rows");
        let objective = Objective::from(meant.loss(Loss::bullet(300.0)));
        let mut checker = encoder.checker(&objective, network.meaning());
        let record = checker
            .check(RowsRecord::new(vec![1, 2], target))
            .expect("right");
        let mut batch = Batch::new(1);
        encoder.push(&record, &mut Default::default(), &mut batch);
        Gradient::new(&network, NonZeroUsize::MIN).compute(
            &network,
            &parameters,
            &batch,
            &objective,
        )
    };
    let expected = 1.0 / (1.0 + (-1.5_f64).exp());
    let [of_score, of_result] = [
        loss_of(Meant::Scores, 450.0),
        loss_of(Meant::Expected, expected as f32),
    ];
    assert!(
        (of_score - of_result).abs() < 1e-6,
        "{of_score} {of_result}"
    );
    assert!((of_score - loss_of(Meant::Scores, -450.0)).abs() > 1e-3);
}

#[test]
fn the_range_of_targets_is_that_of_the_loss() {
    let text = "struct A = rows[8, active 3] -> 32 -> 16 -> 1;
        struct B { acc = accumulate(rows[8, active 3], 32); let x = crelu(acc); let h = affine(x, 16);
            output value = affine(crelu(h), 1); output wdl = wdl(affine(crelu(h), 3)); }";
    let graphs = graph_text(text).unwrap_or_else(|errors| panic!("{}", errors[0].message));
    let networks: Vec<Network<f64>> = graphs
        .iter()
        .map(|graph| Network::new(graph).expect("all activations are known"))
        .collect();
    let plain: Objective = Loss::bullet(400.0).into();
    let named = |weight: f64| Objective {
        named: vec![nnue_train::loss::NamedLoss {
            weight,
            target: nnue_train::loss::Target::Outcomes,
        }],
        ..plain.clone()
    };
    let targets = |meant: Meant, objective: &Objective, index: usize| {
        meant.targets(objective, networks[index].meaning())
    };
    assert_eq!(targets(Meant::Expected, &plain, 0), Targets::Expected);
    assert_eq!(targets(Meant::Expected, &named(1.0), 1), Targets::Outcomes);
    assert_eq!(targets(Meant::Expected, &named(0.0), 1), Targets::Expected);
    assert_eq!(targets(Meant::Scores, &named(1.0), 1), Targets::Scores);
}

#[test]
fn other_networks_are_refused() {
    let text = "struct A = (768 -> 32)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };
        struct B = rows[8] -> 32 -> (8 -> 1)x4 by self::rule;";
    let graphs = graph_text(text).unwrap_or_else(|errors| panic!("{}", errors[0].message));
    let plans = [plan(&graphs[0]), plan(&graphs[1])];
    let refused = |plan: &Plan| ListedRows::new(&plan.tables().descriptor(), Meant::Expected).err();
    assert_eq!(
        refused(&plans[0]),
        Some(FeaturesError::NotListed("A".into()))
    );
    assert_eq!(
        refused(&plans[1]),
        Some(FeaturesError::CustomStacks("B".into()))
    );
    let of_chess = Features::new(&plans[1].tables().descriptor()).err();
    assert_eq!(of_chess, Some(FeaturesError::Listed("B".into())));
}
