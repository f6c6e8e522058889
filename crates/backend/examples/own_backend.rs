//! Your own backend in forty lines: it expects the side with more moves to win.
//!
//! Shows: an evaluator, what it keeps of a position, how to register it with an option, and an adapter that uses it like any other backend.
//!
//! Run: `cargo run -p nnue-backend --example own_backend`
//!
//! ```text
//! start position: q 0.08, e2e4 0.057
//! check: wrong: value (1 of 1, by up to 7.983e-2), policy (20 of 20, by up to 2.894e-2)
//! ```

use std::sync::Arc;

use nnue_backend::options::{Float, Opt};
use nnue_backend::{
    Answer, Answers, Attributes, Batched, Chess, Digest, Entry, Error, Evaluator, Sample, Wanted,
};
use nnue_backend::{Backends, expected_score};
use nnue_data::{Piece, Position};

const SCALE: Float = Float {
    name: "scale",
    default: 250.0,
    range: 1.0..=1e6,
    about: "moves that are worth a lot",
};

struct Mobility {
    scale: f32,
}

impl Evaluator<Chess> for Mobility {
    /// Of a position, how many moves there are, and of each whether a pawn moves.
    type Input = Vec<bool>;

    fn attributes(&self) -> Attributes {
        Attributes {
            has_policy: true,
            ..Attributes::VALUE
        }
    }

    fn digest(&self) -> u128 {
        let mut digest = Digest::new();
        digest.text("mobility 1");
        digest.word(self.scale.to_bits().into());
        digest.finish()
    }

    fn read(&self, sample: &Sample<'_, Chess>, _: Wanted) -> Result<Vec<bool>, Error> {
        let position = &sample.history[sample.history.len() - 1];
        Ok(sample
            .moves
            .iter()
            .map(|mv| position.pieces(Piece::Pawn).has(mv.from))
            .collect())
    }

    fn evaluate(&self, inputs: &[Vec<bool>], answers: &mut Answers) -> Result<(), Error> {
        for moves in inputs {
            let mut policy: Vec<f32> = moves
                .iter()
                .map(|&pawn| if pawn { 0.5 } else { -0.5 })
                .collect();
            nnue_spec::softmax(&mut policy, 1.0);
            let q = expected_score(2 * moves.len() as i32, self.scale);
            answers.push(&Answer {
                q,
                d: 0.0,
                m: 0.0,
                score: None,
                policy,
            });
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut backends = Backends::<Chess>::standard();
    backends.tell(|line| println!("{line}"));
    backends.add(Entry::new(
        "mobility",
        1,
        "the side with more moves wins",
        vec![SCALE.help()],
        |builder| {
            let scale = builder.get(&SCALE)? as f32;
            Ok(Arc::new(Batched::new(builder.path(), Mobility { scale })))
        },
    ));
    let start: Position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse()?;
    let moves = start.legal_moves().ok_or("no position of a game")?;
    let sample = Sample {
        history: &[start],
        moves: &moves,
    };

    let backend = backends.create("mobility")?;
    let answers = backend.evaluate(&[sample], Wanted::ALL)?;
    let e2e4 = moves
        .iter()
        .position(|mv| mv.to_string() == "e2e4")
        .ok_or("e2e4 is legal")?;
    println!(
        "start position: q {:.2}, e2e4 {:.3}",
        answers.q(0),
        answers.p(0, e2e4)
    );

    let checked = backends.create("check(mobility, trivial, freq=1)")?;
    checked.evaluate(&[sample], Wanted::ALL)?;
    Ok(())
}
