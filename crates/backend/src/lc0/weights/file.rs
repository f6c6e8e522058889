//! The messages of a file, as far as supported networks use them. Everything is borrowed from the bytes.

use super::error::{MAGIC, WeightsError};
use super::fields::{Kind, Read, fields};
use super::layer::Layer;
use super::wire::{Message, Value};

const MOST_BLOCKS: usize = 256;

#[derive(Clone, Copy, Default)]
pub(super) struct ConvBlock<'a> {
    pub(super) weights: Layer<'a>,
    pub(super) biases: Layer<'a>,
    pub(super) means: Layer<'a>,
    pub(super) variances: Layer<'a>,
    pub(super) gammas: Layer<'a>,
    pub(super) betas: Layer<'a>,
}

/// Squeeze and excitation: two layers.
#[derive(Clone, Copy, Default)]
pub(super) struct SeUnit<'a> {
    pub(super) w1: Layer<'a>,
    pub(super) b1: Layer<'a>,
    pub(super) w2: Layer<'a>,
    pub(super) b2: Layer<'a>,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Residual<'a> {
    pub(super) conv1: ConvBlock<'a>,
    pub(super) conv2: ConvBlock<'a>,
    pub(super) se: Option<SeUnit<'a>>,
}

#[derive(Default)]
pub(super) struct Weights<'a> {
    pub(super) input: ConvBlock<'a>,
    pub(super) residual: Vec<Residual<'a>>,
    pub(super) policy1: ConvBlock<'a>,
    pub(super) policy: ConvBlock<'a>,
    pub(super) ip_pol_w: Layer<'a>,
    pub(super) ip_pol_b: Layer<'a>,
    pub(super) value: ConvBlock<'a>,
    pub(super) ip1_val_w: Layer<'a>,
    pub(super) ip1_val_b: Layer<'a>,
    pub(super) ip2_val_w: Layer<'a>,
    pub(super) ip2_val_b: Layer<'a>,
    pub(super) moves_left: ConvBlock<'a>,
    pub(super) ip1_mov_w: Layer<'a>,
    pub(super) ip1_mov_b: Layer<'a>,
    pub(super) ip2_mov_w: Layer<'a>,
    pub(super) ip2_mov_b: Layer<'a>,
    /// position and number of the first unknown field with bytes
    pub(super) unknown: Option<(usize, u64)>,
}

/// Kind of network, in the numbers of the file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Format {
    pub(super) encoding: u64,
    pub(super) input: u64,
    pub(super) output: u64,
    pub(super) network: u64,
    pub(super) policy: u64,
    pub(super) value: u64,
    pub(super) moves_left: u64,
    pub(super) activation: u64,
}

pub(super) struct File<'a> {
    pub(super) format: Format,
    pub(super) weights: Weights<'a>,
}

const NET: Kind = Kind {
    name: "the file",
    once: &[4, 10, 11],
};
const FORMAT: Kind = Kind {
    name: "the format",
    once: &[2],
};
const WEIGHTS: Kind = Kind {
    name: "the weights",
    once: &[1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
};
const RESIDUAL: Kind = Kind {
    name: "a residual block",
    once: &[1, 2, 3],
};
const CONV_BLOCK: Kind = Kind {
    name: "a convolution",
    once: &[1, 2, 3, 4, 5, 6],
};
const SE_UNIT: Kind = Kind {
    name: "squeeze and excitation",
    once: &[1, 2, 3, 4],
};

impl<'a> File<'a> {
    /// Reads the message `Net`: 1 magic number, 4 kind, 10 weights, 11 an ONNX graph instead.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, WeightsError> {
        let mut message = Message { bytes, at: 0 };
        match message.next()?.map(|field| (field.number, field.value)) {
            Some((1, Value::Fixed32(MAGIC))) => {}
            Some((1, Value::Fixed32(other))) => {
                return Err(WeightsError::Magic {
                    found: format!("{other:#x}"),
                });
            }
            _ => {
                return Err(WeightsError::Magic {
                    found: "missing".into(),
                });
            }
        }
        let (mut format, mut weights, mut has_graph) = (Format::default(), None, false);
        fields(message, NET, |field| {
            match field.number {
                4 => format = Format::read(field.message()?)?,
                10 => weights = Some(Weights::read(field.message()?)?),
                11 => has_graph = field.len() > 0,
                _ => {} // a licence, a version, how it was trained
            }
            Ok(Read::Known)
        })?;
        match weights {
            Some(_) if has_graph => Err(WeightsError::Unused {
                name: "onnx_model".into(),
                reason: "the file has weights as well",
            }),
            Some(weights) => Ok(Self { format, weights }),
            None if has_graph => Err(WeightsError::Missing(
                "weights (the file has a graph of ONNX instead)".into(),
            )),
            None => Err(WeightsError::Missing("weights".into())),
        }
    }
}

impl Format {
    /// 1 encoding of weights, 2 kind of network.
    fn read(message: Message<'_>) -> Result<Self, WeightsError> {
        let (mut format, mut encoding) = (Self::default(), 0);
        fields(message, FORMAT, |field| {
            match field.number {
                1 => encoding = field.number()?,
                2 => format = Self::read_network(field.message()?)?,
                _ => {}
            }
            Ok(Read::Known)
        })?;
        Ok(Self { encoding, ..format })
    }

    fn read_network(message: Message<'_>) -> Result<Self, WeightsError> {
        let mut format = Self::default();
        fields(message, FORMAT, |field| {
            let Self {
                input,
                output,
                network,
                policy,
                value,
                moves_left,
                activation,
                ..
            } = &mut format;
            let to = match field.number {
                1 => input,
                2 => output,
                3 => network,
                4 => policy,
                5 => value,
                6 => moves_left,
                7 => activation,
                _ => return Ok(Read::Known),
            };
            *to = field.number()?;
            Ok(Read::Known)
        })?;
        Ok(format)
    }
}

impl<'a> Weights<'a> {
    fn read(message: Message<'a>) -> Result<Self, WeightsError> {
        let mut weights = Self::default();
        fields(message, WEIGHTS, |field| {
            let block = || ConvBlock::read(field.message()?);
            let layer = || Layer::read(field.message()?);
            match field.number {
                1 => weights.input = block()?,
                2 if weights.residual.len() == MOST_BLOCKS => {
                    let (name, expected) =
                        ("residual".into(), format!("at most {MOST_BLOCKS} blocks"));
                    return Err(WeightsError::Count {
                        name,
                        found: MOST_BLOCKS + 1,
                        expected,
                    });
                }
                2 => weights.residual.push(Residual::read(field.message()?)?),
                3 => weights.policy = block()?,
                4 => weights.ip_pol_w = layer()?,
                5 => weights.ip_pol_b = layer()?,
                6 => weights.value = block()?,
                7 => weights.ip1_val_w = layer()?,
                8 => weights.ip1_val_b = layer()?,
                9 => weights.ip2_val_w = layer()?,
                10 => weights.ip2_val_b = layer()?,
                11 => weights.policy1 = block()?,
                12 => weights.moves_left = block()?,
                13 => weights.ip1_mov_w = layer()?,
                14 => weights.ip1_mov_b = layer()?,
                15 => weights.ip2_mov_w = layer()?,
                16 => weights.ip2_mov_b = layer()?,
                // reported later: the kind of network may explain the field
                number if field.len() > 0 => {
                    weights.unknown = weights.unknown.or(Some((field.at, number)));
                }
                _ => {}
            }
            Ok(Read::Known)
        })?;
        Ok(weights)
    }
}

impl<'a> Residual<'a> {
    fn read(message: Message<'a>) -> Result<Self, WeightsError> {
        let mut residual = Self::default();
        fields(message, RESIDUAL, |field| {
            match field.number {
                1 => residual.conv1 = ConvBlock::read(field.message()?)?,
                2 => residual.conv2 = ConvBlock::read(field.message()?)?,
                3 => residual.se = Some(SeUnit::read(field.message()?)?),
                _ => return Ok(Read::Unknown),
            }
            Ok(Read::Known)
        })?;
        Ok(residual)
    }
}

impl<'a> ConvBlock<'a> {
    /// Name of the first nonempty list.
    pub(super) fn first(&self) -> Option<&'static str> {
        first(&[
            ("weights", &self.weights),
            ("biases", &self.biases),
            ("bn_means", &self.means),
            ("bn_stddivs", &self.variances),
            ("bn_gammas", &self.gammas),
            ("bn_betas", &self.betas),
        ])
    }

    fn read(message: Message<'a>) -> Result<Self, WeightsError> {
        let mut block = Self::default();
        fields(message, CONV_BLOCK, |field| {
            let Self {
                weights,
                biases,
                means,
                variances,
                gammas,
                betas,
            } = &mut block;
            let to = match field.number {
                1 => weights,
                2 => biases,
                3 => means,
                4 => variances,
                5 => gammas,
                6 => betas,
                _ => return Ok(Read::Unknown),
            };
            *to = Layer::read(field.message()?)?;
            Ok(Read::Known)
        })?;
        Ok(block)
    }
}

impl<'a> SeUnit<'a> {
    /// Name of the first nonempty list.
    pub(super) fn first(&self) -> Option<&'static str> {
        first(&[
            ("w1", &self.w1),
            ("b1", &self.b1),
            ("w2", &self.w2),
            ("b2", &self.b2),
        ])
    }

    fn read(message: Message<'a>) -> Result<Self, WeightsError> {
        let mut unit = Self::default();
        fields(message, SE_UNIT, |field| {
            let Self { w1, b1, w2, b2 } = &mut unit;
            let to = match field.number {
                1 => w1,
                2 => b1,
                3 => w2,
                4 => b2,
                _ => return Ok(Read::Unknown),
            };
            *to = Layer::read(field.message()?)?;
            Ok(Read::Known)
        })?;
        Ok(unit)
    }
}

/// Name of the first nonempty list.
pub(super) fn first(lists: &[(&'static str, &Layer<'_>)]) -> Option<&'static str> {
    lists
        .iter()
        .find(|(_, list)| !list.is_empty())
        .map(|(name, _)| *name)
}
