//! Pairing of operands.

/// Which two operands form a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pairs {
    /// j and j + n/2
    Halves,
    /// 2j and 2j + 1
    Neighbours,
}

impl Pairs {
    /// Positions of the first result's operands among `n`, and the stride to the next result's.
    pub const fn places(self, n: usize) -> Strided {
        match self {
            Self::Halves => Strided {
                starts: [0, n / 2],
                stride: 1,
            },
            Self::Neighbours => Strided {
                starts: [0, 1],
                stride: 2,
            },
        }
    }
}

/// Positions of pool operands: those of result j are `starts[0] + stride * j` and `starts[1] + stride * j`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strided {
    /// of the first result
    pub starts: [usize; 2],
    /// from one result to the next
    pub stride: usize,
}

/// Each operand with its partner; without pairs, with itself.
pub fn operands<T: Copy>(pairs: Option<Pairs>, values: &[T]) -> impl Iterator<Item = (T, T)> {
    let (
        Strided {
            starts: [first, second],
            stride,
        },
        results,
    ) = match pairs {
        Some(pairs) => (pairs.places(values.len()), values.len() / 2),
        None => (
            Strided {
                starts: [0, 0],
                stride: 1,
            },
            values.len(),
        ),
    };
    (0..results).map(move |j| (values[first + stride * j], values[second + stride * j]))
}
