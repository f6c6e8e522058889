//! `nnue train` and `nnue data`: what they print, and a build without them. The test `train` has the rest, by the alias `nnue-train`.

#[cfg(not(feature = "train"))]
#[test]
fn a_build_without_training_says_how_to_get_it() {
    for arguments in [
        &["train", "first.toml", "--resume"][..],
        &["data", "stats", "games.binpack"],
        &["data", "convert", "-", "--from", "pgn", "-o", "a.binpack"],
    ] {
        crate::nnue(arguments).fails_naming(&["without training", "`--features train`"]);
    }
    let help = crate::nnue(&["--help"]).succeeds();
    for command in ["\n  train ", "\n  data "] {
        assert!(help.contains(command), "{help}");
    }
}

#[cfg(feature = "train")]
mod commands {
    use crate::{file, nnue, nnue_reading, text};

    const POSITIONS: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 120 | 1.0\n\
                             4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 9 | -500 | 0.0\n";

    #[test]
    fn data_are_converted_and_counted() {
        let (from, to) = (
            file("train-data.txt", POSITIONS.as_bytes()),
            file("train-data.bf", b""),
        );
        nnue(&["data", "convert", text(&from), "-o", text(&to)]).succeeds();
        assert_eq!(std::fs::read(&to).expect("a file").len(), 64);
        let counted = nnue(&["data", "stats", text(&to)]).succeeds();
        assert!(counted.contains("positions            2\n"), "{counted}");
        let piped = nnue_reading(POSITIONS, &["data", "stats", "-", "--from", "text"]);
        assert!(piped.succeeds().contains("positions            2\n"));
    }

    #[test]
    fn errors_are_one_line_and_a_failure() {
        nnue(&["train", "no/such.toml"]).fails_to_read("no/such.toml", "no such file");
        nnue(&["data", "stats", "no/such.binpack"])
            .fails_to_read("no/such.binpack", "no such file");
        let damaged = file("train-damaged.bf", &[0xFF; 32]);
        nnue(&["data", "stats", text(&damaged)])
            .fails_naming(&["the records before it were counted"]);
    }

    /// Every command that `nnue-train` has is there, and help says them all.
    #[test]
    fn help_lists_what_there_is() {
        let help = nnue(&["data", "--help"]).succeeds();
        for command in [
            "generate", "convert", "filter", "shuffle", "split", "rescore", "stats", "inspect",
        ] {
            assert!(help.contains(&format!("\n  {command} ")), "{help}");
            nnue(&["data", command, "--help"]).succeeds();
        }
        let help = nnue(&["train", "--help"]).succeeds();
        assert!(help.contains("nnue train first.toml --resume"), "{help}");
    }
}
