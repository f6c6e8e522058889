//! Networks of subnets as text, for display.

use alloc::format;
use alloc::string::String;
use core::fmt::Write as _;

use super::{SubnetGroup, SubnetProduct, SubnetsDesc};
use crate::descriptor::ElementType;

impl SubnetsDesc<'_> {
    /// The network in one line: `Chess768 -> from 64 x 8, to 64 x 8: f32 -> dot(relu(from), relu(to))`.
    pub fn notation(&self) -> String {
        let mut text = format!("{} -> ", self.set_as_written());
        for (index, group) in self.groups.iter().enumerate() {
            let _ = write!(
                text,
                "{}{} {} x {}",
                if index == 0 { "" } else { ", " },
                group.name,
                group.count,
                group.width
            );
            if self.element != ElementType::F32 {
                let _ = write!(text, " @ {}", group.one);
            }
        }
        let _ = write!(text, ": {} -> {}", self.element.name(), self.logit());
        text
    }

    /// One line per group.
    pub fn table(&self) -> String {
        let mut text =
            String::from("| group | subnets | weights of each | activation |\n|---|---|---|---|\n");
        let (rows, element) = (self.rows(), self.element.name());
        for SubnetGroup {
            name,
            count,
            width,
            activation,
            ..
        } in self.groups
        {
            let activation = activation
                .operation()
                .map_or("", |operation| operation.name);
            let _ = writeln!(
                text,
                "| `{name}` | {count} | `{element}[{rows}][{width}]` | `{activation}` |"
            );
        }
        let _ = write!(text, "\nThe logit of a move is `{}`.", self.logit());
        text
    }

    fn set_as_written(&self) -> &str {
        if self.set.is_custom() {
            self.set_name
        } else {
            self.set.name()
        }
    }

    fn logit(&self) -> String {
        let mut text = String::new();
        for (index, &SubnetProduct { negative, groups }) in self.products.iter().enumerate() {
            let sign = match (index, negative) {
                (0, _) => "",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            let [a, b] = groups.map(|group| {
                let SubnetGroup {
                    name, activation, ..
                } = self.groups[group];
                format!(
                    "{}({name})",
                    activation
                        .operation()
                        .map_or("", |operation| operation.name)
                )
            });
            let _ = write!(text, "{sign}dot({a}, {b})");
        }
        if self.terms > 0 {
            let _ = write!(text, " + terms[{}]", self.terms);
        }
        text
    }
}
