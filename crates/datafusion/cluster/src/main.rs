//! A cluster that evaluates positions in SQL. On each machine, with the same file of a network:
//!
//! ```console
//! $ nnue-cluster scheduler 0.0.0.0:50050 nn-1c0000000000.nnue
//! $ nnue-cluster executor SCHEDULER:50050 THIS-MACHINE:50051 nn-1c0000000000.nnue
//! $ nnue-cluster query df://SCHEDULER:50050 nn-1c0000000000.nnue "SELECT sum(nnue_eval(fen)) FROM positions" positions=/shared/positions/
//! ```
//!
//! Files of tables are read by the executors, so they lie in a folder that all machines share. A network is a file of Stockfish's, or DECLARATION=FILE.

use std::error::Error;
use std::process::ExitCode;

use nnue_cluster::{Place, execute, schedule, session};
use nnue_sql::{add_table, open};

const USAGE: &str = "arguments: scheduler ADDRESS:PORT NETWORK, or executor SCHEDULER:PORT HOST:PORT NETWORK [TASKS], \
                     or query df://SCHEDULER:PORT NETWORK QUERY [TABLE=FILE]...";

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("nnue-cluster: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    match *arguments {
        ["scheduler", address, network] => {
            let network = open(network)?;
            let address = address
                .parse()
                .map_err(|_| format!("`{address}` is not ADDRESS:PORT"))?;
            Ok(schedule(address, &network).await?)
        }
        ["executor", scheduler, here, network, ref tasks @ ..] => {
            let network = open(network)?;
            let (host, port) = place(here)?;
            let tasks = match tasks {
                [] => 0,
                [tasks] => tasks.parse()?,
                _ => return Err(USAGE.into()),
            };
            let place = Place {
                scheduler: place(scheduler)?,
                host,
                port,
                tasks,
            };
            Ok(execute(place, &network).await?)
        }
        ["query", url, network, query, ref tables @ ..] => {
            let session = session(url, &open(network)?).await?;
            for table in tables {
                let (name, file) = table
                    .split_once('=')
                    .ok_or_else(|| format!("`{table}` is not TABLE=FILE"))?;
                add_table(&session, name, file).await?;
            }
            Ok(session.sql(query).await?.show().await?)
        }
        _ => Err(USAGE.into()),
    }
}

fn place(text: &str) -> Result<(String, u16), String> {
    let parts = text.rsplit_once(':');
    let found = parts.and_then(|(host, port)| Some((host.to_owned(), port.parse().ok()?)));
    found.ok_or_else(|| format!("`{text}` is not HOST:PORT"))
}
