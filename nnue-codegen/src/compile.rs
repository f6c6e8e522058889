//! The pipeline: parse, lower, check, plan, emit. No stage runs on what the previous one rejected.

use nnue_spec::check::check;
use nnue_spec::diagnostic::{Diagnostic, Sink};
use nnue_spec::model::NetSpec;
use nnue_spec::plan::{Plan, plan};
use proc_macro2::TokenStream;

use crate::span_table::SpanTable;
use crate::syntax::ast::Declaration;
use crate::syntax::place::Wrong;
use crate::{emit, fallback, lower, syntax, weights};

/// What a macro call compiles to.
pub(crate) struct Compilation {
    /// the items of all declarations; stubs for those with errors
    pub items: TokenStream,
    /// all errors, in the order of the source
    pub diagnostics: Vec<Diagnostic>,
    /// where they are
    pub spans: SpanTable,
}

/// Compiles the tokens of one macro call.
pub(crate) fn compile(input: TokenStream) -> Compilation {
    let mut compilation =
        Compilation { items: TokenStream::new(), diagnostics: Vec::new(), spans: SpanTable::default() };
    let input = syntax::parse_input(input);
    compilation.report(input.wrongs);
    for mut declaration in input.declarations {
        let wrongs = std::mem::take(&mut declaration.wrongs);
        compilation.declare(&declaration, wrongs);
    }
    compilation
}

impl Compilation {
    fn report(&mut self, wrongs: Vec<Wrong>) {
        let diagnostics = wrongs.into_iter().map(|wrong| self.spans.diagnostic(wrong));
        self.diagnostics.extend(diagnostics);
    }

    fn declare(&mut self, declaration: &Declaration, wrongs: Vec<Wrong>) {
        let complete = wrongs.is_empty();
        self.report(wrongs);
        let mut sink = Sink::new();
        let items = self.compile_declaration(declaration, complete, &mut sink);
        self.diagnostics.extend(sink.into_diagnostics());
        self.items.extend(items.unwrap_or_else(|| fallback::emit_stub(declaration)));
    }

    /// The items of a declaration, or nothing if it has errors.
    fn compile_declaration(
        &mut self,
        declaration: &Declaration,
        complete: bool,
        sink: &mut Sink,
    ) -> Option<TokenStream> {
        let spec = self.checked(declaration, complete, sink)?;
        let items = emit_checked(&spec, declaration, sink);
        (!sink.has_errors()).then_some(items)
    }

    /// The model of a declaration, or nothing if it has errors.
    fn checked(&mut self, declaration: &Declaration, complete: bool, sink: &mut Sink) -> Option<NetSpec> {
        let spec = lower::lower(declaration, complete, &mut self.spans, sink)?;
        // A model with skipped clauses lacks what stood in them, and would be judged for that.
        if complete {
            check(&spec, sink);
        }
        (complete && !sink.has_errors()).then_some(spec)
    }
}

/// The plans of the declarations of one macro call, without any code; errors are those of the compilation.
pub(crate) fn compile_plans(input: TokenStream) -> (Vec<Plan>, Compilation) {
    let mut compilation =
        Compilation { items: TokenStream::new(), diagnostics: Vec::new(), spans: SpanTable::default() };
    let input = syntax::parse_input(input);
    compilation.report(input.wrongs);
    let mut plans = Vec::new();
    for mut declaration in input.declarations {
        let wrongs = std::mem::take(&mut declaration.wrongs);
        let complete = wrongs.is_empty();
        compilation.report(wrongs);
        let mut sink = Sink::new();
        plans.extend(compilation.checked(&declaration, complete, &mut sink).map(|spec| plan(&spec)));
        compilation.diagnostics.extend(sink.into_diagnostics());
    }
    (plans, compilation)
}

/// Plans and emits a model that the check accepted; reads its file, if it names one.
fn emit_checked(spec: &NetSpec, declaration: &Declaration, sink: &mut Sink) -> TokenStream {
    let plan = plan(spec);
    let tables = plan.tables();
    let net = tables.descriptor();
    if let Some(path) = &spec.weights {
        weights::check_weights(&net, path, sink);
    }
    let embedded = spec.weights.as_ref().map(|path| weights::emit_bytes(&path.value));
    emit::emit(&net, declaration, embedded.as_ref())
}
