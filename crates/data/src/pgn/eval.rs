//! Evaluations in comments.

/// The score of a mate in 0 plies.
const MATE: i16 = 32000;

/// Scores at most this far from [`MATE`] are mates. More distant mates are read as this distant.
const MATE_PLIES: u16 = 245;

/// The score, for White, that a comment gives to the position before it: the last `[%eval ..]`, the beginning
/// as programs for matches write it, or `wv=` of TCEC. `None` if there is none, or it is not a number.
///
/// A pawn is 100. A depth after a comma is ignored.
pub(super) fn read(comment: &str, white_to_move: bool) -> Option<i16> {
    match comment.rsplit_once("[%eval") {
        Some((_, text)) => {
            let text = text.split([']', ',']).next()?.trim();
            match text.strip_prefix('#') {
                Some(mate) => mate_score(mate, white_to_move),
                None => of_pawns(text),
            }
        }
        None => of_match(comment, white_to_move).or_else(|| of_tcec(comment, white_to_move)),
    }
}

/// The score of `d=26, sd=37, wv=0.29, ..`, as TCEC and its program cutechess write it: for White, in pawns or
/// as a mate (`-M12`: by Black in 12).
fn of_tcec(comment: &str, white_to_move: bool) -> Option<i16> {
    let mut items = comment.split([',', ';']).map(str::trim);
    let value = items.find_map(|item| item.strip_prefix("wv="))?;
    match value.split_once('M') {
        Some((sign @ ("" | "+" | "-"), moves)) => {
            mate_score(&format!("{}{moves}", sign.trim_matches('+')), white_to_move)
        }
        _ => of_pawns(value),
    }
}

/// The score of `+0.31/14 0.21s`, which cutechess, fastchess and fishtest write after a move: evaluation by
/// the side that moved, depth, time. `+M12/20` is a mate in 12. Arena writes the expected reply before it, in
/// parentheses.
fn of_match(comment: &str, white_to_move: bool) -> Option<i16> {
    let begins_with_digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let comment = comment.trim_start();
    let after_reply = comment
        .strip_prefix('(')
        .and_then(|text| text.split_once(')'));
    let text = after_reply.map_or(comment, |(_, text)| text.trim_start());
    let (score, depth) = text.split_once('/')?;
    let (sign, size) = match score.strip_prefix('-') {
        Some(size) => ("-", size),
        None => ("", score.strip_prefix('+').unwrap_or(score)),
    };
    let is_number = begins_with_digit(size.strip_prefix('M').unwrap_or(size));
    if !is_number || !begins_with_digit(depth) {
        return None;
    }
    // the side to move is the other one
    let sign = match (white_to_move, sign) {
        (true, "-") | (false, "") => "",
        _ => "-",
    };
    match size.strip_prefix('M') {
        Some(moves) => mate_score(&format!("{sign}{moves}"), white_to_move),
        None if size.contains('.') => of_pawns(&format!("{sign}{size}")),
        None => None,
    }
}

fn of_pawns(text: &str) -> Option<i16> {
    let pawns: f64 = text.parse().ok()?;
    let limit = f64::from(MATE) - f64::from(MATE_PLIES) - 1.0;
    pawns
        .is_finite()
        .then(|| (pawns * 100.0).round().clamp(-limit, limit) as i16)
}

/// The score of a mate in this many moves. Black mates if the number is negative.
fn mate_score(moves: &str, white_to_move: bool) -> Option<i16> {
    let by_black = moves.starts_with('-');
    let moves: u16 = moves.trim_start_matches(['-', '+']).parse().ok()?;
    // a mate by the side to move takes one ply less
    let moves_first = by_black != white_to_move;
    let plies = moves
        .saturating_mul(2)
        .saturating_sub(moves_first.into())
        .min(MATE_PLIES) as i16;
    Some(if by_black { plies - MATE } else { MATE - plies })
}

/// Formats a score for White.
pub(super) fn write(score: i16) -> String {
    let size = score.unsigned_abs();
    let sign = if score < 0 { "-" } else { "" };
    match (MATE as u16).checked_sub(size) {
        Some(plies) if plies <= MATE_PLIES => format!("#{sign}{}", plies.div_ceil(2)),
        _ => format!("{sign}{}.{:02}", size / 100, size % 100),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_found_in_comments() {
        assert_eq!(read("[%eval 0.18] [%clk 0:01:00]", true), Some(18));
        assert_eq!(read("good! [%clk 1] [%eval -12.3,24]", true), Some(-1230));
        assert_eq!(read("[%eval 1.1] [%eval 1.15]", false), Some(115));
        assert_eq!(read("[%eval 1000]", false), Some(31754));
        for nothing in [
            "",
            "[%clk 0:01:00]",
            "[%eval ]",
            "[%eval x]",
            "[%eval NaN]",
            "[%eval #x]",
        ] {
            assert_eq!(read(nothing, true), None, "{nothing}");
        }
    }

    #[test]
    fn evaluations_of_matches_are_by_the_side_that_moved() {
        assert_eq!(read("+0.31/14 0.21s", false), Some(31));
        assert_eq!(read("+0.31/14 0.21s", true), Some(-31));
        assert_eq!(read(" -1.50/9 0.1s, tb=1", false), Some(-150));
        assert_eq!(read("0.00/1 0s, Draw by repetition", true), Some(0));
        assert_eq!(read("+M12/20", false), read("[%eval #12]", false));
        assert_eq!(read("-M3/20", true), read("[%eval #3]", true));
        assert_eq!(read("+0.31/14 [%eval 0.5]", true), Some(50));
        assert_eq!(read("(Nc6) +0.40/14 5", false), Some(40));
        assert_eq!(read("(a7a8q) -M2/9 1", true), read("[%eval #2]", true));
        for nothing in [
            "book",
            "(Nc6)",
            "(Nc6 +0.4/14",
            "1/2",
            "+0.3",
            "+0.3/x",
            "a1.5/2",
            "+-0.3/1",
            "--0.3/1",
            "+M/3",
            "+Mx/3",
        ] {
            assert_eq!(read(nothing, true), None, "{nothing}");
        }
    }

    #[test]
    fn evaluations_of_tcec_are_for_white() {
        let tcec =
            |value: &str| format!("d=26, sd=37, mt=5500, tl=174400, wv={value}, R50=50, mb=+0+0+0");
        for white_to_move in [false, true] {
            let read = |text: &str| super::read(text, white_to_move);
            assert_eq!(read(&tcec("0.29")), Some(29));
            assert_eq!(read(&tcec("-1.50")), Some(-150));
            assert_eq!(read(&tcec("M12")), read("[%eval #12]"));
            assert_eq!(read(&tcec("+M12")), read("[%eval #12]"));
            assert_eq!(read(&tcec("-M3")), read("[%eval #-3]"));
            assert_eq!(read("wv=0.1"), Some(10));
            assert_eq!(read("wv=0.1; d=2"), Some(10));
            for nothing in ["", "x", "NaN", "M", "xM3", "--1", "book"] {
                assert_eq!(read(&tcec(nothing)), None, "{nothing}");
            }
            assert_eq!(read("pv=e4 wv=0.3"), None, "part of another item");
        }
    }

    #[test]
    fn mates_count_plies() {
        assert_eq!(read("[%eval #1]", true), Some(31999));
        assert_eq!(read("[%eval #1]", false), Some(31998));
        assert_eq!(read("[%eval #-2]", false), Some(-31997));
        assert_eq!(read("[%eval #-2]", true), Some(-31996));
        assert_eq!(read("[%eval #60000]", true), Some(31755));
    }

    #[test]
    fn what_is_written_is_read() {
        for score in [0, 5, -5, 99, -100, 12345, -31754] {
            assert_eq!(
                read(&format!("[%eval {}]", write(score)), true),
                Some(score),
                "{}",
                write(score)
            );
        }
        assert_eq!(
            [31999, 31998, 31997, -31996, -31995].map(write),
            ["#1", "#1", "#2", "#-2", "#-3"]
        );
    }
}
