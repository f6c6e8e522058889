//! Drawings: elements in painting order, written as SVG.
//!
//! ```text
//!   (0, 0) ──► x            `put` moves a whole drawing to a place of another one
//!     │    ┌────────┐
//!     ▼    │ title  │       lengths are those of a screen, one pixel each
//!     y    └────────┘
//! ```

use std::fmt::Write;

/// Line colours that colour-blind people can distinguish (Okabe and Ito).
pub const COLOURS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
];

/// Fonts with chess pieces come first.
const FONTS: &str = "'DejaVu Sans', 'Segoe UI Symbol', 'Noto Sans Symbols 2', sans-serif";

/// A drawing of a fixed size.
#[derive(Clone, Debug)]
pub struct Drawing {
    width: f64,
    height: f64,
    body: String,
}

/// Horizontal alignment of the text of a [`Label`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// the text begins at the point
    Start,
    /// the text is centred at the point
    Middle,
    /// the text ends at the point
    End,
}

/// A line of text.
#[derive(Clone, Copy, Debug)]
pub struct Label<'t> {
    /// the point on the base line
    pub at: (f64, f64),
    /// the text, not escaped
    pub text: &'t str,
    /// font size
    pub size: f64,
    /// alignment
    pub anchor: Anchor,
    /// bold, for titles
    pub bold: bool,
    /// colour in SVG syntax
    pub colour: &'t str,
}

impl<'t> Label<'t> {
    /// Black text of the default size that begins at a point.
    pub const fn new(at: (f64, f64), text: &'t str) -> Self {
        Self {
            at,
            text,
            size: 12.0,
            anchor: Anchor::Start,
            bold: false,
            colour: "black",
        }
    }
}

impl Drawing {
    /// An empty drawing.
    pub const fn new(width: f64, height: f64) -> Self {
        Self {
            width,
            height,
            body: String::new(),
        }
    }

    /// Stacks drawings vertically, `gap` apart.
    pub fn below(drawings: &[Self], gap: f64) -> Self {
        let height = drawings
            .iter()
            .map(|drawing| drawing.height + gap)
            .sum::<f64>()
            - gap;
        let width = drawings
            .iter()
            .map(|drawing| drawing.width)
            .fold(0.0, f64::max);
        let mut all = Self::new(width, height.max(0.0));
        let mut y = 0.0;
        for drawing in drawings {
            all.put(drawing, (0.0, y));
            y += drawing.height + gap;
        }
        all
    }

    /// Arranges drawings in a grid with `columns` columns; all cells have the size of the largest.
    ///
    /// # Panics
    ///
    /// If `columns` is 0.
    pub fn grid(drawings: &[Self], columns: usize, gap: f64) -> Self {
        let width = drawings
            .iter()
            .map(|drawing| drawing.width)
            .fold(0.0, f64::max)
            + gap;
        let height = drawings
            .iter()
            .map(|drawing| drawing.height)
            .fold(0.0, f64::max)
            + gap;
        let lines = drawings.len().div_ceil(columns);
        let mut all = Self::new(
            width * columns.min(drawings.len()) as f64,
            height * lines as f64,
        );
        for (index, drawing) in drawings.iter().enumerate() {
            all.put(
                drawing,
                (
                    width * (index % columns) as f64,
                    height * (index / columns) as f64,
                ),
            );
        }
        all
    }

    /// Width in pixels.
    pub const fn width(&self) -> f64 {
        self.width
    }

    /// Height in pixels.
    pub const fn height(&self) -> f64 {
        self.height
    }

    /// A filled rectangle from its upper left corner, with `title` as a tooltip.
    pub fn rectangle(
        &mut self,
        at: (f64, f64),
        size: (f64, f64),
        colour: &str,
        title: Option<&str>,
    ) {
        let ((x, y), (width, height)) = (at, size);
        let _ = write!(
            self.body,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\""
        );
        let _ = match title {
            Some(title) => writeln!(self.body, "><title>{}</title></rect>", escaped(title)),
            None => writeln!(self.body, "/>"),
        };
    }

    /// The border of a rectangle.
    pub fn frame(&mut self, at: (f64, f64), size: (f64, f64), colour: &str) {
        let ((x, y), (width, height)) = (at, size);
        let _ = writeln!(
            self.body,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"none\" stroke=\"{colour}\"/>"
        );
    }

    /// Adds text.
    pub fn label(&mut self, label: Label<'_>) {
        let Label {
            at: (x, y),
            text,
            size,
            anchor,
            bold,
            colour,
        } = label;
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let weight = if bold { " font-weight=\"bold\"" } else { "" };
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{colour}\"{anchor}{weight}>{}</text>",
            escaped(text)
        );
    }

    /// An SVG path with presentation attributes.
    pub fn path(&mut self, path: &str, look: &str) {
        let _ = writeln!(self.body, "<path d=\"{path}\" fill=\"none\" {look}/>");
    }

    /// A polyline; a single point is a dot.
    pub fn line(&mut self, points: &[(f64, f64)], colour: &str) {
        if let [(x, y)] = points {
            let _ = writeln!(
                self.body,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"
            );
            return;
        }
        let points = points
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect::<Vec<_>>()
            .join(" ");
        let _ = writeln!(
            self.body,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
        );
    }

    /// Places another drawing with its upper left corner at a point.
    pub fn put(&mut self, drawing: &Self, at: (f64, f64)) {
        let (x, y) = at;
        let _ = write!(
            self.body,
            "<g transform=\"translate({x:.1} {y:.1})\">\n{}</g>\n",
            drawing.body
        );
    }

    /// The drawing on a white background, as a file or as a part of a page.
    pub fn svg(&self) -> String {
        let Self {
            width,
            height,
            body,
        } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             font-family=\"{FONTS}\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{body}</svg>\n"
        )
    }
}

/// Escapes text for SVG and HTML; characters that XML does not allow are removed.
pub fn escaped(text: &str) -> String {
    let known = text
        .chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'));
    let text: String = known
        .filter(|c| !matches!(c, '\u{fffe}' | '\u{ffff}'))
        .collect();
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Formats a number with few digits.
pub fn short(number: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-3..1e5).contains(&size) {
        return format!("{number:.1e}");
    }
    let digits = format!("{number:.5}");
    digits
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_stand_beside_and_below_each_other() {
        let mut one = Drawing::new(10.0, 20.0);
        one.rectangle((1.0, 2.0), (3.0, 4.0), "red", Some("a < b"));
        let all = Drawing::grid(&[one.clone(), one.clone(), one.clone()], 2, 5.0);
        assert_eq!((all.width(), all.height()), (30.0, 50.0));
        assert!(
            all.svg().contains("translate(15.0 0.0)") && all.svg().contains("translate(0.0 25.0)"),
            "{}",
            all.svg()
        );
        assert!(all.svg().contains("<title>a &lt; b</title>"));
        let all = Drawing::below(&[one.clone(), one], 5.0);
        assert_eq!((all.width(), all.height()), (10.0, 45.0));
    }

    #[test]
    fn text_has_no_characters_that_xml_refuses() {
        assert_eq!(
            escaped("a\u{0}\u{1b}[1m\"&<\u{ffff}>"),
            "a[1m&quot;&amp;&lt;&gt;"
        );
    }
}
