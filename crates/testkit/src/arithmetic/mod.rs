//! Random networks with arithmetic, as texts of declarations.

mod floats;
mod integers;

use crate::random::Random;

pub use floats::floats;
pub use integers::integers;

/// A value with a name.
#[derive(Clone)]
struct Named {
    name: String,
    len: usize,
    is_sums: bool,
    is_read: bool,
}

/// A kind of network, by the parts that it is made of.
trait Parts {
    fn values(&mut self) -> &mut Values;

    /// The first layer.
    fn first(&mut self);

    /// A layer over values that are there.
    fn layer(&mut self);

    /// An expression over values that are there.
    fn expression(&mut self);

    /// The declaration: the output reads all values that nothing else reads.
    fn text(self) -> String;
}

/// The declaration of a network with some layers and expressions.
fn declaration(mut network: impl Parts) -> String {
    network.first();
    for _ in 0..2 + network.values().random.below(5) {
        match network.values().random.below(3) {
            0 => network.layer(),
            _ => network.expression(),
        }
    }
    network.text()
}

/// The values of a network and the lines that bind them.
struct Values {
    random: Random,
    lines: Vec<String>,
    all: Vec<Named>,
}

impl Values {
    fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            lines: Vec::new(),
            all: Vec::new(),
        }
    }

    fn bind(&mut self, len: usize, is_sums: bool, value: String) {
        let name = format!("v{}", self.all.len());
        self.lines.push(format!("let {name} = {value};"));
        self.all.push(Named {
            name,
            len,
            is_sums,
            is_read: false,
        });
    }

    /// Any value, which is then read.
    fn any(&mut self) -> Named {
        let index = self.random.below(self.all.len());
        self.all[index].is_read = true;
        self.all[index].clone()
    }

    fn comparison(&mut self) -> &'static str {
        ["<", "<=", ">", ">=", "==", "!="][self.random.below(6)]
    }

    /// A length that a value has.
    fn len(&mut self) -> usize {
        let all = self.all[self.random.below(self.all.len())].len;
        1 + self.random.below(all)
    }

    /// A part of a value, of `len` values.
    fn part(&mut self, len: usize) -> Option<String> {
        let long: Vec<usize> = (0..self.all.len())
            .filter(|&index| self.all[index].len >= len)
            .collect();
        let index = *long.get(self.random.below(long.len()))?;
        self.all[index].is_read = true;
        let Named { name, len: all, .. } = self.all[index].clone();
        let start = self.random.below(all - len + 1);
        Some(if all == len {
            name
        } else {
            format!("{name}[{start}..{}]", start + len)
        })
    }

    /// All values that nothing reads, one after the other; `as_read` makes sums readable.
    fn unread(&self, as_read: impl Fn(&str) -> String) -> String {
        let unread = self.all.iter().filter(|value| !value.is_read);
        let parts: Vec<String> = unread
            .map(|value| match value.is_sums {
                true => as_read(&value.name),
                false => value.name.clone(),
            })
            .collect();
        match &*parts {
            [one] => one.clone(),
            parts => format!("concat({})", parts.join(", ")),
        }
    }

    fn text(self) -> String {
        self.lines.join("\n    ")
    }
}
