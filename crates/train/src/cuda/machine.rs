//! A machine that runs kernels: a GPU or an emulator.

/// Compiles a source once and runs its kernels one after the other in its own memory.
///
/// Operations are asynchronous: they run in the order of the calls, perhaps after the call has returned.
/// Buffers hold 4- or 8-byte numbers in the byte order of the host.
pub trait Machine {
    /// device memory
    type Buffer;
    /// host memory that the machine can access
    type Shared;
    /// error of an operation
    type Error;

    /// Allocates `bytes` zero bytes of device memory.
    ///
    /// # Errors
    ///
    /// Too little memory, or the machine is lost.
    fn allocate(&mut self, bytes: usize) -> Result<Self::Buffer, Self::Error>;

    /// Writes the beginning of a buffer.
    ///
    /// # Errors
    ///
    /// The machine is lost, or an earlier operation has failed.
    fn write(&mut self, buffer: &mut Self::Buffer, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Reads the beginning of a buffer, after all earlier operations.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    fn read(&mut self, buffer: &Self::Buffer, bytes: &mut [u8]) -> Result<(), Self::Error>;

    /// Allocates `bytes` zero bytes of shared host memory.
    ///
    /// # Errors
    ///
    /// As [`allocate`](Self::allocate).
    fn share(&mut self, bytes: usize) -> Result<Self::Shared, Self::Error>;

    /// The bytes of shared memory, after all operations that use it.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    fn open<'s>(&mut self, shared: &'s mut Self::Shared) -> Result<&'s mut [u8], Self::Error>;

    /// Uploads all of `shared` to the beginning of a buffer.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    fn send(&mut self, shared: &Self::Shared, buffer: &mut Self::Buffer)
    -> Result<(), Self::Error>;

    /// Downloads the beginning of a buffer to all of `shared`.
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

    /// Runs a kernel.
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

/// A kernel and its number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// index into [`Program::names`](super::Program::names)
    pub kernel: usize,
    /// blocks
    pub blocks: u32,
    /// threads per block
    pub threads: u32,
}

/// Argument of a kernel.
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
