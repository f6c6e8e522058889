//! Networks described at run time. Their descriptors are leaked; equal ones are shared, and the total is
//! bounded.
//! bound.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{LazyLock, Mutex, PoisonError};

use nnue_spec::NetDesc;
use nnue_spec::diagnostic::Code;
use nnue_spec::plan::Plan;

use crate::text::{TextError, plan_text};

/// Bound of the descriptors of one process: total length of their `Debug` text, in bytes.
const MAX_DESCRIBED: usize = 1 << 26;

/// A leaked descriptor.
type Descriptor = &'static NetDesc<'static>;

/// The leaked descriptors, by a hash of their text.
struct Descriptions {
    kept: HashMap<u64, Vec<Descriptor>>,
    bytes: usize,
    most: usize,
}

impl Descriptions {
    fn new(most: usize) -> Self {
        Self {
            kept: HashMap::new(),
            bytes: 0,
            most,
        }
    }

    /// The descriptor of a plan, shared with an equal one; `None` if the bound is reached.
    fn keep(&mut self, plan: Plan) -> Option<Descriptor> {
        let says = format!("{plan:?}");
        let mut hasher = DefaultHasher::new();
        says.hash(&mut hasher);
        let same = self.kept.entry(hasher.finish()).or_default();
        if let Some(found) = same
            .iter()
            .find(|kept| ***kept == plan.tables().descriptor())
        {
            return Some(found);
        }
        if self.bytes + says.len() > self.most {
            return None;
        }
        self.bytes += says.len();
        let descriptor = plan.leak();
        same.push(descriptor);
        Some(descriptor)
    }
}

/// The networks that `source` declares, as leaked descriptors. Equal ones share a descriptor, so the same
/// text may be read any number of times. `source` is as for [`expand_text`](crate::expand_text).
///
/// # Errors
///
/// As [`expand_text`](crate::expand_text), and an error of kind `limit` if the descriptors of the process
/// would exceed the bound.
pub fn described_text(source: &str) -> Result<Vec<Descriptor>, Vec<TextError>> {
    static KEPT: LazyLock<Mutex<Descriptions>> =
        LazyLock::new(|| Mutex::new(Descriptions::new(MAX_DESCRIBED)));
    let plans = plan_text(source)?;
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let descriptors = plans.into_iter().map(|plan| kept.keep(plan));
    descriptors.collect::<Option<_>>().ok_or_else(|| {
        let message = format!(
            "the different networks that this process has described need more than {MAX_DESCRIBED} bytes\n\nhelp: go on in another process"
        );
        vec![TextError::of_all(message, Code::Limit.slug())]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(width: usize) -> Plan {
        plan_text(&format!("struct X = Chess768[..] -> {width}x2 -> 1;"))
            .expect("it is a network")
            .remove(0)
    }

    #[test]
    fn equal_networks_are_one_and_others_have_a_bound() {
        let length = format!("{:?}", plan(32)).len();
        let mut kept = Descriptions::new(3 * length);
        let first = kept.keep(plan(32)).expect("there is room");
        for _ in 0..10 {
            let again = kept.keep(plan(32)).expect("it is kept");
            assert!(std::ptr::eq(first, again));
        }
        assert!(kept.keep(plan(64)).is_some());
        let refused = (3..20).filter(|n| kept.keep(plan(32 * n)).is_none());
        assert!(refused.count() >= 16);
        assert!(kept.bytes <= 3 * length);
    }

    #[test]
    fn equal_networks_of_different_texts_are_one() {
        let [a, b] = ["", " // as it was\n"].map(|end| {
            described_text(&format!("struct Same = Chess768[..] -> 32x2 -> 1;{end}"))
                .expect("it is a network")[0]
        });
        assert!(std::ptr::eq(a, b));
    }
}
