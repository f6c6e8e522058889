//! `nnue plot`: files of pictures, whose numbers are those of the other commands.

use crate::nnue;

#[cfg(not(feature = "plot"))]
#[test]
fn a_build_without_pictures_says_how_to_get_them() {
    nnue(&["plot", "buckets", "-o", "x.svg"]).fails_naming(&[
        "`--features plot`",
        "`--features png`",
        "cargo run",
    ]);
}

#[cfg(feature = "plot")]
mod pictures {
    use std::fs;
    use std::path::PathBuf;

    use super::nnue;
    use crate::declared::files;
    use crate::{file, text};

    const NETWORK: &str = "pub struct Drawn = (Chess768[mirrored, buckets: [0 x 8, 1 x 24]] -> 32)x2 @ 127 -> 8 -> 1 { format raw };\n";

    fn output(name: &str) -> PathBuf {
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
    }

    /// Neurons are watched in lists of rows; pictures of boards say in one line that there are none.
    #[test]
    fn neurons_are_watched_in_lists_of_rows() {
        const LISTED: &str =
            "pub struct Listed = rows[users: 60, items: 40, active 6] -> 32 -> 8 -> 1;\n";
        let (declaration, weights) = files("plotted-rows", LISTED);
        let rows = file("plotted-rows.txt", b"3 17 40\n+5 -17\n99 60\n");
        let (picture, page) = (output("rows.svg"), output("rows.html"));
        let run = |what: &str, more: &[&str]| {
            let network = ["plot", what, "--declaration", text(&declaration)];
            let output = if what == "report" { &page } else { &picture };
            let files = ["--net", text(&weights), "-o", text(output)];
            nnue(&[&network[..], &files, more].concat())
        };
        let said = run("neurons", &["--rows", text(&rows)]).succeeds();
        assert!(said.contains("(in 3 positions)"), "{said}");
        let svg = fs::read_to_string(&picture).expect("it was written");
        assert!(svg.contains("at 1.0 or more"), "{svg}");
        run("report", &["--rows", text(&rows)]).succeeds();
        let page = fs::read_to_string(&page).expect("it was written");
        assert!(page.contains("accumulator") && page.contains("ft_weight"));
        run("tensors", &[]).succeeds();
        run("neurons", &[])
            .fails_with("no positions: they are lists of rows, which --rows FILE names");
        run("weights", &[]).fails_naming(&["`Listed`", "are no boards"]);
        run("buckets", &[]).fails_naming(&["`Listed`", "are no boards"]);
        run("pieces", &[]).fails_naming(&["`Listed` are lists of rows"]);
    }

    /// The contributions are differences of the real values that `nnue eval --rows --json` prints.
    #[test]
    fn contributions_of_rows_are_differences_of_real_values() {
        for (name, declaration, whole, without) in [
            (
                "one",
                "pub struct Listed = rows[users: 60, items: 40, active 6] -> 32 -> 8 -> 1;\n",
                "3 17 61",
                [
                    ("-3", "row 3 (row 3 of `users`)"),
                    ("-61", "row 61 (row 1 of `items`)"),
                ],
            ),
            (
                "two",
                "pub struct Listed = rows[80, active 6] -> 32x2, psqt 1 -> 8 -> 1;\n",
                "3 17 | 61 b",
                [
                    ("-3 |", "row 3 of the first list"),
                    ("| -61", "row 61 of the second list"),
                ],
            ),
        ] {
            let (declaration, weights) = files(&format!("contributing-{name}"), declaration);
            let network = ["--declaration", text(&declaration), "--net", text(&weights)];
            let real = |lines: String| -> f64 {
                let rows = file("contributing.txt", lines.as_bytes());
                let args = ["eval", "--json", "--rows", text(&rows)];
                let said = nnue(&[&args, &network[..]].concat()).succeeds();
                let last = said.lines().last().expect("a line");
                let object: serde_json::Value = serde_json::from_str(last).expect("an object");
                object["real"].as_f64().expect("a number")
            };
            let rows = file(&format!("contributing-{name}.txt"), whole.as_bytes());
            let args = ["rows", "--rows", text(&rows)];
            let svg = plot(
                &format!("contributing-{name}.svg"),
                &[&args, &network[..]].concat(),
            );
            let value = real(whole.to_owned());
            assert!(svg.contains(&format!("value {value:+};")), "{svg}");
            for (change, row) in without {
                let difference = value - real(format!("{whole}\n{change}"));
                let title = format!("<title>{row} {difference:+}</title>");
                assert!(svg.contains(&title), "{title} {svg}");
            }
            assert!(svg.contains(&format!("Listed: {whole}")));
        }
    }

    #[test]
    fn contributions_of_wrong_rows_are_refused() {
        let declaration = "pub struct Listed = rows[80, active 6] -> 32 -> 1;\n";
        let (declaration, weights) = files("contributing-wrong", declaration);
        let network = ["--declaration", text(&declaration), "--net", text(&weights)];
        let refused = |lines: &str| {
            let rows = file("contributing-wrong.txt", lines.as_bytes());
            let args = ["plot", "rows", "--rows", text(&rows), "-o", "x.svg"];
            nnue(&[&args, &network[..]].concat())
        };
        refused("3 80\n").fails_naming(&["row 80", "only 80 rows"]);
        refused("").fails_naming(&["no list of rows"]);
        refused(&"3\n".repeat(101)).fails_naming(&["more than 100 lists"]);
        let rows = file("contributing-board.txt", b"3\n");
        nnue(&["plot", "rows", "--rows", text(&rows), "-o", "x.svg"])
            .fails_naming(&["lists of rows need a declaration"]);
    }

    /// Runs `nnue plot` and returns what it wrote.
    fn plot(name: &str, arguments: &[&str]) -> String {
        let path = output(name);
        nnue(&[&["plot"], arguments, &["-o", text(&path)]].concat()).succeeds();
        fs::read_to_string(path).expect("it was written")
    }

    /// The value for White as `nnue eval` says it.
    fn value(fen: &str) -> i64 {
        let said = nnue(&["eval", "--fen", fen]).succeeds();
        let line = said
            .lines()
            .find_map(|line| line.strip_prefix("value "))
            .expect("a value");
        let words: Vec<&str> = line.split_whitespace().collect();
        let value: i64 = words[0].parse().expect("a number");
        if words[2].starts_with("white") {
            value
        } else {
            -value
        }
    }

    #[test]
    fn contributions_are_differences_of_values() {
        for turn in ["w", "b"] {
            let fen = format!("2k5/8/8/3q4/8/2N5/5P2/4K3 {turn} - - 0 1");
            let svg = plot("pieces.svg", &["pieces", "--fen", &fen]);
            let (whole, rest) = (
                value(&fen),
                format!("2k5/8/8/8/8/2N5/5P2/4K3 {turn} - - 0 1"),
            );
            assert!(
                svg.contains(&format!("<title>d5 {}</title>", whole - value(&rest))),
                "{svg}"
            );
            assert!(
                svg.contains("<title>e1 none</title>")
                    && svg.contains(&format!("value for White {whole:+}")),
                "{svg}"
            );
        }
    }

    #[test]
    fn declared_networks_are_drawn() {
        let (declaration, net) = files("drawn", NETWORK);
        let network = ["--declaration", text(&declaration), "--net", text(&net)];
        let draw = |name: &str, arguments: &[&str]| plot(name, &[arguments, &network].concat());
        let svg = draw(
            "declared-weights.svg",
            &[
                "weights", "--neuron", "5", "--king", "e1", "--king", "d1", "--scale", "sheet",
            ],
        );
        assert!(
            svg.contains("own king e1") && svg.contains("bucket 0, mirrored"),
            "{svg}"
        );
        assert_eq!(svg.matches("<title>").count(), 2 * 12 * 64);
        let svg = draw(
            "declared-every.svg",
            &["weights", "--strongest", "1", "--every-king"],
        );
        assert_eq!(svg.matches("<title>").count(), 2 * 12 * 64);
        assert!(draw("declared-buckets.svg", &["buckets"]).contains(">1m</text>"));
        assert!(draw("declared-tensors.svg", &["tensors"]).contains("ft_weight (1536 x 32, i16)"));

        let page = draw("declared.html", &["report", "--positions", "2"]);
        for word in [
            "Drawn",
            "Squares of the own king",
            "What the pieces contribute",
            "Over 2 positions",
            "fc0_weight",
        ] {
            assert!(page.contains(word), "{word}");
        }
    }

    #[test]
    fn neurons_that_do_nothing_are_named() {
        let fens = file(
            "seen.fen",
            b"4k3/8/8/8/8/8/8/3QK3 w - - 0 1\n4k3/8/8/3q4/8/8/8/3QK3 b - - 0 1\n",
        );
        let path = output("neurons.svg");
        let said = nnue(&["plot", "neurons", "--fens", text(&fens), "-o", text(&path)]).succeeds();
        assert!(
            said.contains("(in 2 positions)") && said.contains("accumulator "),
            "{said}"
        );
        assert!(
            said.contains("\n  dead: ") && said.contains("no position uses stack 7"),
            "{said}"
        );
        assert!(
            fs::read_to_string(path)
                .expect("it was written")
                .contains("accumulator")
        );
    }

    #[test]
    fn a_network_over_a_dense_input_has_histograms() {
        let source = file(
            "dense-drawn.rs",
            b"pub struct Dense = input[4] -> 3 relu -> 2;\n",
        );
        let numbers: Vec<u8> = (0..4 * 3 + 3 + 3 * 2 + 2_u8)
            .flat_map(|n| f32::from(n).to_le_bytes())
            .collect();
        let net = file("dense-drawn.bin", &numbers);
        let network = ["--declaration", text(&source), "--net", text(&net)];
        let svg = plot("dense.svg", &[&["tensors"], &network[..]].concat());
        assert!(
            svg.contains("fc0_weight (3 x 4, f32)") && svg.contains("12 numbers, 0 to 11"),
            "{svg}"
        );
        nnue(&[&["plot", "buckets", "-o", "x.svg"], &network[..]].concat())
            .fails_naming(&["dense inputs"]);
    }

    #[test]
    fn the_value_along_a_game_has_a_point_for_each_ply() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let games = file(
            "drawn-games.txt",
            format!("<first>\t{start}\tf2f3 e7e5 g2g4 d8h4\n").as_bytes(),
        );
        let svg = plot("game.svg", &["game", "--games", text(&games)]);
        let points = svg
            .split("points=\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .expect("a line");
        assert_eq!(points.split(' ').count(), 5);
        assert!(svg.contains("&lt;first&gt;: value for White"), "{svg}");
    }

    #[test]
    fn mistakes_are_told_before_anything_is_computed() {
        let fails = |arguments: &[&str], words: &[&str]| {
            nnue(&[&["plot"], arguments].concat()).fails_naming(words)
        };
        fails(
            &["buckets", "-o", "x.gif"],
            &["--output x.gif: its name should end with .svg or .png"],
        );
        fails(&["report", "-o", "x.svg"], &["should end with .html"]);
        fails(
            &["weights", "--neuron", "128", "-o", "x.svg"],
            &["there is no neuron 128: the network has 128, numbered from 0 to 127"],
        );
        fails(
            &["weights", "--psqt", "8", "-o", "x.svg"],
            &["there is no PSQT output 8"],
        );
        fails(
            &["weights", "--king", "i1", "-o", "x.svg"],
            &["--king i1: a square is a letter from a to h"],
        );
        fails(
            &["weights", "--standing", "1", "-o", "x.svg"],
            &["there is no way to stand 1: the network has 1"],
        );
        fails(
            &["weights", "--second", "-o", "x.svg"],
            &["have the same weights"],
        );
        fails(
            &["pieces", "--fen", "8/8 w", "-o", "x.svg"],
            &["--fen `8/8 w`", "a board has 8"],
        );
        let games = file("no-games.svg", b"\n");
        fails(
            &["game", "--games", text(&games), "-o", "x.svg"],
            &["there are no games"],
        );
        fails(
            &["game", "--games", text(&games), "-o", text(&games)],
            &["no-games.svg"],
        );
    }

    #[cfg(not(feature = "png"))]
    #[test]
    fn a_build_without_png_says_how_to_get_it() {
        nnue(&["plot", "buckets", "-o", "x.png"])
            .fails_naming(&["built without PNG", "--features png"]);
    }

    #[cfg(feature = "png")]
    #[test]
    fn pictures_are_painted() {
        let path = output("buckets.png");
        nnue(&["plot", "buckets", "-o", text(&path)]).succeeds();
        let png = fs::read(path).expect("it was written");
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
        // the drawing is 352 x 368, two pixels for each of its own
        assert_eq!(
            (&png[16..20], &png[20..24]),
            (&704_u32.to_be_bytes()[..], &736_u32.to_be_bytes()[..])
        );
    }
}
