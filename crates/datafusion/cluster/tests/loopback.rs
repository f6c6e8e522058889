//! A scheduler and two executors on this machine return the values of the network. An executor or a client with another network gets an error that says so.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use datafusion::arrow::array::AsArray;
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::datatypes::{Int32Type, Int64Type};
use datafusion::prelude::SessionContext;
use nnue::Network;
use nnue::stockfish::Sfnnv1;
use nnue_backend::nnue::Board;
use nnue_cluster::session;
use nnue_sql::{add_table, open};
use nnue_testkit::synthetic::{Profile, Synthetic};
use nnue_testkit::vectors::suite;

/// Files of the table: more than executors, so that both have work.
const FILES: usize = 8;

/// How long a machine may take to listen, on a busy computer.
const PATIENCE: Duration = Duration::from_secs(120);

/// The positions of the vectors, and what the network says about each by itself.
static SAID: LazyLock<Vec<(String, i32)>> = LazyLock::new(|| {
    let bytes = Synthetic::new("v1", Profile::Normal).kept_bytes();
    let network = Network::<Sfnnv1>::from_bytes(&bytes).expect("a synthetic network");
    let rows = suite("syn-v1").into_iter().map(|row| {
        let board = Board(row.fen.parse().expect("a FEN"));
        (row.fen, network.evaluate_fresh(&board).value)
    });
    rows.collect()
});

/// A process that ends with the test.
struct Machine(Child);

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn machine(arguments: &[&str], temporary: &Path) -> Machine {
    fs::create_dir_all(temporary).expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_nnue-cluster"));
    command
        .args(arguments)
        .env("TMPDIR", temporary)
        .stdout(Stdio::null());
    Machine(command.spawn().expect("the program runs"))
}

/// The first of two free ports in a row.
fn ports() -> u16 {
    loop {
        let first = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = first.local_addr().expect("its address").port();
        if TcpListener::bind(("127.0.0.1", port.wrapping_add(1))).is_ok() {
            return port;
        }
    }
}

fn wait_for(port: u16) {
    let start = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(start.elapsed() < PATIENCE, "nobody listens at {port}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// A folder with a network, another one and the positions in several files.
fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("positions.csv")).expect("a folder");
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).expect("a file");
    write(
        "net.nnue",
        &Synthetic::new("v1", Profile::Normal).kept_bytes(),
    );
    let other = Network::<Sfnnv1>::random(1).to_bytes().expect("bytes");
    write("other.nnue", &other);
    let rows: Vec<(usize, &str)> = SAID
        .iter()
        .enumerate()
        .map(|(id, (fen, _))| (id, fen.as_str()))
        .collect();
    for (number, rows) in rows.chunks(rows.len().div_ceil(FILES)).enumerate() {
        let lines: String = rows
            .iter()
            .map(|(id, fen)| format!("{id},{fen}\n"))
            .collect();
        write(
            &format!("positions.csv/{number}.csv"),
            format!("id,fen\n{lines}").as_bytes(),
        );
    }
    folder
}

/// Whether a folder has files, in it or below.
fn has_files(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| {
        let path = entry.path();
        path.is_file() || has_files(&path)
    })
}

async fn client(url: &str, network: &Path, positions: &Path) -> SessionContext {
    let network = open(&network.display().to_string()).expect("a network");
    let session = session(url, &network).await.expect("a session");
    add_table(&session, "positions", &positions.display().to_string())
        .await
        .expect("a table");
    session
}

/// A scheduler, and executors with the networks of these files, each with a folder that has its number.
struct Cluster {
    url: String,
    _machines: Vec<Machine>,
}

impl Cluster {
    fn start(folder: &Path, executors: &[&str]) -> Self {
        let network = |name: &str| folder.join(name).display().to_string();
        let scheduler = format!("127.0.0.1:{}", ports());
        let arguments = ["scheduler", &scheduler, &network("net.nnue")];
        let mut machines = vec![machine(&arguments, &folder.join("scheduler"))];
        let port = scheduler.rsplit_once(':').expect("a port").1;
        wait_for(port.parse().expect("a number"));
        for (number, name) in executors.iter().enumerate() {
            let port = ports();
            let here = format!("127.0.0.1:{port}");
            let arguments = ["executor", &scheduler, &here, &network(name), "1"];
            machines.push(machine(&arguments, &folder.join(number.to_string())));
            wait_for(port);
        }
        Self {
            url: format!("df://{scheduler}"),
            _machines: machines,
        }
    }
}

/// Why a query fails.
async fn refusal(session: &SessionContext) -> String {
    let refused = match session
        .sql("SELECT sum(nnue_eval(fen)) FROM positions")
        .await
    {
        Ok(frame) => frame.collect().await.map(drop),
        Err(error) => Err(error),
    };
    refused.expect_err("another network").to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_executors_say_what_the_network_says() {
    let folder = folder("two");
    let path = |name: &str| folder.join(name);
    let cluster = Cluster::start(&folder, &["net.nnue", "net.nnue"]);
    let session = client(&cluster.url, &path("net.nnue"), &path("positions.csv")).await;
    let query = "SELECT id, nnue_eval(fen) AS value FROM positions ORDER BY id";
    let batches = session.sql(query).await.expect("a plan");
    let batches = batches.collect().await.expect("an answer");
    let rows = concat_batches(&batches[0].schema(), &batches).expect("one batch");
    let values = rows.column(1).as_primitive::<Int32Type>();
    let expected: Vec<i32> = SAID.iter().map(|(_, value)| *value).collect();
    assert_eq!(values.values().to_vec(), expected);

    let query = "SELECT sum(nnue_eval(fen)), count(nnue_try_eval(fen || 'x')) FROM positions";
    let sums = session.sql(query).await.expect("a plan");
    let sums = sums.collect().await.expect("an answer");
    let number = |column: usize| sums[0].column(column).as_primitive::<Int64Type>().value(0);
    let total: i64 = expected.iter().map(|&value| i64::from(value)).sum();
    assert_eq!([number(0), number(1)], [total, 0]);
    for number in ["0", "1"] {
        assert!(has_files(&path(number)), "executor {number} did nothing");
    }

    let other = client(&cluster.url, &path("other.nnue"), &path("positions.csv")).await;
    let message = refusal(&other).await;
    let expected = "the scheduler has another network than the query: the query wants `nnue_eval_";
    assert!(message.contains(expected), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_executor_with_another_network_is_told() {
    let folder = folder("other");
    let path = |name: &str| folder.join(name);
    let cluster = Cluster::start(&folder, &["other.nnue"]);
    let session = client(&cluster.url, &path("net.nnue"), &path("positions.csv")).await;
    let message = refusal(&session).await;
    let expected = "the executor has another network than the query: the query wants `nnue_eval_";
    assert!(message.contains(expected), "{message}");
}
