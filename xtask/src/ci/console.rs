//! Output of the checks. Two run at once, but their lines are not mixed: one is printed live, the other is
//! held back until the first one ends.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The check that is printed live, and outputs held back.
pub(super) struct Console {
    start: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    speaker: Option<String>,
    /// outputs of checks that ended while another one was printed
    waiting: Vec<String>,
}

pub(super) struct Log<'a> {
    console: &'a Console,
    name: &'a str,
    text: Mutex<Text>,
}

struct Text {
    all: String,
    /// number of bytes already printed
    shown: usize,
}

impl Console {
    pub(super) fn new(start: Instant) -> Self {
        Self {
            start,
            state: Mutex::default(),
        }
    }

    pub(super) fn log<'a>(&'a self, name: &'a str) -> Log<'a> {
        let heading = format!("\n===== {name} (at {} s)\n", self.start.elapsed().as_secs());
        Log {
            console: self,
            name,
            text: Mutex::new(Text {
                all: heading,
                shown: 0,
            }),
        }
    }
}

impl Log<'_> {
    /// Adds a line, and prints it unless another check is being printed.
    pub(super) fn line(&self, line: &str) {
        let mut console = lock(&self.console.state);
        let mut text = lock(&self.text);
        text.all.push_str(line.trim_end_matches(['\n', '\r']));
        text.all.push('\n');
        let speaker = console.speaker.get_or_insert_with(|| self.name.into());
        if speaker == self.name {
            text.show();
        }
    }

    /// Ends the output and returns it without its heading.
    pub(super) fn end(self) -> String {
        let mut console = lock(&self.console.state);
        let mut text = self
            .text
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        if console
            .speaker
            .as_deref()
            .is_none_or(|speaker| speaker == self.name)
        {
            text.show();
            console.speaker = None;
            console
                .waiting
                .drain(..)
                .for_each(|output| print!("{output}"));
        } else {
            console.waiting.push(text.all[text.shown..].into());
        }
        text.all
            .lines()
            .skip(2)
            .flat_map(|line| [line, "\n"])
            .collect()
    }
}

impl Text {
    fn show(&mut self) {
        print!("{}", &self.all[self.shown..]);
        self.shown = self.all.len();
    }
}

/// Locks even after a panic of another thread: the text is always valid.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_of_a_second_check_is_held_back() {
        let console = Console::new(Instant::now());
        let (first, second) = (console.log("first"), console.log("second"));
        first.line("1");
        second.line("2");
        assert_eq!(second.end(), "2\n");
        assert_eq!(
            lock(&console.state).waiting,
            ["\n===== second (at 0 s)\n2\n"]
        );
        assert_eq!(first.end(), "1\n");
        assert!(lock(&console.state).waiting.is_empty());
    }
}
