//! SQL with the values of a network on a cluster: Ballista distributes DataFusion's plans, and every machine has the network.
//!
//! A plan that is sent to another machine names a function and does not contain it. So the name contains a digest of the network: a query's
//! `nnue_eval(fen)` is sent as `nnue_eval_0123456789abcdef(fen)`. Only machines with the same weights have that function; others refuse the plan and say why.

mod codec;
mod refused;

use std::net::SocketAddr;
use std::sync::Arc;

use ballista::extension::SessionContextExt;
use ballista_core::error::BallistaError;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use datafusion::common::Result;
use datafusion::execution::SessionStateBuilder;
use datafusion::logical_expr::ScalarUDF;
use datafusion::prelude::{SessionConfig, SessionContext};
use nnue_datafusion::{eval, try_eval};
use nnue_sql::Shared;

use codec::{Logical, Physical};

/// What the functions of a network are called in queries.
const NAMES: [&str; 2] = ["nnue_eval", "nnue_try_eval"];

/// The functions of a network: `nnue_eval(fen)` and `nnue_try_eval(fen)`, whose full names contain its digest.
pub fn functions(network: &Shared) -> [ScalarUDF; 2] {
    let digest = (network.identity() >> 64) as u64;
    let full = |name| format!("{name}_{digest:016x}");
    [
        eval(&full(NAMES[0]), network.clone()).with_aliases([NAMES[0]]),
        try_eval(&full(NAMES[1]), network.clone()).with_aliases([NAMES[1]]),
    ]
}

/// Runs a scheduler, which plans queries and gives parts of them to executors.
///
/// # Errors
///
/// If it cannot listen at the address.
pub async fn schedule(address: SocketAddr, network: &Shared) -> Result<(), BallistaError> {
    let functions = functions(network);
    let names = names(&functions);
    let session = move |config: SessionConfig| {
        let builder = SessionStateBuilder::new()
            .with_config(config)
            .with_default_features();
        let context = SessionContext::new_with_state(builder.build());
        functions
            .iter()
            .for_each(|function| context.register_udf(function.clone()));
        Ok(context.state())
    };
    let mut config = SchedulerConfig::default().with_override_session_builder(Arc::new(session));
    config.bind_host = address.ip().to_string();
    config.bind_port = address.port();
    config.override_logical_codec = Some(Arc::new(Logical::new("scheduler", names.clone())));
    config.override_physical_codec = Some(Arc::new(Physical::new("scheduler", names)));
    let cluster = BallistaCluster::new_from_config(&config).await?;
    start_server(cluster, address, Arc::new(config)).await
}

/// Where an executor listens, and whose executor it is.
#[derive(Clone, Debug)]
pub struct Place {
    /// the scheduler
    pub scheduler: (String, u16),
    /// the host that other machines find this one by, and on which it listens
    pub host: String,
    /// the port of its results; the next one is that of its tasks
    pub port: u16,
    /// tasks at a time; 0 for one for each core
    pub tasks: usize,
}

/// Runs an executor until it is told to stop. It evaluates the positions of its part of a query.
///
/// # Errors
///
/// If it cannot listen, or there is no scheduler.
pub async fn execute(place: Place, network: &Shared) -> Result<(), BallistaError> {
    let functions = functions(network);
    let names = names(&functions);
    let mut registry = BallistaFunctionRegistry::default();
    for function in functions {
        let name = function.name().to_owned();
        registry.scalar_functions.insert(name, Arc::new(function));
    }
    let Place {
        scheduler: (scheduler_host, scheduler_port),
        host,
        port,
        tasks,
    } = place;
    let config = ExecutorProcessConfig {
        bind_host: host.clone(),
        external_host: Some(host),
        port,
        grpc_port: port + 1,
        scheduler_host,
        scheduler_port,
        scheduler_connect_timeout_seconds: 30,
        vcores: tasks,
        override_function_registry: Some(Arc::new(registry)),
        override_physical_codec: Some(Arc::new(Physical::new("executor", names))),
        ..ExecutorProcessConfig::default()
    };
    start_executor_process(Arc::new(config)).await
}

/// A session whose queries run on a cluster: `url` is `df://HOST:PORT` of its scheduler.
///
/// # Errors
///
/// If `url` is none.
pub async fn session(url: &str, network: &Shared) -> Result<SessionContext> {
    let session = SessionContext::remote(url).await?;
    // Afterwards: a session that is made remote loses the functions that it had.
    for function in functions(network) {
        session.register_udf(function);
    }
    Ok(session)
}

fn names(functions: &[ScalarUDF]) -> Vec<String> {
    functions
        .iter()
        .map(|function| function.name().to_owned())
        .collect()
}
