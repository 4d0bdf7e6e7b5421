//! Frames as text of a width of its own, HTML and Markdown.

use super::DataFrame;
use super::display::{Printed, fitting, printed, table};
use crate::error::{InOperation, Result};
use crate::options::DisplayOptions;
use crate::series::Series;

impl DataFrame {
    /// The table that [`Display`](std::fmt::Display) writes, without its last line, by other options than those of the
    /// thread: [`DisplayOptions::all`] leaves nothing out.
    ///
    /// ```
    /// use columnade::{DisplayOptions, df};
    ///
    /// let frame = df! { "word" => ["tea", "日本"], "n" => [1_i64, 20] }?;
    /// let text = "   word      n\n   utf8  int64\n0  tea       1\n1  日本     20";
    /// assert_eq!(frame.to_string_with(DisplayOptions::all())?, text);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when the values cannot be read.
    ///
    /// # Device
    /// What is printed is copied to the host, and no other row.
    ///
    /// # Source
    /// pandas `DataFrame.to_string`.
    pub fn to_string_with(&self, options: DisplayOptions) -> Result<String> {
        let columns = printed(self.frame(), self.index(), options).operation("to_string_with")?;
        Ok(table(&fitting(columns, options.width)))
    }

    /// The table as HTML, truncated as the options say. Labels of columns of several levels are several rows of the head;
    /// dtypes are left out.
    ///
    /// ```
    /// use columnade::{DisplayOptions, df};
    ///
    /// let html = df! { "a<b" => ["x & y"] }?.to_html(DisplayOptions::all())?;
    /// assert!(html.starts_with("<table class=\"dataframe\">\n"));
    /// assert!(html.contains("<th>a&lt;b</th>") && html.contains("<td>x &amp; y</td>"));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when the values cannot be read.
    ///
    /// # Device
    /// Same as [`to_string_with`](Self::to_string_with).
    ///
    /// # Source
    /// pandas `DataFrame.to_html`.
    pub fn to_html(&self, options: DisplayOptions) -> Result<String> {
        Ok(html(&printed(self.frame(), self.index(), options).operation("to_html")?))
    }

    /// The table as Markdown, truncated as the options say. The levels of labels of columns have commas between them; dtypes
    /// are left out.
    ///
    /// ```
    /// use columnade::{DisplayOptions, df};
    ///
    /// let frame = df! { "word" => ["a|b"], "n" => [1] }?;
    /// let text = "|  | word | n |\n| ---: | :--- | ---: |\n| 0 | a\\|b | 1 |";
    /// assert_eq!(frame.to_markdown(DisplayOptions::all())?, text);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when the values cannot be read.
    ///
    /// # Device
    /// Same as [`to_string_with`](Self::to_string_with).
    ///
    /// # Source
    /// pandas `DataFrame.to_markdown`, which pads the cells.
    pub fn to_markdown(&self, options: DisplayOptions) -> Result<String> {
        Ok(markdown(&printed(self.frame(), self.index(), options).operation("to_markdown")?))
    }
}

impl Series {
    /// The table of labels and values: see [`DataFrame::to_string_with`].
    ///
    /// # Errors
    /// Same as [`DataFrame::to_string_with`].
    ///
    /// # Source
    /// pandas `Series.to_string`.
    pub fn to_string_with(&self, options: DisplayOptions) -> Result<String> {
        let columns = printed(self.inner.frame(), self.index(), options).operation("to_string_with")?;
        Ok(table(&columns))
    }

    /// The table of labels and values as HTML: see [`DataFrame::to_html`].
    ///
    /// # Errors
    /// Same as [`DataFrame::to_html`].
    ///
    /// # Source
    /// pandas `Series.to_frame().to_html()`.
    pub fn to_html(&self, options: DisplayOptions) -> Result<String> {
        Ok(html(&printed(self.inner.frame(), self.index(), options).operation("to_html")?))
    }

    /// The table of labels and values as Markdown: see [`DataFrame::to_markdown`].
    ///
    /// # Errors
    /// Same as [`DataFrame::to_markdown`].
    ///
    /// # Source
    /// pandas `Series.to_markdown`.
    pub fn to_markdown(&self, options: DisplayOptions) -> Result<String> {
        Ok(markdown(&printed(self.inner.frame(), self.index(), options).operation("to_markdown")?))
    }
}

fn html(columns: &[Printed]) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut text = "<table class=\"dataframe\">\n  <thead>\n".to_owned();
    let levels = columns.iter().map(|column| column.heading.len()).max().unwrap_or(0);
    for level in 0..levels {
        text.push_str("    <tr>");
        for column in columns {
            // The names of row labels stand above them, in the last row.
            let place = (level + column.heading.len()).checked_sub(levels);
            let part = place.and_then(|place| column.heading.get(place)).map_or("", String::as_str);
            text.extend(["<th>", &escaped(part), "</th>"]);
        }
        text.push_str("</tr>\n");
    }
    text.push_str("  </thead>\n  <tbody>\n");
    for line in 0..columns.first().map_or(0, |column| column.cells.len()) {
        text.push_str("    <tr>");
        for column in columns {
            let (open, close) = if column.is_level { ("<th>", "</th>") } else { ("<td>", "</td>") };
            text.extend([open, &escaped(&column.cells[line]), close]);
        }
        text.push_str("</tr>\n");
    }
    text.push_str("  </tbody>\n</table>");
    text
}

fn markdown(columns: &[Printed]) -> String {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let escaped = |text: &str| text.replace('|', "\\|");
    let rule = |column: &Printed| if column.is_right { "---:" } else { ":---" }.to_owned();
    let mut lines = vec![
        line(columns.iter().map(|column| escaped(&column.heading.join(", "))).collect()),
        line(columns.iter().map(rule).collect()),
    ];
    for row in 0..columns.first().map_or(0, |column| column.cells.len()) {
        lines.push(line(columns.iter().map(|column| escaped(&column.cells[row])).collect()));
    }
    lines.join("\n")
}
