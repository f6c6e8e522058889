//! Opens the network of a query: any network of chess.

use std::error::Error;
use std::io::Seek;
use std::sync::Arc;

use nnue::dynamic;
use nnue::spec::NetDesc;
use nnue_backend::nnue::NetworkScorer;
use nnue_data::rescore::Scorer;
use nnue_tools::compression::{Bounds, Decompressed};
use nnue_tools::recognise;

/// A network that gives scores, shared by threads.
pub type Shared = Arc<dyn Scorer + Send + Sync>;

/// Opens a network: `FILE` if it is one of Stockfish, `DECLARATION=FILE` if a file declares it.
///
/// # Errors
///
/// If a file cannot be read, is no network, or does not fit its declaration.
pub fn open(network: &str) -> Result<Shared, Box<dyn Error>> {
    let (candidates, file) = match network.split_once('=') {
        Some((declaration, file)) => (declared(declaration)?, file),
        None => (known(), network),
    };
    let said = |error: &dyn std::fmt::Display| format!("{file}: {error}");
    let path = file.as_ref();
    let mut source =
        Decompressed::open_path(path, Bounds::of_any(&candidates)).map_err(|error| said(&error))?;
    let found = match candidates.as_slice() {
        [only] => *only,
        several => {
            let found = recognise(&mut source, several).map_err(|error| said(&error))?;
            several[found.candidates[0]]
        }
    };
    source.rewind()?;
    let network = dynamic::Network::read(found, source).map_err(|error| said(&error))?;
    Ok(Arc::new(NetworkScorer(Arc::new(network))))
}

fn known() -> Vec<&'static NetDesc<'static>> {
    let all = nnue::stockfish::ALL.iter();
    all.map(|(_, net)| *net).collect()
}

/// The networks of a file of Rust, or of a declaration alone.
fn declared(path: &str) -> Result<Vec<&'static NetDesc<'static>>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let declared = nnue_codegen::described_text(&text).map_err(|errors| {
        let shown: Vec<_> = errors
            .iter()
            .map(|error| error.shown_in(path, &text))
            .collect();
        shown.join("\n\n")
    })?;
    match declared.as_slice() {
        [net] if net.rows_shape().is_none() => Ok(vec![*net]),
        _ => Err(format!("{path}: one network of chess is expected").into()),
    }
}
