//! Pages in one file: text, tables and drawings, which stand in the page itself.

use std::fmt::Write;

use crate::plot::drawing::{Drawing, escaped};

const STYLE: &str = "body { font-family: sans-serif; margin: 2em } td, th { padding-right: 2em; text-align: left; vertical-align: top } \
                     svg { max-width: 100%; height: auto }";

/// A page that grows from its title down.
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

    /// The title of a section.
    pub fn section(&mut self, title: &str) {
        let _ = writeln!(self.text, "<h2>{}</h2>", escaped(title));
    }

    /// A paragraph.
    pub fn paragraph(&mut self, text: &str) {
        let _ = writeln!(self.text, "<p>{}</p>", escaped(text));
    }

    /// A line of code.
    pub fn code(&mut self, text: &str) {
        let _ = writeln!(self.text, "<p><code>{}</code></p>", escaped(text));
    }

    /// Text as it is, line by line.
    pub fn lines(&mut self, text: &str) {
        let _ = writeln!(self.text, "<pre>{}</pre>", escaped(text));
    }

    /// Rows of cells.
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

    /// A drawing.
    pub fn drawing(&mut self, drawing: &Drawing) {
        self.text += &drawing.svg();
    }

    /// The whole page.
    pub fn html(self) -> String {
        self.text + "</html>\n"
    }
}
