//! `nnue data convert`.

use crate::note::line;

use super::input::{Input, Order};
use super::output::Output;
use crate::args::train::ConvertArgs;
use crate::error::Error;

pub(crate) fn run(args: &ConvertArgs) -> Result<(), Error> {
    let mut output = Output::create(&args.output, &args.input.inputs)?;
    let order = if args.interleave {
        Order::Mixed(args.seed.seed)
    } else {
        Order::Given
    };
    let mut input = Input::open(&args.input, order, |from| output.takes(from))?;
    let end = input.for_each(|record| output.write(record).map(|()| true))?;
    let written = output.finish()?;
    line(format_args!("{written}"));
    end.judge(|| "the records before it were written".into())
}
