//! Queries, run by DataFusion as a whole: from the text of the query to files.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::datatypes::{DataType, Int32Type, Int64Type, UInt64Type};
use datafusion::common::Result;
use datafusion::prelude::SessionContext;
use nnue::Network;
use nnue::stockfish::Sfnnv1;
use nnue_backend::nnue::{Board, NetworkScorer};
use nnue_sql::{add_table, session};
use nnue_testkit::synthetic::{Profile, Synthetic};
use nnue_testkit::vectors::suite;

static NETWORK: LazyLock<Arc<Network<Sfnnv1>>> = LazyLock::new(|| {
    let bytes = Synthetic::new("v1", Profile::Normal).kept_bytes();
    Arc::new(Network::read(&bytes[..]).expect("a synthetic network"))
});

/// The network as what gives scores.
fn scorer() -> Arc<NetworkScorer<Arc<Network<Sfnnv1>>>> {
    Arc::new(NetworkScorer(NETWORK.clone()))
}

/// The positions of the vectors and what the network says about each by itself, which is what the vectors say.
static SAID: LazyLock<Vec<(String, i32)>> = LazyLock::new(|| {
    let rows = suite("syn-v1").into_iter().map(|row| {
        let said = NETWORK.evaluate_fresh(&Board(row.fen.parse().expect("a FEN")));
        assert_eq!(
            (said.psqt, said.positional),
            (row.psqt, row.positional),
            "{}",
            row.fen
        );
        (row.fen, said.value)
    });
    rows.collect()
});

/// A folder of the test of this name.
fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The positions as a file of CSV, with their numbers; of one in ten the FEN is NULL.
fn csv(test: &str) -> String {
    let rows = SAID
        .iter()
        .enumerate()
        .map(|(id, (fen, _))| format!("{id},{}\n", if is_null(id) { "" } else { fen }));
    let file = folder(test).join("positions.csv");
    fs::write(&file, format!("id,fen\n{}", rows.collect::<String>())).expect("a file");
    file.display().to_string()
}

const fn is_null(id: usize) -> bool {
    id % 10 == 9
}

/// The expected value of each row of [`csv`].
fn expected() -> Vec<Option<i32>> {
    SAID.iter()
        .enumerate()
        .map(|(id, (_, value))| (!is_null(id)).then_some(*value))
        .collect()
}

/// A session with the table `positions`.
async fn with_positions(test: &str) -> SessionContext {
    let session = session(scorer());
    add_table(&session, "positions", &csv(test))
        .await
        .expect("a table");
    session
}

async fn rows(session: &SessionContext, query: &str) -> Result<RecordBatch> {
    let batches = session.sql(query).await?.collect().await?;
    Ok(concat_batches(
        &batches.first().expect("a batch").schema(),
        &batches,
    )?)
}

/// The first column, of values.
async fn values(session: &SessionContext, query: &str) -> Result<Vec<Option<i32>>> {
    let rows = rows(session, query).await?;
    Ok(rows.column(0).as_primitive::<Int32Type>().iter().collect())
}

#[tokio::test]
async fn each_row_has_the_value_of_its_position() {
    let session = with_positions("each_row").await;
    assert!(SAID.len() > 300);
    let found = values(&session, "SELECT nnue_eval(fen) FROM positions ORDER BY id")
        .await
        .expect("values");
    assert_eq!(found, expected());
}

#[tokio::test]
async fn values_choose_and_order_rows() {
    let session = with_positions("choose_and_order").await;
    let mut best: Vec<i32> = expected().into_iter().flatten().collect();
    best.sort_by(|a, b| b.cmp(a));
    let bound = best[100];
    best.retain(|&value| value > bound);
    let query = format!(
        "SELECT nnue_eval(fen) AS value FROM positions WHERE nnue_eval(fen) > {bound} ORDER BY value DESC"
    );
    let found = values(&session, &query).await.expect("values");
    assert_eq!(found, best.into_iter().map(Some).collect::<Vec<_>>());
}

#[tokio::test]
async fn values_are_summed_up() {
    let session = with_positions("summed_up").await;
    let query = "SELECT id % 3 AS part, count(nnue_eval(fen)) AS known, count(*) AS total, sum(nnue_eval(fen)) AS sum, max(nnue_eval(fen)) AS most
                 FROM positions GROUP BY part ORDER BY part";
    let found = rows(&session, query).await.expect("three rows");
    let of = |part: usize| expected().into_iter().skip(part).step_by(3);
    for part in 0..3 {
        let known: Vec<i64> = of(part).flatten().map(i64::from).collect();
        let column = |at: usize| found.column(at).as_primitive::<Int64Type>().value(part);
        assert_eq!(column(1), known.len() as i64);
        assert_eq!(column(2), of(part).count() as i64);
        assert_eq!(column(3), known.iter().sum::<i64>());
        assert_eq!(
            found.column(4).as_primitive::<Int32Type>().value(part),
            of(part).flatten().max().expect("values")
        );
    }
}

#[tokio::test]
async fn null_gives_null() {
    let session = session(scorer());
    for constant in ["NULL", "CAST(NULL AS VARCHAR)"] {
        let query = format!("SELECT nnue_eval({constant}), nnue_try_eval({constant})");
        let found = rows(&session, &query).await.expect("a row");
        assert!(
            found.column(0).is_null(0) && found.column(1).is_null(0),
            "{constant}"
        );
    }
}

#[tokio::test]
async fn a_wrong_fen_ends_the_query_or_is_null() {
    let session = session(scorer());
    let (fen, value) = &SAID[0];
    let table = format!("FROM (VALUES (1, '{fen}'), (2, '8/8 w')) AS positions (id, fen)");
    for query in [
        format!("SELECT nnue_eval(fen) {table}"),
        "SELECT nnue_eval('8/8 w')".into(),
    ] {
        let error = rows(&session, &query)
            .await
            .expect_err("a wrong FEN")
            .to_string();
        let reason =
            "nnue_eval: `8/8 w` is no position: a FEN has at least four fields, this has 2";
        assert!(error.contains(reason), "{error}");
    }
    let found = values(
        &session,
        &format!("SELECT nnue_try_eval(fen) {table} ORDER BY id"),
    )
    .await;
    assert_eq!(found.expect("values"), [Some(*value), None]);
    let error = rows(
        &session,
        "SELECT nnue_eval(fen, fen) FROM (VALUES ('x')) AS positions (fen)",
    )
    .await;
    assert!(
        error
            .expect_err("two arguments")
            .to_string()
            .contains("nnue_eval")
    );
}

#[tokio::test]
async fn a_copy_has_all_columns_and_the_values() {
    let session = with_positions("copy").await;
    let file = folder("copied").join("out.parquet").display().to_string();
    let copy = format!("COPY (SELECT *, nnue_eval(fen) AS value FROM positions) TO '{file}'");
    let written = rows(&session, &copy).await.expect("a file");
    assert_eq!(
        written.column(0).as_primitive::<UInt64Type>().value(0),
        SAID.len() as u64
    );
    // Another session, without networks, reads it.
    let reader = SessionContext::new();
    add_table(&reader, "copied", &file).await.expect("a table");
    let found = rows(
        &reader,
        "SELECT value, id, CAST(fen AS VARCHAR) AS fen FROM copied ORDER BY id",
    )
    .await;
    let found = found.expect("rows");
    assert_eq!(found.column(0).data_type(), &DataType::Int32);
    assert_eq!(
        found
            .column(0)
            .as_primitive::<Int32Type>()
            .iter()
            .collect::<Vec<_>>(),
        expected()
    );
    assert_eq!(
        found.column(1).as_primitive::<Int64Type>().values()[..3],
        [0, 1, 2]
    );
    // The values of text that was read from Parquet are the same.
    let again = self::session(scorer());
    add_table(&again, "copied", &file).await.expect("a table");
    let differing = count(
        &again,
        "SELECT count(*) FROM copied WHERE value IS DISTINCT FROM nnue_eval(fen)",
    )
    .await;
    assert_eq!(differing, 0);
}

async fn count(session: &SessionContext, query: &str) -> i64 {
    rows(session, query)
        .await
        .expect("a number")
        .column(0)
        .as_primitive::<Int64Type>()
        .value(0)
}

#[test]
fn the_program_runs_a_query_over_a_file() {
    let folder = folder("program");
    let (network, positions) = (folder.join("network.nnue"), folder.join("positions.csv"));
    fs::write(&network, Synthetic::new("v9", Profile::Normal).kept_bytes()).expect("a network");
    fs::write(&positions, "fen\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n").expect("a table");
    let run = |query: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_nnue-sql"));
        program
            .arg(&network)
            .arg(query)
            .arg(format!("positions={}", positions.display()))
            .output()
            .expect("a program")
    };
    let good = run("SELECT fen, nnue_eval(fen) AS value FROM positions");
    assert!(good.status.success(), "{good:?}");
    assert!(
        String::from_utf8_lossy(&good.stdout).contains("| 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | "),
        "{good:?}"
    );
    let wrong = run("SELECT nnue_eval(fen) FROM nowhere");
    assert!(!wrong.status.success());
    assert!(
        String::from_utf8_lossy(&wrong.stderr)
            .contains("table 'datafusion.public.nowhere' not found"),
        "{wrong:?}"
    );
}
