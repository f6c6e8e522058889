//! A board with a number on each square, from White's point of view.
//!
//! ```text
//!   8 ▒ ░ ▒ ░ ▒ ░ ▒ ░      blue: above 0    white: 0    red: below 0    grey: there is no number
//!   ..                     square = 8 * rank + file, from a1 = 0
//!   1 ░ ▒ ░ ▒ ░ ▒ ░ ▒      a1 is at the bottom on the left
//!     a b c d e f g h
//! ```

use crate::plot::drawing::{Anchor, Drawing, Label, short};

/// Colours of -1, -1/2, 0, 1/2 and 1 that red-green colour-blind people can distinguish (RdBu of
/// ColorBrewer).
const COLOURS: [[u8; 3]; 5] = [
    [0xca, 0x00, 0x20],
    [0xf4, 0xa5, 0x82],
    [0xf7, 0xf7, 0xf7],
    [0x92, 0xc5, 0xde],
    [0x05, 0x71, 0xb0],
];

const NONE: &str = "#d0d0d0";

/// Height of the title, in pixels.
const TITLE: f64 = 16.0;

/// Number of steps in the legend.
const STEPS: usize = 64;

/// A board with numbers on its squares.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// its title
    pub title: String,
    /// values from a1 (0), b1 (1) to h8 (63); `None` without a number
    pub squares: [Option<f64>; 64],
    /// text on squares, such as pieces: text, square
    pub texts: Vec<(String, usize)>,
    /// square with a border
    pub marked: Option<usize>,
}

/// Style of a drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// size of a square, in pixels
    pub square: f64,
    /// magnitude with full colour
    pub limit: f64,
    /// writes numbers on the squares, and coordinates beside the board
    pub numbers: bool,
}

impl Board {
    /// A board without numbers.
    pub const fn new(title: String) -> Self {
        Self {
            title,
            squares: [None; 64],
            texts: Vec::new(),
            marked: None,
        }
    }

    /// The greatest magnitude; 0 without numbers.
    pub fn greatest(&self) -> f64 {
        self.squares
            .iter()
            .flatten()
            .fold(0.0, |greatest, number| number.abs().max(greatest))
    }

    /// The mean; 0 without numbers.
    pub fn mean(&self) -> f64 {
        let numbers = || self.squares.iter().flatten();
        numbers().sum::<f64>() / numbers().count().max(1) as f64
    }

    /// The board minus its mean, which its title says.
    #[must_use]
    pub fn around_mean(&self) -> Self {
        let mean = self.mean().round();
        let squares = self
            .squares
            .map(|number| number.map(|number| number - mean));
        Self {
            title: format!("{} {mean:+}", self.title),
            squares,
            ..self.clone()
        }
    }

    /// Draws the board.
    pub fn draw(&self, style: Style) -> Drawing {
        let side = style.square;
        let left = if style.numbers { 0.5 * side } else { 0.0 };
        let below = if style.numbers { 0.5 * side } else { 0.0 };
        let mut drawing = Drawing::new(left + 8.0 * side, TITLE + 8.0 * side + below);
        // Long titles are smaller, so that they stay above their board.
        let size = (14.0 * side / self.title.chars().count().max(1) as f64).clamp(6.0, 11.0);
        drawing.label(Label {
            size,
            ..Label::new((left, 11.0), &self.title)
        });
        let corner = |square: usize| {
            (
                left + side * (square % 8) as f64,
                TITLE + side * (7 - square / 8) as f64,
            )
        };
        for (square, number) in self.squares.iter().enumerate() {
            let (x, y) = corner(square);
            let shown = number.map(short);
            let title = format!("{} {}", name(square), shown.as_deref().unwrap_or("none"));
            let fill =
                number.map_or_else(|| NONE.to_owned(), |number| colour(number / style.limit));
            drawing.rectangle((x, y), (side, side), &fill, Some(&title));
            if let Some(shown) = shown.filter(|_| style.numbers) {
                let label = Label::new((x + 0.5 * side, y + 0.92 * side), &shown);
                drawing.label(Label {
                    size: 0.22 * side,
                    anchor: Anchor::Middle,
                    ..label
                });
            }
        }
        let longest = self
            .texts
            .iter()
            .map(|(text, _)| text.chars().count())
            .max()
            .unwrap_or(0);
        let text_size = if longest > 1 { 0.38 } else { 0.62 } * side;
        for (text, square) in &self.texts {
            let (x, y) = corner(*square);
            let label = Label::new((x + 0.5 * side, y + 0.3 * side + 0.5 * text_size), text);
            drawing.label(Label {
                size: text_size,
                anchor: Anchor::Middle,
                ..label
            });
        }
        if let Some(square) = self.marked {
            drawing.frame(corner(square), (side, side), "black");
        }
        drawing.frame((left, TITLE), (8.0 * side, 8.0 * side), "#808080");
        if style.numbers {
            names(&mut drawing, left, side);
        }
        drawing
    }
}

/// Ranks beside the board, files below it.
fn names(drawing: &mut Drawing, left: f64, side: f64) {
    for (index, file) in ('a'..='h').enumerate() {
        let at = (left + side * (index as f64 + 0.5), TITLE + 8.35 * side);
        drawing.label(Label {
            size: 0.3 * side,
            anchor: Anchor::Middle,
            ..Label::new(at, &file.to_string())
        });
        let at = (0.25 * side, TITLE + side * (7.6 - index as f64));
        drawing.label(Label {
            size: 0.3 * side,
            anchor: Anchor::Middle,
            ..Label::new(at, &(index + 1).to_string())
        });
    }
}

/// The legend of colours, from `-limit` to `limit`.
pub fn legend(limit: f64, unit: &str) -> Drawing {
    let (step, height) = (4.0, 12.0);
    let mut drawing = Drawing::new(step * STEPS as f64 + 60.0, 36.0);
    let left = 30.0;
    for index in 0..STEPS {
        let number = 2.0 * (index as f64 + 0.5) / STEPS as f64 - 1.0;
        drawing.rectangle(
            (left + step * index as f64, 0.0),
            (step, height),
            &colour(number),
            None,
        );
    }
    for (place, number) in [(0.0, -limit), (0.5, 0.0), (1.0, limit)] {
        let at = (left + place * step * STEPS as f64, height + 14.0);
        let text = if place == 0.5 {
            format!("0 {unit}")
        } else {
            short(number)
        };
        drawing.label(Label {
            size: 11.0,
            anchor: Anchor::Middle,
            ..Label::new(at, text.trim_end())
        });
    }
    drawing
}

/// The name of a square, `a1` to `h8`.
pub fn name(square: usize) -> String {
    let file = b"abcdefgh"[square % 8] as char;
    format!("{file}{}", square / 8 + 1)
}

/// The colour of a number; 1 has full colour.
fn colour(number: f64) -> String {
    let place = if number.is_nan() {
        0.0
    } else {
        number.clamp(-1.0, 1.0)
    } * 2.0
        + 2.0;
    let lower = (place.floor() as usize).min(COLOURS.len() - 2);
    let part = place - lower as f64;
    let mix = |channel: usize| {
        let [from, to] = [lower, lower + 1].map(|index| f64::from(COLOURS[index][channel]));
        (from + part * (to - from)).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a1_is_at_the_bottom_on_the_left() {
        let mut board = Board::new("squares".into());
        for (square, number) in [(0, 1.0), (7, -1.0), (63, 0.0)] {
            board.squares[square] = Some(number);
        }
        let svg = board
            .draw(Style {
                square: 10.0,
                limit: 1.0,
                numbers: false,
            })
            .svg();
        let rectangle = |x: f64, y: f64, colour: &str, title: &str| {
            let y = TITLE + y;
            let text = format!(
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"10.0\" height=\"10.0\" fill=\"{colour}\"><title>{title}</title></rect>"
            );
            assert!(svg.contains(&text), "{text}\n{svg}");
        };
        rectangle(0.0, 70.0, "#0571b0", "a1 1");
        rectangle(70.0, 70.0, "#ca0020", "h1 -1");
        rectangle(70.0, 0.0, "#f7f7f7", "h8 0");
        rectangle(0.0, 0.0, NONE, "a8 none");
        assert_eq!(svg.matches("<title>").count(), 64);
    }

    #[test]
    fn colours_go_through_white() {
        assert_eq!(
            [-2.0, -0.5, 0.0, 0.25, 9.0].map(colour),
            ["#ca0020", "#f4a582", "#f7f7f7", "#c5deeb", "#0571b0"]
        );
        assert_eq!(colour(f64::NAN), "#f7f7f7");
    }
}
