//! `nnue data generate` and `nnue data rescore`: games of a network, and its scores.

use std::time::Duration;

use crate::run::RUN;
use crate::{Folder, Run};

/// Few nodes, quiet positions.
const GENERATE: &str = "generate --net out/net.bin --declaration out/net.rs --nodes 40 --max-plies 60 --quiet --opening-limit 30000 --positions";

impl Folder {
    /// A folder with a network that was trained for a moment.
    fn with_network(name: &str) -> Self {
        let folder = Self::with_run(name, RUN);
        folder.run("").succeeds();
        folder
    }

    fn generate(&self, more: &str) -> Run {
        Run::of(self.start(&format!("{GENERATE} {more}")))
    }
}

#[test]
fn games_are_the_same_for_any_number_of_threads_and_kills() {
    let folder = Folder::with_network("generate");
    let said = folder
        .generate("4000 -o one.binpack --threads 1")
        .succeeds();
    assert!(
        said.lines()
            .last()
            .is_some_and(|line| line.ends_with(" games in one.binpack")),
        "{said}"
    );
    folder
        .generate("4000 -o three.binpack --threads 3")
        .succeeds();
    let expected = folder.read("one.binpack");
    assert_eq!(folder.read("three.binpack"), expected);
    let (mut delay, mut kills) = (30, 0);
    loop {
        let mut child = folder.start(&format!(
            "{GENERATE} 4000 -o killed.binpack --threads 2 --resume"
        ));
        std::thread::sleep(Duration::from_millis(delay));
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        (kills, delay) = (kills + 1, delay + 40);
    }
    folder
        .generate("4000 -o killed.binpack --resume")
        .succeeds();
    assert!(
        kills > 0 && folder.read("killed.binpack") == expected,
        "{kills} kills"
    );

    // Nothing is noisy, and whoever wants more gets more.
    let counted = folder.data("stats one.binpack").prints();
    assert!(counted.contains("games"), "{counted}");
    let said = folder
        .data("filter one.binpack --quiet -o quiet.binpack")
        .succeeds();
    let kept: u64 = said
        .lines()
        .last()
        .unwrap()
        .split(' ')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    assert!((4000..4100).contains(&kept), "{said}");
    assert!(
        !said.contains("captures") && !said.contains("in check"),
        "{said}"
    );
    let said = folder.generate("4500 -o one.binpack --resume").succeeds();
    assert!(folder.read("one.binpack").starts_with(&expected), "{said}");
}

#[test]
fn games_have_every_format() {
    let folder = Folder::with_network("generate-formats");
    for name in ["a.plain", "a.bf", "a.txt", "a.marlin", "a.pgn"] {
        folder.generate(&format!("300 -o {name}")).succeeds();
        folder.data(&format!("stats {name}")).prints();
    }
    let whole = GENERATE.replace(" --quiet", "");
    Run::of(folder.start(&format!("{whole} 300 -o a.vf"))).succeeds();
    Run::of(folder.start(&format!("{whole} 300 -o a.binpack"))).succeeds();
    folder.data("convert a.vf -o b.binpack").succeeds();
    assert_eq!(
        folder.data("stats a.binpack").prints(),
        folder.data("stats b.binpack").prints()
    );
    let refused = "viriformat stores whole games, so no position can be left out: filter when training, or write a binpack";
    folder.generate("300 -o c.vf").fails_with(refused);
}

#[test]
fn what_is_wrong_is_said() {
    let folder = Folder::with_network("generate-wrong");
    folder.generate("100 -o a.binpack").succeeds();
    let there = "a.binpack already exists: continue with --resume, or name another --output";
    folder.generate("100 -o a.binpack").fails_with(there);
    let other = "a.binpack belongs to a run with another network, other rules or another seed: name another --output";
    folder
        .generate("100 -o a.binpack --resume --seed 2")
        .fails_with(other);
    folder.write("a.binpack.state", b"nonsense");
    folder
        .generate("100 -o a.binpack --resume")
        .fails_with("a.binpack.state is not a state file of `nnue data generate`");
    folder.write("b.binpack", b"");
    let without = "b.binpack cannot be resumed: there is no b.binpack.state";
    folder
        .generate("100 -o b.binpack --resume")
        .fails_with(without);
    folder.write(
        "openings.epd",
        b"4k3/8/8/8/8/8/8/4K2R w K - id \"a\";\n\n8/8/8 w - -\n",
    );
    let run = folder.generate("100 -o c.binpack --openings openings.epd");
    assert!(run.err.contains("error: openings.epd:3: "), "{}", run.err);
    folder.write("openings.epd", b"kK6/8/8/8/8/8/8/8 w - - 0 1\n");
    folder
        .generate("100 -o c.binpack --openings openings.epd")
        .fails_with(
            "openings.epd:1: no position of a game: the kings on b8 and a8 stand side by side",
        );
    folder.write("openings.epd", b"4k3/8/8/8/8/8/8/QQQQK3 w - -\n");
    let lost = GENERATE.replace("30000", "0");
    Run::of(folder.start(&format!("{lost} 100 -o c.binpack --openings openings.epd"))).fails_with(
        "game 1 has no even opening in 1000 tries: raise --opening-limit, or name other --openings",
    );
    folder.write(
        "two.rs",
        b"struct A = (768 -> 32)x2 -> 1; struct B = (768 -> 32)x2 -> 1;",
    );
    let missing = folder.cannot_read("no.rs", "no such file");
    for (arguments, line) in [
        (
            "--declaration two.rs",
            "two.rs declares `A`, `B`: choose one with --name",
        ),
        (
            "--declaration two.rs --name C",
            "two.rs declares no network `C`, but `A`, `B`",
        ),
        ("--declaration no.rs", &missing),
    ] {
        Run::of(folder.start(&format!(
            "generate --net out/net.bin {arguments} --positions 5 -o d.binpack"
        )))
        .fails_with(line);
    }
}

/// A level that is named wrongly would be another one, silently.
#[test]
fn a_wrong_level_is_refused() {
    let folder = Folder::with_network("generate-level");
    let before = folder.names();
    folder.assert_level_is_refused(&format!("{GENERATE} 300 -o a.binpack"));
    folder.data("convert games.pgn -o a.plain").succeeds();
    for nodes in ["", " --nodes 10"] {
        let network = "--net out/net.bin --declaration out/net.rs";
        folder
            .assert_level_is_refused(&format!("data rescore a.plain {network} -o b.plain{nodes}"));
    }
    assert_eq!(
        folder.names(),
        [vec!["a.plain".to_owned()], before].concat()
    );
}

#[test]
fn rescored_positions_have_the_values_of_the_network() {
    let folder = Folder::with_network("rescore");
    let network = "--net out/net.bin --declaration out/net.rs";
    folder.data("convert games.pgn -o a.binpack").succeeds();
    folder
        .data(&format!(
            "rescore a.binpack {network} -o b.plain --threads 3"
        ))
        .succeeds();
    let declaration = String::from_utf8(folder.read("out/net.rs")).unwrap();
    let golden = |fen: &str| -> i32 {
        let graph = nnue_codegen::graph_text(&declaration).unwrap().remove(0);
        let plan = nnue_spec::plan::plan(&graph);
        let tables = plan.tables();
        let (_, tensors) =
            nnue_format::Tensors::read(&tables.descriptor(), &folder.read("out/net.bin")[..])
                .unwrap();
        let fen = nnue_spec::Fen::parse(fen).unwrap();
        let board = nnue_spec::reference::Board::new(fen.pieces, fen.black_to_move);
        nnue_spec::reference::evaluate(&tables.descriptor(), &tensors.refs(), &board).value
    };
    let shown = folder.data("inspect b.plain --count 100").prints();
    let mut compared = 0;
    for line in shown.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        assert_eq!(
            fields[2].parse::<i32>().unwrap(),
            golden(fields[5]),
            "{line}"
        );
        compared += 1;
    }
    assert_eq!(compared, 15);
    let said = folder
        .data(&format!(
            "rescore a.binpack {network} --nodes 50 -o c.plain"
        ))
        .succeeds();
    assert!(said.ends_with("15 positions in c.plain\n"), "{said}");
    // Before the mate, the search sees it.
    let searched = folder.data("inspect c.plain --count 100").prints();
    assert!(
        searched
            .lines()
            .any(|line| line.contains("\t31999\twin\td8h4\t")),
        "{searched}"
    );
}

/// A search would take the king: the record is a fault, and the others are scored. The network alone has a value for it.
#[test]
fn rescoring_refuses_what_is_no_position_of_a_game() {
    let folder = Folder::with_network("rescore-illegal");
    let network = "--net out/net.bin --declaration out/net.rs";
    folder.write(
        "a.txt",
        b"8/8/8/8/8/8/4P3/K1k5 w - - 0 1 | 5 | 0.5\n\
          8/8/8/8/8/8/kp6/K7 w - - 0 1 | 5 | 0.5\n\
          4k3/4R3/8/8/8/8/8/4K3 w - - 0 1 | 5 | 0.5\n\
          4k3/8/8/8/8/8/4P3/4K3 w - - 120 99 | 5 | 0.5\n",
    );
    let touching = "a.txt: record 2 of those that can be read is no position of a game: the kings on a1 and a2 stand side by side";
    folder
        .data(&format!("rescore a.txt {network} --nodes 50 -o b.txt"))
        .fails_with(&format!("{touching}; the records before it were written"));
    let said = folder
        .data(&format!(
            "rescore a.txt {network} --nodes 50 -o c.txt --keep-going"
        ))
        .succeeds();
    let check = "a.txt: record 3 of those that can be read is no position of a game: the side that has moved is in check, its black king on e8 could be taken";
    assert_eq!(
        said,
        format!(
            "note: {touching}; it is left out\nnote: {check}; it is left out\n2 positions in c.txt\n"
        )
    );
    let said = folder
        .data(&format!("rescore a.txt {network} -o d.txt"))
        .succeeds();
    assert_eq!(said, "4 positions in d.txt\n");
}
