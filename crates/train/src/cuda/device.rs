//! A network in the memory of a [`Machine`], and the work on a batch.

use std::ops::Range;

use bytemuck::{cast_slice, cast_slice_mut};
use nnue_spec::layout::OUTPUT_BLOCK;

use super::factors::Virtual;
use super::kernel::{MEMORY_BUFFERS, MEMORY_SIZES};
use super::layout::Layout;
use super::machine::{Argument, Launch, Machine};
use super::memory::{Memory, Order, Shape, Size};
use super::objective;
use super::program::Program;
use super::updates::{self, Formula};
use crate::batch::Batch;
use crate::factors::Factors;
use crate::loss::Objective;
use crate::network::{Network, Parameters, Psqt};
use crate::optimizer::{Blocks, Limits, Unused, Update};

/// Sums over a batch: weights, losses, squared gradient.
const TOTALS: usize = 3;

/// A network on a machine.
#[derive(Debug)]
pub struct Device<M: Machine> {
    machine: M,
    program: Program,
    /// of all parameters: virtual weights come after those of the network
    layout: Layout,
    shape: Shape,
    named: usize,
    /// all parameters, tensor after tensor
    parameters: M::Buffer,
    gradient: M::Buffer,
    factors: Vec<Virtual<M::Buffer>>,
    /// the effective weights (virtual weights added, rounded), where they differ from the parameters
    merged: Option<M::Buffer>,
    /// the scale of each rounded tensor
    rounding: Vec<Option<f64>>,
    /// state of the optimiser and of the average, for all parameters
    remembered: Vec<M::Buffer>,
    /// the sums over a batch, on the machine and on the host
    totals: M::Buffer,
    fetched: M::Shared,
    scales: M::Buffer,
    batch: Option<Memory<M::Buffer, M::Shared>>,
    order: Order,
}

impl<M: Machine> Device<M> {
    /// A network with virtual weights on a machine that has compiled the program. All parameters are zero.
    ///
    /// # Errors
    ///
    /// The machine has too little memory.
    ///
    /// # Panics
    ///
    /// If program or factors belong to another network.
    pub fn new(
        mut machine: M,
        program: Program,
        network: &Network<f32>,
        factors: &Factors,
    ) -> Result<Self, M::Error> {
        let of_network = network.lengths();
        let lengths: Vec<usize> = of_network
            .iter()
            .copied()
            .chain(factors.shared().iter().map(|shared| shared.len()))
            .collect();
        let layout = Layout::new(&lengths);
        let bytes = layout.len * size_of::<f32>();
        let virtual_tensors = factors
            .shared()
            .iter()
            .zip(&layout.offsets[of_network.len()..]);
        let virtual_tensors = virtual_tensors
            .map(|(shared, &offset)| {
                Virtual::new(
                    &mut machine,
                    shared,
                    [layout.offsets[shared.tensor], offset],
                )
            })
            .collect::<Result<Vec<_>, _>>()?;
        let shape = Shape {
            perspectives: network.perspectives(),
            stacks: network.stacks(),
            rows: network.transformer().rows(),
            values: network.values(),
            psqt: network.transformer().psqt.as_ref().map_or(0, Psqt::outputs),
            policy: network.rows(),
            loss: objective::count(network.meaning().named.len()),
        };
        Ok(Self {
            parameters: machine.allocate(bytes)?,
            gradient: machine.allocate(bytes)?,
            merged: if factors.is_empty() {
                None
            } else {
                Some(machine.allocate(bytes)?)
            },
            scales: machine.allocate(program.scales.max(1) * size_of::<f32>())?,
            totals: machine.allocate(TOTALS * size_of::<f64>())?,
            fetched: machine.share(TOTALS * size_of::<f64>())?,
            factors: virtual_tensors,
            rounding: Vec::new(),
            remembered: Vec::new(),
            named: network.meaning().named.len(),
            batch: None,
            order: Order::default(),
            machine,
            program,
            layout,
            shape,
        })
    }

    /// Rounds the parameters before each forward pass from now on, as
    /// [`fake_quantize`](crate::quantized::fake_quantize) does. `steps` has the scale of each tensor
    /// ([`quantized::steps`](crate::quantized::steps)). Use it with a network of [`Network::rounding`].
    ///
    /// # Errors
    ///
    /// The machine has too little memory.
    ///
    /// # Panics
    ///
    /// If there are more steps than tensors.
    pub fn round(&mut self, steps: Vec<Option<f64>>) -> Result<(), M::Error> {
        assert!(
            steps.len() <= self.layout.offsets.len(),
            "tensors of the network"
        );
        if self.merged.is_none() {
            self.merged = Some(self.machine.allocate(self.layout.len * size_of::<f32>())?);
        }
        self.rounding = steps;
        Ok(())
    }

    /// Uploads the parameters and the state of optimiser and average. The number of states must not change.
    ///
    /// # Errors
    ///
    /// See [`Machine::write`].
    pub fn upload(
        &mut self,
        parameters: &Parameters<f32>,
        remembered: &[&Parameters<f32>],
    ) -> Result<(), M::Error> {
        let Self {
            machine, layout, ..
        } = self;
        machine.write(
            &mut self.parameters,
            cast_slice(&layout.flatten(parameters)),
        )?;
        while self.remembered.len() < remembered.len() {
            self.remembered
                .push(machine.allocate(layout.len * size_of::<f32>())?);
        }
        for (buffer, numbers) in self.remembered.iter_mut().zip(remembered) {
            machine.write(buffer, cast_slice(&layout.flatten(numbers)))?;
        }
        Ok(())
    }

    /// Downloads the current values of everything that [`upload`](Self::upload) wrote.
    ///
    /// # Errors
    ///
    /// See [`Machine::write`].
    pub fn download(
        &mut self,
        parameters: &mut Parameters<f32>,
        remembered: &mut [&mut Parameters<f32>],
    ) -> Result<(), M::Error> {
        let Self {
            machine, layout, ..
        } = self;
        let mut numbers = vec![0.0_f32; layout.len];
        let buffers = [&self.parameters].into_iter().chain(&self.remembered);
        let all = [parameters]
            .into_iter()
            .chain(remembered.iter_mut().map(|numbers| &mut **numbers));
        for (buffer, parameters) in buffers.zip(all) {
            machine.read(buffer, cast_slice_mut(&mut numbers))?;
            layout.split(&numbers, parameters);
        }
        Ok(())
    }

    /// Clips the norm of the last gradient, as [`clip_norm`](crate::optimizer::clip_norm) does.
    ///
    /// # Errors
    ///
    /// See [`Machine::write`].
    pub fn clip_norm(&mut self, greatest: f64) -> Result<(), M::Error> {
        self.apply(Formula::AddSquares, &[], [0; 3], self.all())?;
        self.apply(Formula::Shorten, &[greatest as f32], [0; 3], self.all())
    }

    /// Updates the parameters from the last gradient with an [`Optimizer`](crate::optimizer::Optimizer) whose
    /// state is the first `remembered` uploaded states. If the loss of that batch is not finite, this
    /// function, [`hold`](Self::hold) and [`average`](Self::average) change nothing, so that the cause can be
    /// inspected.
    ///
    /// # Errors
    ///
    /// See [`Machine::write`].
    pub fn step(&mut self, updates: &[Update], remembered: usize) -> Result<(), M::Error> {
        for update in updates {
            let (formula, constants, places) = updates::formula(update, remembered);
            self.apply(formula, &constants, places, self.all())?;
            if formula == Formula::PositiveNegative {
                self.remembered.swap(places[0], places[1]);
            }
        }
        Ok(())
    }

    /// Clips the parameters as [`Factors::clip`] does, except for the last bit of merged weights.
    ///
    /// # Errors
    ///
    /// See [`Machine::write`].
    pub fn hold(&mut self, limits: &Limits) -> Result<(), M::Error> {
        let ranges: Vec<(usize, Range<usize>)> = self
            .factors
            .iter()
            .map(|factor| (factor.tensor, factor.range()))
            .collect();
        for (tensor, range) in ranges {
            if let Some(limit) = limits.greatest[tensor] {
                self.apply(Formula::Hold, &[limit], [0; 3], range.clone())?;
            }
            for unused in limits.unused_of(tensor) {
                self.clear(unused, range.clone())?;
            }
        }
        self.merge()?;
        for (tensor, limit) in limits.greatest.iter().enumerate() {
            let Some(limit) = *limit else { continue };
            let has_factor = self.factors.iter().any(|factor| factor.tensor == tensor);
            let formula = if has_factor {
                Formula::GiveWay
            } else {
                Formula::Hold
            };
            self.apply(formula, &[limit], [0; 3], self.range_of(tensor))?;
        }
        for unused in &limits.unused {
            self.clear(unused, self.range_of(unused.tensor))?;
        }
        limits
            .blocks
            .iter()
            .try_for_each(|blocks| self.thin(blocks))
    }

    /// Zeroes weights of a layer in shards that no output uses, in one or more stacks, as [`Unused::clear`] does.
    fn clear(&mut self, unused: &Unused, stacks: Range<usize>) -> Result<(), M::Error> {
        for range in unused.among(stacks.len()) {
            let range = stacks.start + range.start..stacks.start + range.end;
            self.apply(Formula::Hold, &[0.0], [0; 3], range)?;
        }
        Ok(())
    }

    /// Zeroes weights of a block-sparse layer, as [`Blocks::thin`] does: one thread for each input.
    fn thin(&mut self, blocks: &Blocks) -> Result<(), M::Error> {
        let Blocks {
            tensor,
            outputs,
            columns,
            reached,
        } = *blocks;
        let begin = self.layout.offsets[tensor];
        let constants = [outputs, columns, reached, OUTPUT_BLOCK].map(|number| number as f32);
        self.apply(
            Formula::Thin,
            &constants,
            [0; 3],
            begin..begin + self.shape.stacks * columns,
        )
    }

    /// Moves the running mean, the last uploaded state, towards the parameters by `share`.
    ///
    /// # Errors
    ///
    /// See [`Machine::write`].
    pub fn average(&mut self, share: f32) -> Result<(), M::Error> {
        let last = self.remembered.len().saturating_sub(1);
        self.apply(Formula::Average, &[share], [last, 0, 0], self.all())
    }

    fn round_merged(&mut self) -> Result<(), M::Error> {
        for tensor in 0..self.rounding.len() {
            let Some(one) = self.rounding[tensor] else {
                continue;
            };
            let (high, range) = (one as f32, self.range_of(tensor));
            self.apply(
                Formula::Round,
                &[high, (one - f64::from(high)) as f32],
                [0; 3],
                range,
            )?;
        }
        Ok(())
    }

    /// The range of a tensor, with the zeros that pad it.
    fn range_of(&self, tensor: usize) -> Range<usize> {
        let end = self
            .layout
            .offsets
            .get(tensor + 1)
            .copied()
            .unwrap_or(self.layout.len);
        self.layout.offsets[tensor]..end
    }

    /// Adds the virtual weights to those of the network.
    fn merge(&mut self) -> Result<(), M::Error> {
        if self.merged.is_some() {
            self.apply(Formula::Copy, &[], [0; 3], self.all())?;
        }
        let Some(merged) = &self.merged else {
            return Ok(());
        };
        let kernel = self.program.kernels.len() + self.program.updates.len();
        for factor in &self.factors {
            factor.merge(&mut self.machine, kernel, (&self.parameters, merged))?;
        }
        Ok(())
    }

    fn spread(&mut self) -> Result<(), M::Error> {
        let kernel = self.program.kernels.len() + self.program.updates.len() + 1;
        for factor in &self.factors {
            factor.spread(&mut self.machine, kernel, &self.gradient)?;
        }
        Ok(())
    }

    const fn all(&self) -> Range<usize> {
        0..self.layout.len
    }

    /// Applies a formula to a range of parameters. Where no state exists, the gradient is passed as a dummy.
    fn apply(
        &mut self,
        formula: Formula,
        constants: &[f32],
        places: [usize; 3],
        range: Range<usize>,
    ) -> Result<(), M::Error> {
        if range.is_empty() {
            return Ok(());
        }
        let [mut first, second, third] =
            places.map(|place| self.remembered.get(place).unwrap_or(&self.gradient));
        if let (Formula::Copy | Formula::Round | Formula::GiveWay, Some(merged)) =
            (formula, &self.merged)
        {
            first = merged;
        }
        let buffers = [
            &self.gradient,
            &self.parameters,
            first,
            second,
            third,
            &self.totals,
        ]
        .map(Argument::Buffer);
        let range_of = [range.start, range.end].map(|bound| Argument::Long(bound as u64));
        let constants = (0..updates::CONSTANTS)
            .map(|index| Argument::Float(constants.get(index).copied().unwrap_or(0.0)));
        let arguments: Vec<_> = buffers
            .into_iter()
            .chain(range_of)
            .chain(constants)
            .collect();
        let kernel = self.program.kernels.len() + formula as usize;
        let launch = Launch {
            kernel,
            blocks: formula.blocks(range.len()),
            threads: updates::THREADS,
        };
        self.machine.launch(launch, &arguments)
    }

    /// Downloads the last gradient; that of virtual weights comes after that of the network.
    ///
    /// # Errors
    ///
    /// See [`Machine::write`].
    pub fn gradient(&mut self, gradient: &mut Parameters<f32>) -> Result<(), M::Error> {
        let mut numbers = vec![0.0_f32; self.layout.len];
        self.machine
            .read(&self.gradient, cast_slice_mut(&mut numbers))?;
        self.layout.split(&numbers, gradient);
        Ok(())
    }

    /// Replaces the gradient by that of a batch and returns the mean loss, as
    /// [`Gradient::compute`](crate::gradient::Gradient::compute) does.
    ///
    /// It waits for the machine. To overlap the work, [`prepare`](Self::prepare) a batch, read the
    /// [`loss`](Self::loss) of the last one, [`begin`](Self::begin), and take a [`step`](Self::step).
    ///
    /// # Errors
    ///
    /// See [`Machine::write`].
    ///
    /// # Panics
    ///
    /// If the batch is empty or belongs to another network.
    pub fn compute(&mut self, batch: &Batch, objective: &Objective) -> Result<f64, M::Error> {
        self.prepare(batch, objective)?;
        self.begin()?;
        self.loss()
    }

    /// Encodes a batch in host memory while the machine works.
    ///
    /// # Errors
    ///
    /// See [`Machine::write`].
    ///
    /// # Panics
    ///
    /// If the batch is empty or belongs to another network.
    pub fn prepare(&mut self, batch: &Batch, objective: &Objective) -> Result<(), M::Error> {
        let size = Size::of(batch, self.shape);
        if self
            .batch
            .as_ref()
            .is_none_or(|memory| !memory.size.holds(size))
        {
            self.batch = None;
            self.batch = Some(Memory::new(&mut self.machine, self.shape, size)?);
        }
        let memory = self.batch.as_mut().expect("there is enough memory");
        self.order.sort(batch, self.shape);
        memory.fill(
            &mut self.machine,
            (batch, size),
            &self.order,
            &objective::numbers(objective, self.named),
        )
    }

    /// Starts the forward and backward pass of the prepared batch, which replaces the gradient.
    ///
    /// # Errors
    ///
    /// See [`Machine::write`].
    ///
    /// # Panics
    ///
    /// If no batch was prepared.
    pub fn begin(&mut self) -> Result<(), M::Error> {
        let memory = self.batch.as_mut().expect("a batch was prepared");
        let Size {
            positions,
            stride,
            listed,
        } = memory.send(&mut self.machine)?;
        self.machine.clear(&mut memory.slopes)?;
        self.machine.clear(&mut memory.uses)?;
        self.machine.clear(&mut self.gradient)?;
        self.machine.clear(&mut self.totals)?;
        self.merge()?;
        self.round_merged()?;
        let memory = self.batch.as_ref().expect("it was prepared");
        let buffers: [&M::Buffer; MEMORY_BUFFERS] = [
            self.merged.as_ref().unwrap_or(&self.parameters),
            &self.gradient,
            &memory.values,
            &memory.slopes,
            &memory.psqt,
            &memory.of_psqt,
            &memory.shares,
            &memory.losses,
            &self.totals,
            &self.scales,
            &memory.logits,
            &memory.uses,
            &memory.firsts,
            &memory.ranks,
            &memory.entries,
        ];
        let sizes: [usize; MEMORY_SIZES] = [positions, stride, listed];
        let sizes = sizes.map(|size| Argument::Int(size as i32));
        let arguments: Vec<_> = buffers
            .into_iter()
            .map(Argument::Buffer)
            .chain(memory.parts())
            .chain(sizes)
            .collect();
        for (kernel, of) in self.program.kernels.iter().enumerate() {
            let launch = Launch {
                kernel,
                blocks: of.blocks.of(positions, stride),
                threads: of.threads,
            };
            self.machine.launch(launch, &arguments)?;
        }
        self.spread()?;
        self.machine.fetch(&self.totals, &mut self.fetched)
    }

    /// The mean loss of the last batch that was begun; waits for it.
    ///
    /// # Errors
    ///
    /// See [`Machine::write`].
    pub fn loss(&mut self) -> Result<f64, M::Error> {
        let totals: &[f64] = cast_slice(self.machine.open(&mut self.fetched)?);
        Ok(totals[1])
    }
}
