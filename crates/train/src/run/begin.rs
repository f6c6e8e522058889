//! The beginning of a run: its network and device, then its data, positions of chess or lists of rows.

use nnue_data::rows::CheckedRecord;
use nnue_spec::NetDesc;
use nnue_spec::plan::plan;

use super::config::{Chess, Config, Input, Rows, RowsOrigin};
use super::device::{self, Remote};
use super::epochs::Source;
use super::output::Folder;
use super::training::Training;
use super::validation::HeldOut;
use super::{listed, records, rows, survey};
use crate::features::{Encode, Features, FeaturesError, ListedRows, Meant};
use crate::network::Network;
use crate::run::{Device, Error, ListedData, Observer, Options};

/// Runs the training of `config`, on its files or on `data`, from the start or from the last checkpoint.
pub(crate) fn run(
    config: &Config,
    data: Option<ListedData>,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let graph = &config.network.graph;
    if !graph.goldens.is_empty() || !graph.head_goldens.is_empty() {
        let message = format!(
            "`{}` has golden values, and training changes them: leave them out",
            graph.name
        );
        return Err(Error::Run(message));
    }
    let plan = plan(graph);
    let tables = plan.tables();
    let net = tables.descriptor();
    let network = Network::<f32>::new(graph).map_err(|error| Error::Run(error.to_string()))?;
    let device = match config.device {
        Device::Cpu => None,
        Device::Cuda if config.loss.is_linear() => {
            let message = "`loss.convention = \"linear\"` is for the CPU: leave out `device`";
            return Err(Error::Run(message.into()));
        }
        Device::Cuda => Some(device::open(config, &net, &network)?),
    };
    let run = Prepared {
        config,
        net: &net,
        network,
        device,
    };
    match &config.input {
        Input::Chess(chess) => run.on_chess(chess, options, observer),
        Input::Rows(rows) => run.on_rows((rows, data), options, observer),
    }
}

/// A run whose data are not known yet.
struct Prepared<'r> {
    config: &'r Config,
    net: &'r NetDesc<'r>,
    network: Network<f32>,
    device: Option<Box<dyn Remote>>,
}

impl Prepared<'_> {
    fn on_chess(
        self,
        chess: &Chess,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let features = Features::new(self.net).map_err(refused)?;
        let features = features.weighted_by_pieces(&chess.data.weight_by_pieces);
        let features = match chess.moves {
            Some(rule) => features.with_moves(rule),
            None => features,
        };
        let folder = Folder::open(&self.config.output, options.resume)?;
        let sources = records::Sources::of_training(self.config, chess);
        let held_out = HeldOut::read(
            sources.judged(&chess.validation),
            &features,
            chess.validation.positions,
            self.config.threads,
        )?;
        let help =
            "hold out more games, or filter less (`nnue data stats` says what the files have)";
        check_held_out(&held_out, help, observer)?;
        let batch = self.config.length.batch;
        survey::note(&sources, batch, held_out.len(), observer);
        self.train((features, sources), &held_out, (&folder, options), observer)
    }

    fn on_rows(
        self,
        (rows, data): (&Rows, Option<ListedData>),
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let loss = &self.config.loss;
        let meant = loss.meant.unwrap_or(Meant::Expected);
        let encoder = ListedRows::new(self.net, meant).map_err(refused)?;
        let checker = encoder.checker(&loss.at(0), self.network.meaning());
        let folder = Folder::open(&self.config.output, options.resume)?;
        let (most, threads) = (rows.positions, self.config.threads);
        match (&rows.origin, data) {
            (RowsOrigin::Memory { share, .. }, Some(data)) => {
                let (sources, held_out) =
                    listed::Sources::new(data, *share, self.config.seed, checker)?;
                let held_out = held_out.into_iter().map(Ok);
                let held_out = HeldOut::read(held_out, &encoder, most, threads)?;
                self.train_listed((encoder, sources), &held_out, (&folder, options), observer)
            }
            (RowsOrigin::Files(files), _) => {
                let sources = rows::Sources::of_training(self.config, files, checker);
                let held_out = HeldOut::read(sources.judged(), &encoder, most, threads)?;
                self.train_listed((encoder, sources), &held_out, (&folder, options), observer)
            }
            (RowsOrigin::Memory { .. }, None) => Err(Error::Run("there are no records".into())),
        }
    }

    fn train_listed<S: Source<Record = CheckedRecord>>(
        self,
        data: (ListedRows, S),
        held_out: &HeldOut,
        folder: (&Folder, &Options),
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        check_held_out(held_out, "hold out more records", observer)?;
        survey::note_few(held_out.len(), observer);
        self.train(data, held_out, folder, observer)
    }

    /// Trains on the epochs of a source, from the start or from the checkpoint of the folder.
    fn train<F, S>(
        self,
        (encoder, sources): (F, S),
        held_out: &HeldOut,
        (folder, options): (&Folder, &Options),
        observer: &mut dyn Observer,
    ) -> Result<(), Error>
    where
        F: Encode<Record = S::Record> + Send + Sync + 'static,
        S: Source,
    {
        let mut training = Training::begin(self.config, self.net, self.network, self.device)?;
        if options.resume {
            training.resume(folder, options, observer)?;
        }
        training.put()?;
        training.finish((encoder, sources), held_out, folder, observer)
    }
}

fn refused(error: FeaturesError) -> Error {
    Error::Run(error.to_string())
}

/// An error if there are no validation positions; `help` says what to do then.
fn check_held_out(
    held_out: &HeldOut,
    help: &str,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    if held_out.len() == 0 {
        let message = format!("there are no validation positions: {help}");
        return Err(Error::Run(message));
    }
    observer.line(format_args!("{} validation positions", held_out.len()));
    Ok(())
}
