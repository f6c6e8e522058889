//! `nnue train`: what it writes, what it says when something is wrong, and that a killed run goes on as if nothing had happened.

use std::time::Duration;

use crate::{Folder, Run, random_milliseconds};

/// A run of some moments: two threads, games held out, slow weights, rounded parameters, a shuffle.
pub(crate) const RUN: &str = r#"
output = "out"
threads = 2
seed = 7
batch = 4
batches = 6
superbatches = 5
rate = { schedule = "cosine", start = 0.01, end = 0.001, warm_up = 10 }

[network]
declaration = "struct Tiny = (768 -> 64)x2 @ 255 pairwise -> (16 -> 1)x2 { format raw };"

[data]
files = ["games.pgn", "games.pgn"]
shuffle = 10
filter = { no_check = true, one_in = 2 }

[validation]
files = ["games.pgn"]

[optimizer]
kind = "rangerlite"
fake_quantize = true
"#;

impl Folder {
    /// Runs `nnue-train run run.toml` in the folder.
    pub(crate) fn run(&self, more: &str) -> Run {
        Run::of(self.start(&format!("run run.toml{more}")))
    }

    /// A folder with the games and a run.
    pub(crate) fn with_run(name: &str, run: &str) -> Self {
        let folder = Self::with_games(name);
        folder.write("run.toml", run.as_bytes());
        folder
    }

    /// The names and contents of the files that the run has written.
    fn written(&self) -> Vec<(String, Vec<u8>)> {
        let out = Self(self.0.join("out"));
        let names = out
            .names()
            .into_iter()
            .filter(|name| !name.ends_with(".part"));
        names.map(|name| (name.clone(), out.read(&name))).collect()
    }

    /// A column of the log in its last row.
    pub(crate) fn last_logged(&self, column: &str) -> f64 {
        let log = String::from_utf8(self.read("out/log.csv")).unwrap();
        let (names, last) = (log.lines().next().unwrap(), log.lines().last().unwrap());
        let at = names.split(',').position(|name| name == column);
        let found = last.split(',').nth(at.expect("a column"));
        found.unwrap().parse().unwrap()
    }

    /// Kills and resumes the run until it is done: it writes what the run of `undisturbed` writes.
    pub(crate) fn assert_goes_on(&self, undisturbed: &Self) {
        undisturbed.run("").succeeds();
        let (mut delay, mut kills) = (random_milliseconds(5..20), 0);
        loop {
            let mut child = self.start("run run.toml --resume");
            std::thread::sleep(Duration::from_millis(delay));
            if child.try_wait().unwrap().is_some() {
                break;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            (kills, delay) = (kills + 1, delay + random_milliseconds(1..25));
        }
        self.run(" --resume").succeeds();
        assert!(kills > 0);
        let (found, expected) = (self.written(), undisturbed.written());
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.into_iter().zip(expected) {
            assert!(
                found == expected,
                "{} is another after {kills} kills",
                found.0
            );
        }
    }
}

/// Nothing is written, and the message says what to do.
#[test]
fn a_gpu_is_missed_before_the_run_begins() {
    let folder = Folder::with_run(
        "gpu",
        &RUN.replace("seed = 7", "seed = 7\ndevice = \"cuda\""),
    );
    if !cfg!(feature = "cuda") {
        let help = "build it with `--features cuda`, or train on the CPU";
        let said = format!("`device = \"cuda\"`: this command was built without it; {help}");
        folder.run("").fails_with(&said);
        assert_eq!(folder.names(), ["games.pgn", "run.toml"]);
    }
    folder.run(" --device cpu").succeeds();
}

#[test]
fn a_run_writes_network_log_and_report() {
    let folder = Folder::with_run("run", RUN);
    let said = folder.run("").succeeds();
    let last = "5 superbatches are done: out/net.bin is the network, out/net.rs declares it, out/report.html shows how it went";
    assert_eq!(said.lines().last(), Some(last));
    assert_eq!(
        said.lines()
            .filter(|line| line.starts_with("superbatch "))
            .count(),
        5
    );
    let written = folder.written();
    let names: Vec<&str> = written.iter().map(|(name, _)| name.as_str()).collect();
    let expected = [
        "checkpoint",
        "correlation.svg",
        "drift.svg",
        "log.csv",
        "log.jsonl",
        "loss.svg",
        "net.bin",
        "net.rs",
        "net.safetensors",
        "neurons.svg",
        "ranges.svg",
        "rate.svg",
        "report.html",
    ];
    assert_eq!(names, expected);
    let log = String::from_utf8(folder.read("out/log.csv")).unwrap();
    assert!(
        log.starts_with("superbatch,positions,rate,share,loss,held_out_loss,quantized_loss,drift,"),
        "{log}"
    );
    assert_eq!(log.lines().count(), 6);
    let declaration = String::from_utf8(folder.read("out/net.rs")).unwrap();
    assert_eq!(
        nnue_codegen::graph_text(&declaration).unwrap()[0]
            .goldens
            .len(),
        3,
        "{declaration}"
    );
    folder.run("").fails_with(
        "out/checkpoint belongs to an earlier run: continue with --resume, or name another `output`",
    );
    let said = folder.run(" --resume").succeeds();
    let lines: Vec<&str> = said.lines().collect();
    let few = "note: 7 validation positions are few: their loss is a rough estimate";
    assert_eq!((lines.len(), lines[1]), (3, few));
    assert_eq!(folder.written(), written);
}

/// The same with virtual weights, of features and of layers, an average, and a checkpoint after every batch.
fn factored() -> String {
    let run = RUN.replace("(768 ->", "(Chess768[buckets: [0 x 32, 1 x 32]] ->");
    let run = run.replace(
        "seed = 7",
        "seed = 7\ncheckpoint_minutes = 0\naverage = { rule = \"uniform\", after = 1 }",
    );
    run.replace(
        "[data]",
        "[factors]\nfeatures = [\"piece_square\", \"king\"]\nlayers = [\"fc0\"]\n\n[data]",
    )
}

#[test]
fn binary_layers_are_trained() {
    let run = RUN.replace(
        "(768 -> 64)x2 @ 255 pairwise -> (16 -> 1)x2",
        "(768 -> 64)x2 -> (16 binary -> 1)x2",
    );
    let folder = Folder::with_run(
        "binary",
        &run.replace("superbatches = 5", "superbatches = 2"),
    );
    let said = folder.run("").succeeds();
    assert!(said.contains("superbatch 2 of 2"), "{said}");
    let declaration = String::from_utf8(folder.read("out/net.rs")).unwrap();
    let plan = nnue_codegen::plan_text(&declaration).unwrap().remove(0);
    let tables = plan.tables();
    // Golden values are compared when the file is read.
    nnue_format::Tensors::read(&tables.descriptor(), &folder.read("out/net.bin")[..]).unwrap();
}

#[test]
fn a_killed_run_goes_on_as_if_nothing_had_happened() {
    for (name, run) in [("plain", RUN.to_owned()), ("factored", factored())] {
        let undisturbed = Folder::with_run(&format!("undisturbed-{name}"), &run);
        let killed = Folder::with_run(&format!("killed-{name}"), &run);
        killed.assert_goes_on(&undisturbed);
    }
}

#[test]
fn a_training_goes_on_from_a_network_or_a_checkpoint() {
    let folder = Folder::with_run("from", RUN);
    folder.run("").succeeds();
    for from in ["out/net.bin", "out/checkpoint"] {
        let next = RUN.replace(
            "output = \"out\"",
            &format!("output = \"{}\"", from.replace('/', "-")),
        );
        let next = next
            .replace("[network]", &format!("[network]\nfrom = \"{from}\""))
            .replace("= 5", "= 2");
        folder.write("run.toml", next.as_bytes());
        let said = folder.run("").succeeds();
        assert!(said.contains("\nsuperbatch 1 of 2: "), "{said}");
    }
    folder.write(
        "run.toml",
        RUN.replace("(16 -> 1)", "(8 -> 1)")
            .replace("[network]", "[network]\nfrom = \"out/checkpoint\"")
            .replace("\"out\"", "\"other\"")
            .as_bytes(),
    );
    folder.run("").fails_with(
        "out/checkpoint: the checkpoint has a tensor of 2048 numbers, and this run one of 1024: another network",
    );
}

/// Virtual weights are merged into the network of the file, which is as large as without them.
#[test]
fn factors_are_merged_into_the_network() {
    let folder = Folder::with_run("factors", &factored());
    folder.run("").succeeds();
    let declaration = String::from_utf8(folder.read("out/net.rs")).unwrap();
    let graph = nnue_codegen::graph_text(&declaration).unwrap().remove(0);
    let plan = nnue_spec::plan::plan(&graph);
    let tables = plan.tables();
    // The golden values are those of the file.
    nnue_format::Tensors::read(&tables.descriptor(), &folder.read("out/net.bin")[..]).unwrap();
    let more = factored()
        .replace("\"king\"", "\"relative\"")
        .replace("\"out\"", "\"other\"");
    folder.write("run.toml", more.as_bytes());
    let said = folder.run("").err;
    assert!(
        said.contains("`Tiny` has `relative`: its king buckets have several squares each"),
        "{said}"
    );
    folder.write(
        "run.toml",
        factored().replace("\"king\"", "\"kings\"").as_bytes(),
    );
    let said = folder.run("").err;
    assert!(
        said.contains("not `kings`\n") && said.contains("help: did you mean `king`?"),
        "{said}"
    );
}

/// The floats that a run leaves are those that another one begins with.
#[test]
fn a_training_goes_on_from_safetensors() {
    let folder = Folder::with_run("safetensors", RUN);
    folder.run("").succeeds();
    let next = RUN.replace("output = \"out\"", "output = \"next\"\noptimize = false");
    let next = next.replace("[network]", "[network]\nfrom = \"out/net.safetensors\"");
    // At this rate nothing moves by as much as would be seen after rounding.
    let still = next.replace(
        "rate = { schedule = \"cosine\", start = 0.01, end = 0.001, warm_up = 10 }",
        "rate = 1e-12",
    );
    assert_ne!(still, next);
    folder.write("run.toml", still.as_bytes());
    folder.run("").succeeds();
    assert!(folder.read("next/net.bin") == folder.read("out/net.bin"));
    let mut cut = folder.read("out/net.safetensors");
    cut.truncate(cut.len() - 4);
    folder.write("out/net.safetensors", &cut);
    folder.write("run.toml", still.replace("\"next\"", "\"last\"").as_bytes());
    let said = folder.run("").err;
    assert!(
        said.contains("out/net.safetensors: this is not a safetensors file: "),
        "{said}"
    );
}

/// A factoriser becomes virtual weights where there are such, and is merged otherwise: the network is the same.
#[test]
fn a_training_goes_on_from_the_floats_of_bullet() {
    let number =
        |tensor: usize, index: usize| ((tensor * 7 + index * 13) % 101) as f32 / 400.0 - 0.125;
    let tensor = |(index, (name, count)): (usize, &(&str, usize))| {
        let floats = (0..*count).flat_map(|at| number(index, at).to_le_bytes());
        let mut bytes = format!("{name}\n").into_bytes();
        bytes.extend((*count as u64).to_le_bytes());
        bytes.extend(floats);
        bytes
    };
    let tensors = [
        ("l0b", 64),
        ("l0f", 768 * 64),
        ("l0w", 2 * 768 * 64),
        ("l1b", 32),
        ("l1w", 64 * 32),
        ("l2b", 2),
        ("l2w", 32),
    ];
    let bytes: Vec<u8> = tensors.iter().enumerate().flat_map(tensor).collect();
    // At this rate nothing moves by as much as would be seen after rounding.
    let still = factored().replace(
        "rate = { schedule = \"cosine\", start = 0.01, end = 0.001, warm_up = 10 }",
        "rate = 1e-12\noptimize = false",
    );
    let still = still
        .replace("[network]", "[network]\nfrom = \"weights.bin\"")
        .replace(", \"king\"", "");
    let merged = still.replace(
        "[factors]\nfeatures = [\"piece_square\"]\nlayers = [\"fc0\"]\n",
        "",
    );
    assert_ne!(merged, still);
    let [virtual_weights, merged] =
        [("bullet-factor", still), ("bullet-merged", merged)].map(|(name, run)| {
            let folder = Folder::with_run(name, &run);
            folder.write("weights.bin", &bytes);
            folder.run("").succeeds();
            folder.read("out/net.bin")
        });
    assert_eq!(virtual_weights, merged);
    // The first weight of the first row: that of the second bucket 768 rows later has the same factoriser.
    let at = |row: usize| {
        i16::from_le_bytes([virtual_weights[row * 128], virtual_weights[row * 128 + 1]])
    };
    for row in [0, 700, 768 + 700] {
        let expected = (number(2, row * 64) + number(1, row % 768 * 64)) * 255.0;
        assert!(
            (f32::from(at(row)) - expected).abs() <= 0.51,
            "row {row}: {} {expected}",
            at(row)
        );
    }
}

/// Runs `RUN`, of which `from` has become `to`, and asserts that it ends with this line.
#[track_caller]
fn assert_fails(name: &str, from: &str, to: &str, line: &str) {
    let wrong = RUN.replace(from, to);
    assert_ne!(wrong, RUN, "{from} is part of the run");
    Folder::with_run(name, &wrong).run("").fails_with(line);
}

/// The same with a message that shows the line of the run.
#[track_caller]
fn assert_refused(from: &str, to: &str, said: &str) {
    let wrong = RUN.replace(from, to);
    assert_ne!(wrong, RUN, "{from} is part of the run");
    let run = Folder::with_run("refused", &wrong).run("");
    assert_eq!(
        (run.err.as_str(), run.code),
        (format!("error: {said}\n").as_str(), Some(1))
    );
}

#[test]
fn what_is_wrong_in_a_run_is_shown_with_its_line() {
    assert_refused(
        "seed = 7",
        "sede = 7",
        "run.toml:4:1: there is no key `sede`\n  |\n4 | sede = 7\n  | ^^^^\n  = help: did you mean `seed`?",
    );
    assert_refused(
        "seed = 7",
        "wdl = 0.3",
        "run.toml:4:1: there is no key `wdl`\n  |\n4 | wdl = 0.3\n  | ^^^\n  = help: here it is `loss.share = 0.7`, the share of the score: 1 minus 0.3",
    );
    assert_refused(
        "shuffle = 10",
        "batch_size = 10",
        "run.toml:15:1: there is no key `data.batch_size`\n   |\n15 | batch_size = 10\n   | ^^^^^^^^^^\n   \
         = help: the keys here are files, shuffle, threads, weight_by_pieces, filter",
    );
    assert_refused(
        "start = 0.01",
        "start = 0",
        "run.toml:8:39: `rate.start` is a number above 0, and not above 1\n  |\n\
         8 | rate = { schedule = \"cosine\", start = 0, end = 0.001, warm_up = 10 }\n  |                                       ^",
    );
    assert_refused(
        "\"rangerlite\"",
        "\"adamv\"",
        "run.toml:22:8: `optimizer.kind` is one of `adamw`, `adam`, `sgd`, `radam`, `ranger`, `positive_negative`, `rangerlite`, not \
         `adamv`\n   |\n22 | kind = \"adamv\"\n   |        ^^^^^^^\n   = help: did you mean `adamw`?",
    );
    assert_refused(
        "batch = 4",
        "batch = \"4\"",
        "run.toml:5:9: `batch` is an integer from 1 to 16777216\n  |\n5 | batch = \"4\"\n  |         ^^^",
    );
    assert_refused(
        "seed = 7",
        "seed = ",
        "run.toml:4:8: string values must be quoted, expected literal string\n  |\n4 | seed = \n  |        ^",
    );
    assert_refused(
        "\"games.pgn\", \"games.pgn\"",
        "\"games.bin\"",
        "run.toml:14:9: `games.bin`: the name does not say the format\n   |\n14 | files = [\"games.bin\"]\n   |         ^^^^^^^^^^^^^\n   \
         = help: names end with .binpack, .bf, .bullet, .marlin, .vf, .viri, .txt, .plain, .pgn, .policy, .epd, .csv, and may go on with .zst or .gz",
    );
    assert_refused(
        "768 -> 64",
        "700 -> 64",
        "declaration:1:16: 700 inputs are no known feature set\n  |\n1 | struct Tiny = (700 -> 64)x2 @ 255 pairwise -> (16 -> 1)x2 { format raw };\n  \
         |                ^^^\n  = help: a bare number can only be `768`; known feature sets are `HalfKP`, `HalfKAv2`, `HalfKAv2_hm`, `Chess768`, \
         `FullThreats`, `Threats`, `PawnPairs`",
    );
}

#[test]
fn files_that_cannot_be_read_or_are_damaged() {
    let run = RUN.replace("[\"games.pgn\", \"games.pgn\"]", "[\"no.pgn\"]");
    let folder = Folder::with_run("no-file", &run);
    folder
        .run("")
        .fails_with(&folder.cannot_read("no.pgn", "no such file"));
    let folder = Folder::with_run("damaged", RUN);
    folder.run("").succeeds();
    let mut checkpoint = folder.read("out/checkpoint");
    checkpoint[9000] ^= 1;
    folder.write("out/checkpoint", &checkpoint);
    folder
        .run(" --resume")
        .fails_with("out/checkpoint: the checkpoint is damaged: its checksum is wrong");
    folder.write("out/checkpoint", b"nonsense");
    folder
        .run(" --resume")
        .fails_with("out/checkpoint: it is not a checkpoint of a training run");
    let missing = Folder::new("no-run");
    missing
        .run("")
        .fails_with(&missing.cannot_read("run.toml", "no such file"));
}

/// A network with a policy: what it says of moves, and that rows without moves are refused.
#[test]
fn a_policy_is_trained_and_judged() {
    const NETWORK: &str = "declaration = \"\"\"struct Tiny { acc = accumulate(Chess768[mirrored], 64) x 2; let x = crelu(acc); \
        output value = affine(x, 1); output policy = rows(x, 1880); format raw }\"\"\"";
    let chain = "declaration = \"struct Tiny = (768 -> 64)x2 @ 255 pairwise -> (16 -> 1)x2 { format raw };\"";
    let policy = RUN
        .replace(chain, NETWORK)
        .replace("one_in = 2", "one_in = 1")
        .replace("no_check = true, ", "");
    assert_ne!(policy, RUN);
    let folder = Folder::with_run("policy", &policy);
    folder.data("convert games.pgn -o games.policy").succeeds();
    let from_policy = policy.replace("[\"games.pgn\", \"games.pgn\"]", "[\"games.policy\"]");
    folder.write("run.toml", from_policy.as_bytes());
    let said = folder.run("").succeeds();
    assert!(
        said.contains(", policy ") && said.contains(", agreement "),
        "{said}"
    );
    let agreement = folder.last_logged("quantized_agreement");
    assert!(
        agreement > 0.5,
        "it learns a dozen moves by heart: {agreement}"
    );
    assert!(folder.names().contains(&"out".into()) && folder.0.join("out/policy.svg").exists());
    let graph = nnue_codegen::graph_text(&String::from_utf8(folder.read("out/net.rs")).unwrap())
        .unwrap()
        .remove(0);
    assert_eq!((graph.goldens.len(), graph.head_goldens.len()), (3, 3));
    assert!(
        graph
            .head_goldens
            .iter()
            .all(|golden| golden.rows == [0, 940, 1879])
    );
    let other = policy
        .replace("rows(x, 1880)", "rows(x, 1234)")
        .replace("\"out\"", "\"other\"");
    folder.write("run.toml", other.as_bytes());
    let refused = folder.run("").err;
    assert!(
        refused.contains("no scheme numbers 1234 moves\n"),
        "{refused}"
    );
}

#[test]
fn data_that_leave_nothing() {
    let nothing = "there are no positions to train on: hold out fewer games, or filter less";
    let folder = Folder::with_run(
        "nothing",
        &RUN.replace("one_in = 2", "min_pieces = 32, min_ply = 100"),
    );
    folder.write(
        "one.txt",
        b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 60 | 5 | 1.0\n",
    );
    folder.write(
        "run.toml",
        String::from_utf8(folder.read("run.toml"))
            .unwrap()
            .replace(
                "[validation]\nfiles = [\"games.pgn\"]",
                "[validation]\nfiles = [\"one.txt\"]",
            )
            .as_bytes(),
    );
    folder.run("").fails_with(nothing);
    assert_fails(
        "none-held-out",
        "one_in = 2",
        "max_score = 0, min_ply = 100",
        "there are no validation positions: hold out more games, or filter less (`nnue data stats` says what the files have)",
    );
}

#[test]
fn numbers_that_are_none_stop_the_run() {
    assert_fails(
        "nan",
        "kind = \"rangerlite\"",
        "kind = \"adam\"\nepsilon = 1e-300",
        "the loss of batch 2 is NaN: `ft_weight` has numbers that are not finite; try a lower `rate`, or `optimizer.clip_norm`",
    );
}

/// A full disk is told, and the checkpoint is as it was.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    let folder = Folder::with_run("full-disk", RUN);
    std::fs::create_dir(folder.0.join("out")).unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.0.join("out/log.csv")).unwrap();
    folder
        .run("")
        .fails_with("cannot write out/log.csv: the disk is full");
    assert!(!folder.0.join("out/checkpoint").exists());
}

/// A run that was begun with other data of the same name is not resumed, unless that is asked for.
#[test]
fn data_that_were_replaced_are_noticed() {
    let folder = Folder::with_run("replaced-data", RUN);
    folder.run("").succeeds();
    let games = String::from_utf8(folder.read("games.pgn")).unwrap();
    let others = games.replace("%eval 0.3]", "%eval 0.2]");
    assert_ne!(games, others);
    folder.write("games.pgn", others.as_bytes());
    folder.run(" --resume").fails_with(
        "games.pgn has changed since the run began: restore it, or continue with --changed-data",
    );
    let said = folder.run(" --resume --changed-data").succeeds();
    assert!(
        said.contains("note: games.pgn has changed since the checkpoint"),
        "{said}"
    );
    folder.write("games.pgn", games.as_bytes());
    folder.run(" --resume").succeeds();
}

/// A resumed run says which key has changed, if the network depends on it.
#[test]
fn keys_that_were_changed_are_noted() {
    let folder = Folder::with_run("changed-keys", RUN);
    folder.run("").succeeds();
    let resumed = |text: String| {
        folder.write("run.toml", text.as_bytes());
        folder.run(" --resume").succeeds()
    };
    for (same, said) in [
        (
            "checkpoint_minutes = 3\n",
            resumed(format!("checkpoint_minutes = 3\n{RUN}")),
        ),
        ("a comment", resumed(format!("# as it was\n{RUN}"))),
    ] {
        assert!(!said.contains("has changed"), "{same}: {said}");
    }
    let said = resumed(RUN.replace("seed = 7", "seed = 8"));
    let note = "note: `seed` in run.toml has changed since the checkpoint: the network will match neither configuration";
    assert!(said.contains(note), "{said}");
}

/// A level that is named wrongly would be another one, silently.
#[test]
fn a_wrong_level_is_refused() {
    let folder = Folder::with_run("wrong-level", RUN);
    folder.assert_level_is_refused("run run.toml");
    assert_eq!(folder.names(), ["games.pgn", "run.toml"]);
}

/// Devices that never end, and files larger than what can be meant, are refused at once.
#[cfg(target_os = "linux")]
#[test]
fn files_without_an_end_are_refused() {
    let folder = Folder::with_run("endless", RUN);
    let sparse = std::fs::File::create(folder.0.join("sparse")).unwrap();
    sparse.set_len(6 << 30).unwrap();
    let device = "it is a device: a file is expected";
    let large = |most: u64| format!("it has more than {most} bytes, the most that can be meant");
    for (file, reason) in [
        ("/dev/zero", device.to_owned()),
        ("sparse", large(16 << 20)),
    ] {
        let said = folder.cannot_read(file, &reason);
        Run::of(folder.start(&format!("run {file}"))).fails_with(&said);
        let arguments = "--positions 10 -o a.binpack --net net.bin --declaration";
        Run::of(folder.start(&format!("generate {arguments} {file}"))).fails_with(&said);
    }
    let tiny = "struct Tiny = (768 -> 64)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };";
    folder.write("net.rs", tiny.as_bytes());
    for (file, reason) in [("/dev/zero", device.to_owned()), ("sparse", large(4 << 30))] {
        let arguments = format!("--positions 10 -o a.binpack --declaration net.rs --net {file}");
        Run::of(folder.start(&format!("generate {arguments}")))
            .fails_with(&folder.cannot_read(file, &reason));
    }
    folder.run("").succeeds();
    std::fs::remove_file(folder.0.join("out/checkpoint")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.0.join("out/checkpoint")).unwrap();
    folder
        .run(" --resume")
        .fails_with(&folder.cannot_read("out/checkpoint", device));
}
