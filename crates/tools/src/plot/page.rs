//! Self-contained HTML pages of text, tables and drawings.

use std::fmt::Write;

use crate::plot::drawing::{Drawing, escaped};

const STYLE: &str = "body { font-family: sans-serif; margin: 2em } td, th { padding-right: 2em; text-align: left; vertical-align: top } \
                     svg { max-width: 100%; height: auto }";

/// A page under construction.
#[derive(Clone, Debug)]
pub struct Page {
    text: String,
}

impl Page {
    /// A page with a title.
    pub fn new(title: &str) -> Self {
        let title = escaped(title);
        Self {
            text: format!(
                "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
                 <h1>{title}</h1>\n"
            ),
        }
    }

    /// Adds a heading.
    pub fn section(&mut self, title: &str) {
        let _ = writeln!(self.text, "<h2>{}</h2>", escaped(title));
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: &str) {
        let _ = writeln!(self.text, "<p>{}</p>", escaped(text));
    }

    /// Adds a line of code.
    pub fn code(&mut self, text: &str) {
        let _ = writeln!(self.text, "<p><code>{}</code></p>", escaped(text));
    }

    /// Adds preformatted text.
    pub fn lines(&mut self, text: &str) {
        let _ = writeln!(self.text, "<pre>{}</pre>", escaped(text));
    }

    /// Adds a table.
    pub fn table(&mut self, rows: impl IntoIterator<Item = Vec<String>>) {
        self.text += "<table>\n";
        for row in rows {
            let cells: String = row
                .iter()
                .map(|cell| format!("<td>{}</td>", escaped(cell)))
                .collect();
            let _ = writeln!(self.text, "<tr>{cells}</tr>");
        }
        self.text += "</table>\n";
    }

    /// Adds a drawing.
    pub fn drawing(&mut self, drawing: &Drawing) {
        self.text += &drawing.svg();
    }

    /// The HTML of the page.
    pub fn html(self) -> String {
        self.text + "</html>\n"
    }
}
