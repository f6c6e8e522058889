//! Words of other trainers, and the keys that mean the same.

/// How a word of another trainer is said here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ours {
    /// a key with the same value
    Key(&'static str),
    /// a key whose value is 1 minus theirs
    Rest(&'static str),
    /// what to write, in which `{}` is their value
    Written(&'static str),
    /// a sentence
    Told(&'static str),
}

use Ours::{Key, Rest, Told, Written};

/// Words of bullet, nnue-pytorch and trainers like them.
const WORDS: &[(&str, Ours)] = &[
    ("wdl", Rest("loss.share")),
    (
        "wdl_scheduler",
        Told("`loss.share` is the share of the score, so 1 minus `wdl`"),
    ),
    ("lambda", Key("loss.share")),
    ("lambda_", Key("loss.share")),
    (
        "start_lambda",
        Written("loss.share = { schedule = \"linear\", start = {}, end = .. }"),
    ),
    (
        "end_lambda",
        Written("loss.share = { schedule = \"linear\", start = .., end = {} }"),
    ),
    ("lr", Key("rate")),
    ("learning_rate", Key("rate")),
    (
        "lr_scheduler",
        Told(
            "`rate` is a number or a schedule: `rate = { schedule = \"cosine\", start = 0.001, end = 0.00001 }`",
        ),
    ),
    (
        "gamma",
        Written("rate = { schedule = \"step\", start = .., factor = {} }"),
    ),
    ("epochs", Key("superbatches")),
    ("max_epochs", Key("superbatches")),
    ("max_epoch", Key("superbatches")),
    ("end_superbatch", Key("superbatches")),
    (
        "epoch_size",
        Told("`batches` of `batch` positions are a superbatch"),
    ),
    ("batches_per_superbatch", Key("batches")),
    ("eval_scale", Key("loss.scale")),
    ("scaling", Key("loss.scale")),
    (
        "in_scaling",
        Written("loss.score = { scale = {}, offset = .. }"),
    ),
    (
        "in_offset",
        Written("loss.score = { scale = .., offset = {} }"),
    ),
    (
        "out_scaling",
        Written("loss.output = { scale = {}, offset = .. }"),
    ),
    (
        "out_offset",
        Written("loss.output = { scale = .., offset = {} }"),
    ),
    ("pow_exp", Key("loss.exponent")),
    ("weight_decay", Key("optimizer.decay")),
    (
        "betas",
        Told("they are `optimizer.beta1` and `optimizer.beta2`"),
    ),
    ("eps", Key("optimizer.epsilon")),
    ("validation_size", Key("validation.positions")),
    ("validation_datasets", Key("validation.files")),
    ("val_split", Key("validation.held_out")),
    ("datasets", Key("data.files")),
    (
        "dataset",
        Told("the files are a list: `data.files = [\"games.binpack\"]`"),
    ),
    ("num_workers", Key("data.threads")),
    ("smart_fen_skipping", Key("data.filter.quiet")),
    (
        "random_fen_skipping",
        Told("`data.filter.one_in = N` keeps one position in N, which skips N - 1"),
    ),
    ("wld_filtered", Key("data.filter.win_rate")),
    ("resume_from_model", Key("network.from")),
    (
        "resume_from_checkpoint",
        Told("`nnue train FILE --resume` goes on from the last checkpoint"),
    ),
    ("net_id", Key("output")),
    (
        "save_rate",
        Told("a network is saved after each superbatch"),
    ),
];

/// Help for a key that does not exist: how it is said here. `value` is its text, `number` what it is if it is a
/// number. `None` if no trainer is known to have it.
pub(super) fn help(word: &str, value: &str, number: Option<f64>) -> Option<String> {
    let word = word.to_ascii_lowercase().replace('-', "_");
    let (_, ours) = WORDS.iter().find(|(theirs, _)| *theirs == word)?;
    Some(match ours {
        Key(key) => format!("here it is `{key} = {value}`"),
        Rest(key) => match number {
            Some(share) => format!(
                "here it is `{key} = {}`, the share of the score: 1 minus {value}",
                (1e9 * (1.0 - share)).round() / 1e9
            ),
            None => format!("here `{key}` is the share of the score: 1 minus `{word}`"),
        },
        Written(text) => format!("here it is `{}`", text.replace("{}", value)),
        Told(text) => (*text).to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::identity::KEYS;

    #[test]
    fn words_are_none_of_ours_and_stand_for_keys_that_exist() {
        for (index, (word, ours)) in WORDS.iter().enumerate() {
            let is_ours = |key: &str| {
                KEYS.iter()
                    .any(|(row, _)| key == *row || key.starts_with(&format!("{row}.")))
            };
            assert!(!is_ours(word), "{word}");
            assert!(
                WORDS[..index].iter().all(|(other, _)| other != word),
                "{word} twice"
            );
            if let Key(key) | Rest(key) = ours {
                assert!(is_ours(key), "{key}");
            }
        }
    }

    #[test]
    fn words_are_told_with_their_values() {
        let help = |word, value: &str| help(word, value, value.parse().ok());
        let expected = [
            (
                "wdl",
                "0.3",
                "here it is `loss.share = 0.7`, the share of the score: 1 minus 0.3",
            ),
            ("lambda", "0.75", "here it is `loss.share = 0.75`"),
            ("LR", "1e-3", "here it is `rate = 1e-3`"),
            (
                "gamma",
                "0.992",
                "here it is `rate = { schedule = \"step\", start = .., factor = 0.992 }`",
            ),
            (
                "wdl",
                "\"x\"",
                "here `loss.share` is the share of the score: 1 minus `wdl`",
            ),
        ];
        for (word, value, said) in expected {
            assert_eq!(help(word, value).as_deref(), Some(said));
        }
        assert_eq!(help("sede", "7"), None);
    }
}
