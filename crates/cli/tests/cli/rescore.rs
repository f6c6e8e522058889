//! `nnue rescore`: parts, tables, and what is said about them.

#[cfg(not(feature = "rescore"))]
#[test]
fn a_build_without_rescoring_says_how_to_get_it() {
    crate::nnue(&["rescore", "a.txt", "-o", "b.txt"])
        .fails_naming(&["without rescoring", "`--features rescore`"]);
}

#[cfg(feature = "rescore")]
mod files {
    use std::fs;

    use crate::{file, nnue, text};

    const POSITIONS: [&str; 4] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 9",
        "8/8/4k3/8/8/3QK3/8/8 b - - 5 60",
        "r3k2r/pppq1ppp/8/4p3/3pP3/8/PPPPQPPP/R3K2R b KQkq - 4 9",
    ];

    fn lines(score: &str) -> String {
        POSITIONS
            .map(|fen| format!("{fen} | {score} | 0.5\n"))
            .concat()
    }

    #[test]
    fn parts_one_after_the_other_are_the_whole() {
        let input = file("rescore-parts.txt", lines("0").as_bytes());
        let output = |name: &str| file(name, b"").with_file_name(name);
        let whole = output("rescore-whole.txt");
        nnue(&["rescore", text(&input), "-o", text(&whole)]).succeeds();
        let mut joined = Vec::new();
        for part in ["1/3", "2/3", "3/3"] {
            let path = output("rescore-part.txt");
            nnue(&["rescore", text(&input), "-o", text(&path), "--part", part]).succeeds();
            joined.extend(fs::read(path).expect("a part"));
        }
        assert_eq!(
            String::from_utf8(joined),
            String::from_utf8(fs::read(whole).expect("a file"))
        );
        let refused = nnue(&["rescore", text(&input), "-o", "x.txt", "--part", "4/3"]);
        assert_eq!(refused.code, Some(2));
        assert!(
            refused
                .err
                .contains("`4/3` is no part: write `2/8` for the second of eight"),
            "{}",
            refused.err
        );
        let pgn = file("rescore-parts.pgn", b"");
        nnue(&["rescore", text(&pgn), "-o", "x.txt", "--part", "1/2"])
            .fails_naming(&["part 1/2", "pgn"]);
    }

    #[cfg(not(feature = "arrow"))]
    #[test]
    fn a_build_without_tables_says_how_to_get_them() {
        let input = file("rescore-tables.txt", lines("0").as_bytes());
        nnue(&["rescore", text(&input), "-o", "x.parquet"])
            .fails_naming(&["parquet", "`--features arrow`"]);
    }

    #[cfg(feature = "arrow")]
    #[test]
    fn scores_go_through_tables_and_back() {
        let input = file("rescore-tables.txt", lines("0").as_bytes());
        let direct = file("rescore-direct.txt", b"");
        nnue(&["rescore", text(&input), "-o", text(&direct)]).succeeds();
        let expected = fs::read_to_string(&direct).expect("a file");
        for name in ["rescore.parquet", "rescore.arrow", "rescore.arrows"] {
            let (table, back) = (file(name, b""), file("rescore-back.txt", b""));
            nnue(&["rescore", text(&input), "-o", text(&table)]).succeeds();
            nnue(&["rescore", text(&table), "-o", text(&back)]).succeeds();
            assert_eq!(
                fs::read_to_string(back).expect("a file"),
                expected,
                "{name}"
            );
        }
        let wrong = file("rescore-wrong.parquet", b"no table");
        nnue(&["rescore", text(&wrong), "-o", "x.txt"])
            .fails_naming(&["rescore-wrong.parquet: not a file of Parquet"]);
    }
}
