//! Examples of a network over a dense input: lines of comma-separated numbers.
//!
//! ```text
//!   label,pixel0,pixel1,..        a line of names, or none
//!   7,0,0,5,13,..                 the class, or as many numbers as the network has outputs; then the input, channel by channel
//! ```

use std::path::{Path, PathBuf};

use fastrand::Rng;
use nnue_data::files::bounded;
use nnue_spec::dense::Shape;

use crate::run::Error;

/// Upper bound of the size of a file, which is read into memory.
const MOST: u64 = 4 << 30;

/// The target at the beginning of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// a class below this number
    Class(usize),
    /// this many numbers
    Numbers(usize),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Example {
    /// the target: a class or numbers
    pub(super) wanted: Vec<f32>,
    pub(super) input: Vec<f32>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Examples(pub(super) Vec<Example>);

impl Examples {
    /// Reads files; each example has `inputs` numbers, which are divided by `divide`.
    pub(super) fn read(
        paths: impl Iterator<Item = PathBuf>,
        inputs: usize,
        wanted: Wanted,
        divide: f64,
    ) -> Result<Self, Error> {
        let mut examples = Vec::new();
        for path in paths {
            let text = bounded::read_text(&path, MOST)?;
            let lines = text
                .strip_prefix('\u{feff}')
                .unwrap_or(&text)
                .lines()
                .enumerate();
            for (at, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
                match example(line, inputs, wanted, divide) {
                    Ok(example) => examples.push(example),
                    // Column names.
                    Err(_)
                        if at == 0
                            && line
                                .split(',')
                                .all(|name| name.trim().parse::<f32>().is_err()) => {}
                    Err(message) => return Err(refuse(&path, at, &message)),
                }
            }
        }
        Ok(Self(examples))
    }

    pub(super) const fn len(&self) -> usize {
        self.0.len()
    }

    /// Splits off the last examples: all but `share` of them, and the rest.
    pub(super) fn split(mut self, share: f64) -> (Self, Self) {
        let kept = (self.len() as f64 * (1.0 - share)) as usize;
        let last = self.0.split_off(kept);
        (self, Self(last))
    }
}

fn refuse(path: &Path, at: usize, message: &str) -> Error {
    Error::Run(format!("{}, line {}: {message}", path.display(), at + 1))
}

fn example(line: &str, inputs: usize, wanted: Wanted, divide: f64) -> Result<Example, String> {
    let number = |text: &str| match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(format!("`{}` is no number", text.trim().escape_debug())),
    };
    let first = match wanted {
        Wanted::Class(_) => 1,
        Wanted::Numbers(count) => count,
    };
    let numbers = line
        .split(',')
        .map(number)
        .collect::<Result<Vec<f64>, String>>()?;
    if numbers.len() != first + inputs {
        let what = if matches!(wanted, Wanted::Class(_)) {
            "a class".into()
        } else {
            format!("{first} wanted numbers")
        };
        return Err(format!(
            "{what} and {inputs} of an input are {} numbers, found {}",
            first + inputs,
            numbers.len()
        ));
    }
    let (shall, input) = numbers.split_at(first);
    if let Wanted::Class(classes) = wanted
        && !(0..classes).any(|class| shall[0] == class as f64)
    {
        return Err(format!(
            "the network has the classes 0 to {}, found {}",
            classes - 1,
            shall[0]
        ));
    }
    let wanted = shall.iter().map(|&number| number as f32).collect();
    Ok(Example {
        wanted,
        input: input
            .iter()
            .map(|&number| (number / divide) as f32)
            .collect(),
    })
}

impl Example {
    /// A copy with all planes shifted randomly by up to `most` pixels in each direction and padded with
    /// zeros.
    pub(super) fn moved(&self, shape: Shape, most: usize, random: &mut Rng) -> Self {
        let most = most as i64;
        let [down, right] = [random.i64(-most..=most), random.i64(-most..=most)];
        let [height, width] = shape.size();
        let mut input = vec![0.0; self.input.len()];
        for (to, from) in input
            .chunks_exact_mut(height * width)
            .zip(self.input.chunks_exact(height * width))
        {
            for (at, number) in to.iter_mut().enumerate() {
                let (row, column) = ((at / width) as i64 - down, (at % width) as i64 - right);
                if (0..height as i64).contains(&row) && (0..width as i64).contains(&column) {
                    *number = from[row as usize * width + column as usize];
                }
            }
        }
        Self {
            wanted: self.wanted.clone(),
            input,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_a_class_and_an_input() {
        let found = example("2, 4,8", 2, Wanted::Class(3), 4.0);
        assert_eq!(
            found,
            Ok(Example {
                wanted: vec![2.0],
                input: vec![1.0, 2.0]
            })
        );
        let found = example("-0.5,1,3", 2, Wanted::Numbers(1), 1.0);
        assert_eq!(
            found,
            Ok(Example {
                wanted: vec![-0.5],
                input: vec![1.0, 3.0]
            })
        );
        for (line, said) in [
            ("3,1,1", "the network has the classes 0 to 2, found 3"),
            ("0.5,1,1", "the network has the classes 0 to 2, found 0.5"),
            ("1,1", "a class and 2 of an input are 3 numbers, found 2"),
            ("1,1,x", "`x` is no number"),
            ("1,1,inf", "`inf` is no number"),
        ] {
            assert_eq!(example(line, 2, Wanted::Class(3), 1.0), Err(said.into()));
        }
    }

    #[test]
    fn planes_are_moved_by_themselves() {
        let example = Example {
            wanted: vec![0.0],
            input: (1..=8).map(|number| number as f32).collect(),
        };
        let mut random = Rng::with_seed(1);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..200 {
            let moved = example
                .moved(Shape::Planes([2, 2, 2]), 1, &mut random)
                .input;
            let numbers: Vec<i32> = moved.iter().map(|&number| number as i32).collect();
            let [first, second] = [&numbers[..4], &numbers[4..]];
            assert!(
                first
                    .iter()
                    .zip(second)
                    .all(|(&a, &b)| (a == 0) == (b == 0) && (b == 0 || b == a + 4))
            );
            seen.insert(numbers);
        }
        assert_eq!(seen.len(), 9);
        assert!(seen.contains(&vec![0, 1, 0, 3, 0, 5, 0, 7]));
    }
}
