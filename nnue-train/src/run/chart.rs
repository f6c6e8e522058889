//! Lines over superbatches, drawn as SVG.

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

/// Lines with names, each a number for every superbatch.
pub(crate) struct Chart<'c> {
    pub(crate) title: &'c str,
    pub(crate) lines: Vec<(String, Vec<f64>)>,
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
    pub(crate) fn svg(&self) -> String {
        let count = self.lines.iter().map(|(_, numbers)| numbers.len()).max().unwrap_or(0);
        let all = || self.lines.iter().flat_map(|(_, numbers)| numbers);
        let (low, high) = all().fold((f64::MAX, f64::MIN), |(low, high), &number| (low.min(number), high.max(number)));
        let x = Scale::new(1.0, count as f64, LEFT, WIDTH - RIGHT);
        let y = Scale::new(low, high, HEIGHT - BOTTOM, TOP);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{LEFT}\" y=\"18\" \
             font-weight=\"bold\">{}</text>\n",
            self.title
        );
        for number in y.ticks() {
            let at = y.place(number);
            let right = WIDTH - RIGHT;
            let _ = writeln!(svg, "<path d=\"M{LEFT} {at:.1}H{right}\" stroke=\"#ddd\"/>");
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                at + 4.0,
                short(number)
            );
        }
        for number in x.ticks().filter(|number| number.fract() == 0.0) {
            let (at, below) = (x.place(number), HEIGHT - BOTTOM + 18.0);
            let _ = writeln!(svg, "<text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{number}</text>");
        }
        for (index, ((name, numbers), colour)) in self.lines.iter().zip(COLOURS.iter().cycle()).enumerate() {
            line(&mut svg, numbers, colour, &x, &y);
            let (left, at) = (WIDTH - RIGHT + 12.0, TOP + 12.0 + 16.0 * index as f64);
            let _ = writeln!(svg, "<text x=\"{left}\" y=\"{at}\" fill=\"{colour}\">{name}</text>");
        }
        svg + "</svg>\n"
    }
}

fn line(svg: &mut String, numbers: &[f64], colour: &str, x: &Scale, y: &Scale) {
    let places = numbers.iter().enumerate().map(|(index, &number)| (x.place(index as f64 + 1.0), y.place(number)));
    if let [only] = numbers {
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>",
            x.place(1.0),
            y.place(*only)
        );
        return;
    }
    let points: Vec<String> = places.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let points = points.join(" ");
    let _ = writeln!(svg, "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>");
}

impl Scale {
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
        let chart = Chart { title: "loss", lines: vec![("a".into(), vec![3.0, 2.0, 1.0]), ("b".into(), vec![1.0])] };
        let svg = chart.svg();
        assert!(svg.contains("points=\"70.0,30.0 305.0,150.0 540.0,270.0\""), "{svg}");
        assert_eq!(svg.matches("<circle").count(), 1);
    }
}
