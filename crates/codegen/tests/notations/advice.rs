//! What comes of advice that is followed to the letter.

use std::fmt;

use nnue_codegen::{TextError, plan_text};

/// More errors than that are in no declaration of the table.
const MAX_STEPS: usize = 6;

/// What was told to a declaration, and to those that came of following the advice.
#[derive(Debug)]
pub(crate) struct Steps(Vec<Step>);

#[derive(Debug, PartialEq)]
struct Step {
    source: String,
    /// the networks, or the first message
    answer: String,
}

impl Steps {
    /// How many declarations were answered.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// True if a declaration came back, or there is no end.
    pub(crate) fn is_circle(&self) -> bool {
        let came_back = |(index, step): (usize, &Step)| {
            self.0[..index]
                .iter()
                .any(|other| other.source == step.source)
        };
        self.len() == MAX_STEPS || self.0.iter().enumerate().any(came_back)
    }

    /// The answers after the first one.
    pub(crate) fn later(&self) -> impl Iterator<Item = impl fmt::Display> {
        self.0[1..].iter().map(|step| &step.answer)
    }
}

/// Follows the advice of the first error for as long as there is any.
pub(crate) fn follow(source: &str) -> Steps {
    let mut steps = Vec::new();
    let mut source = source.to_owned();
    while steps.len() < MAX_STEPS {
        let answer = plan_text(&source);
        let followed = answer
            .as_ref()
            .err()
            .and_then(|errors| followed(&source, errors.first()?));
        let answer = told(&source, &answer);
        steps.push(Step { source, answer });
        match followed {
            Some(next) if steps.iter().all(|step| step.source != next) => source = next,
            _ => break,
        }
    }
    Steps(steps)
}

fn told(source: &str, answer: &Result<Vec<nnue_spec::plan::Plan>, Vec<TextError>>) -> String {
    match answer {
        Ok(plans) => {
            let dense = nnue_codegen::dense_text(source).unwrap_or_default();
            let dense = dense.iter().map(|graph| graph.desc().notation());
            let subnets = nnue_codegen::subnets_text(source).unwrap_or_default();
            let subnets = subnets
                .iter()
                .map(|graph| graph.desc(&graph.groups()).notation());
            plans
                .iter()
                .map(|plan| plan.notation.clone())
                .chain(dense)
                .chain(subnets)
                .collect::<Vec<_>>()
                .join("; ")
        }
        Err(errors) => errors[0]
            .message
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned(),
    }
}

/// The declaration with the quoted text in place of what is underlined; `None` for advice in other words.
fn followed(source: &str, error: &TextError) -> Option<String> {
    let help = error
        .message
        .lines()
        .find_map(|line| line.strip_prefix("help: "))?;
    let quoted = help
        .strip_prefix("write `")
        .or_else(|| help.strip_prefix("did you mean `"))?;
    let (replacement, rest) = quoted.split_once('`')?;
    // Texts of which one is to be chosen are advice for people.
    if rest.contains('`') {
        return None;
    }
    let line = source.lines().nth(error.line - 1)?;
    let before: usize = source
        .lines()
        .take(error.line - 1)
        .map(|line| line.len() + 1)
        .sum();
    let byte = |column: usize| {
        line.char_indices()
            .nth(column)
            .map_or(line.len(), |(byte, _)| byte)
    };
    let (start, end) = (
        before + byte(error.column - 1),
        before + byte(error.column - 1 + error.length),
    );
    Some(format!(
        "{}{replacement}{}",
        &source[..start],
        source.get(end..)?
    ))
}
