//! Documents whose rows are known only when all of them is read, as lines.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use memchr::{memchr_iter, memrchr};

use super::document::{DocumentFault, MARK, Repeated};
use super::layout::JsonLayout;

/// The rows of a document as lines.
///
/// # Errors
/// [`DocumentFault`] for text that is no document of the layout.
pub(super) fn lines(text: &[u8], layout: JsonLayout) -> Result<Vec<u8>, DocumentFault> {
    let table = Table::new(text, layout)?;
    let mut lines = Vec::with_capacity(text.len() + text.len() / 4);
    let put = |lines: &mut Vec<u8>, value: &Range<usize>| {
        // White space between values; strings have none of it.
        let is_end = |byte: u8| matches!(byte, b'\n' | b'\r');
        lines.extend(text[value.clone()].iter().map(|&byte| if is_end(byte) { b' ' } else { byte }));
    };
    for row in &table.rows {
        match row {
            Row::Object(value) => put(&mut lines, value),
            Row::Values(values) => {
                lines.push(b'{');
                let mut is_first = true;
                for (name, value) in table.names.iter().zip(values) {
                    let Some(value) = value else { continue };
                    if !is_first {
                        lines.push(b',');
                    }
                    is_first = false;
                    lines.extend_from_slice(name);
                    lines.push(b':');
                    put(&mut lines, value);
                }
                lines.push(b'}');
            }
        }
        lines.push(b'\n');
    }
    Ok(lines)
}

/// The line, from 1, on which a row, from 1, begins, or its value in a column.
pub(super) fn line_of_row(text: &[u8], layout: JsonLayout, row: u64, column: Option<&str>) -> Option<u64> {
    let table = Table::new(text, layout).ok()?;
    let row = table.rows.get(usize::try_from(row).ok()?.checked_sub(1)?)?;
    let start = match row {
        Row::Object(value) => value.start,
        Row::Values(values) => {
            let name = column.and_then(|column| serde_json::to_vec(column).ok());
            let at = name.and_then(|name| table.names.iter().position(|other| *other == name));
            let of_column = at.and_then(|at| values.get(at)?.clone());
            of_column.or_else(|| values.iter().flatten().next().cloned())?.start
        }
    };
    Some(memchr_iter(b'\n', &text[..start]).count() as u64 + 1)
}

/// Where the values of rows are in a text.
struct Table {
    /// The names of the columns as JSON has them, with quotes.
    names: Vec<Vec<u8>>,
    rows: Vec<Row>,
}

/// One value of each column, `None` where there is none.
type Values = Vec<Option<Range<usize>>>;

enum Row {
    Object(Range<usize>),
    Values(Values),
}

impl Table {
    fn new(text: &[u8], layout: JsonLayout) -> Result<Self, DocumentFault> {
        let mut scan = Scan { text, at: 0 };
        if text.starts_with(&MARK) {
            scan.at = 3;
        }
        let table = match layout {
            JsonLayout::Columns => columns(&mut scan)?,
            JsonLayout::Split => split(&mut scan)?,
            JsonLayout::Lines | JsonLayout::Records | JsonLayout::Index => {
                let mut rows = Vec::new();
                scan.object(|scan, _| {
                    rows.push(Row::Object(scan.value()?));
                    Ok(())
                })?;
                Table { names: Vec::new(), rows }
            }
        };
        scan.blank();
        if scan.at < text.len() {
            return Err(scan.fault("text follows the end of the document"));
        }
        Ok(table)
    }
}

/// An object of columns.
fn columns(scan: &mut Scan<'_>) -> Result<Table, DocumentFault> {
    let mut names = Vec::new();
    let mut columns_had = HashSet::new();
    let mut columns: Vec<Vec<(usize, Range<usize>)>> = Vec::new();
    let mut labels: HashMap<&[u8], usize> = HashMap::new();
    let mut count = 0;
    let text = scan.text;
    scan.object(|scan, name| {
        let name = text[name].to_vec();
        if !columns_had.insert(name.clone()) {
            return Err(scan.repeated(&name, None));
        }
        let mut values: Vec<(usize, Range<usize>)> = Vec::new();
        let mut had = HashSet::new();
        if scan.peek() == Some(b'[') {
            scan.array(|scan| {
                values.push((values.len(), scan.value()?));
                Ok(())
            })?;
        } else {
            scan.object(|scan, label| {
                let next = labels.len();
                let row = *labels.entry(&text[label.clone()]).or_insert(next);
                if !had.insert(row) {
                    return Err(scan.repeated(&name, Some(&text[label])));
                }
                values.push((row, scan.value()?));
                Ok(())
            })?;
        }
        names.push(name);
        count = count.max(values.iter().map(|(row, _)| row + 1).max().unwrap_or(0));
        columns.push(values);
        Ok(())
    })?;
    let mut rows = vec![vec![None; names.len()]; count];
    for (column, values) in columns.into_iter().enumerate() {
        for (row, value) in values {
            rows[row][column] = Some(value);
        }
    }
    Ok(Table { names, rows: rows.into_iter().map(Row::Values).collect() })
}

/// Names of columns, and arrays of rows.
fn split(scan: &mut Scan<'_>) -> Result<Table, DocumentFault> {
    let mut names: Option<Vec<Vec<u8>>> = None;
    let mut rows: Option<Vec<Values>> = None;
    let mut starts = Vec::new();
    let mut members = Vec::new();
    let text = scan.text;
    scan.object(|scan, member| {
        let member = &text[member];
        if members.contains(&member) {
            return Err(scan.fault(&format!("the document has {} twice", shown(member))));
        }
        members.push(member);
        match member {
            b"\"columns\"" => {
                let mut found = Vec::new();
                let mut had = HashSet::new();
                scan.array(|scan| {
                    let name = &text[scan.value()?];
                    // A number is the name that it is written as.
                    let name = if name.starts_with(b"\"") {
                        name.to_vec()
                    } else {
                        serde_json::to_vec(&String::from_utf8_lossy(name)).unwrap_or_default()
                    };
                    if !had.insert(name.clone()) {
                        return Err(scan.repeated(&name, None));
                    }
                    found.push(name);
                    Ok(())
                })?;
                names = Some(found);
            }
            b"\"data\"" => {
                let mut found = Vec::new();
                scan.array(|scan| {
                    scan.blank();
                    starts.push(scan.at);
                    let mut values = Vec::new();
                    scan.array(|scan| {
                        values.push(Some(scan.value()?));
                        Ok(())
                    })?;
                    found.push(values);
                    Ok(())
                })?;
                rows = Some(found);
            }
            b"\"index\"" | b"\"index_names\"" | b"\"column_names\"" => {
                scan.value()?;
            }
            _ => return Err(scan.fault("a member is none of columns, index and data")),
        }
        Ok(())
    })?;
    let (Some(names), Some(rows)) = (names, rows) else {
        return Err(scan.fault("the document has no columns or no data"));
    };
    if let Some(at) = rows.iter().position(|row| row.len() != names.len()) {
        scan.at = starts[at] + 1;
        let reason = format!("row {} has {} values for {} columns", at + 1, rows[at].len(), names.len());
        return Err(scan.fault(&reason));
    }
    Ok(Table { names, rows: rows.into_iter().map(Row::Values).collect() })
}

/// A name or a label of a text, which may be no UTF-8.
fn shown(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

/// A name or a label without quotes and escapes; a number is as it is written.
fn unquoted(text: &[u8]) -> String {
    serde_json::from_slice(text).unwrap_or_else(|_| shown(text))
}

/// Goes over values of JSON without looking into them.
struct Scan<'a> {
    text: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn fault(&self, reason: &str) -> DocumentFault {
        let before = &self.text[..self.at.min(self.text.len())];
        let line = memchr_iter(b'\n', before).count() as u64 + 1;
        let start = memrchr(b'\n', before).map_or(0, |end| end + 1);
        let byte = (before.len() - start).max(1) as u64;
        DocumentFault { line, byte, reason: reason.to_owned(), repeated: None }
    }

    /// A column, or a row of one, that the document has before; both as they are written.
    fn repeated(&self, column: &[u8], row: Option<&[u8]>) -> DocumentFault {
        let reason = match row {
            None => format!("the document has the column {} twice", shown(column)),
            Some(row) => format!("column {} has the row {} twice", shown(column), shown(row)),
        };
        let repeated = Repeated { column: unquoted(column), row: row.map(unquoted) };
        DocumentFault { repeated: Some(repeated), ..self.fault(&reason) }
    }

    fn blank(&mut self) {
        let rest = &self.text[self.at..];
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        self.at += rest.iter().position(|byte| !is_blank(byte)).unwrap_or(rest.len());
    }

    /// The next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        self.blank();
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Result<u8, DocumentFault> {
        let byte = self.peek();
        self.at += 1;
        byte.ok_or_else(|| self.fault("the document ends too early"))
    }

    fn expect(&mut self, expected: u8) -> Result<(), DocumentFault> {
        if self.next()? == expected {
            return Ok(());
        }
        Err(self.fault(&format!("{} is expected", char::from(expected))))
    }

    /// The members of an object: `member` goes over the value, given where the name is.
    fn object(
        &mut self,
        mut member: impl FnMut(&mut Self, Range<usize>) -> Result<(), DocumentFault>,
    ) -> Result<(), DocumentFault> {
        self.expect(b'{')?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        loop {
            if self.peek() != Some(b'"') {
                self.at += 1;
                return Err(self.fault("a name in quotes is expected"));
            }
            let name = self.value()?;
            self.expect(b':')?;
            member(self, name)?;
            match self.next()? {
                b',' => {}
                b'}' => return Ok(()),
                _ => return Err(self.fault("a comma or } is expected")),
            }
        }
    }

    /// The items of an array: `item` goes over each.
    fn array(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<(), DocumentFault>,
    ) -> Result<(), DocumentFault> {
        self.expect(b'[')?;
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(());
        }
        loop {
            item(self)?;
            match self.next()? {
                b',' => {}
                b']' => return Ok(()),
                _ => return Err(self.fault("a comma or ] is expected")),
            }
        }
    }

    /// Goes over a value: its brackets and strings are closed. Whether it is one is seen when it is decoded.
    fn value(&mut self) -> Result<Range<usize>, DocumentFault> {
        self.blank();
        let start = self.at;
        let mut depth = 0_usize;
        loop {
            match self.text.get(self.at).copied() {
                None => return Err(self.fault("the document ends too early")),
                Some(b'"') => self.string()?,
                Some(b'{' | b'[') => {
                    depth += 1;
                    self.at += 1;
                    continue;
                }
                Some(b'}' | b']' | b',' | b':') if depth == 0 => {
                    self.at += 1;
                    return Err(self.fault("a value is expected"));
                }
                Some(b'}' | b']') => {
                    depth -= 1;
                    self.at += 1;
                }
                Some(_) => {
                    let rest = &self.text[self.at..];
                    let is_end = |byte: &u8| {
                        byte.is_ascii_whitespace()
                            || matches!(byte, b'"' | b'{' | b'}' | b'[' | b']' | b',' | b':')
                    };
                    self.at += rest.iter().position(is_end).unwrap_or(rest.len()).max(1);
                }
            }
            if depth == 0 {
                return Ok(start..self.at);
            }
            // Between the values of an array or an object.
            while let Some(b',' | b':' | b' ' | b'\t' | b'\r' | b'\n') = self.text.get(self.at) {
                self.at += 1;
            }
        }
    }

    fn string(&mut self) -> Result<(), DocumentFault> {
        self.at += 1;
        loop {
            match self.text.get(self.at).copied() {
                None => return Err(self.fault("the document ends within a string")),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.at += 2,
                Some(byte) if byte < b' ' => {
                    self.at += 1;
                    return Err(self.fault("a control character is in a string"));
                }
                Some(_) => self.at += 1,
            }
        }
    }
}
