//! `nnue data split`.

use crate::note::line;
use nnue_data::Split;

use super::input::{Input, Order};
use super::output::Output;
use crate::args::train::SplitArgs;
use crate::error::Error;

pub(crate) fn run(args: &SplitArgs) -> Result<(), Error> {
    if args.output.output == args.held_out {
        return Err(Error::Argument(
            "--output and --held-out name the same file".into(),
        ));
    }
    let inputs = &args.input.inputs;
    let mut train = Output::create(&args.output, inputs)?;
    let mut held_out = Output::named(
        "--held-out",
        &args.held_out,
        args.output.to.map(|format| format.0),
        inputs,
    )?
    .dropping_castling(args.output.drop_castling)?;
    let mut input = Input::open(&args.input, Order::Given, |format| {
        if !format.has_plies() {
            return Err(format!(
                "{format} has no plies, which mark where games begin"
            ));
        }
        train.takes(format).and_then(|()| held_out.takes(format))
    })?;
    let mut split = Split::new(args.fraction, args.seed.seed);
    let end = input.for_each(|record| {
        let output = if split.holds_out(record) {
            &mut held_out
        } else {
            &mut train
        };
        output.write(record).map(|()| true)
    })?;
    let (train, held_out) = (train.finish()?, held_out.finish()?);
    line(format_args!("{train}, {held_out}"));
    end.judge(|| "the records before it were split".into())
}
