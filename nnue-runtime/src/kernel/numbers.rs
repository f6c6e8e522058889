//! Numbers of a kernel as arguments with names: `row_add(simd, y, &x, &layer, stack, AtByte::<64>)`.
//!
//! They are parameters of types, so that kernels are compiled for them; all other parameters follow from arguments.

/// An arithmetic shift to the right.
#[derive(Clone, Copy, Debug)]
pub struct Shr<const SHIFT: u32>;

/// The first prepared weight of a row that is read.
#[derive(Clone, Copy, Debug)]
pub struct AtByte<const AT: usize>;

/// The first prepared block of a layer that is read.
#[derive(Clone, Copy, Debug)]
pub struct AtBlock<const AT: usize>;

/// `COUNT` blocks of a buffer, from block `FIRST` on.
#[derive(Clone, Copy, Debug)]
pub struct Blocks<const FIRST: usize, const COUNT: usize>;

/// The most sums of a sparse layer that reads a buffer, which decides whether its blocks are listed.
#[derive(Clone, Copy, Debug)]
pub struct Readers<const SUMS: usize>;

/// The room of a list of blocks.
#[derive(Clone, Copy, Debug)]
pub struct Room<const BLOCKS: usize>;

/// The integer of an accumulator that means one.
#[derive(Clone, Copy, Debug)]
pub struct One<const ONE: i16>;

/// The greatest result of a function of the program.
#[derive(Clone, Copy, Debug)]
pub struct Most<const MAX: u8>;
