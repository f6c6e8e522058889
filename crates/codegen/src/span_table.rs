//! The table between the opaque places of the model and the spans of the source.

use nnue_spec::diagnostic::Diagnostic;
use nnue_spec::loc::{Loc, Located};

use crate::syntax::place::{At, Place, Wrong};

/// Numbers places; a [`Loc`] is an index into it.
#[derive(Debug, Default)]
pub(crate) struct SpanTable {
    places: Vec<Place>,
}

impl SpanTable {
    /// Numbers a place.
    pub(crate) fn loc(&mut self, place: Place) -> Loc {
        self.places.push(place);
        Loc(u32::try_from(self.places.len() - 1).unwrap_or(u32::MAX))
    }

    /// Numbers the place of a value.
    pub(crate) fn located<T>(&mut self, at: At<T>) -> Located<T> {
        Located::new(at.value, self.loc(at.place))
    }

    /// The place with this number; the macro call for a number that this table did not give.
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
