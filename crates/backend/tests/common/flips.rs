//! Options flipped one by one: whether the identity of answers changes as the table of options says.

use nnue_backend::identity::{Role, role};
use nnue_backend::{Backends, Chess};

/// An option of a backend, and texts of backends that differ in it alone.
pub(crate) struct Flip {
    pub(crate) backend: &'static str,
    pub(crate) option: &'static str,
    pub(crate) texts: [String; 2],
}

impl Flip {
    pub(crate) fn new(
        backend: &'static str,
        option: &'static str,
        [plain, flipped]: [&str; 2],
    ) -> Self {
        Self {
            backend,
            option,
            texts: [plain.to_owned(), flipped.to_owned()],
        }
    }
}

/// Flips options: the identity of answers changes where the table of options says so, and nowhere else. Every option of these backends is flipped.
pub(crate) fn check_flips(backends: &Backends<Chess>, names: &[&str], flips: &[Flip]) {
    for name in names {
        let entry = backends.entries().find(|entry| entry.name == *name);
        let entry = entry.unwrap_or_else(|| panic!("no backend {name}"));
        for option in &entry.options {
            let is_flipped = flips
                .iter()
                .any(|flip| flip.backend == *name && flip.option == option.name);
            assert!(is_flipped, "{name}.{} is not flipped", option.name);
        }
    }
    for Flip {
        backend,
        option,
        texts,
    } in flips
    {
        let role = role(backend, option);
        let role = role.unwrap_or_else(|| panic!("{backend}.{option} is not in the table"));
        let [plain, flipped] = texts.each_ref().map(|text| {
            let made = backends.create(text);
            made.unwrap_or_else(|error| panic!("{text}: {error}"))
                .digest()
        });
        assert_eq!(
            plain != flipped,
            role != Role::Nothing,
            "{backend}.{option} is {role:?}: {texts:?}"
        );
    }
}
