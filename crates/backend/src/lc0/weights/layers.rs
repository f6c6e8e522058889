//! What networks are made of, in floats.

/// Planes of a policy of the convolutional kind; 73 of them are moves.
pub const POLICY_PLANES: usize = 80;

/// A convolution over a board, with a margin of zeros; its batch norm is part of the weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Conv {
    /// channels that it reads
    pub channels: usize,
    /// channels that it makes
    pub outputs: usize,
    /// squares of a side of its window: 1 or 3
    pub size: usize,
    /// `[output][channel][row][column]`
    pub weights: Vec<f32>,
    /// a number for each output
    pub bias: Vec<f32>,
}

/// A layer: `y = W x + bias`.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    /// numbers that it reads; of boards channel by channel, 64 squares each
    pub inputs: usize,
    /// numbers that it makes
    pub outputs: usize,
    /// `[output][input]`
    pub weights: Vec<f32>,
    /// a number for each output
    pub bias: Vec<f32>,
}

/// Squeeze and excitation: `x * sigmoid(gate) + shift`, both made of the means of all channels.
#[derive(Clone, Debug, PartialEq)]
pub struct Squeeze {
    /// the means to a few numbers, of which negative ones become 0
    pub down: Dense,
    /// these to a gate for each channel
    pub gate: Dense,
    /// and to a summand for each channel
    pub shift: Dense,
}

/// A residual block.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// its first convolution
    pub conv1: Conv,
    /// its second one
    pub conv2: Conv,
    /// what comes before the input of the block is added, if it has one
    pub squeeze: Option<Squeeze>,
}

/// How the policy is made.
#[derive(Clone, Debug, PartialEq)]
pub enum PolicyHead {
    /// planes of moves from each square
    Convolution {
        /// 3 x 3 over the tower
        hidden: Conv,
        /// to [`POLICY_PLANES`]
        planes: Conv,
    },
    /// a layer over the whole board
    Classical {
        /// 1 x 1 over the tower
        squares: Conv,
        /// to [`MOVES`](crate::lc0::MOVES)
        moves: Dense,
    },
}

/// How a few numbers are made of the tower.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// 1 x 1 over the tower
    pub squares: Conv,
    /// over the whole board
    pub hidden: Dense,
    /// the numbers
    pub outputs: Dense,
}
