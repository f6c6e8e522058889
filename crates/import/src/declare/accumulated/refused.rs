//! Collects pieces without a counterpart, so that all of them are reported at once.
//!
//! ```text
//!   output ─► layer ─► tanh(acc)     refused, noted
//!                └───► layer ─► ..   written on, with what is refused there
//! ```

use super::writer::Writer;
use crate::error::{ImportError, Unsupported};
use crate::recognise::piece::{PieceId, Segment};

impl Writer<'_> {
    /// An error for a piece without a counterpart.
    pub(super) fn refuse(&self, piece: PieceId, why: &str) -> ImportError {
        let unsupported = match self.folded.graph.nodes.get(self.pieces.0[piece].node) {
            Some(node) => node.unsupported(why),
            None => Unsupported {
                node: "input".into(),
                operation: "input".into(),
                line: None,
                why: why.into(),
            },
        };
        ImportError::Unsupported(vec![unsupported])
    }

    /// The result, or `otherwise` for a piece without a counterpart, which is recorded so that writing goes
    /// on.
    pub(super) fn noted<T>(
        &mut self,
        result: Result<T, ImportError>,
        otherwise: T,
    ) -> Result<T, ImportError> {
        let Err(ImportError::Unsupported(nodes)) = result else {
            return result;
        };
        for node in nodes {
            if !self.refused.contains(&node) {
                self.refused.push(node);
            }
        }
        Ok(otherwise)
    }

    /// The text of a piece. If the piece has no counterpart, that is recorded, and the layers below it are
    /// written to find more.
    pub(super) fn text_or_noted(
        &mut self,
        piece: PieceId,
        text: Result<String, ImportError>,
    ) -> Result<String, ImportError> {
        if matches!(text, Err(ImportError::Unsupported(_))) {
            self.write_layers_of(piece)?;
        }
        self.noted(text, String::new())
    }

    /// Writes the nearest layers below a piece.
    fn write_layers_of(&mut self, piece: PieceId) -> Result<(), ImportError> {
        let mut waiting = vec![piece];
        while let Some(piece) = waiting.pop() {
            if !self.explored.insert(piece) {
                continue;
            }
            for x in self.pieces.operands(piece) {
                let whole = Segment {
                    piece: x.piece,
                    start: 0,
                    len: self.pieces.0[x.piece].shape[0],
                };
                if self.is_layer_of_values(whole) {
                    let layer = self.layer(whole, false);
                    self.noted(layer, String::new())?;
                } else {
                    waiting.push(x.piece);
                }
            }
        }
        Ok(())
    }

    /// Refuses a graph with unrecognised nodes, together with everything else that has no counterpart.
    pub(super) fn refuse_what_is_not_recognised(&mut self) -> Result<(), ImportError> {
        self.refused
            .extend(self.recognised.unsupported.iter().cloned());
        if self.recognised.read_by_unsupported.is_empty() && self.refused.is_empty() {
            return Ok(());
        }
        for &piece in &self.recognised.read_by_unsupported {
            let whole = Segment {
                piece,
                start: 0,
                len: self.pieces.0[piece].shape[0],
            };
            let written = match self.is_layer_of_values(whole) {
                true => self.layer(whole, false).map(drop),
                false => self.write_layers_of(piece),
            };
            if self.noted(written, ()).is_err() {
                break; // a limit: enough is known
            }
        }
        if !self.recognised.output.is_empty() {
            let output = self.output().map(drop);
            let _ = self.noted(output, ()); // what is wrong with the output is told when all nodes are known
        }
        self.all_have_counterparts()
    }

    /// Whether a segment is a whole layer that does not read rows.
    fn is_layer_of_values(&self, whole: Segment) -> bool {
        self.is_layer(whole)
            && self
                .rows_of(whole)
                .or_else(|| self.rows_of_chosen(whole))
                .is_none()
    }

    /// The result; for an error, the pieces without a counterpart that were recorded before.
    pub(super) fn or_refused<T>(
        &mut self,
        result: Result<T, ImportError>,
    ) -> Result<T, ImportError> {
        match &result {
            Err(error) if !matches!(error, ImportError::Unsupported(_)) => {
                self.all_have_counterparts()?;
                result
            }
            _ => result,
        }
    }

    /// Fails if pieces without a counterpart were recorded.
    pub(super) fn all_have_counterparts(&mut self) -> Result<(), ImportError> {
        match std::mem::take(&mut self.refused) {
            nodes if nodes.is_empty() => Ok(()),
            nodes => Err(ImportError::Unsupported(nodes)),
        }
    }
}
