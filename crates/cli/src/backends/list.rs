//! `nnue backends`.

use std::io::Write;

use nnue_backend::options::OptionHelp;
use nnue_backend::{Chess, Entry};
use nnue_spec::suggest::nearest;

use super::registry::{Networks, registry};
use crate::args::backends::BackendsArgs;
use crate::error::Error;

pub(crate) fn run(args: &BackendsArgs, out: &mut dyn Write) -> Result<(), Error> {
    let backends = registry(&Networks::default());
    let names: Vec<&str> = backends.entries().map(|entry| entry.name).collect();
    if let Some(unknown) = args
        .names
        .iter()
        .find(|name| !names.contains(&name.as_str()))
    {
        let hint =
            nearest(unknown, names.iter().copied()).map(|name| format!("; did you mean `{name}`?"));
        let hint = hint.unwrap_or_else(|| format!("; there are {}", names.join(", ")));
        return Err(Error::Argument(format!(
            "no backend `{}`{hint}",
            unknown.escape_default()
        )));
    }
    let is_wanted = |entry: &&Entry<Chess>| {
        args.names.is_empty() || args.names.iter().any(|name| name == entry.name)
    };
    for (index, entry) in backends.entries().filter(is_wanted).enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let default = if entry.name == names[0] {
            " (the default)"
        } else {
            ""
        };
        writeln!(out, "{:<14} {}{default}", entry.name, entry.about)?;
        for OptionHelp {
            name,
            default,
            about,
        } in &entry.options
        {
            writeln!(
                out,
                "  {name:<10} {:<10} {about}",
                if default.is_empty() { "-" } else { default }
            )?;
        }
    }
    Ok(())
}
