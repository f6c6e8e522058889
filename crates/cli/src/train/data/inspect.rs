//! `nnue data inspect`.

use std::io::Write;

use nnue_data::{Outcome, Record};

use super::input::{Input, Order};
use crate::args::train::InspectArgs;
use crate::error::Error;

pub(crate) fn run(args: &InspectArgs, out: &mut dyn Write) -> Result<(), Error> {
    let mut input = Input::open(&args.input, Order::Given, |_| Ok(()))?;
    writeln!(out, "number\tply\tscore\toutcome\tmove\tfen")?;
    let (mut number, last) = (0, args.skip.saturating_add(args.count));
    let end = input.for_each(|record| {
        if number >= last {
            return Ok(false);
        }
        number += 1;
        if number > args.skip {
            show(number, record, out)?;
        }
        Ok(number < last)
    })?;
    end.judge(|| format!("it has {number} positions before"))
}

fn show(number: u64, record: &Record, out: &mut dyn Write) -> Result<(), Error> {
    let score = record.score().map_or("-".into(), |score| score.to_string());
    let mv = record
        .mv
        .map_or("-".into(), |mv| mv.to_uci(&record.position));
    let outcome = match record.outcome {
        Outcome::Loss => "loss",
        Outcome::Draw => "draw",
        Outcome::Win => "win",
    };
    Ok(writeln!(
        out,
        "{number}\t{}\t{score}\t{outcome}\t{mv}\t{}",
        record.ply,
        record.fen()
    )?)
}
