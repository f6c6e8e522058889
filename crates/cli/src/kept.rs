//! Which options belong to the identity of work that can be resumed. Each command has a table of all of its options, and its tests try each: an
//! option without a row fails them, and so does one that counts otherwise than its row says.

use std::collections::BTreeSet;

use clap::{Args, Command, FromArgMatches};

/// What an option has to do with the bytes of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// they depend on its value
    Value,
    /// they depend on what it names: its name does not count
    Contents,
    /// they do not depend on it
    Nothing,
}

/// An option as the command line has it: its identifier, its role, and arguments with which it is another one. Of what is named, the first
/// argument names the same contents as those of the base, and the second one others.
pub(crate) type Row = (&'static str, Role, &'static [&'static [&'static str]]);

/// Arguments of a command, each option with its value.
pub(crate) type Base = &'static [&'static [&'static str]];

/// Tries all options, those of each table with its base: `settings` is the identity of the work that arguments ask for.
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
