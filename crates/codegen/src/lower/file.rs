//! `format stockfish`, `value`, `golden` and `weights`.

use nnue_spec::descriptor::Encoding;
use nnue_spec::diagnostic::Code;
use nnue_spec::loc::Located;
use nnue_spec::model::{self, FormatSpec, GoldenForm, GoldenSpec, ValueSpec, WeightsPath};
use nnue_spec::suggest::nearest;

use super::Lowerer;
use crate::syntax::ast::{Clause, ClauseKind};
use crate::syntax::file::{Format, FormatField, FormatValue, PathPart};
use crate::syntax::golden::{Golden, GoldenPosition, GoldenSays};
use crate::syntax::place::{At, Place, Word, Wrong};
use crate::syntax::value::{Value, ValueForm};

const FIELDS: [&str; 3] = ["version", "encoding", "features"];
const ENCODINGS: [(&str, Encoding); 4] = [
    ("raw", Encoding::Raw),
    ("leb128", Encoding::Leb128),
    ("leb128_joint_psqt", Encoding::Leb128JointPsqt),
    ("leb128_joint", Encoding::Leb128Joint),
];

/// The contents of the clauses.
pub(crate) struct FileClauses {
    pub(crate) value: Option<ValueSpec>,
    pub(crate) fused: bool,
    pub(crate) format: FormatSpec,
    pub(crate) goldens: Vec<GoldenSpec>,
    pub(crate) weights: Option<Located<WeightsPath>>,
}

impl Lowerer<'_> {
    /// `psqt` is the location of the accumulator's PSQT outputs, if there are any.
    pub(crate) fn lower_file_clauses(
        &mut self,
        clauses: &[Clause],
        psqt: Option<Place>,
    ) -> FileClauses {
        let mut file = FileClauses {
            value: None,
            fused: false,
            format: FormatSpec {
                raw: None,
                version: None,
                encoding: None,
                features: None,
            },
            goldens: Vec::new(),
            weights: None,
        };
        let (mut format, mut value, mut floats, mut weights) = (None, None, None, None);
        for Clause { keyword, kind } in clauses {
            match kind {
                ClauseKind::Format(written) if self.once(&mut format, *keyword, "format") => {
                    file.format = self.lower_format(written);
                }
                ClauseKind::Value(written) if self.once(&mut value, *keyword, "value") => {
                    file.value = Some(self.lower_value_clause(written, *keyword, psqt));
                }
                ClauseKind::Floats(word) if self.once(&mut floats, *keyword, "floats") => {
                    file.fused = self.lower_floats(word);
                }
                ClauseKind::Golden(golden) => file.goldens.push(self.lower_golden(golden)),
                ClauseKind::Weights(path) if self.once(&mut weights, *keyword, "weights") => {
                    file.weights = Some(self.lower_path(path));
                }
                _ => {}
            }
        }
        file
    }

    fn lower_path(&mut self, path: &At<Vec<PathPart>>) -> Located<WeightsPath> {
        let parts = path.value.iter().map(|part| match part {
            PathPart::Text(text) => model::PathPart::Text(text.clone()),
            PathPart::Variable(name) => model::PathPart::Variable(self.spans.located(name.clone())),
        });
        let parts = parts.collect();
        self.spans.located(At::new(WeightsPath(parts), path.place))
    }

    fn lower_golden(&mut self, Golden { position, says }: &Golden) -> GoldenSpec {
        let (form, fen) = match position {
            GoldenPosition::Text(text) => (GoldenForm::Text, text.clone()),
            GoldenPosition::Function(own) => (GoldenForm::Function, At::new(own.text(), own.place)),
        };
        let fen = self.spans.located(fen);
        let says = match says {
            GoldenSays::Value(value) => model::GoldenSays::Value(self.spans.located(*value)),
            GoldenSays::Output {
                name,
                rows,
                numbers,
            } => model::GoldenSays::Output {
                name: self.spans.located(name.clone()),
                rows: rows.iter().map(|row| self.spans.located(*row)).collect(),
                numbers: self.spans.located(numbers.clone()),
            },
        };
        GoldenSpec { form, fen, says }
    }

    /// `floats fused` or `floats separate`
    pub(crate) fn lower_floats(&mut self, word: &Word) -> bool {
        if !matches!(word.value.as_str(), "fused" | "separate") {
            let message = format!(
                "products of floats are `fused` or `separate`, not `{}`",
                word.value
            );
            let help = "write `floats fused;` if the engine uses fused multiply-add everywhere, or leave the clause out";
            self.error(Wrong::new(Code::FloatLayers, word.place, message).help(help));
        }
        word.value == "fused"
    }

    /// Records the first clause of a kind; reports a second one and returns false.
    pub(crate) fn once(&mut self, first: &mut Option<Place>, keyword: Place, name: &str) -> bool {
        let Some(first) = *first else {
            *first = Some(keyword);
            return true;
        };
        let message = format!("`{name}` is written twice");
        self.error(
            Wrong::new(Code::DuplicateClause, keyword, message)
                .help("remove one of the two")
                .related(first, "first written"),
        );
        false
    }

    fn lower_value_clause(
        &mut self,
        value: &Value,
        keyword: Place,
        psqt: Option<Place>,
    ) -> ValueSpec {
        if let (ValueForm::Positional, Some(psqt)) = (value.form, psqt) {
            let message = "the network has PSQT outputs, and its value leaves them out";
            self.error(
                Wrong::new(Code::BadValue, keyword, message)
                    .help(format!(
                        "write `value (psqt + positional) / {};`",
                        value.divide.value
                    ))
                    .related(psqt, "the PSQT outputs"),
            );
        }
        let form = match value.form {
            ValueForm::Together | ValueForm::Positional => model::ValueForm::Together,
            ValueForm::Separately => model::ValueForm::Separately,
            ValueForm::Output => model::ValueForm::Output,
            ValueForm::Shifted => model::ValueForm::Shifted,
            ValueForm::Sigmoid => model::ValueForm::Sigmoid,
            ValueForm::Wdl => model::ValueForm::Wdl,
        };
        ValueSpec {
            form,
            number: self.int(&value.divide),
            den: value.den,
            over: self.optional_int(value.over.as_ref()),
        }
    }

    fn lower_format(&mut self, format: &Format) -> FormatSpec {
        let mut spec = FormatSpec {
            raw: None,
            version: None,
            encoding: None,
            features: None,
        };
        if format.name.value == "raw" {
            spec.raw = Some(self.lower_raw(format));
            return spec;
        }
        if format.name.value != "stockfish" {
            let message = format!("unknown format `{}`", format.name.value);
            let wrong = Wrong::new(Code::UnknownFormat, format.name.place, message);
            self.error(match format.name.value.to_lowercase().as_str() {
                "bullet" => wrong
                    .help("write `raw`")
                    .note("bullet writes files without a header"),
                "nnue" => wrong
                    .help("write `stockfish`")
                    .note("files called `.nnue` have the header of Stockfish's"),
                _ => wrong
                    .help("write `format stockfish`, or `format raw` for a file without a header"),
            });
            return spec;
        }
        let (mut version, mut encoding, mut features) = (None, None, None);
        for field in &format.fields {
            self.refuse_scale(field);
            match field.name.value.as_str() {
                "version" if self.once(&mut version, field.name.place, "version") => {
                    spec.version = self.lower_word(field);
                }
                "features" if self.once(&mut features, field.name.place, "features") => {
                    spec.features = self.lower_word(field);
                }
                "encoding" if self.once(&mut encoding, field.name.place, "encoding") => {
                    spec.encoding = self.lower_encoding(field);
                }
                "version" | "encoding" | "features" => {}
                _ => self.error(unknown_field(&field.name)),
            }
        }
        spec
    }

    /// A field that is one 32-bit word of the file.
    fn lower_word(&mut self, field: &FormatField) -> Option<Located<u64>> {
        if let FormatValue::Int(number) = &field.value {
            return Some(self.int(number));
        }
        let name = &field.name.value;
        let example = if name == "version" {
            "0x7AF32F20"
        } else {
            "0x8F234CB8"
        };
        let wrong = Wrong::new(
            Code::ExpectedNumber,
            field.value.place(),
            format!("`{name}` is a number"),
        );
        self.error(wrong.help(format!("write for example `{name}: {example}`")));
        None
    }

    fn lower_encoding(&mut self, field: &FormatField) -> Option<Located<Encoding>> {
        let place = field.value.place();
        let word = match &field.value {
            FormatValue::Word(word) => word.value.clone(),
            FormatValue::Int(number) => number.value.to_string(),
            FormatValue::Order(_) | FormatValue::Axes { .. } => "[..]".to_owned(),
        };
        if let Some((_, encoding)) = ENCODINGS.iter().find(|(name, _)| *name == word) {
            return Some(self.spans.located(At::new(*encoding, place)));
        }
        let help = match nearest(&word, ENCODINGS.map(|(name, _)| name)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "write `raw` or `leb128`".to_owned(),
        };
        self.error(
            Wrong::new(
                Code::UnknownEncoding,
                place,
                format!("unknown encoding `{word}`"),
            )
            .help(help),
        );
        None
    }
}

fn unknown_field(name: &Word) -> Wrong {
    let wrong = Wrong::new(
        Code::UnknownFormatField,
        name.place,
        format!("unknown field `{}`", name.value),
    );
    match nearest(&name.value, FIELDS) {
        Some(near) => wrong.help(format!("did you mean `{near}`?")),
        None => {
            wrong.help("`format stockfish` has the fields `version`, `encoding` and `features`")
        }
    }
}
