//! `candle`: the layers as calls of its tensors, as its own models are written.

use std::error::Error;

use candle_core::{Device, Result, Tensor};
use nnue_backend::lc0::PLANES;
use nnue_backend::lc0::weights::{Block, Conv, Dense, Head, PolicyHead, Weights};

use crate::peer::{Outputs, Peer};

const CPU: &Device = &Device::Cpu;

/// A convolution, and how wide its margin is.
struct Convolution {
    weights: Tensor,
    bias: Tensor,
    margin: usize,
}

impl Convolution {
    fn new(conv: &Conv) -> Result<Self> {
        let shape = (conv.outputs, conv.channels, conv.size, conv.size);
        let weights = Tensor::from_slice(&conv.weights, shape, CPU)?;
        let bias = Tensor::from_slice(&conv.bias, (1, conv.outputs, 1, 1), CPU)?;
        Ok(Self {
            weights,
            bias,
            margin: conv.size / 2,
        })
    }

    fn run(&self, x: &Tensor) -> Result<Tensor> {
        x.conv2d(&self.weights, self.margin, 1, 1, 1)?
            .broadcast_add(&self.bias)
    }
}

struct Layer {
    /// by input
    weights: Tensor,
    bias: Tensor,
}

impl Layer {
    fn new(layer: &Dense) -> Result<Self> {
        let weights = Tensor::from_slice(&layer.weights, (layer.outputs, layer.inputs), CPU)?
            .t()?
            .contiguous()?;
        Ok(Self {
            weights,
            bias: Tensor::from_slice(&layer.bias, (1, layer.outputs), CPU)?,
        })
    }

    fn run(&self, x: &Tensor) -> Result<Tensor> {
        x.matmul(&self.weights)?.broadcast_add(&self.bias)
    }
}

struct Residual {
    convolutions: [Convolution; 2],
    /// to a few numbers, to the gates, to the summands
    squeeze: Option<[Layer; 3]>,
}

impl Residual {
    fn new(block: &Block) -> Result<Self> {
        let squeeze = block.squeeze.as_ref();
        let layers = squeeze.map(|squeeze| -> Result<[Layer; 3]> {
            Ok([
                Layer::new(&squeeze.down)?,
                Layer::new(&squeeze.gate)?,
                Layer::new(&squeeze.shift)?,
            ])
        });
        let convolutions = [
            Convolution::new(&block.conv1)?,
            Convolution::new(&block.conv2)?,
        ];
        Ok(Self {
            convolutions,
            squeeze: layers.transpose()?,
        })
    }

    fn run(&self, x: &Tensor) -> Result<Tensor> {
        let [first, second] = &self.convolutions;
        let mut y = second.run(&first.run(x)?.relu()?)?;
        if let Some([down, gate, shift]) = &self.squeeze {
            let (count, channels, _, _) = y.dims4()?;
            let down = down
                .run(&y.reshape((count, channels, 64))?.mean(2)?)?
                .relu()?;
            let over_board = |x: Tensor| x.reshape((count, channels, 1, 1));
            let gates = over_board((gate.run(&down)?.neg()?.exp()? + 1.0)?.recip()?)?;
            y = y
                .broadcast_mul(&gates)?
                .broadcast_add(&over_board(shift.run(&down)?)?)?;
        }
        (y + x)?.relu()
    }
}

/// The network.
pub(crate) struct Candle {
    input: Convolution,
    blocks: Vec<Residual>,
    policy: [Convolution; 2],
    squares: Convolution,
    value: [Layer; 2],
}

impl Candle {
    pub(crate) fn new(weights: &Weights) -> std::result::Result<Self, Box<dyn Error>> {
        let PolicyHead::Convolution { hidden, planes } = &weights.policy else {
            return Err("its policy is a layer over the board".into());
        };
        let Head {
            squares,
            hidden: layer,
            outputs,
        } = &weights.value;
        Ok(Self {
            input: Convolution::new(&weights.input)?,
            blocks: weights
                .blocks
                .iter()
                .map(Residual::new)
                .collect::<Result<_>>()?,
            policy: [Convolution::new(hidden)?, Convolution::new(planes)?],
            squares: Convolution::new(squares)?,
            value: [Layer::new(layer)?, Layer::new(outputs)?],
        })
    }
}

impl Peer for Candle {
    fn name(&self) -> &'static str {
        "candle 0.11.1"
    }

    fn run(
        &mut self,
        planes: &[f32],
        count: usize,
    ) -> std::result::Result<Outputs, Box<dyn Error>> {
        let mut x = self
            .input
            .run(&Tensor::from_slice(planes, (count, PLANES, 8, 8), CPU)?)?
            .relu()?;
        for block in &self.blocks {
            x = block.run(&x)?;
        }
        let [hidden, moves] = &self.policy;
        let policy = moves
            .run(&hidden.run(&x)?.relu()?)?
            .flatten_all()?
            .to_vec1()?;
        let [hidden, outputs] = &self.value;
        let squares = self.squares.run(&x)?.relu()?.flatten_from(1)?;
        let chances = outputs.run(&hidden.run(&squares)?.relu()?)?.exp()?;
        let value = chances
            .broadcast_div(&chances.sum_keepdim(1)?)?
            .flatten_all()?
            .to_vec1()?;
        Ok(Outputs { value, policy })
    }
}
