//! Files of numbers: every shape that has their size.

use std::fmt;

use super::error::SearchError;
use super::found::{Found, Guess, LISTED};
use super::list::Saved;
use super::program::Program;
use super::request::{Search, Sizes, Source};
use super::shape::{self, Shape, Tail};
use super::{declare, doubt, engines, heads, hints, list, policies};

/// The `save_format` of the trainer's examples, used if the user gives none.
const EXAMPLES: &str = "SavedFormat::id(\"l0w\").round().quantise::<i16>(255), SavedFormat::id(\"l0b\").round().quantise::<i16>(255),
    SavedFormat::id(\"l1w\").round().quantise::<i16>(64).transpose(), SavedFormat::id(\"l1b\").round().quantise::<i16>(255 * 64)";

/// The `save_format` of a network with layers of 8-bit weights and floats, as engines with a pairwise product save it.
const LAYERS: &str = "SavedFormat::id(\"l0w\").quantise::<i16>(255), SavedFormat::id(\"l0b\").quantise::<i16>(255),
    SavedFormat::id(\"l1w\").quantise::<i8>(64), SavedFormat::id(\"l1b\"), SavedFormat::id(\"l2w\"), SavedFormat::id(\"l2b\"),
    SavedFormat::id(\"l3w\"), SavedFormat::id(\"l3b\")";

/// Types of the output bias: in [`EXAMPLES`], and in older trainers and some programs.
const BIAS_TYPES: [&str; 2] = ["i16>(255 * 64)", "i32>(255 * 64)"];

const ASSUMED: &str =
    "Tensors, types and scales as the trainer's examples save them: give yours with --save-format.";

const SCALES: &str = "`@ 255` and `@ 64`, the scales of the trainer's examples, which no size tells: the numbers in `.quantise::<i16>(QA)` of the \
    program do, or golden values of the engine";

const ROWS: &str = "that rows of own pieces come before those of the enemy's (`rows: enemy_first` in `format raw` is the other order), and weights of a \
    layer in this order: golden values of the engine tell";

/// Lists of tensors, and what is known besides.
pub(super) struct Candidates<'a> {
    search: &'a Search<'a>,
    lists: Vec<List>,
    /// lists for files that the others do not read
    others: Vec<List>,
}

/// A file of numbers.
pub(super) struct File<'f> {
    pub(super) size: u64,
    pub(super) tail: Tail,
    /// `None` if only its size is known
    pub(super) contents: Option<&'f [u8]>,
}

/// A list of tensors, and facts from the program around it.
pub(super) struct List {
    pub(super) name: String,
    pub(super) saved: Vec<Saved>,
    program: Program,
    /// the output bias is assumed to be i32
    wide: bool,
}

pub(super) struct Candidate<'a> {
    list: &'a List,
    shape: Shape,
    text: String,
}

impl Candidate<'_> {
    fn unlikeliness(&self) -> u64 {
        shape::unlikeliness(&self.shape) + u64::from(self.list.wide)
    }
}

impl fmt::Display for Candidate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wide = if self.list.wide {
            " (fc0_bias: i32)"
        } else {
            ""
        };
        write!(f, "{}{wide}", self.shape)
    }
}

impl<'a> Candidates<'a> {
    /// Reads the lists of the search.
    pub(super) fn new(search: &'a Search<'a>) -> Result<Self, SearchError> {
        let lists = lists(search)?;
        for list in &lists {
            heads::check(search.heads, &list.saved, &list.name)?;
            check_hidden(search, list)?;
        }
        let layers = Source {
            name: "engines with layers",
            text: LAYERS,
        };
        let others = match search.program {
            None if search.heads.is_empty() => List::read(layers, false)?,
            _ => Vec::new(),
        };
        Ok(Self {
            search,
            lists,
            others,
        })
    }

    /// The declarations that read a file, those that its contents contradict last.
    pub(super) fn found(&self, file: &File<'_>) -> Result<Found, SearchError> {
        let mut guesses = match file.contents {
            Some(contents) if self.is_open() => {
                let engines = engines::of_numbers(contents, self.search);
                let policies = policies::of_numbers(contents, self.search);
                engines.into_iter().chain(policies).collect()
            }
            _ => Vec::new(),
        };
        let mut more = self.extend(&mut guesses, &self.lists, file);
        let is_doubtful = |guess: &Guess| guess.doubt.is_some();
        if guesses.iter().all(is_doubtful) {
            let mut others = Vec::new();
            more += self.extend(&mut others, &self.others, file);
            others.retain(|guess| !is_doubtful(guess));
            guesses.extend(others);
        }
        if guesses.is_empty() {
            return Err(self.nothing_fits(file));
        }
        guesses.sort_by_key(is_doubtful);
        more += guesses.len().saturating_sub(LISTED + 1);
        guesses.truncate(LISTED + 1);
        let is_example = guesses[0].unknown.iter().any(|unknown| unknown == SCALES);
        Ok(Found {
            bytes: file.size,
            guesses,
            more,
            assumed: is_example.then(|| ASSUMED.to_owned()).into_iter().collect(),
            is_container: false,
        })
    }

    /// Adds what `lists` have for a file, up to the number of guesses that are listed; gives how many more there are.
    fn extend(&self, guesses: &mut Vec<Guess>, lists: &[List], file: &File<'_>) -> usize {
        let candidates = self.candidates(lists, file.size, &file.tail);
        let room = (LISTED + 1).saturating_sub(guesses.len());
        let read = candidates.iter().take(room);
        guesses.extend(read.map(|candidate| self.guess(candidate, file.contents)));
        candidates.len().saturating_sub(room)
    }

    /// The declarations that read `size` bytes, the likeliest first.
    fn all(&self, size: u64, tail: &Tail) -> Vec<Candidate<'_>> {
        self.candidates(&self.lists, size, tail)
    }

    fn candidates<'c>(&self, lists: &'c [List], size: u64, tail: &Tail) -> Vec<Candidate<'c>> {
        let of_list = |list| self.of_list(list, size, tail);
        let mut candidates: Vec<_> = lists.iter().flat_map(of_list).collect();
        candidates.sort_by_key(Candidate::unlikeliness);
        candidates
    }

    fn of_list<'c>(&self, list: &'c List, size: u64, tail: &Tail) -> Vec<Candidate<'c>> {
        let shapes = shape::fitting(&list.saved, &list.program, size, tail, self.search);
        let candidate = |shape: Shape| {
            let text = declare::declaration(&list.saved, &list.program, &shape, self.search, size)?;
            Some(Candidate { list, shape, text })
        };
        shapes.into_iter().filter_map(candidate).collect()
    }

    fn guess(&self, candidate: &Candidate<'_>, contents: Option<&[u8]>) -> Guess {
        let Candidate { list, shape, text } = candidate;
        let mut unknown = declare::guesses(&list.saved, &list.program, shape, self.search.heads);
        if self.is_assumed() {
            unknown.insert(0, SCALES.to_owned());
            unknown.push(ROWS.to_owned());
        } else if self.lists.len() > 1 {
            let count = self.lists.len();
            unknown.insert(
                0,
                format!("which of the {count} lists of tensors in the text saved the file"),
            );
        }
        Guess {
            declaration: text.clone(),
            shape: candidate.to_string(),
            doubt: contents.and_then(|bytes| doubt::doubt(bytes, text, self.search.compile)),
            scale: declare::scale(&list.program).parse().ok(),
            unknown,
        }
    }

    /// Whether the lists are those of the trainer's examples.
    fn is_assumed(&self) -> bool {
        self.search.program.is_none()
    }

    /// Whether nothing is known of the network, so that it may be that of any engine.
    fn is_open(&self) -> bool {
        let Search {
            program,
            sizes,
            heads,
            ..
        } = self.search;
        program.is_none() && heads.is_empty() && *sizes == Sizes::default()
    }

    fn nothing_fits(&self, file: &File<'_>) -> SearchError {
        let size = file.size;
        let two = size.is_multiple_of(2).then_some(size / 2);
        let half = two.and_then(|half| {
            let fitting = self.all(half, &file.tail);
            Some((half, fitting.first()?.to_string()))
        });
        let hints = hints::hints(size, half);
        let List { saved, name, .. } = &self.lists[0];
        let ids: Vec<&str> = saved
            .iter()
            .map(|saved| saved.id.as_str())
            .filter(|id| !id.is_empty())
            .collect();
        SearchError::Size(format!(
            "no network with the tensors {} of {name} has {size} bytes: accumulators of 32 to 8192 neurons, 1 to 64 king buckets and 1 to \
             32 output buckets were tried (with inputs of 768 rows, alone or beside a built-in set of threats), with one perspective and with two; {hints}is a tensor missing from the list, or the file cut off?",
            ids.join(", ")
        ))
    }
}

/// The lists of the trainer's program, or the examples' lists with each type of the output bias.
fn lists(search: &Search<'_>) -> Result<Vec<List>, SearchError> {
    if let Some(program) = search.program {
        let mut lists = List::read(program, false)?;
        lists.dedup_by(|one, other| one.saved == other.saved);
        return Ok(lists);
    }
    let read = |bias: &str| {
        let text = EXAMPLES.replace(BIAS_TYPES[0], bias);
        let source = Source {
            name: "the trainer's examples",
            text: &text,
        };
        List::read(source, bias != BIAS_TYPES[0])
    };
    let lists: Result<Vec<_>, SearchError> = BIAS_TYPES.into_iter().map(read).collect();
    Ok(lists?.into_iter().flatten().collect())
}

impl List {
    /// The lists of a text.
    fn read(source: Source<'_>, wide: bool) -> Result<Vec<Self>, SearchError> {
        let (lists, program) = list::read(source)?;
        let list = |saved| Self {
            name: source.name.to_owned(),
            saved,
            program: program.clone(),
            wide,
        };
        Ok(lists.into_iter().map(list).collect())
    }
}

/// Refuses widths of hidden layers that do not match the list.
fn check_hidden(search: &Search<'_>, list: &List) -> Result<(), SearchError> {
    let given = search.sizes.hidden.len();
    let saved = shape::hidden_layers(&list.saved, search.heads);
    if given == 0 || given == saved {
        return Ok(());
    }
    Err(SearchError::Hidden {
        given,
        saved,
        program: list.name.clone(),
    })
}
