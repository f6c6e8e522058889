//! Random declarations: the check never panics, and accepted ones can be planned.

use alloc::format;
use alloc::string::{String, ToString};

use super::*;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % end
    }

    fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    fn expr(&mut self, depth: u32, names: &[String]) -> Expr {
        let input = |random: &mut Self| random.expr(depth.saturating_sub(1), names);
        match if depth == 0 { 0 } else { self.below(11) } {
            0 | 1 => name(&names[self.below(names.len() as u64) as usize]),
            2 => affine(crelu(input(self)), self.one_of(&[1, 8, 16])),
            3 => affine(input(self), self.one_of(&[1, 8, 16, 0, u64::MAX])),
            4 | 5 => crelu(input(self)),
            6 => shifted(
                self.one_of(&[Activation::Pairwise, Activation::SqrCrelu]),
                input(self),
                self.below(70),
            ),
            7 => concat([input(self), input(self)]),
            8 => activate(
                self.one_of(&[
                    Activation::AvgHalves,
                    Activation::MaxNeighbours,
                    Activation::Pairwise,
                ]),
                input(self),
            ),
            9 => pool(self.one_of(&Pool::ALL), [input(self), input(self)]),
            _ => slice(
                input(self),
                self.below(4),
                self.one_of(&[1, 3, 8, 16, u64::MAX]),
            ),
        }
    }

    fn net(&mut self) -> NetSpec {
        let mut names = vec!["acc".to_string()];
        let mut bindings = Vec::new();
        for index in 0..self.below(4) {
            let value = self.expr(3, &names);
            names.push(format!("v{index}"));
            bindings.push(bind(&names[names.len() - 1], value));
        }
        let terms = (0..=self.below(2))
            .map(|_| term(affine(crelu(self.expr(2, &names)), 1)))
            .collect();
        let mut spec = net(
            self.one_of(&FeatureSetId::ALL),
            self.one_of(&[32, 64, 96, 31, u64::MAX]),
            bindings,
            terms,
        );
        spec.accumulator.perspectives = at(self.one_of(&[1, 2, 2, u64::MAX]));
        spec.accumulator.one = at(self.one_of(&[127, 127, 255, 0, u64::MAX]));
        spec.stacks.count = at(self.one_of(&[1, 1, 4, 8, 0, u64::MAX]));
        spec
    }
}

#[test]
fn what_the_check_accepts_can_be_planned() {
    let mut random = Random(1);
    let mut accepted = 0;
    for _ in 0..100_000 {
        let spec = random.net();
        let errors = diagnose(&spec);
        if errors.is_empty() {
            accepted += 1;
            planned(&spec); // panics if the plan is inconsistent
        }
    }
    assert!(accepted > 400, "only {accepted} models were accepted");
}
