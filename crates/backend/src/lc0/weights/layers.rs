//! Parts of networks, in floats.

/// Number of planes of a convolutional policy; 73 of them are moves.
pub const POLICY_PLANES: usize = 80;

/// A convolution with zero padding; its batch norm is folded into the weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Conv {
    /// number of input channels
    pub channels: usize,
    /// number of output channels
    pub outputs: usize,
    /// kernel size: 1 or 3
    pub size: usize,
    /// `[output][channel][row][column]`
    pub weights: Vec<f32>,
    /// one per output
    pub bias: Vec<f32>,
}

/// A fully connected layer: `y = W x + bias`.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    /// number of inputs; boards channel by channel, 64 squares each
    pub inputs: usize,
    /// number of outputs
    pub outputs: usize,
    /// `[output][input]`
    pub weights: Vec<f32>,
    /// one per output
    pub bias: Vec<f32>,
}

/// Squeeze and excitation: `x * sigmoid(gate) + shift`, with both computed from the means of all channels.
#[derive(Clone, Debug, PartialEq)]
pub struct Squeeze {
    /// from the means to a few hidden values, with ReLU
    pub down: Dense,
    /// from the hidden values to a gate per channel
    pub gate: Dense,
    /// from the hidden values to a shift per channel
    pub shift: Dense,
}

/// A residual block.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// first convolution
    pub conv1: Conv,
    /// second convolution
    pub conv2: Conv,
    /// squeeze and excitation before the residual addition, if any
    pub squeeze: Option<Squeeze>,
}

/// A policy head.
#[derive(Clone, Debug, PartialEq)]
pub enum PolicyHead {
    /// convolutional: planes of moves from each square
    Convolution {
        /// 3 x 3 over the tower
        hidden: Conv,
        /// to [`POLICY_PLANES`]
        planes: Conv,
    },
    /// fully connected
    Classical {
        /// 1 x 1 over the tower
        squares: Conv,
        /// to [`MOVES`](crate::lc0::MOVES)
        moves: Dense,
    },
}

/// A value or moves-left head.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// 1 x 1 over the tower
    pub squares: Conv,
    /// hidden layer over the whole board
    pub hidden: Dense,
    /// output layer
    pub outputs: Dense,
}
