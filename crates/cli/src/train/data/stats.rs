//! `nnue data stats`.

use std::io::{self, Write};
use std::path::PathBuf;

use nnue_data::stats::SCORE_BOUNDS;
use nnue_data::{Color, Stats};

use super::input::{Input, Order};
use super::rows;
use crate::args::train::StatsArgs;
use crate::error::Error;
use crate::note::note;

pub(crate) fn run(args: &StatsArgs, out: &mut dyn Write) -> Result<(), Error> {
    let is_of_rows = |path: &PathBuf| rows::is_named(path);
    if args.rows || args.input.from.is_none() && args.input.inputs.iter().all(is_of_rows) {
        return rows::stats(&args.input, out);
    }
    let mut input = Input::open(&args.input, Order::Given, |_| Ok(()))?;
    let mut stats = Stats::default();
    let end = input.for_each(|record| {
        stats.add(record);
        Ok(true)
    })?;
    report(&stats, out)?;
    for doubt in stats.doubts() {
        note!("{doubt}");
    }
    end.judge(|| "the records before it were counted".into())
}

/// The correlation of scores and outcomes, also by side to move.
fn agreement(stats: &Stats) -> String {
    let number = |found: Option<f64>| found.map_or("-".into(), |found| format!("{found:.3}"));
    let of_side = |side| number(stats.agreement.of_side(side));
    format!(
        "{} of scores and outcomes ({} with White to move, {} with Black to move)",
        number(stats.agreement.correlation()),
        of_side(Color::White),
        of_side(Color::Black)
    )
}

fn repeats(stats: &Stats) -> String {
    let (repeated, compared) = (stats.repeats.repeated(), stats.repeats.compared());
    let share = repeated as f64 * 100.0 / compared.max(1) as f64;
    let of = if compared < stats.records {
        format!(" of the first {compared}")
    } else {
        String::new()
    };
    format!("{repeated}{of} ({share:.1} %)")
}

fn report(stats: &Stats, out: &mut dyn Write) -> io::Result<()> {
    let share = |count: u64| {
        format!(
            "{count} ({:.1} %)",
            count as f64 * 100.0 / stats.records.max(1) as f64
        )
    };
    let mean = |mean: Option<f64>| mean.map_or("-".into(), |mean| format!("{mean:.2}"));
    let range = |range: Option<(i64, i64)>| {
        range.map_or("-".into(), |(low, high)| format!("{low} to {high}"))
    };
    let [losses, draws, wins] = stats.outcomes;
    let lines = [
        ("positions", stats.records.to_string()),
        ("games", stats.games.to_string()),
        ("White to move", share(stats.white_to_move)),
        ("side to move wins", share(wins)),
        ("draws", share(draws)),
        ("side to move loses", share(losses)),
        ("in check", share(stats.checks)),
        ("no move", share(stats.no_move)),
        ("move captures", share(stats.captures)),
        ("move promotes", share(stats.promotions)),
        ("no score", share(stats.no_score)),
        ("mean score", mean(stats.mean_score())),
        ("deviation of scores", mean(stats.score_deviation())),
        ("mean size of scores", mean(stats.mean_score_size())),
        (
            "scores",
            range(stats.scores.map(|(low, high)| (low.into(), high.into()))),
        ),
        (
            "plies",
            range(stats.plies.map(|(low, high)| (low.into(), high.into()))),
        ),
        ("mean ply", mean(stats.mean_ply())),
        ("mean pieces", mean(stats.mean_pieces())),
        ("correlation", agreement(stats)),
        ("repeated positions", repeats(stats)),
    ];
    for (what, value) in lines {
        writeln!(out, "{what:<20} {value}")?;
    }
    writeln!(out, "\nsize of score")?;
    let mut low = 0;
    for (index, &count) in stats.score_sizes.iter().enumerate() {
        let high = SCORE_BOUNDS
            .get(index)
            .map_or("..".into(), |bound| format!("to {}", bound - 1));
        writeln!(out, "{low:>8} {high:<10} {}", share(count))?;
        low = SCORE_BOUNDS.get(index).copied().unwrap_or(low);
    }
    writeln!(out, "\npieces")?;
    for (pieces, &count) in stats
        .pieces
        .0
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0)
    {
        writeln!(out, "{pieces:>8} {:<10} {}", "", share(count))?;
    }
    Ok(())
}
