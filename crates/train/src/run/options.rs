//! What the caller of a run chooses.

/// Options of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Resume from the last checkpoint, if there is one. Without this, a folder with a checkpoint is an
    /// error.
    pub resume: bool,
    /// Resume even if a data file has changed since the checkpoint.
    pub changed_data: bool,
    /// Overrides the device of the file.
    pub device: Option<Device>,
}

/// The device that computes gradients and steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// The CPU. Runs are reproducible bit by bit.
    Cpu,
    /// The first NVIDIA GPU (feature `cuda`). Sums have no fixed order: two runs differ in their last bits.
    Cuda,
}
