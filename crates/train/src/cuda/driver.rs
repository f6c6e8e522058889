//! An NVIDIA GPU. The driver and the compiler NVRTC are loaded at run time.

use std::fmt;
use std::sync::Arc;

use cudarc::driver::{
    CudaContext, CudaEvent, CudaFunction, CudaSlice, CudaStream, CudaView, DriverError,
    LaunchConfig, PinnedHostSlice, PushKernelArg,
};
use cudarc::nvrtc::{CompileError, CompileOptions, Ptx, compile_ptx_with_opts};

use super::device::Device;
use super::machine::{Argument, Launch, Machine};
use super::program::Program;
use super::unsupported::Unsupported;
use crate::factors::Factors;
use crate::network::Network;

/// A network on a GPU.
pub type OnGpu = Device<Gpu>;

/// A GPU cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GpuError {
    /// the network has an operation without a kernel
    Unsupported(Unsupported),
    /// the library of the driver is missing
    NoDriver,
    /// the library of NVRTC is missing
    NoCompiler,
    /// an error of the driver, with its message
    Driver(String),
    /// an error of the compiler, with its message
    Compiler(String),
}

impl fmt::Display for GpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(unsupported) => unsupported.fmt(f),
            Self::NoDriver => f.write_str(
                "there is no driver of a GPU: libcuda.so.1 (nvcuda.dll) was not found; install NVIDIA's driver, or train on the CPU",
            ),
            Self::NoCompiler => f.write_str(
                "NVRTC, which compiles the kernels, was not found: neither libnvrtc.so nor libnvrtc.so.12 is where libraries are looked for; \
                 install CUDA 12 or `pip install nvidia-cuda-nvrtc-cu12`, and let LD_LIBRARY_PATH name the folder",
            ),
            Self::Driver(message) => write!(f, "the driver of the GPU says: {message}"),
            Self::Compiler(message) => write!(f, "NVRTC does not compile the kernels: {message}"),
        }
    }
}

impl std::error::Error for GpuError {}

impl From<DriverError> for GpuError {
    fn from(error: DriverError) -> Self {
        Self::Driver(error.to_string())
    }
}

/// Compiles the kernels of a program to PTX for a compute capability such as (9, 0), an H100. Needs NVRTC but
/// no GPU.
///
/// # Errors
///
/// [`GpuError::NoCompiler`], or an error of the compiler.
pub fn compile(program: &Program, (major, minor): (i32, i32)) -> Result<String, GpuError> {
    Ok(to_ptx(program, (major, minor))?.to_src())
}

fn to_ptx(program: &Program, (major, minor): (i32, i32)) -> Result<Ptx, GpuError> {
    if !has_compiler() {
        return Err(GpuError::NoCompiler);
    }
    let options = vec![format!("--gpu-architecture=compute_{major}{minor}")];
    let options = CompileOptions {
        options,
        name: Some("network.cu".into()),
        ..CompileOptions::default()
    };
    compile_ptx_with_opts(program.source(), options).map_err(|error| {
        GpuError::Compiler(match error {
            CompileError::CompileError { log, .. } => log.to_string_lossy().trim().to_owned(),
            error => error.to_string(),
        })
    })
}

/// Uploads a network with virtual weights to a GPU; the first one has number 0.
///
/// # Errors
///
/// [`GpuError`]: something is missing.
pub fn open(network: &Network<f32>, factors: &Factors, ordinal: usize) -> Result<OnGpu, GpuError> {
    let program = Program::new(network).map_err(GpuError::Unsupported)?;
    let gpu = Gpu::new(&program, ordinal)?;
    Device::new(gpu, program, network, factors)
}

/// A GPU with the kernels of a program. Only a [`Device`] owns one.
#[derive(Debug)]
pub struct Gpu {
    stream: Arc<CudaStream>,
    kernels: Vec<CudaFunction>,
    /// the C types of each kernel's parameters
    kinds: Vec<Vec<&'static str>>,
}

impl Gpu {
    fn new(program: &Program, ordinal: usize) -> Result<Self, GpuError> {
        if !has_driver() {
            return Err(GpuError::NoDriver);
        }
        let context = CudaContext::new(ordinal)?;
        let module = context.load_module(to_ptx(program, context.compute_capability()?)?)?;
        let kernels = program
            .names()
            .map(|name| module.load_function(name))
            .collect::<Result<Vec<_>, _>>()?;
        let kinds = (0..kernels.len()).map(|kernel| {
            program
                .parameters(kernel)
                .iter()
                .map(|(kind, _)| *kind)
                .collect()
        });
        Ok(Self {
            stream: context.default_stream(),
            kinds: kinds.collect(),
            kernels,
        })
    }
}

/// Pinned host memory, which the GPU accesses directly.
#[derive(Debug)]
pub struct Pinned {
    /// access waits until pending copies are done
    memory: PinnedHostSlice<u8>,
    /// recorded after the last download; waiting for it spins, while waiting for `memory` sleeps
    filled: Option<CudaEvent>,
}

fn fits(argument: &Argument<'_, CudaSlice<u8>>, kind: &str) -> bool {
    match argument {
        Argument::Buffer(_) | Argument::Part { .. } => kind.ends_with('*'),
        Argument::Int(_) => kind == "int",
        Argument::Long(_) => kind == "unsigned long long",
        Argument::Float(_) => kind == "float",
    }
}

impl Machine for Gpu {
    type Buffer = CudaSlice<u8>;
    type Shared = Pinned;
    type Error = GpuError;

    fn allocate(&mut self, bytes: usize) -> Result<CudaSlice<u8>, GpuError> {
        Ok(self.stream.alloc_zeros(bytes)?)
    }

    fn write(&mut self, buffer: &mut CudaSlice<u8>, bytes: &[u8]) -> Result<(), GpuError> {
        Ok(self
            .stream
            .memcpy_htod(bytes, &mut buffer.slice_mut(..bytes.len()))?)
    }

    fn read(&mut self, buffer: &CudaSlice<u8>, bytes: &mut [u8]) -> Result<(), GpuError> {
        self.stream
            .memcpy_dtoh(&buffer.slice(..bytes.len()), bytes)?;
        Ok(self.stream.synchronize()?)
    }

    fn share(&mut self, bytes: usize) -> Result<Pinned, GpuError> {
        Ok(Pinned {
            memory: pinned(self.stream.context(), bytes)?,
            filled: None,
        })
    }

    fn open<'s>(&mut self, shared: &'s mut Pinned) -> Result<&'s mut [u8], GpuError> {
        if let Some(filled) = shared.filled.take() {
            filled.synchronize()?;
        }
        Ok(shared.memory.as_mut_slice()?)
    }

    fn send(&mut self, shared: &Pinned, buffer: &mut CudaSlice<u8>) -> Result<(), GpuError> {
        Ok(self.stream.memcpy_htod(&shared.memory, buffer)?)
    }

    fn fetch(&mut self, buffer: &CudaSlice<u8>, shared: &mut Pinned) -> Result<(), GpuError> {
        self.stream
            .memcpy_dtoh(&buffer.slice(..shared.memory.len()), &mut shared.memory)?;
        shared.filled = Some(self.stream.record_event(None)?);
        Ok(())
    }

    fn clear(&mut self, buffer: &mut CudaSlice<u8>) -> Result<(), GpuError> {
        Ok(self.stream.memset_zeros(buffer)?)
    }

    fn launch(
        &mut self,
        launch: Launch,
        arguments: &[Argument<'_, CudaSlice<u8>>],
    ) -> Result<(), GpuError> {
        let kinds = &self.kinds[launch.kernel];
        assert_eq!(kinds.len(), arguments.len(), "arguments of a kernel");
        assert!(
            arguments
                .iter()
                .zip(kinds)
                .all(|(argument, kind)| fits(argument, kind)),
            "arguments of a kernel"
        );
        let views = arguments.iter().filter_map(|argument| match *argument {
            Argument::Part {
                buffer,
                begin,
                bytes,
            } => Some(buffer.slice(begin..begin + bytes)),
            _ => None,
        });
        let views: Vec<CudaView<'_, u8>> = views.collect();
        let (mut parts, mut builder) = (
            views.iter(),
            self.stream.launch_builder(&self.kernels[launch.kernel]),
        );
        for argument in arguments {
            match argument {
                Argument::Buffer(buffer) => builder.arg(*buffer),
                Argument::Part { .. } => builder.arg(parts.next().expect("one for each part")),
                Argument::Int(number) => builder.arg(number),
                Argument::Long(number) => builder.arg(number),
                Argument::Float(number) => builder.arg(number),
            };
        }
        let shape = LaunchConfig {
            grid_dim: (launch.blocks, 1, 1),
            block_dim: (launch.threads, 1, 1),
            shared_mem_bytes: 0,
        };
        run(&mut builder, shape)
    }
}

#[expect(
    unsafe_code,
    reason = "a launch runs code that the compiler of Rust does not see"
)]
fn run(builder: &mut cudarc::driver::LaunchArgs<'_>, shape: LaunchConfig) -> Result<(), GpuError> {
    // SAFETY: Number and types of the arguments are those of the kernel, which `launch` has compared with the
    // compiled text. Only `Device` has a `Gpu`. It passes its own buffers, whose lengths are those that the
    // text assumes: `Memory::new` and `Layout` allocate them for at least as many positions, rows and numbers
    // as the arguments say, and `Order` has checked that all rows and stacks of the batch exist in the
    // network: the rows by the greatest one, which `Batch` updates whenever a row is added. `order`, which
    // locates the rows of a position, is a permutation of the positions that `Order` has made. The tests run
    // all kernels with bounds checks.
    unsafe { builder.launch(shape) }?;
    Ok(())
}

/// Zeroed page-locked memory, which a GPU can copy while the CPU does something else.
fn pinned(context: &Arc<CudaContext>, bytes: usize) -> Result<PinnedHostSlice<u8>, GpuError> {
    #[expect(unsafe_code, reason = "memory is allocated that is not initialised")]
    // SAFETY: The memory is initialised below, before it is used.
    let mut memory = unsafe { context.alloc_pinned_with_flags::<u8>(bytes, 0) }?;
    let begin = memory.as_mut_ptr()?;
    #[expect(
        unsafe_code,
        reason = "memory is initialised of which there can be no slice yet"
    )]
    // SAFETY: The allocation has `bytes` bytes, belongs to `memory` alone, and no pending operation reads or
    // writes it.
    unsafe {
        begin.write_bytes(0, bytes);
    }
    Ok(memory)
}

#[expect(unsafe_code, reason = "a library is loaded")]
fn has_driver() -> bool {
    // SAFETY: The library is NVIDIA's driver, whose initialisation has no preconditions.
    unsafe { cudarc::driver::sys::is_culib_present() }
}

#[expect(unsafe_code, reason = "a library is loaded")]
fn has_compiler() -> bool {
    // SAFETY: The library is NVRTC, whose initialisation has no preconditions.
    unsafe { cudarc::nvrtc::sys::is_culib_present() }
}
