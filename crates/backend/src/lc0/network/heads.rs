//! The heads: policy, value and plies left, from the channels of the tower.

use nnue_runtime::AvailableLevel;
use nnue_runtime::boards::{After, Convolution, Matrix, Scratch, Table};
use nnue_runtime::spec::Activation;

use super::super::weights::{self, PolicyHead, Weights};
use super::places::{Place, places};
use super::prepare::{convolution, of_boards, of_rows, of_squares};
use super::{Outputs, Question, Value};

const RELU: Option<Activation> = Some(Activation::Relu);

pub(super) struct Heads {
    policy: Policy,
    value: Head,
    moves_left: Option<Head>,
}

enum Policy {
    /// planes of moves, and the place of each move
    Planes {
        hidden: Convolution,
        planes: Convolution,
        places: Vec<Place>,
    },
    /// fully connected over all moves
    Moves { squares: Matrix, moves: Matrix },
}

/// A value or moves-left head.
struct Head {
    squares: Matrix,
    hidden: Matrix,
    outputs: Matrix,
    activation: Option<Activation>,
}

/// Scratch memory.
#[derive(Default)]
pub(super) struct Memory {
    inside: [Table; 2],
    policy: Table,
    value: Table,
    moves_left: Table,
}

impl Heads {
    pub(super) fn new(weights: &Weights) -> Self {
        let value_activation = (weights.value.outputs.outputs == 1).then_some(Activation::Tanh);
        Self {
            policy: Policy::new(&weights.policy),
            value: Head::new(&weights.value, value_activation),
            moves_left: weights
                .moves_left
                .as_ref()
                .map(|head| Head::new(head, RELU)),
        }
    }

    /// The outputs for all questions, from the channels `x` of the tower.
    pub(super) fn run(
        &self,
        level: AvailableLevel,
        questions: &[Question],
        (x, scratch): (&Table, &mut Scratch),
        memory: &mut Memory,
    ) -> Vec<Outputs> {
        let Memory {
            inside,
            policy,
            value,
            moves_left,
        } = memory;
        self.value.run(level, x, inside, value);
        let wants_moves_left = questions.iter().any(|question| question.wanted.moves_left);
        let plies = self.moves_left.as_ref().filter(|_| wants_moves_left);
        if let Some(head) = plies {
            head.run(level, x, inside, moves_left);
        }
        if questions.iter().any(|question| question.wanted.policy) {
            self.policy.run(level, (x, scratch), inside, policy);
        }
        let outputs = |(board, question): (usize, &Question)| Outputs {
            value: Value::of(value.row(board), |number| number),
            moves_left: plies.map_or(0.0, |_| moves_left.row(board)[0]),
            logits: question
                .moves
                .iter()
                .map(|&mv| self.policy.logit(policy, board, mv.into()))
                .collect(),
        };
        questions.iter().enumerate().map(outputs).collect()
    }
}

impl Policy {
    fn new(head: &PolicyHead) -> Self {
        match head {
            PolicyHead::Convolution { hidden, planes } => Self::Planes {
                hidden: convolution(hidden),
                planes: convolution(planes),
                places: places(),
            },
            PolicyHead::Classical { squares, moves } => Self::Moves {
                squares: of_squares(squares),
                moves: of_boards(moves),
            },
        }
    }

    fn run(
        &self,
        level: AvailableLevel,
        (x, scratch): (&Table, &mut Scratch),
        [inside, _]: &mut [Table; 2],
        to: &mut Table,
    ) {
        match self {
            Self::Planes { hidden, planes, .. } => {
                hidden.run(level, x, After::Relu, inside, scratch);
                planes.run(level, inside, After::Nothing, to, scratch);
            }
            Self::Moves { squares, moves } => {
                squares.run(level, x, RELU, inside);
                moves.run(level, inside, None, to);
            }
        }
    }

    fn logit(&self, policy: &Table, board: usize, mv: usize) -> f32 {
        match self {
            Self::Planes { places, .. } => {
                let Place { square, plane } = places[mv];
                policy.row(64 * board + usize::from(square))[usize::from(plane)]
            }
            Self::Moves { .. } => policy.row(board)[mv],
        }
    }
}

impl Head {
    fn new(head: &weights::Head, activation: Option<Activation>) -> Self {
        let weights::Head {
            squares,
            hidden,
            outputs,
        } = head;
        Self {
            squares: of_squares(squares),
            hidden: of_boards(hidden),
            outputs: of_rows(outputs),
            activation,
        }
    }

    fn run(
        &self,
        level: AvailableLevel,
        x: &Table,
        [squares, hidden]: &mut [Table; 2],
        to: &mut Table,
    ) {
        self.squares.run(level, x, RELU, squares);
        self.hidden.run(level, squares, RELU, hidden);
        self.outputs.run(level, hidden, self.activation, to);
    }
}
