//! `nnue data filter`.

use std::num::NonZeroU32;

use crate::note::line;
use nnue_data::filter::{Filter, Reason, Sieve};
use nnue_data::win_rate::WinRate;

use super::input::{Input, Order};
use super::output::Output;
use crate::args::train::{FilterArgs, RuleArgs};
use crate::error::Error;

pub(crate) fn run(args: &FilterArgs) -> Result<(), Error> {
    let filter = filter(&args.rules);
    let mut output = Output::create(&args.output, &args.input.inputs)?;
    let mut input = Input::open(&args.input, Order::Given, |format| {
        if filter.needs_moves() && !format.has_moves() {
            return Err(format!(
                "{format} has no moves, and --no-captures and --no-promotions need them"
            ));
        }
        if filter.needs_plies() && !format.has_plies() {
            return Err(format!(
                "{format} has no plies, and --min-ply, --max-ply and --win-rate need them"
            ));
        }
        output.takes(format)
    })?;
    let mut sieve = Sieve::new(filter, args.seed.seed);
    let end = input.for_each(|record| {
        if sieve.judge(record).is_none() {
            output.write(record)?;
        }
        Ok(true)
    })?;
    let written = output.finish()?;
    for reason in Reason::ALL {
        let count = sieve.left_out(reason);
        if count > 0 {
            line(format_args!("{count:>12}  left out: {reason}"));
        }
    }
    line(format_args!("{written}, of {}", input.count()));
    end.judge(|| "the records before it were written".into())
}

pub(crate) fn filter(rules: &RuleArgs) -> Filter {
    let all = Filter::KEEP_ALL;
    Filter {
        no_score: true,
        check: rules.quiet || rules.no_check,
        captures: rules.quiet || rules.no_captures,
        promotions: rules.quiet || rules.no_promotions,
        scores: rules.max_score.map_or(all.scores, |limit| -limit..=limit),
        plies: rules.min_ply.unwrap_or(*all.plies.start())
            ..=rules.max_ply.unwrap_or(*all.plies.end()),
        pieces: rules.min_pieces.unwrap_or(*all.pieces.start())
            ..=rules.max_pieces.unwrap_or(*all.pieces.end()),
        one_in: rules.one_in.unwrap_or(NonZeroU32::MIN),
        win_rate: rules.win_rate.then_some(WinRate::TRAINERS),
    }
}
