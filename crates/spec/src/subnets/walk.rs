//! The names and products of a declaration of subnets.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::SubnetProduct;
use super::model::{GroupSpec, ProductSpec, SubnetExpr, SubnetsSpec};
use crate::descriptor::ElementType;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::loc::{Loc, Located};
use crate::op::{Activation, Operation};
use crate::suggest::nearest;

/// Records an error.
pub(super) fn error(
    sink: &mut Sink,
    code: Code,
    loc: Loc,
    message: impl Into<String>,
    help: impl Into<String>,
) {
    sink.push(Diagnostic::new(code, loc, message).help(help));
}

/// The value of a name.
#[derive(Clone, Copy)]
enum Value {
    /// the sums of a group
    Sums(usize),
    /// a group, activated
    Activated(usize),
    /// hidden by an earlier error
    Unknown,
}

/// The activation of a group.
pub(super) struct Used {
    pub(super) group: usize,
    pub(super) activation: Located<Activation>,
}

pub(super) struct Walk<'a, 's> {
    names: BTreeMap<&'a str, (Loc, Value)>,
    read: BTreeSet<&'a str>,
    /// some names are wrong, so an unused name may be a misspelt one
    broken: bool,
    used: Vec<Used>,
    sink: &'s mut Sink,
}

impl<'a, 's> Walk<'a, 's> {
    /// The products of the logit, if they are correct, and the activation of each group.
    pub(super) fn through(
        spec: &'a SubnetsSpec,
        sink: &'s mut Sink,
    ) -> (Option<Vec<SubnetProduct>>, Vec<Used>) {
        let mut walk = Self {
            names: BTreeMap::new(),
            read: BTreeSet::new(),
            broken: false,
            used: Vec::new(),
            sink,
        };
        walk.bind_all(spec);
        let products: Vec<Option<SubnetProduct>> = spec
            .logit
            .products
            .iter()
            .map(|product| walk.product(spec, product))
            .collect();
        walk.check_unused(spec);
        (products.into_iter().collect(), walk.used)
    }

    fn bind_all(&mut self, spec: &'a SubnetsSpec) {
        for (index, group) in spec.groups.iter().enumerate() {
            self.bind(&group.name, Value::Sums(index));
        }
        for binding in &spec.bindings {
            let value = self.value(&spec.groups, &binding.value);
            self.bind(&binding.name, value);
        }
    }

    fn bind(&mut self, name: &'a Located<String>, value: Value) {
        if let Some((first, _)) = self.names.get(name.value.as_str()) {
            self.broken = true;
            let message = format!("`{}` is bound twice", name.value);
            let wrong = Diagnostic::new(Code::DuplicateName, name.loc, message);
            self.sink.push(
                wrong
                    .help("choose another name for one of the two")
                    .related(*first, "first bound"),
            );
            return;
        }
        self.names.insert(&name.value, (name.loc, value));
    }

    fn named(&mut self, name: &'a Located<String>) -> Value {
        if let Some(&(_, value)) = self.names.get(name.value.as_str()) {
            self.read.insert(&name.value);
            return value;
        }
        self.broken = true;
        let help = match nearest(&name.value, self.names.keys().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "bind it first: `from = subnets(Chess768[..], 64 x 8: f32);`".into(),
        };
        error(
            self.sink,
            Code::UnknownName,
            name.loc,
            format!("no value is called `{}`", name.value),
            help,
        );
        Value::Unknown
    }

    fn value(&mut self, groups: &'a [GroupSpec], expr: &'a SubnetExpr) -> Value {
        let (activation, input) = match expr {
            SubnetExpr::Name(name) => return self.named(name),
            SubnetExpr::Activate { activation, input } => (activation, input),
        };
        match self.named(input) {
            Value::Sums(group) => {
                self.activate(groups, group, *activation);
                Value::Activated(group)
            }
            Value::Activated(_) => {
                let message = format!("`{}` is activated already", input.value);
                error(
                    self.sink,
                    Code::DoubleActivation,
                    activation.loc,
                    message,
                    "remove one of the two activations",
                );
                Value::Unknown
            }
            Value::Unknown => Value::Unknown,
        }
    }

    /// A group has one activation, elementwise and of its element type.
    fn activate(&mut self, groups: &[GroupSpec], group: usize, activation: Located<Activation>) {
        let name = |activation: Activation| {
            activation
                .operation()
                .map_or("", |operation| operation.name)
        };
        let of_floats = matches!(
            activation.value.operation(),
            Some(Operation {
                floats: Some(_),
                pairs: None,
                ..
            })
        );
        let of_whole = matches!(
            activation.value,
            Activation::Relu | Activation::Crelu | Activation::Screlu
        );
        let (fits, takes) = match groups[group].element.value {
            ElementType::F32 => (of_floats, "single floats, for example `relu`"),
            _ => (of_whole, "`relu`, `crelu` or `screlu`"),
        };
        if !fits {
            let message = format!(
                "`{}` is no activation of these subnets",
                name(activation.value)
            );
            error(
                self.sink,
                Code::Subnets,
                activation.loc,
                message,
                format!(
                    "subnets of `{}` have activations of {takes}",
                    groups[group].element.value.name()
                ),
            );
        }
        match self.used.iter().find(|used| used.group == group) {
            None => self.used.push(Used { group, activation }),
            Some(used) if used.activation.value != activation.value => {
                let (first, second) = (name(used.activation.value), name(activation.value));
                let message = format!(
                    "`{}` has one activation, found `{second}` after `{first}`",
                    groups[group].name.value
                );
                let wrong = Diagnostic::new(Code::Subnets, activation.loc, message)
                    .help(format!("write `{first}`"));
                self.sink
                    .push(wrong.related(used.activation.loc, "the first activation"));
            }
            Some(_) => {}
        }
    }

    fn product(
        &mut self,
        spec: &'a SubnetsSpec,
        product: &'a ProductSpec,
    ) -> Option<SubnetProduct> {
        let [a, b] = product.operands.each_ref().map(|operand| {
            let value = self.value(&spec.groups, operand);
            if let Value::Sums(group) = value {
                let name = &spec.groups[group].name.value;
                let message = format!("`{name}` is not activated");
                error(
                    self.sink,
                    Code::MissingActivation,
                    operand.loc(),
                    message,
                    format!("write `relu({name})`"),
                );
            }
            value
        });
        let (Value::Activated(a), Value::Activated(b)) = (a, b) else {
            return None;
        };
        let [first, second] = [a, b].map(|group| &spec.groups[group]);
        if first.width.value != second.width.value {
            let message = format!(
                "`dot` multiplies as many neurons, found {} and {}",
                first.width.value, second.width.value
            );
            error(
                self.sink,
                Code::Subnets,
                product.loc,
                message,
                "give both groups subnets of the same width",
            );
        }
        Some(SubnetProduct {
            negative: product.negative,
            groups: [a, b],
        })
    }

    fn check_unused(&mut self, spec: &'a SubnetsSpec) {
        if self.broken {
            return;
        }
        let names = spec
            .groups
            .iter()
            .map(|group| &group.name)
            .chain(spec.bindings.iter().map(|binding| &binding.name));
        for name in names.filter(|name| !self.read.contains(name.value.as_str())) {
            let message = format!("`{}` is never read", name.value);
            let help = format!("remove `{}`, or read it in the output", name.value);
            error(self.sink, Code::UnusedBinding, name.loc, message, help);
        }
    }
}
