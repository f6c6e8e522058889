//! Networks with arithmetic of floats.

use super::{Named, Parts, Values, declaration};

/// A network: an integer layer whose sums become floats in one of three ways, expressions over floats and
/// layers that read these.
pub fn floats(seed: u64) -> String {
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
        let len = 2 + self.values.random.below(40);
        match self.values.random.below(4) {
            3 => {
                let layer = format!("affine(acc as f32 * 0.01, {len}: f32)");
                self.values.bind(len, true, layer);
            }
            0 => self
                .values
                .bind(len, true, format!("affine(crelu(acc), {len})")),
            1 => {
                let den = 1 + self.values.random.below(1 << 20);
                let layer = format!("affine(crelu(acc), {len} unit 1/{den})");
                self.values.bind(len, true, layer);
            }
            _ => self.integers(len),
        }
    }

    fn layer(&mut self) {
        let Named { name, is_sums, .. } = self.values.any();
        let read = match is_sums {
            true => format!("crelu({name})"),
            false => name,
        };
        let outputs = 1 + self.values.random.below(40);
        // Inputs must be as many as partial sums.
        let is_one = self.values.all.iter().any(|value| value.len < 2);
        let sums = match self.values.random.below(2) {
            0 if outputs > 1 && !is_one => " sums 2",
            _ => "",
        };
        let layer = format!("affine({read}, {outputs}: f32{sums})");
        self.values.bind(outputs, true, layer);
    }

    fn expression(&mut self) {
        let len = self.values.len();
        let value = self.any(len, 3);
        self.values.bind(len, false, value);
    }

    fn text(mut self) -> String {
        let read = self.values.unread(|sums| format!("screlu({sums})"));
        let fused = match self.values.random.below(2) {
            0 => "    floats fused;\n",
            _ => "",
        };
        let lines = self.values.text();
        format!(
            "struct N {{\n    acc = accumulate(Chess768[..], 32) x 2;\n    {lines}\n    output affine({read}, 1: f32);\n    \
             value output * 400;\n{fused}    format raw\n}}"
        )
    }
}

impl Network {
    /// Sums with an integer bias, and integers made of them, as floats.
    fn integers(&mut self, len: usize) {
        let shift = self.values.random.below(9);
        let lines = [
            format!("let sums = affine(crelu(acc), {len} bias i32);"),
            format!("let whole = clamp(sums, -20000, 30000) >> {shift};"),
        ];
        self.values.lines.extend(lines);
        let value = "sums as f32 * (1.0 / 8128.0) + whole as f32 * 1e-3";
        self.values.bind(len, false, value.to_owned());
    }

    fn any(&mut self, len: usize, depth: usize) -> String {
        if depth == 0 {
            let leaf = self.values.part(len);
            return leaf.map_or_else(|| self.constant(), |leaf| format!("{leaf} * 0.5"));
        }
        let depth = depth - 1;
        match self.values.random.below(14) {
            0 => format!("({} + {})", self.any(len, depth), self.any(len, depth)),
            1 => format!("({} - {})", self.any(len, depth), self.any(len, depth)),
            2 => format!("({} * {})", self.any(len, depth), self.constant()),
            3 => format!("({} / {})", self.any(len, depth), self.any(len, depth)),
            4 => format!("min({}, {})", self.any(len, depth), self.any(len, depth)),
            5 => format!("max({}, {})", self.constant(), self.any(len, depth)),
            6 => format!("clamp({}, -1, {})", self.any(len, depth), self.constant()),
            7 => format!("exp(-abs({}))", self.any(len, depth)),
            8 => format!(
                "mul_add({}, {}, {})",
                self.any(len, depth),
                self.constant(),
                self.any(len, depth)
            ),
            9 => format!("(1.0 / (1.0 + exp({})))", self.any(len, depth)),
            10 => format!("floor({})", self.any(len, depth)),
            11 => format!("round({})", self.any(len, depth)),
            _ => format!(
                "(if {} {} {} {{ {} }} else {{ {} }})",
                self.any(len, 0),
                self.values.comparison(),
                self.constant(),
                self.any(len, depth),
                self.constant()
            ),
        }
    }

    fn constant(&mut self) -> String {
        let number = self.values.random.below(1 << 16) as f32;
        format!("{:?}", (number - 32768.0) / 4096.0)
    }
}
