//! The table from opaque locations of the model to spans of the source.

use nnue_spec::diagnostic::Diagnostic;
use nnue_spec::loc::{Loc, Located};

use crate::syntax::place::{At, Place, Wrong};

/// Numbers locations; a [`Loc`] is an index into it.
#[derive(Debug, Default)]
pub(crate) struct SpanTable {
    places: Vec<Place>,
}

impl SpanTable {
    pub(crate) fn loc(&mut self, place: Place) -> Loc {
        self.places.push(place);
        Loc(u32::try_from(self.places.len() - 1).unwrap_or(u32::MAX))
    }

    pub(crate) fn located<T>(&mut self, at: At<T>) -> Located<T> {
        Located::new(at.value, self.loc(at.place))
    }

    /// The location with this number; the macro call for an unknown number.
    pub(crate) fn place(&self, loc: Loc) -> Place {
        let place = usize::try_from(loc.0)
            .ok()
            .and_then(|index| self.places.get(index));
        place
            .copied()
            .unwrap_or_else(|| Place::of(proc_macro2::Span::call_site()))
    }

    /// An error of the parser as a diagnostic.
    pub(crate) fn diagnostic(&mut self, wrong: Wrong) -> Diagnostic {
        let Wrong {
            code,
            place,
            message,
            help,
            note,
            related,
        } = wrong;
        let related = related
            .into_iter()
            .map(|(place, what)| (self.loc(place), what))
            .collect();
        let (message, help, note) = (message.into(), help.map(Into::into), note.map(Into::into));
        Diagnostic {
            code,
            loc: self.loc(place),
            message,
            help,
            note,
            related,
        }
    }
}
