//! The configuration of a run, read from a file.
//!
//! ```toml
//! output = "first"                       # a folder
//!
//! [network]
//! declaration = "pub struct First = (768 -> 32)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };"
//!
//! [data]
//! files = ["games.binpack"]
//!
//! [validation]
//! held_out = 0.05
//! ```
//!
//! `docs/training.md` has all keys. Paths start at the folder of the file.

mod average;
mod data;
mod factors;
mod loss;
mod network;
mod optimizer;
mod policy;
mod rows;
pub(crate) mod schedule;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::move_rows::MoveRows;
use nnue_data::files::Digest;
use nnue_spec::graph::Graph;

use super::table::{Source, Table};
use crate::run::{Device, Error, ListedData};
pub(crate) use data::{Data, Origin, Reading, Validation};
pub(crate) use loss::LossConfig;
pub(crate) use network::{Initial, NetworkConfig, declaration, named};
pub(crate) use optimizer::{Chosen, OptimizerConfig};
pub(crate) use rows::{HeldOutRows, Rows, RowsFiles, RowsOrigin};

/// Upper bound of `threads`.
const MOST_THREADS: u64 = 1024;

pub(crate) struct Config {
    /// the text of the file
    pub(crate) source: Source,
    pub(crate) output: PathBuf,
    pub(crate) seed: u64,
    pub(crate) threads: NonZeroUsize,
    /// where gradients and steps are computed
    pub(crate) device: Device,
    pub(crate) network: NetworkConfig,
    pub(crate) factors: crate::factors::Factors,
    /// what positions are made of
    pub(crate) input: Input,
    pub(crate) reading: Reading,
    pub(crate) length: Length,
    pub(crate) loss: LossConfig,
    pub(crate) optimizer: OptimizerConfig,
    /// the average of the weights to validate and save, instead of the last weights
    pub(crate) average: Option<crate::optimizer::Averaging>,
    /// interval of checkpoints within a superbatch
    pub(crate) checkpoint_after: Duration,
    /// whether to reorder the neurons of the last network so that inference skips most blocks of zeros
    pub(crate) optimize: bool,
    pub(crate) rate: crate::schedule::Schedule,
}

/// The data of a run.
pub(crate) enum Input {
    Chess(Chess),
    /// lists of rows
    Rows(Rows),
}

impl Input {
    /// What to do if nothing is left to train on.
    pub(crate) const fn holds_out_too_much(&self) -> &'static str {
        match self {
            Self::Chess(_) => "hold out fewer games, or filter less",
            Self::Rows(_) => "hold out fewer records",
        }
    }
}

/// Positions of chess.
pub(crate) struct Chess {
    pub(crate) data: Data,
    pub(crate) validation: Validation,
    /// how a policy numbers moves, if the network has one
    pub(crate) moves: Option<MoveRows>,
}

impl Chess {
    fn read(all: &mut Table<'_>, folder: &Path, graph: &Graph) -> Result<(Self, Reading), Error> {
        let (data, reading) = Data::read(all.table("data")?, folder)?;
        let validation = Validation::read(all.table("validation")?, folder, &data)?;
        let moves = policy::read(all.table("policy")?, graph)?;
        let chess = Self {
            data,
            validation,
            moves,
        };
        Ok((chess, reading))
    }

    fn files(&self) -> Vec<&Path> {
        let judged = match &self.validation.held_out {
            Origin::Games(_) => &[][..],
            Origin::Files(files) => files,
        };
        let data = self.data.files.iter().chain(judged);
        data.map(|(path, _)| path.as_path()).collect()
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Length {
    /// positions per batch
    pub(crate) batch: NonZeroUsize,
    /// batches per superbatch
    pub(crate) batches: u64,
    pub(crate) superbatches: u64,
}

impl Length {
    pub(crate) const fn steps(self) -> u64 {
        self.batches * self.superbatches
    }

    /// `usual` is the default batch size; `batches` gives the default number of batches of a superbatch.
    pub(crate) fn read(
        table: &mut Table<'_>,
        usual: u64,
        batches: impl FnOnce(usize) -> u64,
    ) -> Result<Self, Error> {
        let batch = table.count("batch", 1..=1 << 24)?.unwrap_or(usual) as usize;
        Ok(Self {
            batch: NonZeroUsize::new(batch).expect("at least 1"),
            batches: table
                .count("batches", 1..=1 << 32)?
                .unwrap_or_else(|| batches(batch)),
            superbatches: table.count("superbatches", 1..=1 << 24)?.unwrap_or(10),
        })
    }
}

impl Config {
    /// All files that the run reads, except its own and that of the declaration, whose texts are compared.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        let files = match &self.input {
            Input::Chess(chess) => chess.files(),
            Input::Rows(rows) => rows.files(),
        };
        files.into_iter()
    }

    /// The digest of data that are no file.
    pub(crate) const fn memory(&self) -> Option<Digest> {
        match &self.input {
            Input::Chess(_) => None,
            Input::Rows(rows) => rows.digest(),
        }
    }

    /// Parses a run, on the records of its files or on `data`. Relative paths start at `folder`.
    pub(crate) fn parse(
        source: Source,
        folder: &Path,
        data: Option<&ListedData>,
    ) -> Result<Self, Error> {
        let mut all = source.table()?;
        let Basics {
            seed,
            threads,
            output,
        } = Basics::read(&mut all, folder)?;
        let device = all
            .choice("device", &[("cpu", Device::Cpu), ("cuda", Device::Cuda)])?
            .unwrap_or(Device::Cpu);
        let network = NetworkConfig::read(all.table("network")?, folder)?;
        let factors = factors::read(all.table("factors")?, &network.graph)?;
        let length = Length::read(&mut all, 16384, |batch| {
            data.map_or(100, |data| data.epoch().div_ceil(batch).max(1) as u64)
        })?;
        let (input, reading) = if is_listed(&network.graph) {
            let (rows, reading) = Rows::read(&mut all, folder, &network.graph, data)?;
            (Input::Rows(rows), reading)
        } else if data.is_some() {
            let message = format!(
                "positions of `{}` are boards of chess, and the data are lists of rows",
                network.graph.name
            );
            return Err(all.refuse("network", message));
        } else {
            let (chess, reading) = Chess::read(&mut all, folder, &network.graph)?;
            (Input::Chess(chess), reading)
        };
        let loss = LossConfig::read(all.table("loss")?, length, seed, &network.graph)?;
        let optimizer = OptimizerConfig::read(all.table("optimizer")?)?;
        let average = average::read(all.table("average")?, length)?;
        let minutes = all.number(
            "checkpoint_minutes",
            0.0..=1e6,
            "a number of minutes from 0 up",
        )?;
        let checkpoint_after = Duration::from_secs_f64(60.0 * minutes.unwrap_or(10.0));
        let optimize = all.flag_or("optimize", true)?;
        let rate = schedule::read_or(&mut all, "rate", length, schedule::Numbers::RATE, || {
            schedule::usual(length)
        })?;
        all.finish()?;
        Ok(Self {
            source,
            output,
            seed,
            threads,
            device,
            network,
            factors,
            input,
            reading,
            length,
            loss,
            optimizer,
            average,
            checkpoint_after,
            optimize,
            rate,
        })
    }
}

/// Whether positions of a network are lists of rows.
fn is_listed(graph: &Graph) -> bool {
    graph.features.iter().any(|feature| feature.set.is_listed())
}

/// Settings of every run, whatever the input of its network.
pub(crate) struct Basics {
    pub(crate) seed: u64,
    pub(crate) threads: NonZeroUsize,
    /// the output folder
    pub(crate) output: PathBuf,
}

impl Basics {
    pub(crate) fn read(all: &mut Table<'_>, folder: &Path) -> Result<Self, Error> {
        let seed = all.count("seed", 0..=u64::MAX)?.unwrap_or(1);
        let threads = all
            .count("threads", 1..=MOST_THREADS)?
            .and_then(|count| NonZeroUsize::new(count as usize));
        let Some(output) = all.text("output")? else {
            return Err(all.refuse("output", "`output` is missing: the folder for the network"));
        };
        Ok(Self {
            seed,
            threads: threads
                .or(std::thread::available_parallelism().ok())
                .unwrap_or(NonZeroUsize::MIN),
            output: folder.join(output),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::loss::{Error as Power, Loss, NamedLoss, Target};
    use crate::move_rows::Half;
    use crate::schedule::Schedule;
    use nnue_runtime::policy::Numbering;

    use super::*;

    fn parse(text: &str) -> Result<Config, Error> {
        Config::parse(
            Source {
                name: "run.toml".into(),
                text: text.into(),
            },
            Path::new("there"),
            None,
        )
    }

    #[test]
    fn the_runs_of_the_repository_are_right() {
        for name in [
            "default",
            "first",
            "layers",
            "policy",
            "distilled",
            "nnue-pytorch",
            "bullet/simple",
            "bullet/output_buckets",
            "bullet/input_buckets",
            "bullet/multi_layer",
        ] {
            let path = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join(format!("../../examples/nets/{name}.toml"));
            let config = Source::read(&path)
                .and_then(|source| Config::parse(source, path.parent().unwrap(), None));
            let config = config.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(config.output, path.with_extension(""));
        }
    }

    #[test]
    fn what_is_not_said_is_as_in_the_documentation() {
        let least = "output = \"out\"\nnetwork.file = \"first.rs\"\ndata.files = [\"a.binpack\"]";
        let declared = "network.declaration = \"struct A = (768 -> 32)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };\"";
        let config = parse(&least.replace("network.file = \"first.rs\"", declared))
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(config.loss.at(0), Loss::bullet(400.0).into());
        assert_eq!(
            (
                config.length.batch.get(),
                config.length.steps(),
                config.seed
            ),
            (16384, 1000, 1)
        );
        assert_eq!(
            config.rate,
            Schedule::Cosine {
                start: 1e-3,
                end: 1e-3 * 0.3_f64.powi(5),
                steps: 1000
            }
        );
        assert_eq!(config.files().next(), Some(Path::new("there/a.binpack")));
        let error = parse(least).err().expect("there is no such file");
        let path = std::path::absolute("there/first.rs").expect("a path");
        let message = format!("cannot read {}: no such file", path.display());
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn losses_have_the_numbers_of_their_convention_unless_others_are_said() {
        let declared = "output = \"out\"\ndata.files = [\"a.binpack\"]\n\
            network.declaration = \"struct A = (768 -> 32)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };\"\n";
        let said = "loss = { convention = \"nnue-pytorch\", asymmetry = 0.1, share = { schedule = \"linear\", start = 1, end = 0.5 } }";
        let loss = parse(&format!("{declared}{said}"))
            .unwrap_or_else(|error| panic!("{error}"))
            .loss;
        let error = Power::Power {
            exponent: 2.5,
            asymmetry: 0.1,
        };
        assert_eq!(
            loss.at(0),
            Loss {
                error,
                ..Loss::nnue_pytorch()
            }
            .into()
        );
        assert_eq!(loss.at(999).loss.share, 0.5);
    }

    /// A run of a network with a value, named outputs and a policy; `more` is appended.
    fn several(more: &str) -> Result<Config, Error> {
        let declared = "output = \"out\"\ndata.files = [\"a.binpack\"]\n\
            network.declaration = \"\"\"struct A { acc = accumulate(Chess768[mirrored], 64) x 2; let x = crelu(acc); let h = affine(x, 16); \
            output value = affine(crelu(h), 1); output wdl = wdl(affine(crelu(h), 3)); output sure = affine(crelu(h), 1); \
            output policy = rows(x, 1880); }\"\"\"\n";
        parse(&format!("{declared}{more}"))
    }

    #[test]
    fn outputs_count_as_much_as_is_said() {
        let objective = several("")
            .unwrap_or_else(|error| panic!("{error}"))
            .loss
            .at(0);
        let weights: Vec<f64> = objective.named.iter().map(|output| output.weight).collect();
        assert_eq!(
            (objective.value, objective.policy, weights),
            (1.0, 1.0, vec![1.0, 0.0])
        );
        let said = "loss.outputs = { value = 0, wdl = 0.5, policy = 2, sure = { weight = 0.1, target = \"score\", scale = 600 } }";
        let objective = several(said)
            .unwrap_or_else(|error| panic!("{error}"))
            .loss
            .at(0);
        assert_eq!(
            (objective.value, objective.policy, objective.named[0].weight),
            (0.0, 2.0, 0.5)
        );
        assert_eq!(
            objective.named[1],
            NamedLoss {
                weight: 0.1,
                target: Target::Score { scale: 600.0 }
            }
        );
        for (wrong, said) in [
            (
                "loss.outputs = { wld = 1 }",
                "there is no key `loss.outputs.wld`\n",
            ),
            (
                "loss.outputs.sure = { weight = 1 }",
                "`sure`: `target` is missing: \"score\", \"expected\" or \"moves_left\"\n",
            ),
            (
                "loss.outputs.sure = { target = \"expected\", scale = 2 }",
                "`sure`: an expected result, from 0 to 1, has no scale\n",
            ),
        ] {
            let error = several(wrong).err().expect("it is wrong").to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn rows_belong_to_moves_as_the_features_are_mirrored() {
        let rule = |more: &str| {
            let config = several(more).unwrap_or_else(|error| panic!("{error}"));
            match config.input {
                Input::Chess(chess) => chess.moves.expect("a policy"),
                Input::Rows(_) => panic!("it has positions of chess"),
            }
        };
        let usual = MoveRows {
            numbering: Numbering::Of1880,
            king: Half::QueenSide,
            to_target: false,
        };
        assert_eq!(rule(""), usual);
        let said = "policy = { king = \"any\", castling = \"target\" }";
        assert_eq!(
            rule(said),
            MoveRows {
                king: Half::Any,
                to_target: true,
                ..usual
            }
        );
        let error = several("policy.numbers = 3920")
            .err()
            .expect("there are 1880 rows")
            .to_string();
        assert!(
            error.contains("3920 moves are numbered, and the policy has 1880 rows\n"),
            "{error}"
        );
    }
}
