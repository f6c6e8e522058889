//! The features of the crate `nnue`; parts of the language need them.

use nnue_spec::diagnostic::Code;

use crate::syntax::ast::{Clause, ClauseKind, Declaration};
use crate::syntax::place::{Place, Wrong};

/// The features of `nnue` that declarations can need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// `input[..]`, `planes[..]`
    pub dense: bool,
    /// `golden ..;`
    pub golden: bool,
    /// `subnets(..)`
    pub subnets: bool,
}

impl Features {
    /// All features.
    pub const ALL: Self = Self {
        dense: true,
        golden: true,
        subnets: true,
    };

    /// An error for each missing feature, at its first use in the declaration.
    pub(crate) fn missing(self, declaration: &Declaration) -> Vec<Wrong> {
        let mut names = Vec::new();
        let mut wrongs = Vec::new();
        for clause in declaration.clauses() {
            if let Some((name, what, place)) = self.missing_in(clause)
                && !names.contains(&name)
            {
                names.push(name);
                wrongs.push(wrong(name, what, place));
            }
        }
        wrongs
    }

    /// Whether the module for the code of a declaration exists.
    pub(crate) fn has_module_of(self, declaration: &Declaration) -> bool {
        (self.dense || !declaration.is_dense()) && (self.subnets || !declaration.is_of_subnets())
    }

    fn missing_in(self, clause: &Clause) -> Option<(&'static str, &'static str, Place)> {
        match &clause.kind {
            ClauseKind::Source { source, .. } if !self.dense => {
                Some(("dense", "networks over a dense input need", source.place))
            }
            ClauseKind::Subnets { subnets, .. } if !self.subnets => {
                Some(("subnets", "subnets need", subnets.place))
            }
            ClauseKind::Golden(_) if !self.golden => {
                Some(("golden", "golden values need", clause.keyword))
            }
            _ => None,
        }
    }
}

fn wrong(name: &str, what: &str, place: Place) -> Wrong {
    let version = concat!(
        env!("CARGO_PKG_VERSION_MAJOR"),
        ".",
        env!("CARGO_PKG_VERSION_MINOR")
    );
    let message = format!("{what} the feature `{name}` of the crate `nnue`");
    Wrong::new(Code::MissingFeature, place, message).help(format!(
        "in Cargo.toml: `nnue = {{ version = \"{version}\", features = [\"{name}\"] }}`"
    ))
}
