//! `[factors]`.

use crate::factors::{Factors, VirtualFeature, Wanted};
use nnue_spec::graph::Graph;
use nnue_spec::suggest::nearest;

use crate::run::Error;
use crate::run::table::Table;

pub(super) fn read(mut table: Table<'_>, graph: &Graph) -> Result<Factors, Error> {
    let mut features = Vec::new();
    for name in table.texts("features")?.unwrap_or_default() {
        let Some(feature) = VirtualFeature::ALL
            .into_iter()
            .find(|feature| feature.name() == name)
        else {
            return Err(table.refuse("features", unknown(&name)));
        };
        if features.contains(&feature) {
            return Err(table.refuse("features", format!("`{name}` is there twice")));
        }
        features.push(feature);
    }
    let layers = table.texts("layers")?.unwrap_or_default();
    if let Some(twice) = layers
        .iter()
        .enumerate()
        .find(|(index, layer)| layers[..*index].contains(layer))
    {
        return Err(table.refuse(
            "layers",
            format!("`{}` is there twice", twice.1.escape_debug()),
        ));
    }
    let refuse = |key, wanted: &Wanted| {
        Factors::new(graph, wanted).map_err(|error| table.refuse(key, error.to_string()))
    };
    refuse(
        "features",
        &Wanted {
            features: features.clone(),
            layers: Vec::new(),
        },
    )?;
    let factors = refuse("layers", &Wanted { features, layers })?;
    table.finish()?;
    Ok(factors)
}

fn unknown(name: &str) -> String {
    let names = VirtualFeature::ALL.map(VirtualFeature::name);
    let help = nearest(name, names).map_or(String::new(), |near| {
        format!("\nhelp: did you mean `{near}`?")
    });
    let names = names.map(|name| format!("`{name}`")).join(", ");
    format!(
        "`factors.features` has some of {names}, not `{}`{help}",
        name.escape_debug()
    )
}
