//! A machine that runs kernels on the CPU: a program, built by the C++ compiler, that runs them thread after
//! thread.
//!
//! It receives commands through a pipe, as 64-bit words; `shim.cpp` defines them.

use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use bytemuck::{cast_slice, cast_slice_mut};
use nnue_train::cuda::{Argument, Launch, Machine, Program};

pub(crate) struct Emulator {
    child: Child,
    to: ChildStdin,
    from: ChildStdout,
    /// index of the first kernel of the network
    first: usize,
    buffers: u64,
}

/// Marks an argument as a part of a buffer, whose number follows.
const PART: u64 = 1 << 63;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffer {
    index: u64,
    bytes: usize,
}

/// Programs in one binary, which compiles faster than one binary each.
pub(crate) struct Compiled {
    binary: PathBuf,
    /// index of the first kernel of each program
    first: Vec<usize>,
}

/// The C++ compiler, if there is one.
pub(crate) fn compiler() -> Option<String> {
    let own = std::env::var("CXX").ok();
    let names = own
        .into_iter()
        .chain(["c++", "g++", "clang++"].map(String::from));
    names.into_iter().find(|name| {
        let version = Command::new(name)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        version.is_ok_and(|status| status.success())
    })
}

/// Compiles programs with the optimisation option `level`, in `folder`.
pub(crate) fn compile(
    compiler: &str,
    folder: &Path,
    level: &str,
    programs: &[Program],
) -> Compiled {
    let (mut text, mut cases, mut first) = (
        include_str!("shim.cpp").to_owned(),
        String::new(),
        Vec::new(),
    );
    let mut kernels = 0;
    for (number, program) in programs.iter().enumerate() {
        first.push(kernels);
        let _ = writeln!(text, "namespace n{number} {{\n{}}}", program.source());
        let macros = program
            .source()
            .lines()
            .filter_map(|line| line.strip_prefix("#define "));
        for name in macros
            .filter_map(|line| line.split([' ', '(']).next())
            .filter(|name| *name != "KERNEL")
        {
            let _ = writeln!(text, "#undef {name}");
        }
        for (index, name) in program.names().enumerate() {
            let arguments: Vec<String> = program
                .parameters(index)
                .iter()
                .enumerate()
                .map(argument)
                .collect();
            let _ = writeln!(
                cases,
                "    case {kernels}: n{number}::{name}({}); break;",
                arguments.join(", ")
            );
            kernels += 1;
        }
    }
    let _ = writeln!(
        text,
        "static void run(Word kernel, const Word* a) {{\n    switch (kernel) {{\n{cases}    }}\n}}"
    );
    let (source, binary) = (folder.join("kernels.cpp"), folder.join("kernels"));
    std::fs::write(&source, text).expect("the folder can be written to");
    // Out-of-bounds and misaligned accesses end the program.
    let checks = [
        "-fsanitize=address,alignment",
        "-fno-sanitize-recover=alignment",
        "-fno-strict-aliasing",
    ];
    let options = checks
        .into_iter()
        .chain(["-std=c++17", level, "-w", "-ffp-contract=off", "-o"]);
    let output = Command::new(compiler)
        .args(options)
        .args([&binary, &source])
        .output()
        .expect("it has a version");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Compiled { binary, first }
}

/// The C++ expression of an argument of a kernel.
fn argument((index, (kind, _)): (usize, &(&str, &str))) -> String {
    match kind.strip_suffix('*') {
        Some(kind) => format!("buffer<{kind}>(a[{index}])"),
        None if *kind == "float" => format!("real(a[{index}])"),
        None => format!("({kind})a[{index}]"),
    }
}

impl Compiled {
    pub(crate) fn start(&self, program: usize) -> Emulator {
        let mut command = Command::new(&self.binary);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .env("ASAN_OPTIONS", "detect_leaks=0");
        let mut child = command.spawn().expect("it was compiled for this machine");
        let (to, from) = (
            child.stdin.take().expect("piped"),
            child.stdout.take().expect("piped"),
        );
        Emulator {
            child,
            to,
            from,
            first: self.first[program],
            buffers: 0,
        }
    }
}

impl Emulator {
    fn say(&mut self, words: &[u64]) -> io::Result<()> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        self.to.write_all(&bytes)
    }
}

impl Machine for Emulator {
    type Buffer = Buffer;
    /// words of 8 bytes, for alignment
    type Shared = Vec<u64>;
    type Error = io::Error;

    fn allocate(&mut self, bytes: usize) -> io::Result<Buffer> {
        self.say(&[0, bytes as u64])?;
        self.buffers += 1;
        Ok(Buffer {
            index: self.buffers - 1,
            bytes,
        })
    }

    fn write(&mut self, buffer: &mut Buffer, bytes: &[u8]) -> io::Result<()> {
        self.say(&[1, bytes.len() as u64, buffer.index])?;
        self.to.write_all(bytes)
    }

    fn read(&mut self, buffer: &Buffer, bytes: &mut [u8]) -> io::Result<()> {
        self.say(&[2, bytes.len() as u64, buffer.index])?;
        self.from.read_exact(bytes)
    }

    fn share(&mut self, bytes: usize) -> io::Result<Vec<u64>> {
        Ok(vec![0; bytes.div_ceil(8)])
    }

    fn open<'s>(&mut self, shared: &'s mut Vec<u64>) -> io::Result<&'s mut [u8]> {
        Ok(cast_slice_mut(shared))
    }

    fn send(&mut self, shared: &Vec<u64>, buffer: &mut Buffer) -> io::Result<()> {
        self.write(buffer, cast_slice(shared))
    }

    fn fetch(&mut self, buffer: &Buffer, shared: &mut Vec<u64>) -> io::Result<()> {
        self.read(buffer, cast_slice_mut(shared))
    }

    fn clear(&mut self, buffer: &mut Buffer) -> io::Result<()> {
        self.say(&[3, buffer.bytes as u64, buffer.index])
    }

    fn launch(&mut self, launch: Launch, arguments: &[Argument<'_, Buffer>]) -> io::Result<()> {
        let mut parts = 0;
        for argument in arguments {
            if let Argument::Part {
                buffer,
                begin,
                bytes,
            } = *argument
            {
                self.say(&[5, buffer.index, begin as u64, bytes as u64])?;
            }
        }
        let kernel = (self.first + launch.kernel) as u64;
        let mut words = vec![
            4,
            kernel,
            launch.blocks.into(),
            launch.threads.into(),
            arguments.len() as u64,
        ];
        words.extend(arguments.iter().map(|argument| match argument {
            Argument::Buffer(buffer) => buffer.index,
            Argument::Part { .. } => {
                parts += 1;
                PART | (parts - 1)
            }
            Argument::Int(number) => *number as u64,
            Argument::Long(number) => *number,
            Argument::Float(number) => number.to_bits().into(),
        }));
        self.say(&words)
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
