//! Files of recorded answers: text, one line per answer.
//!
//! ```text
//!   nnue-backend answers 2
//!   32 hex digits   how many positions are read   wdl policy
//!       the digest of the backend                 its outputs
//!   32 hex digits   p d m or -   q d m   score or -   how many moves   probabilities, with commas
//!       the digest of the sample                                         floats as the hex digits of their bits
//!                   what was wanted beside the value: policy, draws, moves left
//! ```

use std::fmt::Write as _;
use std::io::{self, BufRead, Read as _, Write};

use crate::answers::Answer;
use crate::backend::Attributes;
use crate::game::Wanted;

/// Limit of a line in bytes: an answer with the probabilities of a hundred thousand moves.
const LONGEST: u64 = 1 << 20;

const FIRST_LINE: &str = "nnue-backend answers 2";

/// The backend of the answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) digest: u128,
    pub(super) attributes: Attributes,
}

/// Key of an answer: the digest of the sample and the requested outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Question {
    pub(super) key: u128,
    pub(super) wanted: Wanted,
}

/// The letters of requested outputs.
fn letters(wanted: &mut Wanted) -> [(char, &mut bool); 3] {
    let Wanted {
        policy,
        draws,
        moves_left,
    } = wanted;
    [('p', policy), ('d', draws), ('m', moves_left)]
}

fn write_wanted(mut wanted: Wanted) -> String {
    let found: String = letters(&mut wanted)
        .into_iter()
        .filter(|(_, is)| **is)
        .map(|(letter, _)| letter)
        .collect();
    match found.as_str() {
        "" => "-".into(),
        _ => found,
    }
}

/// Parses letters in this order, or `-` for none.
fn parse_wanted(text: &str) -> Option<Wanted> {
    let mut wanted = Wanted::VALUE;
    for (letter, is) in letters(&mut wanted) {
        *is = text.contains(letter);
    }
    (write_wanted(wanted) == text).then_some(wanted)
}

/// Optional outputs of a backend, by their names in the file.
fn outputs(attributes: &mut Attributes) -> [(&'static str, &mut bool); 4] {
    let Attributes {
        has_wdl,
        has_moves_left,
        has_policy,
        has_score,
        ..
    } = attributes;
    [
        ("wdl", has_wdl),
        ("moves_left", has_moves_left),
        ("policy", has_policy),
        ("score", has_score),
    ]
}

pub(super) fn write_head(head: &Head, out: &mut impl Write) -> io::Result<()> {
    let mut attributes = head.attributes;
    let names: Vec<&str> = outputs(&mut attributes)
        .into_iter()
        .filter(|(_, has)| **has)
        .map(|(name, _)| name)
        .collect();
    writeln!(
        out,
        "{FIRST_LINE}\n{:032x}\t{}\t{}",
        head.digest,
        head.attributes.history,
        names.join(" ")
    )
}

pub(super) fn write_answer(
    question: Question,
    answer: &Answer<&[f32]>,
    out: &mut impl Write,
) -> io::Result<()> {
    let Answer {
        q,
        d,
        m,
        score,
        policy,
    } = answer;
    let score = score.map_or("-".to_owned(), |score| score.to_string());
    let values = [q, d, m]
        .map(|value| format!("{:08x}", value.to_bits()))
        .join("\t");
    let Question { key, wanted } = question;
    let wanted = write_wanted(wanted);
    let mut line = format!(
        "{key:032x}\t{wanted}\t{values}\t{score}\t{}\t",
        policy.len()
    );
    for (index, p) in policy.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        write!(line, "{comma}{:08x}", p.to_bits()).expect("a string takes everything");
    }
    writeln!(out, "{line}")
}

/// Reads a file: calls `each` for every answer.
pub(super) fn read(
    input: impl BufRead,
    mut each: impl FnMut(Question, Answer),
) -> Result<Head, String> {
    let (mut input, mut number) = (input, 0);
    let mut line = || -> Result<Option<(usize, String)>, String> {
        number += 1;
        let mut line = Vec::new();
        let mut part = input.by_ref().take(LONGEST + 1);
        part.read_until(b'\n', &mut line)
            .map_err(|error| error.to_string())?;
        if line.len() as u64 > LONGEST {
            return Err(format!("line {number}: more than {LONGEST} bytes"));
        }
        let Some(end) = line.len().checked_sub(1) else {
            return Ok(None);
        };
        if line[end] == b'\n' {
            line.pop();
        }
        String::from_utf8(line)
            .map(|line| Some((number, line)))
            .map_err(|_| format!("line {number}: it is not UTF-8 text"))
    };
    match line()? {
        Some((_, first)) if first == FIRST_LINE => {}
        Some((_, first)) => {
            let found: String = first.chars().take(40).collect();
            let what = match found.as_str() {
                "nnue-backend answers 1" => {
                    "an older recording, which does not say what was asked: record again"
                }
                _ => "these are no recorded answers",
            };
            return Err(format!(
                "line 1: expected `{FIRST_LINE}`, found `{found}`: {what}"
            ));
        }
        None => {
            return Err(format!(
                "line 1: expected `{FIRST_LINE}`, found the end: these are no recorded answers"
            ));
        }
    }
    let head = line()?
        .ok_or("line 2: expected whose answers these are, found the end")?
        .1;
    let head = parse_head(&head)
        .ok_or("line 2: expected a digest, a number of positions and names of outputs")?;
    while let Some((number, text)) = line()? {
        let wrong = || {
            format!(
                "line {number}: expected a key, what was wanted, three values, a score, a number of moves and their probabilities"
            )
        };
        let (question, answer) = parse_answer(&text).ok_or_else(wrong)?;
        each(question, answer);
    }
    Ok(head)
}

fn parse_head(line: &str) -> Option<Head> {
    let mut fields = line.split('\t');
    let digest = hex(fields.next()?, 32)?;
    let history = fields.next()?.parse().ok()?;
    let mut attributes = Attributes {
        history,
        ..Attributes::VALUE
    };
    for name in fields.next()?.split_ascii_whitespace() {
        *outputs(&mut attributes)
            .into_iter()
            .find(|(known, _)| *known == name)?
            .1 = true;
    }
    fields
        .next()
        .is_none()
        .then_some(Head { digest, attributes })
}

fn parse_answer(line: &str) -> Option<(Question, Answer)> {
    let mut fields = line.split('\t');
    let key = hex(fields.next()?, 32)?;
    let wanted = parse_wanted(fields.next()?)?;
    let mut float = || bits(fields.next()?);
    let (q, d, m) = (float()?, float()?, float()?);
    let score = match fields.next()? {
        "-" => None,
        score => Some(score.parse().ok()?),
    };
    let count: usize = fields.next()?.parse().ok()?;
    let policy: Vec<f32> = match fields.next()? {
        "" => Vec::new(),
        list => list.split(',').map(bits).collect::<Option<_>>()?,
    };
    // a line truncated between two moves is invalid
    (policy.len() == count && fields.next().is_none()).then_some((
        Question { key, wanted },
        Answer {
            q,
            d,
            m,
            score,
            policy,
        },
    ))
}

fn bits(text: &str) -> Option<f32> {
    hex(text, 8).map(|bits| f32::from_bits(bits as u32))
}

fn hex(text: &str, digits: usize) -> Option<u128> {
    if text.len() != digits || text.starts_with('+') {
        return None;
    }
    u128::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let head = Head {
            digest: 77 << 100,
            attributes: Attributes {
                has_policy: true,
                ..Attributes::VALUE
            },
        };
        let answers = [
            Answer {
                q: 0.1,
                d: -0.0,
                m: f32::INFINITY,
                score: Some(-5),
                policy: vec![0.3, 0.7],
            },
            Answer {
                q: -1.0,
                d: 0.0,
                m: 0.0,
                score: None,
                policy: vec![],
            },
        ];
        let mut file = Vec::new();
        write_head(&head, &mut file).expect("a vector takes everything");
        let questions =
            [(3, Wanted::ALL), (4, Wanted::VALUE)].map(|(key, wanted)| Question { key, wanted });
        for (question, answer) in questions.into_iter().zip(&answers) {
            write_answer(question, &answer.as_view(), &mut file)
                .expect("a vector takes everything");
        }
        let mut found = Vec::new();
        assert_eq!(
            read(&file[..], |question, answer| found.push((question, answer))),
            Ok(head)
        );
        let expected: Vec<_> = questions.into_iter().zip(answers).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn other_files_are_refused_with_their_line() {
        let told = |text: &str| read(text.as_bytes(), |_, _| {}).expect_err("an error");
        let head = format!("{FIRST_LINE}\n{:032x}\t1\tpolicy\n", 5);
        assert!(told("").starts_with("line 1: expected"));
        assert!(told("PK\n").contains("found `PK`"));
        assert!(told("nnue-backend answers 1\n").ends_with("record again"));
        assert!(told(FIRST_LINE).starts_with("line 2"));
        assert!(told(&format!("{FIRST_LINE}\nx\t1\t\n")).starts_with("line 2"));
        for cut in 1..60 {
            let line = format!(
                "{:032x}\tpm\t3f800000\t00000000\t00000000\t-\t2\t3f000000,3f000000",
                9
            );
            assert!(
                told(&format!("{head}{}\n", &line[..line.len() - cut])).starts_with("line 3"),
                "{cut}"
            );
        }
    }
}
