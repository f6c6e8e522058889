//! Shell completions and manual pages.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::system::SystemError;

/// Print completions for a shell
///
/// Prints a script that completes subcommands, options and file names. bash reads it from ~/.local/share/bash-completion/completions, zsh from a
/// folder in $fpath, fish from ~/.config/fish/completions.
#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Write manual pages
///
/// Writes a page for the command and one for each subcommand. `man -l FOLDER/nnue.1` shows one; `man nnue` finds them if FOLDER is `man1` in a
/// folder of $MANPATH.
#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// The folder to write to; it is created if it does not exist
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Prints the completion script of `command`.
///
/// # Errors
///
/// [`SystemError`]: standard output cannot be written.
pub(crate) fn completions(
    args: &CompletionsArgs,
    mut command: Command,
    out: &mut dyn Write,
) -> Result<(), SystemError> {
    let name = command.get_name().to_owned();
    let mut script = Vec::new(); // the library panics where it cannot write
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    Ok(out.write_all(&script)?)
}

/// Writes a manual page for `command` and each subcommand, and prints the paths.
///
/// # Errors
///
/// [`SystemError`]: the folder or a page cannot be written, or standard output.
pub(crate) fn man(
    args: &ManArgs,
    command: Command,
    out: &mut dyn Write,
) -> Result<(), SystemError> {
    let folder = &args.folder;
    let refused = |error: io::Error| SystemError::write(folder, error);
    fs::create_dir_all(folder).map_err(refused)?;
    clap_mangen::generate_to(command, folder).map_err(refused)?;
    Ok(writeln!(out, "the pages are in {}", folder.display())?)
}
