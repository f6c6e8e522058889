//! Declares which options are part of the identity of resumable work. Each command has a table of its
//! options. Tests try all of them, and fail for a missing row and for a wrong role.

use std::collections::BTreeSet;

use clap::{Args, Command, FromArgMatches};

/// The effect of an option on the bytes of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// they depend on the value
    Value,
    /// they depend on the contents of the named file, not on its name
    Contents,
    /// no effect
    Nothing,
}

/// An option: its clap identifier, its role, and arguments that change it. For `Contents`, the first argument
/// names a file with the contents of the base, the second one a file with others.
pub(crate) type Row = (&'static str, Role, &'static [&'static [&'static str]]);

/// Arguments of a command; each entry is an option with its value.
pub(crate) type Base = &'static [&'static [&'static str]];

/// Tries all options of each table, starting from its base. `settings` returns the identity of work.
pub(crate) fn check<A: Args + FromArgMatches, I: PartialEq>(
    tables: &[(Base, &[Row])],
    settings: impl Fn(&A) -> I,
) {
    let command = || A::augment_args(Command::new("work"));
    let parse = |arguments: &[&str]| {
        let found = command().try_get_matches_from([&["work"], arguments].concat());
        let found = found.unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
        settings(&A::from_arg_matches(&found).expect("they were parsed"))
    };
    let whole = command();
    let options = whole.get_arguments().map(|option| option.get_id().as_str());
    let rows = tables.iter().flat_map(|(_, rows)| *rows);
    assert_eq!(
        options.collect::<BTreeSet<_>>(),
        rows.map(|(option, ..)| *option).collect(),
        "options of the command, and rows of its table"
    );
    for (base, rows) in tables {
        let begun = parse(&base.concat());
        for (option, role, others) in *rows {
            let expected: &[bool] = match role {
                Role::Value => &[false],
                Role::Contents => &[true, false],
                Role::Nothing => &[true],
            };
            assert_eq!(others.len(), expected.len(), "{option}");
            for (other, is_same) in others.iter().zip(expected) {
                let kept = base.iter().filter(|given| given[0] != other[0]);
                let arguments: Vec<&str> =
                    kept.chain([other]).copied().flatten().copied().collect();
                assert_eq!(parse(&arguments) == begun, *is_same, "{option}: {other:?}");
            }
        }
    }
}
