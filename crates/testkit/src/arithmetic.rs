//! Random networks with arithmetic, as texts of declarations.

use crate::random::Random;

/// A network: sums, expressions over them and layers that read these, of random shapes and types.
pub fn declaration(seed: u64) -> String {
    let mut network = Network {
        random: Random::new(seed),
        lines: Vec::new(),
        values: Vec::new(),
    };
    network.first();
    for _ in 0..2 + network.random.below(5) {
        match network.random.below(3) {
            0 => network.layer(),
            _ => network.expression(),
        }
    }
    network.text()
}

/// A value with a name.
#[derive(Clone)]
struct Named {
    name: String,
    len: usize,
    is_sums: bool,
    is_read: bool,
}

struct Network {
    random: Random,
    lines: Vec<String>,
    values: Vec<Named>,
}

impl Network {
    fn first(&mut self) {
        let len = 1 + self.random.below(40);
        self.bind(len, true, format!("affine(crelu(acc), {len})"));
    }

    fn bind(&mut self, len: usize, is_sums: bool, value: String) {
        let name = format!("v{}", self.values.len());
        self.lines.push(format!("let {name} = {value};"));
        self.values.push(Named {
            name,
            len,
            is_sums,
            is_read: false,
        });
    }

    /// A part of a value, of `len` values.
    fn part(&mut self, len: usize) -> Option<String> {
        let long: Vec<usize> = (0..self.values.len())
            .filter(|&index| self.values[index].len >= len)
            .collect();
        let index = *long.get(self.random.below(long.len()))?;
        self.values[index].is_read = true;
        let Named { name, len: all, .. } = self.values[index].clone();
        let start = self.random.below(all - len + 1);
        Some(if all == len {
            name
        } else {
            format!("{name}[{start}..{}]", start + len)
        })
    }

    fn expression(&mut self) {
        let all = self.values[self.random.below(self.values.len())].len;
        let len = 1 + self.random.below(all);
        let value = self.any(len, 2);
        self.bind(len, false, value);
    }

    /// Integers of any size.
    fn any(&mut self, len: usize, depth: usize) -> String {
        if depth == 0 {
            let leaf = self.part(len).unwrap_or_else(|| "v0".to_owned());
            return format!("({leaf} >> {})", self.random.below(9));
        }
        let [first, second] = [depth - 1; 2];
        match self.random.below(12) {
            0 => format!(
                "wrapping_add({}, {})",
                self.any(len, first),
                self.any(len, second)
            ),
            1 => format!(
                "wrapping_sub({}, {})",
                self.any(len, first),
                self.any(len, second)
            ),
            2 => format!(
                "wrapping_mul({}, {})",
                self.any(len, first),
                self.any(len, second)
            ),
            3 => format!("min({}, {})", self.any(len, first), self.constant()),
            4 => format!("max({}, {})", self.constant(), self.any(len, first)),
            5 => format!("({} >> {})", self.any(len, first), self.random.below(32)),
            6 => format!(
                "({} / {})",
                self.any(len, first),
                1 + self.random.below(300)
            ),
            7 => format!("({} * {})", self.small(len, first), self.small(len, second)),
            8 => format!("({} - {})", self.small(len, first), self.small(len, second)),
            9 => format!("min({}, {})", self.any(len, first), self.any(len, second)),
            10 => format!("max({}, {})", self.any(len, first), self.any(len, second)),
            _ => format!("({} << {})", self.small(len, first), self.random.below(16)),
        }
    }

    /// Integers up to 2^14 in size.
    fn small(&mut self, len: usize, depth: usize) -> String {
        let value = self.any(len, depth);
        let (least, most) = (self.random.below(1 << 14), self.random.below(1 << 14));
        match self.random.below(3) {
            0 => format!("abs(clamp({value}, -{least}, {most}))"),
            1 => format!("-clamp({value}, -{least}, {most})"),
            _ => format!("clamp({value}, -{least}, {most})"),
        }
    }

    fn constant(&mut self) -> i64 {
        (self.random.next() as i32 >> self.random.below(31)).into()
    }

    /// A layer over one value or two.
    fn layer(&mut self) {
        let (read, must_be_wide) = self.operand();
        let outputs = 1 + self.random.below(40);
        let element = match self.random.below(3) {
            _ if must_be_wide => "i32",
            0 => "i8",
            1 => "i16",
            _ => "i32",
        };
        self.bind(
            outputs,
            true,
            format!("affine({read}, {outputs}: {element})"),
        );
    }

    /// What a layer reads, and whether only layers of 32-bit weights read it.
    fn operand(&mut self) -> (String, bool) {
        let mut parts = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let index = self.random.below(self.values.len());
            self.values[index].is_read = true;
            let Named { name, is_sums, .. } = self.values[index].clone();
            parts.push(match is_sums {
                true => format!("crelu({name}) >> {}", self.random.below(12)),
                false => name,
            });
        }
        let are_bytes = parts.iter().all(|part| part.starts_with("crelu"));
        if parts.len() == 1 {
            return (parts.remove(0), are_bytes);
        }
        (format!("concat({})", parts.join(", ")), are_bytes)
    }

    /// The declaration: the output reads all values that nothing else reads.
    fn text(mut self) -> String {
        let unread: Vec<Named> = self
            .values
            .iter()
            .filter(|value| !value.is_read)
            .cloned()
            .collect();
        let parts: Vec<String> = unread
            .into_iter()
            .map(|value| match value.is_sums {
                true => format!("wrapping_add({}, 1)", value.name),
                false => value.name,
            })
            .collect();
        let read = match &*parts {
            [one] => one.clone(),
            parts => format!("concat({})", parts.join(", ")),
        };
        let value = match self.random.below(2) {
            0 => "output * 400 / 16777216",
            _ => "output >> 7",
        };
        let lines = self.lines.join("\n    ");
        format!(
            "struct N {{\n    acc = accumulate(Chess768[..], 32) x 2;\n    {lines}\n    output affine({read}, 1: i32);\n    \
             value {value};\n    format raw\n}}"
        )
    }
}
