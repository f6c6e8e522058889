//! `[network]`.

use std::path::{Path, PathBuf};

use crate::initial::Rule;
use nnue_codegen::graph_text;
use nnue_data::files::bounded::{self, MOST_OF_SOURCE};
use nnue_spec::graph::Graph;

use crate::run::Error;
use crate::run::table::{Source, Table};

/// The declared network and its initial parameters.
pub(crate) struct NetworkConfig {
    /// the text of the declaration, which may declare other networks, too
    pub(crate) declaration: Source,
    pub(crate) graph: Graph,
    pub(crate) initial: Initial,
}

/// The source of the initial parameters.
pub(crate) enum Initial {
    /// drawn at random
    Drawn(Rule),
    /// a file: a network, a checkpoint of another run, or floats
    From(PathBuf),
}

impl NetworkConfig {
    pub(super) fn read(mut table: Table<'_>, folder: &Path) -> Result<Self, Error> {
        let declaration = declaration(&mut table, folder)?;
        let name = table.text("name")?;
        let graphs = graph_text(&declaration.text).map_err(|errors| {
            let shown: Vec<String> = errors
                .iter()
                .map(|error| error.shown_in(&declaration.name, &declaration.text))
                .collect();
            Error::Run(shown.join("\n\n"))
        })?;
        let graph = named(&table, graphs, |graph| &graph.name, name.as_deref())?;
        let rule = table.choice(
            "initial",
            &[("uniform", Rule::Uniform), ("normal", Rule::Normal)],
        )?;
        let initial = match (rule, table.text("from")?) {
            (Some(_), Some(_)) => {
                return Err(table.refuse(
                    "initial",
                    "`initial` and `from` exclude each other: leave out one",
                ));
            }
            (None, Some(from)) => Initial::From(folder.join(from)),
            (rule, None) => Initial::Drawn(rule.unwrap_or(Rule::Uniform)),
        };
        table.finish()?;
        Ok(Self {
            declaration,
            graph,
            initial,
        })
    }
}

pub(crate) fn declaration(table: &mut Table<'_>, folder: &Path) -> Result<Source, Error> {
    match (table.text("declaration")?, table.text("file")?) {
        (Some(text), None) => Ok(Source { name: "declaration".into(), text }),
        (None, Some(file)) => {
            let path = folder.join(file);
            let text = bounded::read_text(&path, MOST_OF_SOURCE)?;
            Ok(Source { name: path.display().to_string(), text })
        }
        (None, None) => Err(table.refuse(
            "declaration",
            "no network is declared\nhelp: write `declaration = \"pub struct ..\"` or `file = \"net.rs\"`",
        )),
        (Some(_), Some(_)) => {
            Err(table.refuse("file", "the network is declared twice, by `declaration` and by `file`"))
        }
    }
}

/// The declaration with this name, or the only one.
pub(crate) fn named<G>(
    table: &Table<'_>,
    graphs: Vec<G>,
    name_of: impl Fn(&G) -> &String,
    name: Option<&str>,
) -> Result<G, Error> {
    let names = graphs
        .iter()
        .map(|graph| format!("`{}`", name_of(graph)))
        .collect::<Vec<_>>()
        .join(", ");
    let mut found = graphs
        .into_iter()
        .filter(|graph| name.is_none_or(|name| name_of(graph) == name));
    match (found.next(), found.next(), name) {
        (Some(graph), None, _) => Ok(graph),
        (Some(_), Some(_), _) => Err(table.refuse(
            "name",
            format!("several networks are declared: {names}\nhelp: choose one with `name`"),
        )),
        (None, _, Some(name)) => Err(table.refuse(
            "name",
            format!(
                "`{}` is not declared; there are {names}",
                name.escape_debug()
            ),
        )),
        (None, _, None) => Err(table.refuse("declaration", "no network is declared in this text")),
    }
}
