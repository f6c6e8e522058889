//! Files in Stockfish's container: the header identifies the network.

use std::io::Cursor;

use nnue_format::LoadError;
use nnue_format::published::is_published_version;
use nnue_spec::NetDesc;

use super::error::SearchError;
use super::found::{Found, Guess};
use super::request::Search;
use super::{engines, variants};
use crate::declaration::{Defaults, declaration};
use crate::fits::inputs;
use crate::{Rule, recognise};

/// Whether a file begins with a version of the container.
pub(super) fn is_container(head: &[u8]) -> bool {
    let version = head.first_chunk().map(|word| u32::from_le_bytes(*word));
    version.is_some_and(is_published_version)
}

/// The known networks that a container may have, or those of engines with containers like it.
pub(super) fn found(bytes: &[u8], search: &Search<'_>) -> Result<Found, SearchError> {
    let known = search.known;
    let specs: Vec<_> = known.iter().map(|(_, spec)| *spec).collect();
    let recognition = match recognise(Cursor::new(bytes), &specs) {
        Ok(recognition) => recognition,
        Err(error) => return of_engine(bytes, search, &error),
    };
    let names: Vec<_> = recognition.candidates.iter().map(|&at| known[at]).collect();
    let guess = |&(name, spec): &(&str, &NetDesc<'_>)| Guess {
        declaration: declaration(spec, Defaults::Omitted),
        shape: format!("--arch {name}"),
        doubt: inputs::advice(spec, bytes),
        scale: None,
        unknown: unknown(&names, recognition.rule),
    };
    let guesses: Vec<Guess> = names.iter().map(guess).collect();
    let first = names[0].0;
    Ok(Found {
        bytes: bytes.len() as u64,
        guesses,
        more: 0,
        assumed: vec![format!(
            "A container of Stockfish, recognised as `--arch {first}`."
        )],
        is_container: true,
    })
}

/// The networks of engines that a container may have.
fn of_engine(bytes: &[u8], search: &Search<'_>, error: &LoadError) -> Result<Found, SearchError> {
    let mut guesses = engines::of_container(bytes, search);
    guesses.extend(variants::of_container(bytes, search));
    if guesses.is_empty() {
        return Err(unknown_network(bytes, error));
    }
    Ok(Found {
        bytes: bytes.len() as u64,
        guesses,
        more: 0,
        assumed: vec![String::from(
            "A container as that of Stockfish, of another engine.",
        )],
        is_container: true,
    })
}

/// The error for a container of another network, with the description in its header.
fn unknown_network(bytes: &[u8], error: &LoadError) -> SearchError {
    SearchError::File(match description(bytes).and_then(inputs::said) {
        Some(said) => format!("{error}; {said}"),
        None => error.to_string(),
    })
}

/// The description in the header of a container, which may be cut off.
fn description(bytes: &[u8]) -> Option<&[u8]> {
    let (length, rest) = bytes.get(8..)?.split_first_chunk()?;
    rest.get(..u32::from_le_bytes(*length) as usize)
}

/// What a container with the hashes of several networks does not tell.
fn unknown(names: &[(&str, &NetDesc<'_>)], rule: Rule) -> Vec<String> {
    let [_, _, ..] = names else { return Vec::new() };
    let all: Vec<_> = names.iter().map(|(name, _)| *name).collect();
    let by = match rule {
        Rule::Undecided => "nothing in the file tells them apart".to_owned(),
        rule => format!("the first was chosen by {rule}"),
    };
    vec![format!(
        "which of {}, whose files have the same hashes: {by}; values of the engine do",
        all.join(", ")
    )]
}
