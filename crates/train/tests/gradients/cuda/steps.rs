//! Whole steps: virtual weights, gradient norm, optimiser, limits, and average of the weights.

use std::fmt::Debug;
use std::num::NonZeroUsize;

use nnue_spec::graph::Graph;
use nnue_spec::plan::plan;
use nnue_train::batch::Batch;
use nnue_train::cuda::{Device, Machine, Program};
use nnue_train::factors::{Factors, VirtualFeature, Wanted};
use nnue_train::gradient::Gradient;
use nnue_train::loss::{Error, Objective};
use nnue_train::network::{Network, Parameters};
use nnue_train::optimizer::{
    Adam, Average, Averaging, Limits, Lookahead, Optimizer, PositiveNegative, RAdam, Sgd,
    SlowStart, clip_norm,
};
use nnue_train::quantized;

use super::{compiled, farthest};
use crate::batches::{batch, loss};
use crate::declared::random;

/// All optimisers in their initial state with [`EPSILON`], each with its name and the rate of its first step.
fn optimizers(zeros: &Parameters<f32>) -> Vec<(&'static str, f64, Box<dyn Optimizer>)> {
    let (mut adam, mut adamw) = (Adam::new(zeros.clone()), Adam::bullet(zeros.clone()));
    let (mut radam, mut lite) = (
        RAdam::new(zeros.clone()),
        PositiveNegative::new(zeros.clone()),
    );
    (adam.epsilon, adamw.epsilon, radam.epsilon, lite.epsilon) =
        (EPSILON, EPSILON, EPSILON, EPSILON);
    let ranger = Lookahead::new(radam, 2, 0.5, SlowStart::Zero);
    let lite = Lookahead::new(lite, 3, 0.5, SlowStart::Weights);
    vec![
        ("momentum", 5.0, Box::new(Sgd::new(0.9, zeros.clone()))),
        ("adam", 0.01, Box::new(adam)),
        ("adamw", 0.01, Box::new(adamw)),
        ("ranger", 0.01, Box::new(ranger)),
        ("rangerlite", 0.01, Box::new(lite)),
    ]
}

/// A network with or without virtual weights.
pub(super) struct Setup {
    graph: Graph,
    pub(super) network: Network<f32>,
    pub(super) factors: Factors,
    batch: Batch,
    objective: Objective,
    limits: Limits,
    /// whether parameters and values are rounded
    is_rounding: bool,
}

const ONE: NonZeroUsize = NonZeroUsize::MIN;
/// RAdam uses its mean square from the sixth step on.
const STEPS: usize = 7;
/// Gradients are longer than this.
const NORM: f64 = 0.01;
/// Tolerance, relative to the greatest number of a tensor.
///
/// Both sides start every step with the same parameters: with rounding or clipping activations, weights that
/// differ in the last bits would give different gradients. [`EPSILON`] bounds the effect of gradients that
/// differ in the last bits.
const FAR: f32 = 1e-4;
/// The epsilon of all optimisers.
///
/// Some gradients are sums that cancel except for their last bits, which depend on the order of addition.
/// With the usual 1e-8, the quotient of mean and root is 1 or -1 by the sign of these bits, and weights
/// differ by twice the rate. This epsilon is as large as most gradients of norm [`NORM`] here, so that an
/// error of a gradient changes a weight by `rate / EPSILON` of it: 1e-6 of a gradient of 0.01 by a millionth.
const EPSILON: f64 = 1e-4;

impl Setup {
    fn new(declaration: &str, wanted: &Wanted) -> Self {
        let graphs = nnue_codegen::graph_text(declaration)
            .unwrap_or_else(|errors| panic!("{}", errors[0].message));
        let graph = graphs.into_iter().next().expect("one is declared");
        let network = Network::<f32>::new(&graph).expect("all activations are known");
        let factors = Factors::new(&graph, wanted).expect("it has these factors");
        let limits = Limits {
            greatest: vec![Some(0.6); graph.tensors.len()],
            ..Limits::of(&graph)
        };
        let objective = loss(Error::SQUARED).into();
        Self {
            batch: batch(&graph, 40),
            objective,
            network,
            factors,
            limits,
            graph,
            is_rounding: false,
        }
    }

    /// The same setup with gradients at rounded parameters.
    fn rounding(self) -> Self {
        let network = Network::<f32>::rounding(&self.graph).expect("all activations are known");
        Self {
            network,
            is_rounding: true,
            ..self
        }
    }

    fn zeros(&self) -> Parameters<f32> {
        let mut zeros = self.network.zeros();
        self.factors.extend(&mut zeros);
        zeros
    }

    /// Random weights, including virtual ones.
    fn begin(&self) -> Parameters<f32> {
        let double = Network::<f64>::new(&self.graph).expect("all activations are known");
        let mut begin = random(&self.graph, &double, 3).convert::<f32>();
        let of_network = begin.tensors.len();
        self.factors.extend(&mut begin);
        let of_virtual = begin.tensors[of_network..].iter_mut().flatten().enumerate();
        of_virtual.for_each(|(index, number)| *number = (index * 37 % 101) as f32 / 1e3 - 0.05);
        begin
    }

    fn step(&self, parameters: &mut Parameters<f32>, optimizer: &mut dyn Optimizer, rate: f64) {
        let (mut merged, mut gradient) = (self.network.zeros(), Gradient::new(&self.network, ONE));
        self.factors.extend(gradient.parameters_mut());
        self.factors.merge(parameters, &mut merged, ONE);
        if self.is_rounding {
            let (plan, given) = (plan(&self.graph), merged.clone());
            quantized::fake_quantize(&plan.tables().descriptor(), &given, &mut merged);
        }
        gradient.compute(&self.network, &merged, &self.batch, &self.objective);
        self.factors.spread(gradient.parameters_mut(), ONE);
        assert!(
            clip_norm(gradient.parameters_mut(), NORM) > NORM,
            "it is clipped"
        );
        optimizer.step(rate, parameters, gradient.parameters(), ONE);
        self.factors.clip(&self.limits, parameters, ONE);
    }

    /// A step of the kernels, with an optimiser of `count` states.
    fn step_there<M: Machine<Error: Debug>>(
        &self,
        device: &mut Device<M>,
        (optimizer, count): (&mut dyn Optimizer, usize),
        rate: f64,
    ) {
        device
            .compute(&self.batch, &self.objective)
            .expect("the machine works");
        self.change(device, (optimizer, count), rate);
    }

    /// Applies the rules of a step to the gradient.
    fn change<M: Machine<Error: Debug>>(
        &self,
        device: &mut Device<M>,
        (optimizer, count): (&mut dyn Optimizer, usize),
        rate: f64,
    ) {
        device.clip_norm(NORM).expect("the machine works");
        device
            .step(&optimizer.updates(rate), count)
            .expect("the machine works");
        device.hold(&self.limits).expect("the machine works");
    }

    /// Takes some steps on both sides, and compares the parameters after each and all states at the end.
    fn compare<M: Machine<Error: Debug>>(
        &self,
        mut device: Device<M>,
        (name, rate): (&str, f64),
        [mut here, mut there]: [Box<dyn Optimizer>; 2],
    ) {
        let (begin, rule) = (self.begin(), Averaging::Uniform { from: 2 });
        let (mut parameters, mut found) = (begin.clone(), self.zeros());
        let [mut mean, mut other] = [(); 2].map(|()| Average::new(rule, self.zeros()));
        let count = there.remembered().numbers.len();
        if self.is_rounding {
            let plan = plan(&self.graph);
            device
                .round(quantized::steps(&plan.tables().descriptor()))
                .expect("the machine works");
        }
        let held = vec![self.zeros(); count + 1];
        device
            .upload(&begin, &held.iter().collect::<Vec<_>>())
            .expect("the machine works");
        for step in 0..STEPS {
            let rate = rate / (step + 1) as f64;
            self.step(&mut parameters, &mut here, rate);
            mean.follow(&parameters, ONE);
            self.step_there(&mut device, (&mut there, count), rate);
            if let Some(share) = other.share() {
                device.average(share).expect("the machine works");
            }
            device
                .download(&mut found, &mut [])
                .expect("the machine works");
            let far = farthest(&found, &parameters);
            assert!(
                far.0 < FAR,
                "{name}: the weights are off by {far:?} after step {step}"
            );
            device.upload(&parameters, &[]).expect("the machine works");
        }
        let moved = farthest(&parameters, &begin);
        assert!(moved.0 > 10.0 * FAR, "{name}: the weights have not changed");
        let mut numbers = there.remembered().numbers;
        numbers.extend(other.remembered().numbers);
        device
            .download(&mut found, &mut numbers)
            .expect("the machine works");
        assert_eq!(there.remembered().steps, here.remembered().steps, "{name}");
        for (there, here) in there
            .remembered()
            .numbers
            .iter()
            .zip(&here.remembered().numbers)
        {
            let far = farthest(there, here);
            assert!(far.0 < FAR, "{name}: what is remembered is off by {far:?}");
        }
        let (mean, other) = (
            mean.mean().expect("steps count"),
            other.mean().expect("steps count"),
        );
        assert!(
            farthest(other, mean).0 < FAR,
            "{name}: the mean is off by {:?}",
            farthest(other, mean)
        );
    }
}

/// Networks without and with virtual weights, the latter again with rounding, and one with binary and
/// block-sparse layers.
pub(super) fn setups() -> [Setup; 4] {
    // Not `King`: if both kings are in the same bucket, the gradients of its PSQT weights are zero up to the
    // last bits.
    let wanted = Wanted {
        features: vec![VirtualFeature::PieceSquare],
        layers: vec!["fc0".into()],
    };
    let virtual_ones = "struct Virtual = Chess768[buckets: [0 x 32, 1 x 32]] -> 32x2 pairwise, psqt 4 -> (8 -> 1)x4;";
    [
        Setup::new(
            "struct Plain = (768 -> 32)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };",
            &Wanted::default(),
        ),
        Setup::new(virtual_ones, &wanted),
        Setup::new(virtual_ones, &wanted).rounding(),
        Setup::new(
            "struct Odd = (768 -> 32)x2 -> 48 blocks 2 of 16 -> 16 binary -> 1;",
            &Wanted::default(),
        ),
    ]
}

impl Setup {
    /// Takes steps with every optimiser, each on a device of its own.
    pub(super) fn compare_all<M: Machine<Error: Debug>>(&self, device: impl Fn() -> Device<M>) {
        let [first, second] = [(); 2].map(|()| optimizers(&self.zeros()));
        for ((name, rate, here), (.., there)) in first.into_iter().zip(second) {
            self.compare(device(), (name, rate), [here, there]);
        }
    }
}

impl Setup {
    /// A step after a NaN loss changes nothing, and the gradient can still be downloaded.
    pub(super) fn compare_after_no_number<M: Machine<Error: Debug>>(&self, mut device: Device<M>) {
        let (mut begin, mut adam) = (self.begin(), Adam::new(self.zeros()));
        let biases_of_outputs = self.network.zeros().tensors.len() - 1;
        begin.tensors[biases_of_outputs].fill(f32::NAN);
        let ones = Parameters {
            tensors: begin
                .tensors
                .iter()
                .map(|tensor| vec![1.0; tensor.len()].into())
                .collect(),
        };
        device
            .upload(&begin, &[&ones, &ones, &ones])
            .expect("the machine works");
        device
            .prepare(&self.batch, &self.objective)
            .expect("the machine works");
        device.begin().expect("the machine works");
        self.change(&mut device, (&mut adam, 2), 0.1);
        device.average(0.5).expect("the machine works");
        assert!(device.loss().expect("the machine works").is_nan());
        let [mut found, mut mean, mut square, mut average, mut gradient] =
            [(); 5].map(|()| self.zeros());
        device
            .download(&mut found, &mut [&mut mean, &mut square, &mut average])
            .expect("the machine works");
        device.gradient(&mut gradient).expect("the machine works");
        assert!(
            gradient
                .tensors
                .iter()
                .flatten()
                .any(|number| number.is_nan())
        );
        let bits = |of: &Parameters<f32>| {
            of.tensors
                .iter()
                .flatten()
                .map(|number| number.to_bits())
                .collect::<Vec<_>>()
        };
        assert_eq!(bits(&found), bits(&begin));
        assert!(
            [mean, square, average]
                .iter()
                .all(|numbers| bits(numbers) == bits(&ones))
        );
    }
}

#[test]
fn steps_of_kernels_are_those_of_the_cpu() {
    let setups = setups();
    let programs = setups
        .each_ref()
        .map(|setup| Program::new(&setup.network).expect("there are kernels"));
    let Some(compiled) = compiled("steps", "-O1", &programs) else {
        return;
    };
    for (index, (setup, program)) in setups.iter().zip(programs).enumerate() {
        let device = || {
            let device = Device::new(
                compiled.start(index),
                program.clone(),
                &setup.network,
                &setup.factors,
            );
            device.expect("there is memory")
        };
        setup.compare_all(device);
        setup.compare_after_no_number(device());
    }
}
