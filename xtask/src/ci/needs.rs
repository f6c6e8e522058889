//! Programs and data that checks need and a fresh machine lacks. They are installed on first use.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use super::shell::Shell;
use crate::repo::{self, Failure, Outcome};

/// A requirement of a check besides the toolchain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Need {
    /// an emulator of other x86 processors
    Qemu,
    Binutils,
    Aarch64,
    S390x,
    Wasm,
    BareMetal,
    /// the demonstration page and a browser
    Page,
    Nightly,
    Networks,
    /// networks of engines whose arithmetic is declared, compressed with xz
    EngineNetworks,
    MontyNetworks,
    /// a network of Leela Chess Zero
    Lc0Networks,
    /// graphs of PyTorch and ONNX
    Graphs,
    Data,
    Policies,
    /// NVIDIA's runtime compiler of kernels
    Nvrtc,
    /// the generator of C headers
    Cbindgen,
    /// projects in C that find an installed library by `find_package`
    Cmake,
    /// a Python environment to build and test the wheel
    Python,
    PythonAarch64,
    /// a Python environment that evaluates ONNX graphs
    Engine,
}

impl Need {
    /// Installs it, or returns why that is impossible.
    fn install(self, shell: &Shell<'_>) -> Outcome {
        match self {
            Self::Qemu => package(shell, "qemu-x86_64-static", "qemu-user-static"),
            Self::Binutils => package(shell, "objdump", "binutils"),
            Self::Aarch64 => prepare(shell, "aarch64"),
            Self::S390x => prepare(shell, "s390x"),
            Self::Wasm => prepare(shell, "wasm"),
            Self::BareMetal => prepare(shell, "bare-metal"),
            Self::Page => prepare(shell, "page"),
            Self::Nvrtc => prepare(shell, "nvrtc"),
            Self::Cbindgen => prepare(shell, "cbindgen"),
            Self::Cmake => package(shell, "cmake", "cmake"),
            Self::Python => prepare(shell, "python"),
            Self::PythonAarch64 => prepare(shell, "python-aarch64"),
            Self::Engine => prepare(shell, "python engine"),
            Self::Nightly => {
                repo::output(Command::new("cargo").args(["+nightly", "--version"])).map(drop)
            }
            Self::Networks => folder("NNUE_NETS", "published networks"),
            Self::EngineNetworks => {
                package(shell, "xz", "xz-utils")?;
                folder("NNUE_ENGINE_NETS", "networks of engines of 2026")
            }
            Self::MontyNetworks => folder("NNUE_MONTY_NETS", "Monty's networks"),
            Self::Lc0Networks => folder("NNUE_LC0_NETS", "a network of Leela Chess Zero"),
            Self::Graphs => folder("NNUE_ONNX_NETS", "graphs of PyTorch and ONNX"),
            Self::Data => folder("NNUE_DATA", "published training data"),
            Self::Policies => folder("NNUE_CACHE_VECTORS", "published policies"),
        }
    }
}

/// Results of installations so far. The lock also keeps two checks from installing packages at once.
static PROVIDED: Mutex<BTreeMap<Need, Result<(), String>>> = Mutex::new(BTreeMap::new());

/// Installs all of these that are missing.
pub(super) fn provide(needs: &[Need], shell: &Shell<'_>) -> Outcome {
    let mut provided = PROVIDED.lock().unwrap_or_else(PoisonError::into_inner);
    for &need in needs {
        let install = || {
            need.install(shell)
                .map_err(|failure| format!("{need:?} is missing: {failure}"))
        };
        provided
            .entry(need)
            .or_insert_with(install)
            .clone()
            .map_err(Failure::new)?;
    }
    Ok(())
}

/// Installs a Debian package unless its program exists.
fn package(shell: &Shell<'_>, program: &str, package: &str) -> Outcome {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    if std::env::split_paths(&paths).any(|folder| folder.join(program).is_file()) {
        return Ok(());
    }
    shell.run(apt(&["update", "-qq"]))?;
    shell.run(apt(&[
        "install",
        "-qq",
        "-y",
        "--no-install-recommends",
        package,
    ]))
}

fn apt(args: &[&str]) -> Command {
    let mut command = Command::new("apt-get");
    command.args(args).env("DEBIAN_FRONTEND", "noninteractive");
    command
}

fn prepare(shell: &Shell<'_>, what: &str) -> Outcome {
    let mut words = what.split(' ');
    let mut command = Command::new(format!(".ci/prepare-{}", words.next().unwrap_or_default()));
    command.args(words).current_dir(repo::root());
    shell.run(command)
}

/// Checks the variable in which `.ci/run` gives the folder, if it exists.
fn folder(variable: &str, contents: &str) -> Outcome {
    match std::env::var_os(variable) {
        Some(_) => Ok(()),
        None => Err(Failure::new(format!(
            "{variable} names no folder with {contents}"
        ))),
    }
}
