//! The chain form. A chain abbreviates this graph:
//!
//! ```text
//! acc = accumulate(F, width) x 2, psqt 8;
//! stacks 8 by .. {
//!     let x = crelu(acc);        // or the activation written; of a pool avg_halves(crelu(acc)); none before a binary layer, if none is written
//!     let h1 = affine(x, 16);
//!     let a1 = crelu(h1);
//!     ..
//!     output affine(a1, 1);
//! }
//! ```

use nnue_spec::loc::{Loc, Located};
use nnue_spec::model::{Activation, Binding, Expr, Function, NetSpec, OutputSpec, TermSpec};

use super::Lowerer;
use super::expr::is_activation;
use super::file::FileClauses;
use crate::syntax::ast::{Activated, Chain, ChainLayer, Clause};
use crate::syntax::place::{At, Place};

impl Lowerer<'_> {
    pub(crate) fn lower_chain(
        &mut self,
        name: Located<String>,
        chain: &Chain,
        clauses: &[Clause],
    ) -> Option<NetSpec> {
        let place = chain.accumulator.width.value.place;
        let inputs = self.lower_inputs(&chain.inputs);
        let accumulator =
            self.lower_accumulator(At::new("acc".to_owned(), place), &chain.accumulator);
        let mut bindings = Vec::new();
        let reader = chain.layers.first();
        let mut value = self.bind_activated(
            &mut bindings,
            ["x", "acc"],
            (chain.activation.as_ref(), reader),
            place,
        );
        let (last, hidden) = chain.layers.split_last()?;
        for (index, layer) in (1..).zip(hidden) {
            let place = layer.width.value.place;
            let affine = self.affine(value, &layer.width, place);
            let sums = format!("h{index}");
            self.bind(&mut bindings, sums.clone(), affine, place);
            let (activated, reader) = (format!("a{index}"), chain.layers.get(index));
            value = self.bind_activated(
                &mut bindings,
                [&activated, &sums],
                (layer.activation.as_ref(), reader),
                place,
            );
        }
        let place = last.width.value.place;
        let output = TermSpec {
            negative: false,
            value: self.affine(value, &last.width, place),
            ratio: None,
        };
        let output = OutputSpec {
            terms: vec![output],
            ratio: None,
            loc: self.spans.loc(place),
        };
        let stacks = self.lower_stack(chain.stacks.as_ref(), chain.by.as_ref(), name.loc);
        let file = self.lower_file_clauses(clauses, chain.accumulator.whole_psqt());
        let FileClauses {
            value,
            fused,
            format,
            goldens,
            weights,
        } = file;
        Some(NetSpec {
            name,
            inputs,
            accumulator,
            stacks,
            bindings,
            output,
            heads: Vec::new(),
            fused,
            value,
            format,
            goldens,
            weights,
        })
    }

    fn bind(
        &mut self,
        bindings: &mut Vec<Binding>,
        name: String,
        value: Expr,
        place: Place,
    ) -> Loc {
        let name = self.spans.located(At::new(name, place));
        let loc = name.loc;
        bindings.push(Binding { name, value });
        loc
    }

    /// Binds `name` to the activation of `input`, as written or as implied by the layer that reads it, and
    /// returns the reference to it. Binary layers read unactivated values.
    fn bind_activated(
        &mut self,
        bindings: &mut Vec<Binding>,
        [name, input]: [&str; 2],
        (written, reader): (Option<&Activated>, Option<&ChainLayer>),
        place: Place,
    ) -> Expr {
        let is_meant = |activated: &Activated| {
            activated.own.is_some() || is_activation(&activated.function.value)
        };
        if !written.is_some_and(is_meant)
            && reader.is_some_and(|layer| layer.width.binary.is_some())
        {
            written.map(|unknown| self.lower_activation(unknown));
            return Expr::Name(self.spans.located(At::new(input.to_owned(), place)));
        }
        let (function, shift, words) = match written {
            Some(activated) => (
                self.lower_activation(activated),
                self.optional_int(activated.shift.as_ref()),
                activated.words.map(|place| self.spans.loc(place)),
            ),
            None => (
                self.spans
                    .located(At::new(Function::Known(Activation::Crelu), place)),
                None,
                None,
            ),
        };
        let of_sums = input != "acc";
        let input = Expr::Name(self.spans.located(At::new(input.to_owned(), place)));
        let is_pool =
            function.value.reads_activated() || (of_sums && function.value.pool().is_some());
        // `16 avg_halves >> 6` is `avg_halves(crelu(h1) >> 6)`; on accumulators, the shift is that of the
        // product.
        let (input, shift) = match is_pool {
            true if of_sums => (clipped(input, function.loc, shift), None),
            true => (clipped(input, function.loc, None), shift),
            false => (input, shift),
        };
        let value = Expr::Activate {
            function,
            input: Box::new(input),
            shift,
            words,
        };
        let loc = self.bind(bindings, name.to_owned(), value, place);
        Expr::Name(Located::new(name.to_owned(), loc))
    }
}

/// The operand of a pool in a chain.
fn clipped(input: Expr, loc: Loc, shift: Option<Located<u64>>) -> Expr {
    Expr::Activate {
        function: Located::new(Function::Known(Activation::Crelu), loc),
        input: Box::new(input),
        shift,
        words: None,
    }
}
