//! Networks with arithmetic of integers.

use super::{Named, Parts, Values, declaration};

/// A network: sums, expressions over them and layers that read these, of random shapes and types.
pub fn integers(seed: u64) -> String {
    declaration(Network {
        values: Values::new(seed),
    })
}

struct Network {
    values: Values,
}

impl Parts for Network {
    fn values(&mut self) -> &mut Values {
        &mut self.values
    }

    fn first(&mut self) {
        let len = 1 + self.values.random.below(40);
        let layer = match self.values.random.below(3) {
            0 => format!("affine(max(acc, 0) >> {}, {len}: i16)", len % 8),
            _ => format!("affine(crelu(acc), {len})"),
        };
        self.values.bind(len, true, layer);
    }

    fn expression(&mut self) {
        let len = self.values.len();
        let value = self.any(len, 2);
        self.values.bind(len, false, value);
    }

    fn layer(&mut self) {
        let (read, must_be_wide) = self.operand();
        let outputs = 1 + self.values.random.below(40);
        let element = match self.values.random.below(3) {
            _ if must_be_wide => "i32",
            0 => "i8",
            1 => "i16",
            _ => "i32",
        };
        let layer = format!("affine({read}, {outputs}: {element})");
        self.values.bind(outputs, true, layer);
    }

    fn text(mut self) -> String {
        let read = self
            .values
            .unread(|sums| format!("wrapping_add({sums}, 1)"));
        let value = match self.values.random.below(2) {
            0 => "output * 400 / 16777216",
            _ => "output >> 7",
        };
        let lines = self.values.text();
        format!(
            "struct N {{\n    acc = accumulate(Chess768[..], 32) x 2;\n    {lines}\n    output affine({read}, 1: i32);\n    \
             value {value};\n    format raw\n}}"
        )
    }
}

impl Network {
    /// Integers of any size.
    fn any(&mut self, len: usize, depth: usize) -> String {
        if depth == 0 {
            let leaf = self.values.part(len).unwrap_or_else(|| "v0".to_owned());
            return format!("({leaf} >> {})", self.values.random.below(9));
        }
        let [first, second] = [depth - 1; 2];
        match self.values.random.below(17) {
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
            5 => format!(
                "({} >> {})",
                self.any(len, first),
                self.values.random.below(32)
            ),
            6 => format!(
                "({} / {})",
                self.any(len, first),
                1 + self.values.random.below(300)
            ),
            7 => format!("({} * {})", self.small(len, first), self.small(len, second)),
            8 => format!("({} - {})", self.small(len, first), self.small(len, second)),
            9 => format!("min({}, {})", self.any(len, first), self.any(len, second)),
            10 => format!("max({}, {})", self.any(len, first), self.any(len, second)),
            11 => {
                let word = ["add", "sub", "mul"][self.values.random.below(3)];
                let operands = [self.any(len, first), self.any(len, second)];
                format!("saturating_{word}({}, {})", operands[0], operands[1])
            }
            12 => format!("({} as i{})", self.any(len, first), [8, 16][len % 2]),
            13 => format!("({})", self.comparison(len, first)),
            14 | 15 => format!(
                "(if {} {{ {} }} else {{ {} }})",
                self.comparison(len, first),
                self.any(len, first),
                self.constant()
            ),
            _ => format!(
                "({} << {})",
                self.small(len, first),
                self.values.random.below(16)
            ),
        }
    }

    fn comparison(&mut self, len: usize, depth: usize) -> String {
        let word = self.values.comparison();
        let first = self.any(len, depth);
        match self.values.random.below(2) {
            0 => format!("{first} {word} {}", self.constant()),
            _ => format!("{first} {word} {}", self.any(len, depth)),
        }
    }

    /// Integers up to 2^14 in size.
    fn small(&mut self, len: usize, depth: usize) -> String {
        let value = self.any(len, depth);
        let (least, most) = (
            self.values.random.below(1 << 14),
            self.values.random.below(1 << 14),
        );
        match self.values.random.below(3) {
            0 => format!("abs(clamp({value}, -{least}, {most}))"),
            1 => format!("-clamp({value}, -{least}, {most})"),
            _ => format!("clamp({value}, -{least}, {most})"),
        }
    }

    fn constant(&mut self) -> i64 {
        let number = self.values.random.next() as i32;
        (number >> self.values.random.below(31)).into()
    }

    /// What a layer reads, and whether only layers of 32-bit weights read it.
    fn operand(&mut self) -> (String, bool) {
        let mut parts = Vec::new();
        for _ in 0..1 + self.values.random.below(2) {
            let Named { name, is_sums, .. } = self.values.any();
            parts.push(match is_sums {
                true => format!("crelu({name}) >> {}", self.values.random.below(12)),
                false => name,
            });
        }
        let are_bytes = parts.iter().all(|part| part.starts_with("crelu"));
        if parts.len() == 1 {
            return (parts.remove(0), are_bytes);
        }
        (format!("concat({})", parts.join(", ")), are_bytes)
    }
}
