//! A one-page report about a network.

use crate::plot::activity::{Activity, Group};
use crate::plot::drawing::Drawing;
use crate::plot::network::{Network, PlotError};
use crate::plot::page::Page;
use crate::plot::pieces::Contributions;
use crate::plot::rows::Rows;
use crate::plot::tensors;
use crate::plot::weights::{Column, Line, Scale, buckets, sheet, strongest};

/// Number of neurons whose weights are shown.
const NEURONS: usize = 8;
/// Most neurons that a table lists.
const NAMED: usize = 24;

/// Contents of the page besides the weights.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// table of facts: name, value
    pub facts: Vec<(String, String)>,
    /// activity of neurons over positions
    pub activity: Option<Activity>,
    /// for each position, its title and the contributions of the pieces
    pub positions: Vec<(String, Contributions)>,
    /// charts of values along games
    pub games: Vec<Drawing>,
}

/// Makes the page.
///
/// # Errors
///
/// If the weights cannot be drawn. A network whose rows are not pieces on squares gets a page without boards.
pub fn page(network: &Network<'_>, about: &About) -> Result<String, PlotError> {
    let mut page = Page::new(network.desc.name);
    page.code(network.desc.notation);
    page.table(
        about
            .facts
            .iter()
            .map(|(what, how)| vec![what.clone(), how.clone()]),
    );
    for (title, contributions) in &about.positions {
        page.section("What the pieces contribute");
        page.drawing(&contributions.draw(title));
    }
    if !about.games.is_empty() {
        page.section("Values along games");
        about.games.iter().for_each(|game| page.drawing(game));
    }
    if let Some(activity) = &about.activity {
        neurons(&mut page, activity);
    }
    boards(&mut page, network)?;
    page.section("Tensors");
    page.drawing(&tensors::draw(network));
    Ok(page.html())
}

fn neurons(page: &mut Page, activity: &Activity) {
    page.section("Neurons");
    page.paragraph(&format!(
        "Over {} positions. A neuron of the accumulator is dead if it is never above 0, and saturated if it is never below what 1.0 is; a value of \
         a layer, if it is always 0 or always has its greatest value.",
        activity.positions
    ));
    let header = ["values", "neurons", "dead", "saturated"]
        .map(str::to_owned)
        .to_vec();
    page.table(std::iter::once(header).chain(activity.groups().map(row)));
    for stack in activity.unused() {
        page.paragraph(&format!("No position uses stack {stack}."));
    }
    page.drawing(&activity.draw());
}

/// The table row of a group: its dead and saturated neurons.
fn row(group: &Group) -> Vec<String> {
    let listed = |neurons: Vec<usize>| {
        let names: Vec<String> = neurons
            .iter()
            .take(NAMED)
            .map(ToString::to_string)
            .collect();
        let more = if neurons.len() > NAMED { " .." } else { "" };
        match names.len() {
            0 => "0".to_owned(),
            _ => format!("{} ({}{more})", neurons.len(), names.join(" ")),
        }
    };
    vec![
        group.title(),
        group.inactive.len().to_string(),
        listed(group.dead()),
        listed(group.saturated()),
    ]
}

/// The weights as boards, if rows are pieces on squares.
fn boards(page: &mut Page, network: &Network<'_>) -> Result<(), PlotError> {
    let rows = match Rows::new(network.desc) {
        Ok(rows) => rows,
        Err(reason) => {
            page.section("Weights");
            page.paragraph(&reason.to_string());
            return Ok(());
        }
    };
    page.section("Squares of the own king");
    page.drawing(&buckets(network)?);
    let kings = views(&rows);
    let psqt = network.desc.accumulator.psqt;
    if psqt > 0 {
        page.section("PSQT weights");
        let outputs: Vec<usize> = if psqt > 1 { vec![0, psqt - 1] } else { vec![0] };
        let of = |kings: &[usize]| -> Vec<Line> {
            outputs
                .iter()
                .flat_map(|&output| lines(Column::Psqt(output), kings, 1))
                .collect()
        };
        page.drawing(&sheet(
            network,
            "Blue: good for the side whose king it is",
            &of(&kings),
            Scale::Line,
        )?);
        let title = "The same around the mean of each board, which stands above it";
        page.drawing(&sheet(network, title, &of(&kings[..1]), Scale::Board)?);
    }
    page.section("Weights of neurons");
    let strongest = strongest(network, NEURONS);
    let all = strongest
        .iter()
        .flat_map(|&neuron| lines(Column::Neuron(neuron), &kings[..1], 1));
    let title = format!("The {} neurons with the greatest weights", strongest.len());
    page.drawing(&sheet(
        network,
        &title,
        &all.collect::<Vec<_>>(),
        Scale::Line,
    )?);
    if let (Some(&neuron), true) = (strongest.first(), kings.len() > 1 || rows.standings() > 1) {
        let all: Vec<Line> = lines(Column::Neuron(neuron), &kings, rows.standings()).collect();
        page.drawing(&sheet(
            network,
            "The strongest of them, for other squares of the king",
            &all,
            Scale::Sheet,
        )?);
    }
    Ok(())
}

/// Squares of the own king to show: g1, its mirror image, e1 and a king in the centre, as far as their rows
/// differ.
fn views(rows: &Rows<'_>) -> Vec<usize> {
    let mut seen = Vec::new();
    let (g1, b1, e1, e4) = (6, 1, 4, 28);
    [g1, b1, e1, e4]
        .into_iter()
        .filter(|&king| {
            let view = (rows.bucket(king), rows.is_mirrored(king));
            let is_new = !seen.contains(&view);
            seen.push(view);
            is_new
        })
        .collect()
}

fn lines(column: Column, kings: &[usize], standings: usize) -> impl Iterator<Item = Line> {
    let all = kings.iter().flat_map(move |&king| {
        (0..standings).map(move |standing| Line {
            column,
            king,
            standing,
        })
    });
    all.collect::<Vec<_>>().into_iter()
}
