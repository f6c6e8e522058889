//! Virtual weights on a machine: merged into the weights before a batch; their gradient is computed after it.
//!
//! ```text
//!   parameters   tensors of the network | virtual weights          what optimisers change
//!   merged       tensors of the network                            what the kernels of a network read
//! ```
//!
//! The map from rows to virtual rows is that of [`factors`](crate::factors).

use std::fmt::Write;

use bytemuck::cast_slice;

use super::kernel::{Blocks, Kernel};
use super::machine::{Argument, Launch, Machine};
use crate::factors::{NONE, Shared};

const THREADS: u32 = 256;

/// Parameters of these kernels, in order.
pub(super) const ROWS: [(&str, &str); 8] = [
    ("float*", "to"),
    ("const float*", "from"),
    ("const int*", "table"),
    ("const int*", "ends"),
    ("unsigned long long", "begin"),
    ("unsigned long long", "from_begin"),
    ("unsigned long long", "columns"),
    ("unsigned long long", "many"),
];

const MERGE: &str = "Adds to the numbers of a tensor those of their virtual rows.\n{
    size_t i = (size_t)blockIdx.x * MERGED + threadIdx.x;
    if (i >= many) return;
    int row = table[i / columns];
    if (row >= 0) to[begin + i] += from[from_begin + (size_t)row * columns + i % columns];
}
";

const SPREAD: &str =
    "The gradient of virtual rows: the sum over the rows that have each of them.\n{
    size_t i = (size_t)blockIdx.x * MERGED + threadIdx.x;
    if (i >= many) return;
    size_t row = i / columns;
    float sum = 0.0f;
    for (int member = row == 0 ? 0 : ends[row - 1]; member < ends[row]; member++) {
        sum += from[from_begin + (size_t)table[member] * columns + i % columns];
    }
    to[begin + i] = sum;
}
";

/// Writes both kernels.
pub(super) fn write(source: &mut String) -> Vec<Kernel> {
    let parameters: Vec<String> = ROWS
        .iter()
        .map(|(kind, name)| format!("{kind} {name}"))
        .collect();
    let _ = writeln!(
        source,
        "// Virtual weights: one number for each thread.\n#define ROWS {}\n#define MERGED {THREADS}\n",
        parameters.join(", ")
    );
    let kernels = [("merge_rows", MERGE), ("spread_rows", SPREAD)].map(|(name, text)| Kernel {
        name: name.into(),
        text: text.into(),
        blocks: Blocks::Fixed(1),
        threads: THREADS,
    });
    for kernel in &kernels {
        kernel.write("ROWS", source);
    }
    kernels.into()
}

#[derive(Debug)]
pub(super) struct Virtual<B> {
    /// the tensor of the network, its offset and its length
    pub(super) tensor: usize,
    begin: usize,
    numbers: usize,
    /// offset and number of the virtual weights
    virtual_begin: usize,
    virtual_numbers: usize,
    columns: usize,
    /// virtual row of each row, or -1
    virtual_of: B,
    /// rows of each virtual row, and their ends
    members: B,
    ends: B,
}

impl<B> Virtual<B> {
    /// Uploads the tables. `begin` and `virtual_begin` are the offsets of tensor and virtual weights.
    pub(super) fn new<M: Machine<Buffer = B>>(
        machine: &mut M,
        shared: &Shared,
        [begin, virtual_begin]: [usize; 2],
    ) -> Result<Self, M::Error> {
        let mut table = |numbers: Vec<i32>| -> Result<B, M::Error> {
            let mut buffer = machine.allocate(numbers.len().max(1) * size_of::<i32>())?;
            machine.write(&mut buffer, cast_slice(&numbers))?;
            Ok(buffer)
        };
        let row = |&row: &u32| if row == NONE { -1 } else { row as i32 };
        Ok(Self {
            tensor: shared.tensor,
            begin,
            numbers: shared.virtual_of.len() * shared.columns,
            virtual_begin,
            virtual_numbers: shared.len(),
            columns: shared.columns,
            virtual_of: table(shared.virtual_of.iter().map(row).collect())?,
            members: table(shared.members.iter().map(row).collect())?,
            ends: table(shared.ends.iter().map(|&end| end as i32).collect())?,
        })
    }

    /// Adds virtual weights to those of the network.
    pub(super) fn merge<M: Machine<Buffer = B>>(
        &self,
        machine: &mut M,
        kernel: usize,
        (parameters, merged): (&B, &B),
    ) -> Result<(), M::Error> {
        let (to, from) = (self.begin, self.virtual_begin);
        self.launch(
            machine,
            kernel,
            (merged, parameters, &self.virtual_of),
            [to, from, self.numbers],
        )
    }

    /// Computes the gradient of the virtual weights from that of the network.
    pub(super) fn spread<M: Machine<Buffer = B>>(
        &self,
        machine: &mut M,
        kernel: usize,
        gradient: &B,
    ) -> Result<(), M::Error> {
        let (to, from) = (self.virtual_begin, self.begin);
        self.launch(
            machine,
            kernel,
            (gradient, gradient, &self.members),
            [to, from, self.virtual_numbers],
        )
    }

    fn launch<M: Machine<Buffer = B>>(
        &self,
        machine: &mut M,
        kernel: usize,
        (to, from, table): (&B, &B, &B),
        [begin, from_begin, many]: [usize; 3],
    ) -> Result<(), M::Error> {
        let buffers = [to, from, table, &self.ends].map(Argument::Buffer);
        let sizes =
            [begin, from_begin, self.columns, many].map(|number| Argument::Long(number as u64));
        let arguments: Vec<_> = buffers.into_iter().chain(sizes).collect();
        let blocks = many.div_ceil(THREADS as usize) as u32;
        if blocks == 0 {
            return Ok(());
        }
        machine.launch(
            Launch {
                kernel,
                blocks,
                threads: THREADS,
            },
            &arguments,
        )
    }

    pub(super) const fn range(&self) -> std::ops::Range<usize> {
        self.virtual_begin..self.virtual_begin + self.virtual_numbers
    }
}
