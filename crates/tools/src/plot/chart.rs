//! Line charts.
//!
//! ```text
//!   title
//!    │   ╱╲   ┊            one line
//!    │__╱  ╲__┊____        another
//!    └────────┊────►       ┊ a mark
//! ```

use crate::plot::axis::Axis;
use crate::plot::drawing::{Anchor, COLOURS, Drawing, Label, short};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 300.0;
/// margins around the lines
const LEFT: f64 = 70.0;
const RIGHT: f64 = 180.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 30.0;

/// Named lines, and marks on the horizontal axis.
#[derive(Clone, Debug)]
pub struct Chart<'c> {
    /// its title
    pub title: &'c str,
    /// names and points, from left to right
    pub lines: Vec<(String, Vec<(f64, f64)>)>,
    /// names and places on the horizontal axis
    pub marks: Vec<(String, f64)>,
    /// the horizontal axis counts something: only integer ticks
    pub counts: bool,
}

impl Chart<'_> {
    /// The drawing.
    pub fn draw(&self) -> Drawing {
        let points = || self.lines.iter().flat_map(|(_, points)| points);
        let x = Axis::of(
            points()
                .map(|&(x, _)| x)
                .chain(self.marks.iter().map(|&(_, x)| x)),
            LEFT,
            WIDTH - RIGHT,
        );
        let y = Axis::of(points().map(|&(_, y)| y), HEIGHT - BOTTOM, TOP);
        let mut drawing = Drawing::new(WIDTH, HEIGHT);
        drawing.label(Label {
            bold: true,
            ..Label::new((LEFT, 18.0), self.title)
        });
        self.axes(&mut drawing, &x, &y);
        let mut colours = COLOURS.iter().cycle();
        let mut legend = Legend { next: 0 };
        for ((name, points), colour) in self.lines.iter().zip(&mut colours) {
            let places: Vec<_> = points
                .iter()
                .map(|&(at, height)| (x.place(at), y.place(height)))
                .collect();
            drawing.line(&places, colour);
            legend.add(&mut drawing, name, colour);
        }
        for ((name, place), colour) in self.marks.iter().zip(&mut colours) {
            let (at, bottom) = (x.place(*place), HEIGHT - BOTTOM);
            let look = format!("stroke=\"{colour}\" stroke-width=\"1.5\" stroke-dasharray=\"4 3\"");
            drawing.path(&format!("M{at:.1} {TOP}V{bottom}"), &look);
            legend.add(&mut drawing, name, colour);
        }
        drawing
    }

    /// Ticks of both axes, and horizontal grid lines.
    fn axes(&self, drawing: &mut Drawing, x: &Axis, y: &Axis) {
        for number in y.ticks() {
            let (at, right) = (y.place(number), WIDTH - RIGHT);
            drawing.path(&format!("M{LEFT} {at:.1}H{right}"), "stroke=\"#ddd\"");
            drawing.label(Label {
                anchor: Anchor::End,
                ..Label::new((LEFT - 6.0, at + 4.0), &short(number))
            });
        }
        for number in x
            .ticks()
            .filter(|number| !self.counts || number.fract() == 0.0)
        {
            let at = (x.place(number), HEIGHT - BOTTOM + 18.0);
            drawing.label(Label {
                anchor: Anchor::Middle,
                ..Label::new(at, &short(number))
            });
        }
    }
}

struct Legend {
    next: usize,
}

impl Legend {
    fn add(&mut self, drawing: &mut Drawing, name: &str, colour: &str) {
        let at = (WIDTH - RIGHT + 12.0, TOP + 12.0 + 16.0 * self.next as f64);
        drawing.label(Label {
            colour,
            ..Label::new(at, name)
        });
        self.next += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_a_point_for_every_number() {
        let lines = vec![
            ("a".into(), vec![(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]),
            ("b".into(), vec![(1.0, 1.0)]),
        ];
        let chart = Chart {
            title: "loss",
            lines,
            marks: vec![("<c>".into(), 2.0)],
            counts: true,
        };
        let svg = chart.draw().svg();
        assert!(
            svg.contains("points=\"70.0,30.0 305.0,150.0 540.0,270.0\""),
            "{svg}"
        );
        assert_eq!(svg.matches("<circle").count(), 1);
        assert!(
            svg.contains("M305.0 30V270") && svg.contains("&lt;c&gt;"),
            "{svg}"
        );
    }
}
