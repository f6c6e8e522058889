//! Stubs for declarations with errors, so that other code of the program still resolves.
//!
//! A stub is the smallest network of the same name. Its items have the names and traits of the correct
//! declaration. It is never run, because a `compile_error!` stands beside it.

use nnue_spec::check::{GENERATED_ITEMS, check};
use nnue_spec::dense::{DenseDesc, DenseNode, DenseOp, Shape};
use nnue_spec::diagnostic::Sink;
use nnue_spec::plan::plan;
use nnue_spec::subnets::{SubnetGroup, SubnetProduct, SubnetsDesc};
use nnue_spec::text::camel_case;
use nnue_spec::{Activation, CustomSet, ElementType, FeatureSetId};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::item::item;
use crate::span_table::SpanTable;
use crate::syntax::ast::{Body, ClauseKind, Declaration, Head, HeadForm};
use crate::weights::Embedded;
use crate::{emit, lower, syntax};

/// The type alone.
pub(crate) fn emit_name(declaration: &Declaration) -> TokenStream {
    let Declaration {
        attributes,
        visibility,
        name,
        ..
    } = declaration;
    quote!(#(#attributes)* #visibility struct #name;)
}

/// The items of a stub.
pub(crate) fn emit_stub(declaration: &Declaration) -> TokenStream {
    if declaration.is_dense() {
        return emit_dense_stub(declaration);
    }
    if declaration.is_of_subnets() {
        return emit_subnets_stub(declaration);
    }
    let inputs = match declaration.custom_inputs() {
        Some(path) => quote!(#path[1, active 1]),
        None => quote!(Chess768[..]),
    };
    let outputs = named_outputs(declaration);
    let smallest = quote! {
        struct Stub {
            inputs = #inputs;
            acc = accumulate(inputs, 32) x 2;
            let x = crelu(acc);
            output affine(x, 1);
            #(#outputs)*
        }
    };
    let mut body = syntax::parse_input(smallest)
        .declarations
        .pop()
        .and_then(|declaration| declaration.body);
    if let Some(Body::Graph(clauses)) = &mut body {
        // Omitted numbers are not compared with the program's code.
        let features = clauses
            .iter_mut()
            .filter_map(|clause| match &mut clause.kind {
                ClauseKind::Inputs(features) => Some(features),
                _ => None,
            });
        features.flatten().for_each(|feature| feature.rows = None);
    }
    let stub = Declaration {
        attributes: declaration.attributes.clone(),
        crate_path: declaration.crate_path.clone(),
        visibility: declaration.visibility.clone(),
        name: declaration.name.clone(),
        body,
        wrongs: Vec::new(),
    };
    let mut sink = Sink::new();
    let spec = lower::lower(&stub, true, &mut SpanTable::default(), &mut sink);
    let graph = spec.and_then(|spec| check(&spec, &mut sink));
    match (graph, sink.into_diagnostics().as_slice()) {
        (Some(graph), []) => {
            let embedded = names_weights(declaration).then(|| Embedded::copied(quote!(&[])));
            let plan = plan(&graph);
            let tables = plan.tables();
            let net = tables.descriptor();
            emit::emit(&net, &item(&stub, &net), embedded.as_ref())
        }
        _ => TokenStream::new(),
    }
}

/// The named outputs of the declaration with valid names.
fn named_outputs(declaration: &Declaration) -> Vec<TokenStream> {
    let Some(Body::Graph(clauses)) = &declaration.body else {
        return Vec::new();
    };
    let mut heads: Vec<&Head> = Vec::new();
    let inner = clauses.iter().filter_map(|clause| match &clause.kind {
        ClauseKind::Stacks { clauses, .. } => Some(clauses),
        _ => None,
    });
    let mut items: Vec<String> = GENERATED_ITEMS.map(str::to_owned).into();
    for clause in inner.flatten().chain(clauses) {
        if let ClauseKind::Head(head) = &clause.kind {
            let item = camel_case(&head.name.value);
            if !items.contains(&item) {
                items.push(item);
                heads.push(head);
            }
        }
    }
    let output = |head: &Head| {
        let name = format_ident!("{}", head.name.value);
        match head.form {
            HeadForm::Numbers => quote!(output #name = affine(x, 1);),
            HeadForm::Wdl(_) => quote!(output #name = wdl(affine(x, 3));),
            HeadForm::Rows { .. } => quote!(output #name = rows(x, 1);),
        }
    };
    heads.into_iter().map(output).collect()
}

/// The items of a stub over a dense input.
fn emit_dense_stub(declaration: &Declaration) -> TokenStream {
    let nodes = [
        DenseNode {
            op: DenseOp::Input,
            operand: 0,
            shape: Shape::Flat(1),
        },
        DenseNode {
            op: DenseOp::Affine { binary: None },
            operand: 0,
            shape: Shape::Flat(1),
        },
    ];
    emit::emit_dense(
        &DenseDesc {
            name: "",
            nodes: &nodes,
            fused: false,
        },
        declaration,
    )
}

/// The items of a stub of subnets, with the written number of products.
fn emit_subnets_stub(declaration: &Declaration) -> TokenStream {
    let Some(Body::Graph(clauses)) = &declaration.body else {
        return TokenStream::new();
    };
    let written = clauses.iter().find_map(|clause| match &clause.kind {
        ClauseKind::Logit(logit) => Some(logit.products.len()),
        _ => None,
    });
    let group = SubnetGroup {
        name: "",
        count: 1,
        width: 1,
        one: 1,
        activation: Activation::Relu,
    };
    let product = SubnetProduct {
        negative: false,
        groups: [0, 0],
    };
    let set = match declaration.custom_inputs() {
        Some(_) => FeatureSetId::Custom(CustomSet::new("", 1, 1)),
        None => FeatureSetId::Chess768,
    };
    let net = SubnetsDesc {
        name: "",
        set,
        set_name: "",
        element: ElementType::F32,
        groups: &[group],
        products: &vec![product; written.unwrap_or(1)],
        terms: 0,
    };
    emit::emit_subnets(&net, declaration)
}

/// Whether a `weights` clause was read.
fn names_weights(declaration: &Declaration) -> bool {
    let clauses = match &declaration.body {
        Some(Body::Chain(_, clauses) | Body::Graph(clauses)) => clauses.as_slice(),
        None => &[],
    };
    clauses
        .iter()
        .any(|clause| matches!(clause.kind, ClauseKind::Weights(_)))
}
