//! What runs kernels: a GPU, or whatever stands for it.

/// Compiles a source once, and then runs its kernels one after the other on memory of its own.
///
/// What is asked for is done in this order, and may be done after the function has returned that asked for it. Buffers are numbers of 4 or 8 bytes
/// in the order of the processor.
pub trait Machine {
    /// Memory of the machine.
    type Buffer;
    /// Memory of the processor that the machine reads and writes by itself.
    type Shared;
    /// Why something was not done.
    type Error;

    /// Memory of so many bytes, which are zero.
    ///
    /// # Errors
    ///
    /// There is not enough of it, or the machine is gone.
    fn allocate(&mut self, bytes: usize) -> Result<Self::Buffer, Self::Error>;

    /// Fills the beginning of a buffer.
    ///
    /// # Errors
    ///
    /// The machine is gone, or something that it did before has failed.
    fn write(&mut self, buffer: &mut Self::Buffer, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Reads the beginning of a buffer, when all that was asked for before is done.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    fn read(&mut self, buffer: &Self::Buffer, bytes: &mut [u8]) -> Result<(), Self::Error>;

    /// Memory of the processor, so many bytes, which are zero.
    ///
    /// # Errors
    ///
    /// As [`allocate`](Self::allocate).
    fn share(&mut self, bytes: usize) -> Result<Self::Shared, Self::Error>;

    /// Its bytes, when all is done that was asked for with it.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    fn open<'s>(&mut self, shared: &'s mut Self::Shared) -> Result<&'s mut [u8], Self::Error>;

    /// Fills the beginning of a buffer with all of it.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    fn send(&mut self, shared: &Self::Shared, buffer: &mut Self::Buffer)
    -> Result<(), Self::Error>;

    /// Fills all of it with the beginning of a buffer.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    fn fetch(
        &mut self,
        buffer: &Self::Buffer,
        shared: &mut Self::Shared,
    ) -> Result<(), Self::Error>;

    /// Sets all bytes of a buffer to zero.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    fn clear(&mut self, buffer: &mut Self::Buffer) -> Result<(), Self::Error>;

    /// Runs a kernel by so many blocks of so many threads.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    fn launch(
        &mut self,
        launch: Launch,
        arguments: &[Argument<'_, Self::Buffer>],
    ) -> Result<(), Self::Error>;
}

/// Which kernel is run, and by how many threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// its place among [`Program::names`](super::Program::names)
    pub kernel: usize,
    /// blocks
    pub blocks: u32,
    /// threads of each block
    pub threads: u32,
}

/// What a kernel is given.
#[derive(Clone, Copy, Debug)]
pub enum Argument<'b, B> {
    /// the address of a buffer
    Buffer(&'b B),
    /// the address of a part of a buffer
    Part {
        /// all of it
        buffer: &'b B,
        /// the first byte, a multiple of 128
        begin: usize,
        /// bytes
        bytes: usize,
    },
    /// an `int`
    Int(i32),
    /// an `unsigned long long`
    Long(u64),
    /// a `float`
    Float(f32),
}
