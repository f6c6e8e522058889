//! Sessions of DataFusion in which networks are functions, and files are tables.

mod network;

use std::path::Path;

use datafusion::common::{Result, plan_err};
use datafusion::prelude::{CsvReadOptions, ParquetReadOptions, SessionContext};
use nnue_datafusion::{eval, try_eval};

pub use network::{Shared, open};

/// A session whose functions `nnue_eval(fen)` and `nnue_try_eval(fen)` say what the network says.
pub fn session(network: Shared) -> SessionContext {
    let session = SessionContext::new();
    session.register_udf(eval("nnue_eval", network.clone()));
    session.register_udf(try_eval("nnue_try_eval", network));
    session
}

/// Makes a file, `.parquet` or `.csv` with a line of names, the table `name`.
///
/// # Errors
///
/// If the file is neither, or does not begin as one.
pub async fn add_table(session: &SessionContext, name: &str, file: &str) -> Result<()> {
    match Path::new(file)
        .extension()
        .and_then(|extension| extension.to_str())
    {
        Some("parquet") => {
            session
                .register_parquet(name, file, ParquetReadOptions::default())
                .await
        }
        Some("csv") => {
            session
                .register_csv(name, file, CsvReadOptions::default())
                .await
        }
        _ => plan_err!("`{file}` is neither .parquet nor .csv"),
    }
}
