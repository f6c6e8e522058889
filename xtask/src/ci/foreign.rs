//! Cargo commands for other processors.
//!
//! The standard libraries and their compiler come from Debian (`.ci/prepare-*`); the toolchain's cargo runs
//! it.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::check::Room;
use crate::repo::{self, Outcome};

const RUSTC: &str = "/usr/bin/rustc";

/// Initial memory of programs in node. When memory grew while networks were read, node 20.20 crashed in nine
/// of ten runs in its garbage collector ("unreachable code", while marking), and never since.
const WASM_MEMORY: u32 = 2 << 30;

/// A compilation target and the way to run its programs.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// emulated, with this processor
    Aarch64(&'static str),
    /// big-endian; the only level is scalar
    S390x,
    /// in node, with these features
    Wasm(&'static str),
    /// a board without an operating system
    BareMetal,
    Browser,
    /// any Linux on this processor, linked statically with musl
    Static(&'static str),
}

impl Target {
    pub(crate) const fn triple(self) -> &'static str {
        match self {
            Self::Aarch64(_) => "aarch64-unknown-linux-gnu",
            Self::S390x => "s390x-unknown-linux-gnu",
            Self::Wasm(_) => "wasm32-wasip1",
            Self::BareMetal => "thumbv7em-none-eabihf",
            Self::Browser => "wasm32-unknown-unknown",
            Self::Static(triple) => triple,
        }
    }

    pub(super) const fn rooms(self) -> &'static [Room] {
        match self {
            Self::Aarch64(_) => &[Room::Aarch64],
            Self::Wasm(_) => &[Room::Wasm],
            Self::S390x | Self::BareMetal | Self::Browser | Self::Static(_) => &[Room::Elsewhere],
        }
    }

    /// `LINKER`, `RUSTFLAGS` and `RUNNER` for cargo.
    fn settings(self) -> Outcome<Vec<(&'static str, String)>> {
        Ok(match self {
            Self::Aarch64(cpu) => vec![
                ("LINKER", "aarch64-linux-gnu-gcc".into()),
                ("RUSTFLAGS", "--cfg emulated".into()), // compiles fewer crates
                // No -L: with the library of libc6-dev-arm64-cross beside that of libc6:arm64, threads hang.
                ("RUNNER", format!("qemu-aarch64-static -cpu {cpu}")),
            ],
            Self::S390x => vec![
                ("LINKER", "s390x-linux-gnu-gcc".into()),
                ("RUNNER", "qemu-s390x-static -L /usr/s390x-linux-gnu".into()),
            ],
            Self::Wasm(features) => vec![
                ("LINKER", rust_lld()?),
                ("RUSTFLAGS", wasm_flags(features)?),
                (
                    "RUNNER",
                    format!(
                        "node --no-warnings {}",
                        repo::root().join(".ci/wasi.mjs").display()
                    ),
                ),
            ],
            Self::BareMetal | Self::Browser => vec![("LINKER", rust_lld()?)],
            Self::Static(triple) if triple.starts_with("aarch64") => {
                vec![("LINKER", "aarch64-linux-gnu-gcc".into())]
            }
            Self::Static(_) => vec![("LINKER", "gcc".into())],
        })
    }

    /// Makes a program that runs cargo use Debian's compiler and a folder of this target.
    pub(super) fn set(self, command: &mut Command) -> Outcome {
        command
            .env("RUSTC", RUSTC)
            .env("RUSTDOC", "/usr/bin/rustdoc")
            .env("CARGO_TARGET_DIR", folder());
        for (setting, value) in self.settings()? {
            command.env(variable(self.triple(), setting), value);
        }
        Ok(())
    }

    pub(crate) fn cargo(self, subcommand: &str) -> Outcome<Command> {
        let mut command = repo::cargo();
        self.set(&mut command)?;
        command.args([subcommand, "--target", self.triple()]);
        Ok(command)
    }

    /// `cargo SUBCOMMAND` for a crate outside the workspace, with its own lock file and target.
    pub(crate) fn cargo_in(self, folder: &str, subcommand: &str) -> Outcome<Command> {
        let mut command = repo::cargo();
        self.set(&mut command)?;
        command
            .args([subcommand, "--quiet", "--release", "--locked"])
            .current_dir(repo::root().join(folder));
        Ok(command)
    }

    pub(crate) fn release(self) -> PathBuf {
        folder().join(self.triple()).join("release")
    }
}

/// The environment variable of a cargo setting for a target.
pub(crate) fn variable(triple: &str, setting: &str) -> String {
    format!(
        "CARGO_TARGET_{}_{setting}",
        triple.to_uppercase().replace('-', "_")
    )
}

/// The target folder of Debian's compiler.
fn folder() -> PathBuf {
    repo::target_dir().join("debian")
}

fn printed_by(rustc: &str, what: &str) -> Outcome<String> {
    Ok(repo::output(
        Command::new(rustc)
            .args(["--print", what])
            .current_dir(repo::root()),
    )?
    .trim()
    .to_owned())
}

pub(super) fn host() -> Outcome<String> {
    printed_by("rustc", "host-tuple")
}

/// The toolchain's linker, for targets without their own.
fn rust_lld() -> Outcome<String> {
    Ok(format!(
        "{}/lib/rustlib/{}/bin/rust-lld",
        printed_by("rustc", "sysroot")?,
        host()?
    ))
}

fn wasm_flags(features: &str) -> Outcome<String> {
    let library = Path::new(&printed_by(RUSTC, "sysroot")?)
        .join("lib/rustlib/wasm32-wasip1/lib/self-contained");
    let features = if features.is_empty() {
        String::new()
    } else {
        format!("-Ctarget-feature={features} ")
    };
    let stub = library.join("stub.o");
    Ok(format!(
        "{features}-Clink-arg={} -Clink-arg=--initial-memory={WASM_MEMORY}",
        stub.display()
    ))
}
