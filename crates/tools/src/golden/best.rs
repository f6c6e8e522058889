//! The best readings of a search.

use super::near::Near;

/// Most equally good readings that a message lists.
const MOST_TOLD: usize = 4;

/// The readings with the most agreeing golden values, and among these those with the fewest faults.
pub(super) struct Best {
    pub(super) goldens: usize,
    /// number of values that agree with the declaration as written
    pub(super) declared: usize,
    /// how nearly the declaration as written gives the golden values
    pub(super) near: Option<Near>,
    agreeing: usize,
    faults: usize,
    says: Vec<String>,
    more: usize,
}

impl Best {
    pub(super) fn new(goldens: usize, declared: usize) -> Self {
        Self {
            goldens,
            declared,
            near: None,
            agreeing: 0,
            faults: 0,
            says: Vec::new(),
            more: 0,
        }
    }

    /// The number of agreeing values from which a reading is reported: more than for the declaration, and at
    /// least two if there are two. A single value agrees by chance with about one reading in a hundred.
    pub(super) fn least(&self) -> usize {
        self.agreeing
            .max(self.declared + 1)
            .max(self.goldens.min(2))
    }

    /// Whether all golden values agree with a reading.
    pub(super) fn is_complete(&self) -> bool {
        self.agreeing == self.goldens
    }

    /// Considers a reading with `faults` faults that gives `agreeing` golden values.
    pub(super) fn offer(&mut self, agreeing: usize, faults: usize, says: impl FnOnce() -> String) {
        if agreeing < self.least() || (agreeing == self.agreeing && faults > self.faults) {
            return;
        }
        if agreeing > self.agreeing || faults < self.faults {
            (self.agreeing, self.faults, self.more) = (agreeing, faults, 0);
            self.says.clear();
        }
        if self.says.len() < MOST_TOLD {
            self.says.push(says());
        } else {
            self.more += 1;
        }
    }

    /// Describes the readings and how many golden values agree with them; without any, how many agree with
    /// the declaration, if some do.
    pub(super) fn told(&self) -> Option<String> {
        match (self.near, self.readings()) {
            (Some(near), Some(readings)) if self.faults == 1 && self.is_complete() => {
                Some(format!("{}; or {readings}", near.told(self.goldens)))
            }
            (Some(near), _) => Some(near.told(self.goldens)),
            (None, readings) => readings,
        }
    }

    /// Describes the readings with faults.
    fn readings(&self) -> Option<String> {
        if self.says.is_empty() {
            return (self.declared > 0).then(|| self.nothing_better());
        }
        let more = match self.more {
            0 => String::new(),
            more => format!(", or in {more} other ways"),
        };
        let several = self.says.len() > 1;
        let sure = match (self.goldens, self.agreeing) {
            (1, _) => "1 of 1 golden value agrees, which may be chance: give more".into(),
            (goldens, agreeing) if agreeing < goldens => {
                format!("{agreeing} of {goldens} golden values agree")
            }
            (goldens, _) if several => {
                format!("{goldens} of {goldens} golden values agree with each: give more")
            }
            (goldens, _) => format!("{goldens} of {goldens} golden values agree"),
        };
        Some(format!(
            "it fits {}{more} ({sure})",
            self.says.join(", or ")
        ))
    }

    /// The message if the declaration gives some golden values, and no other reading gives more.
    fn nothing_better(&self) -> String {
        format!(
            "the file is another network, or the declaration differs from it in something that its length does not show; {} of {} golden values \
             agree: is this one right?",
            self.declared, self.goldens
        )
    }
}
