//! `nnue-sql NETWORK QUERY [TABLE=FILE]...`: runs a query over files of Parquet and CSV, in which `nnue_eval(fen)` is the value of the network.
//!
//! NETWORK is a file of Stockfish's, or DECLARATION=FILE. Programs that declare their network by `nnue!` compile it, which is faster for small layers.
//!
//! ```console
//! $ nnue-sql nn-1c0000000000.nnue "SELECT fen, nnue_eval(fen) AS value FROM positions ORDER BY value LIMIT 10" positions=positions.parquet
//! $ nnue-sql nn-1c0000000000.nnue "COPY (SELECT *, nnue_eval(fen) AS value FROM positions) TO 'out.parquet'" positions=positions.parquet
//! ```

use std::error::Error;
use std::process::ExitCode;

use nnue_sql::{add_table, open, session};

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("nnue-sql: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [network, query, tables @ ..] = arguments else {
        return Err("arguments: NETWORK QUERY [TABLE=FILE]...".into());
    };
    let session = session(open(network)?);
    for table in tables {
        let (name, file) = table
            .split_once('=')
            .ok_or_else(|| format!("`{table}` is not TABLE=FILE"))?;
        add_table(&session, name, file).await?;
    }
    Ok(session.sql(query).await?.show().await?)
}
