//! Lines over an axis, drawn as SVG.
//!
//! ```text
//!   title
//!    │   ╱╲   ┊            one line
//!    │__╱  ╲__┊____        another
//!    └────────┊────►       ┊ a mark
//! ```

use std::fmt::Write;

/// Colours that also differ for people who do not see all colours (Okabe and Ito).
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 300.0;
/// between the border and the lines
const LEFT: f64 = 70.0;
const RIGHT: f64 = 180.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 30.0;
/// numbers beside an axis, about
const TICKS: f64 = 5.0;

/// Lines with names, and places that are marked on the axis below them.
#[derive(Clone, Debug)]
pub struct Chart<'c> {
    /// what is shown
    pub title: &'c str,
    /// names, and points from left to right
    pub lines: Vec<(String, Vec<(f64, f64)>)>,
    /// names, and places on the axis below
    pub marks: Vec<(String, f64)>,
    /// the axis below counts something: only whole numbers stand there
    pub counts: bool,
}

/// From numbers to places.
struct Scale {
    low: f64,
    high: f64,
    /// the places of both
    from: f64,
    to: f64,
}

impl Chart<'_> {
    /// The drawing.
    pub fn svg(&self) -> String {
        let points = || self.lines.iter().flat_map(|(_, points)| points);
        let x = Scale::of(points().map(|&(x, _)| x).chain(self.marks.iter().map(|&(_, x)| x)), LEFT, WIDTH - RIGHT);
        let y = Scale::of(points().map(|&(_, y)| y), HEIGHT - BOTTOM, TOP);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{LEFT}\" y=\"18\" \
             font-weight=\"bold\">{}</text>\n",
            escaped(self.title)
        );
        self.axes(&mut svg, &x, &y);
        let mut colours = COLOURS.iter().cycle();
        let mut legend = Legend { next: 0 };
        for ((name, points), colour) in self.lines.iter().zip(&mut colours) {
            line(&mut svg, points, colour, &x, &y);
            legend.add(&mut svg, name, colour);
        }
        for ((name, place), colour) in self.marks.iter().zip(&mut colours) {
            let (at, bottom) = (x.place(*place), HEIGHT - BOTTOM);
            let _ = writeln!(
                svg,
                "<path d=\"M{at:.1} {TOP}V{bottom}\" stroke=\"{colour}\" stroke-width=\"1.5\" stroke-dasharray=\"4 3\"/>"
            );
            legend.add(&mut svg, name, colour);
        }
        svg + "</svg>\n"
    }

    /// Round numbers beside both axes, and lines from those on the left.
    fn axes(&self, svg: &mut String, x: &Scale, y: &Scale) {
        for number in y.ticks() {
            let (at, right) = (y.place(number), WIDTH - RIGHT);
            let _ = writeln!(svg, "<path d=\"M{LEFT} {at:.1}H{right}\" stroke=\"#ddd\"/>");
            let (left, base, number) = (LEFT - 6.0, at + 4.0, short(number));
            let _ = writeln!(svg, "<text x=\"{left}\" y=\"{base:.1}\" text-anchor=\"end\">{number}</text>");
        }
        for number in x.ticks().filter(|number| !self.counts || number.fract() == 0.0) {
            let (at, below, number) = (x.place(number), HEIGHT - BOTTOM + 18.0, short(number));
            let _ = writeln!(svg, "<text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{number}</text>");
        }
    }
}

/// The names beside the drawing, one below the other.
struct Legend {
    next: usize,
}

impl Legend {
    fn add(&mut self, svg: &mut String, name: &str, colour: &str) {
        let (left, at) = (WIDTH - RIGHT + 12.0, TOP + 12.0 + 16.0 * self.next as f64);
        let _ = writeln!(svg, "<text x=\"{left}\" y=\"{at}\" fill=\"{colour}\">{}</text>", escaped(name));
        self.next += 1;
    }
}

fn line(svg: &mut String, points: &[(f64, f64)], colour: &str, x: &Scale, y: &Scale) {
    if let [(at, height)] = points {
        let (at, height) = (x.place(*at), y.place(*height));
        let _ = writeln!(svg, "<circle cx=\"{at:.1}\" cy=\"{height:.1}\" r=\"3\" fill=\"{colour}\"/>");
        return;
    }
    let points = points.iter().map(|&(at, height)| format!("{:.1},{:.1}", x.place(at), y.place(height)));
    let points = points.collect::<Vec<_>>().join(" ");
    let _ = writeln!(svg, "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>");
}

impl Scale {
    /// From the least of the numbers to the greatest.
    fn of(numbers: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (low, high) = numbers.fold((f64::MAX, f64::MIN), |(low, high), number| (low.min(number), high.max(number)));
        Self::new(low, high, from, to)
    }

    /// A range without length becomes one around its number.
    fn new(low: f64, high: f64, from: f64, to: f64) -> Self {
        let room = if high > low { 0.0 } else { low.abs().max(1.0) * 0.1 };
        Self { low: low - room, high: high + room, from, to }
    }

    fn place(&self, number: f64) -> f64 {
        self.from + (number - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Round numbers in the range: multiples of 1, 2 or 5 of a power of ten.
    fn ticks(&self) -> impl Iterator<Item = f64> {
        let rough = (self.high - self.low) / TICKS;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|times| times * power).into_iter().find(|step| *step >= rough * 0.999);
        let step = step.unwrap_or(power);
        let (first, last) = ((self.low / step).ceil() as i64, (self.high / step).floor() as i64);
        (first..=last).map(move |index| index as f64 * step)
    }
}

/// Text without characters that mean something in SVG and HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A number in few digits.
fn short(number: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-3..1e5).contains(&size) {
        return format!("{number:.1e}");
    }
    let digits = format!("{number:.5}");
    digits.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_in_range() {
        let ticks = |low, high| Scale::new(low, high, 0.0, 1.0).ticks().map(short).collect::<Vec<_>>();
        assert_eq!(ticks(0.0121, 0.0302), ["0.015", "0.02", "0.025", "0.03"]);
        assert_eq!(ticks(1.0, 11.0), ["2", "4", "6", "8", "10"]);
        assert_eq!(ticks(0.0, 0.0), ["-0.1", "-0.05", "0", "0.05", "0.1"]);
    }

    #[test]
    fn lines_have_a_point_for_every_number() {
        let lines = vec![("a".into(), vec![(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]), ("b".into(), vec![(1.0, 1.0)])];
        let svg = Chart { title: "loss", lines, marks: vec![("<c>".into(), 2.0)], counts: true }.svg();
        assert!(svg.contains("points=\"70.0,30.0 305.0,150.0 540.0,270.0\""), "{svg}");
        assert_eq!(svg.matches("<circle").count(), 1);
        assert!(svg.contains("M305.0 30V270") && svg.contains("&lt;c&gt;"), "{svg}");
    }
}
