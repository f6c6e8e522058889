//! Checks a declaration of subnets and makes its graph, or reports errors.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::model::{GroupSpec, LogitSpec, SubnetsSpec};
use super::walk::{Used, Walk, error};
use super::{SubnetGroup, SubnetProduct, SubnetsDesc};
use crate::check::{MAX_BYTES, input};
use crate::descriptor::{ElementType, FeatureSetId};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::op::Activation;

/// Greatest number of subnets in a group.
const MAX_COUNT: u64 = 1 << 16;
/// Greatest number of neurons of a subnet.
const MAX_WIDTH: u64 = 256;
/// Greatest scale of weights of 16 bits.
const MAX_ONE: u64 = 1 << 15;
/// Greatest number of products in a logit.
const MAX_PRODUCTS: usize = 8;
/// Greatest number of terms that can be added to a logit.
const MAX_TERMS: u64 = 1 << 16;
/// Greatest number of pieces on a board with any number of kings: the bound of active rows of a chess set.
const SQUARES: u64 = 64;

/// A checked network of subnets: [`SubnetsDesc`] in owned form.
#[derive(Clone, Debug, PartialEq)]
pub struct SubnetsGraph {
    /// name of the declared type
    pub name: String,
    /// the feature set
    pub set: FeatureSetId,
    /// last path segment of a set of the program; otherwise empty
    pub set_name: String,
    /// type of weights and biases
    pub element: ElementType,
    /// the groups, each with its name
    groups: Vec<(String, SubnetGroup<'static>)>,
    /// the products
    pub products: Vec<SubnetProduct>,
    /// number of terms that can be added to a logit
    pub terms: usize,
}

impl SubnetsGraph {
    /// The groups, with the names of the declaration.
    pub fn groups(&self) -> Vec<SubnetGroup<'_>> {
        self.groups
            .iter()
            .map(|(name, group)| SubnetGroup { name, ..*group })
            .collect()
    }

    /// The descriptor; `groups` must be [`Self::groups`].
    pub fn desc<'a>(&'a self, groups: &'a [SubnetGroup<'a>]) -> SubnetsDesc<'a> {
        let Self {
            name,
            set,
            set_name,
            element,
            products,
            terms,
            ..
        } = self;
        SubnetsDesc {
            name,
            set: *set,
            set_name,
            element: *element,
            groups,
            products,
            terms: *terms,
        }
    }
}

/// The graph of a model; `None` if there are errors, which are in `sink`.
pub fn check(spec: &SubnetsSpec, sink: &mut Sink) -> Option<SubnetsGraph> {
    let first = spec.groups.first()?;
    for group in &spec.groups {
        check_group(group, first, sink);
    }
    let (products, used) = Walk::through(spec, sink);
    check_logit(&spec.logit, sink);
    if sink.has_errors() {
        return None;
    }
    let graph = graph(spec, &used, products?);
    check_units(spec, &graph, sink);
    check_sizes(spec, &graph, sink);
    (!sink.has_errors()).then_some(graph)
}

fn graph(spec: &SubnetsSpec, used: &[Used], products: Vec<SubnetProduct>) -> SubnetsGraph {
    let GroupSpec {
        inputs, element, ..
    } = &spec.groups[0];
    let activation = |index: usize| {
        used.iter()
            .find(|used| used.group == index)
            .map(|used| used.activation.value)
    };
    let group = |(index, group): (usize, &GroupSpec)| {
        let found = SubnetGroup {
            name: "",
            count: group.count.value as usize,
            width: group.width.value as usize,
            one: group.scale.map_or(1, |scale| scale.value as i32),
            activation: activation(index).unwrap_or(Activation::Relu),
        };
        (group.name.value.clone(), found)
    };
    SubnetsGraph {
        name: spec.name.value.clone(),
        set: inputs[0].set.value,
        set_name: inputs[0].name.clone().unwrap_or_default(),
        element: element.value,
        groups: spec.groups.iter().enumerate().map(group).collect(),
        products,
        terms: spec.logit.terms.map_or(0, |terms| terms.value as usize),
    }
}

/// Checks the parts of a group.
fn check_group(group: &GroupSpec, first: &GroupSpec, sink: &mut Sink) {
    input::check_rows(&group.inputs, sink);
    input::check_custom(&group.inputs, sink);
    let set = &group.inputs[0].set;
    if set.value.is_listed() {
        let message = "subnets read the rows of a set, not rows that the caller lists";
        let help = "name a type of the program that implements `nnue::game::Inputs`, for example `self::Mine[4096]`";
        error(sink, Code::Subnets, set.loc, message, help);
    } else if let Some(other) = group
        .inputs
        .iter()
        .find(|input| input.set.value.is_of_pairs())
        .or(group.inputs.get(1))
    {
        let message = format!(
            "subnets read one set of pieces, found `{}`",
            other.set.value.name()
        );
        error(
            sink,
            Code::Subnets,
            other.set.loc,
            message,
            "write one set, for example `Chess768[..]`",
        );
    } else if set.value != first.inputs[0].set.value {
        let message = "all subnets of a network read the same rows, and these read others";
        let wrong = Diagnostic::new(Code::Subnets, set.loc, message)
            .help("write the set of the first group");
        sink.push(wrong.related(first.inputs[0].set.loc, "the set of the first group"));
    }
    if !(1..=MAX_COUNT).contains(&group.count.value) {
        let message = format!(
            "a group has 1 to {MAX_COUNT} subnets, not {}",
            group.count.value
        );
        error(
            sink,
            Code::Subnets,
            group.count.loc,
            message,
            "write for example `64 x 8`: one for each square",
        );
    }
    if !(1..=MAX_WIDTH).contains(&group.width.value) {
        let message = format!(
            "a subnet has 1 to {MAX_WIDTH} neurons, not {}",
            group.width.value
        );
        error(
            sink,
            Code::LayerWidth,
            group.width.loc,
            message,
            "common are 4 to 16 neurons",
        );
    }
    check_type(group, first, sink);
}

fn check_type(group: &GroupSpec, first: &GroupSpec, sink: &mut Sink) {
    let GroupSpec { element, scale, .. } = group;
    if !matches!(element.value, ElementType::F32 | ElementType::I16) {
        let message = format!(
            "subnets have weights of `f32` or `i16`, not `{}`",
            element.value.name()
        );
        error(
            sink,
            Code::UnsupportedWeightElement,
            element.loc,
            message,
            "write `f32`, or `i16` and its scale",
        );
        return;
    }
    if element.value != first.element.value {
        let (this, that) = (element.value.name(), first.element.value.name());
        let message =
            format!("all subnets of a network have one type, found `{this}` after `{that}`");
        let wrong =
            Diagnostic::new(Code::Subnets, element.loc, message).help(format!("write `{that}`"));
        sink.push(wrong.related(first.element.loc, "the type of the first group"));
    }
    match (element.value, scale) {
        (ElementType::F32, Some(scale)) => {
            let message = format!("in floats 1.0 is 1, found `@ {}`", scale.value);
            error(
                sink,
                Code::LayerScale,
                scale.loc,
                message,
                "remove the scale",
            );
        }
        (ElementType::I16, None) => {
            let message = "`i16` does not say what 1.0 is";
            error(
                sink,
                Code::LayerScale,
                element.loc,
                message,
                "write for example `i16 @ 256`",
            );
        }
        (ElementType::I16, Some(scale)) if !(1..=MAX_ONE).contains(&scale.value) => {
            let message = format!("a scale is 1 to {MAX_ONE}, not {}", scale.value);
            error(
                sink,
                Code::LayerScale,
                scale.loc,
                message,
                "write for example `i16 @ 256`",
            );
        }
        _ => {}
    }
}

fn check_logit(logit: &LogitSpec, sink: &mut Sink) {
    if let Some(excess) = logit.products.get(MAX_PRODUCTS) {
        let message = format!(
            "a logit has up to {MAX_PRODUCTS} products, found {}",
            logit.products.len()
        );
        error(sink, Code::Subnets, excess.loc, message, "leave some out");
    }
    if let Some(terms) = logit
        .terms
        .filter(|terms| !(1..=MAX_TERMS).contains(&terms.value))
    {
        let message = format!("there are 1 to {MAX_TERMS} terms, not {}", terms.value);
        error(
            sink,
            Code::Subnets,
            terms.loc,
            message,
            "write how many numbers stand at the end of the file, or leave them out",
        );
    }
}

/// Integer products must have the same unit, because they are summed.
fn check_units(spec: &SubnetsSpec, graph: &SubnetsGraph, sink: &mut Sink) {
    let groups = graph.groups();
    let unit = |product: &SubnetProduct| {
        product
            .groups
            .map(|group| groups[group].unit())
            .into_iter()
            .product::<u64>()
    };
    let Some(first) = graph.products.first().map(unit) else {
        return;
    };
    for (product, written) in graph.products.iter().zip(&spec.logit.products) {
        if unit(product) != first {
            let message = format!(
                "1.0 is {} in this product and {first} in the first one",
                unit(product)
            );
            error(
                sink,
                Code::Subnets,
                written.loc,
                message,
                "give all groups one scale and one activation",
            );
        }
    }
}

/// Sums and products must stay within their types, and the parameters must fit in memory.
fn check_sizes(spec: &SubnetsSpec, graph: &SubnetsGraph, sink: &mut Sink) {
    let groups = graph.groups();
    let desc = graph.desc(&groups);
    let bytes = groups.iter().fold(0_u64, |sum, group| {
        let numbers = (group.count * group.width) as u64 * (desc.rows() as u64 + 1);
        sum.saturating_add(numbers.saturating_mul(desc.element.bytes() as u64))
    });
    if bytes > MAX_BYTES {
        let message =
            format!("the network has {bytes} bytes of parameters, the limit is {MAX_BYTES}");
        error(
            sink,
            Code::NetworkTooLarge,
            spec.name.loc,
            message,
            "declare fewer or narrower subnets",
        );
        return;
    }
    let active = if desc.set.is_custom() {
        desc.set.max_active() as u64
    } else {
        SQUARES
    };
    let sum = u128::from(active + 1) << 15;
    let width = graph
        .products
        .iter()
        .map(|product| groups[product.groups[0]].width as u128)
        .sum::<u128>();
    let squared = graph
        .products
        .iter()
        .flat_map(|product| product.groups)
        .any(|group| groups[group].activation == Activation::Screlu);
    let value = if squared {
        u128::from(MAX_ONE * MAX_ONE).max(sum)
    } else {
        sum
    };
    let fits = sum <= i32::MAX as u128 && width * value * value <= i64::MAX as u128;
    if desc.element == ElementType::I16 && !fits {
        let message =
            format!("sums of {active} rows and their products may not fit in i32 and i64");
        let help =
            "write `active` after the number of inputs: how many are active at once, at most";
        error(
            sink,
            Code::SumOverflow,
            spec.groups[0].inputs[0].set.loc,
            message,
            help,
        );
    }
}
