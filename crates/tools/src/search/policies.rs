//! Policies of subnets, at any number of neurons: their files are numbers only.
//!
//! ```text
//!   length of the file = a + b * neurons
//! ```

use nnue_format::subnets;
use nnue_spec::subnets::{Numbers, Parameters, SubnetsDesc};

use super::doubt::{MOST, OF_ACCUMULATOR};
use super::found::Guess;
use super::request::Search;

/// The declarations of engines.
const POLICIES: &str = include_str!("declared_policies.rs");

/// Neurons of a subnet in the declarations.
const NEURONS: &str = " x 8:";

/// Numbers of neurons for which lengths are computed; the others lie on the line through them.
const KNOWN: [usize; 2] = [8, 16];

/// The guesses that a file of numbers is a policy.
pub(super) fn of_numbers(file: &[u8], search: &Search<'_>) -> Vec<Guess> {
    let policies = POLICIES.split("pub struct ").skip(1);
    policies
        .filter_map(|text| guess(text, file, search))
        .collect()
}

/// The guess that a file is the policy of a declaration.
fn guess(text: &str, file: &[u8], search: &Search<'_>) -> Option<Guess> {
    let text = &text[..text.find("\n}\n")?];
    let (engine, body) = text.split_once(' ')?;
    let declaration = |neurons: usize| {
        let body = body.replace(NEURONS, &format!(" x {neurons}:"));
        format!(
            "pub struct {} {}\n",
            search.name,
            body.replace("\n    ", "\n")
        )
    };
    let policy = |neurons| (search.compile_subnets)(&declaration(neurons));
    let size = |neurons| {
        let graph = policy(neurons)?;
        Some(subnets::size(&graph.desc(&graph.groups())))
    };
    let neurons = neurons([size(KNOWN[0])?, size(KNOWN[1])?], file.len())?;
    let graph = policy(neurons)?;
    Some(Guess {
        declaration: declaration(neurons),
        shape: format!("{engine} with {neurons} neurons a subnet"),
        doubt: doubt(&graph.desc(&graph.groups()), file),
        scale: None,
        unknown: vec![format!(
            "that it is a policy of {engine}, whose subnets and order it has: the subnets of a move, activations, scale and terms are those of that \
             engine, and logits of yours tell whether they are the same"
        )],
    })
}

/// The number of neurons for which a file has `found` bytes.
fn neurons([first, second]: [usize; 2], found: usize) -> Option<usize> {
    let slope = second.checked_sub(first)? / (KNOWN[1] - KNOWN[0]);
    let fixed = first.checked_sub(slope * KNOWN[0])?;
    let numbers = found.checked_sub(fixed)?;
    let fits = slope > 0 && numbers > 0 && numbers.is_multiple_of(slope);
    fits.then(|| numbers / slope)
}

/// What speaks against a declaration.
fn doubt(net: &SubnetsDesc<'_>, file: &[u8]) -> Option<String> {
    let Parameters { numbers, .. } = match subnets::read(net, file) {
        Ok(parameters) => parameters,
        Err(error) => return Some(error.to_string()),
    };
    let one = net.groups.first().map_or(1, |group| group.one);
    let above = match &numbers {
        Numbers::Floats(numbers) => {
            let above = |number: &&f32| number.abs() > OF_ACCUMULATOR as f32;
            numbers.iter().filter(above).count()
        }
        Numbers::Whole(numbers) => {
            let above = |number: &&i16| i32::from(**number).abs() > OF_ACCUMULATOR * one;
            numbers.iter().filter(above).count()
        }
    };
    let share = above as f64 / numbers.len() as f64;
    (share > MOST).then(|| {
        format!(
            "{:.0} % of the numbers that would be weights are above {OF_ACCUMULATOR}.0, and trainers leave nearly all below 2",
            100.0 * share
        )
    })
}
