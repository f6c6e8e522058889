//! Values of options that shells complete. Other values are not refused here, but by whoever knows why.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use nnue::Level;

use crate::network::known;

/// Any text; shells complete it to these.
#[derive(Clone)]
pub(crate) struct Suggested(pub(crate) fn() -> Vec<&'static str>);

impl TypedValueParser for Suggested {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}

pub(crate) fn architectures() -> Vec<&'static str> {
    known().map(|known| known.name).collect()
}

pub(crate) fn levels() -> Vec<&'static str> {
    Level::ALL.iter().map(|level| level.name()).collect()
}
