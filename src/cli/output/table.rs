//! Tables as plain text: no borders, two spaces between columns, numbers to
//! the right. Widths are columns of a terminal, so wide characters align.

use comfy_table::{CellAlignment, ColumnConstraint, Row, Table, Width, presets};

/// The spaces between two columns.
const GAP: u16 = 2;

/// A column of a table: its heading, its side and its least width.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    heading: String,
    alignment: CellAlignment,
    least_width: u16,
}

impl Column {
    /// A column of text.
    pub(crate) fn left(heading: impl Into<String>) -> Column {
        Column {
            heading: heading.into(),
            alignment: CellAlignment::Left,
            least_width: 0,
        }
    }

    /// A column of numbers.
    pub(crate) fn right(heading: impl Into<String>) -> Column {
        Column {
            alignment: CellAlignment::Right,
            ..Column::left(heading)
        }
    }

    /// The column is at least so wide, however short its cells: tables of the
    /// same kind look alike.
    pub(crate) fn at_least(mut self, width: u16) -> Column {
        self.least_width = width;
        self
    }
}

/// A table that is printed when all rows are known. A row is one line.
pub(crate) struct TextTable {
    columns: Vec<Column>,
    table: Table,
    /// Lines of their own, each with the number of rows above it.
    notes: Vec<(usize, String)>,
}

impl TextTable {
    /// A table without rows.
    pub(crate) fn new(columns: impl IntoIterator<Item = Column>) -> TextTable {
        let columns: Vec<Column> = columns.into_iter().collect();
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.set_header(columns.iter().map(|column| &column.heading));
        TextTable {
            columns,
            table,
            notes: Vec::new(),
        }
    }

    /// Adds a row; cells that are missing at its end stay empty. Line breaks
    /// and tabs in cells become spaces.
    pub(crate) fn row<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = C>) {
        let cells = cells.into_iter();
        let cells: Vec<String> = cells.map(|cell| one_line(cell.as_ref())).collect();
        self.table.add_row(Row::from(cells));
    }

    /// Adds a line about the last row, which begins behind the first column and
    /// takes as much room as it needs.
    pub(crate) fn note(&mut self, text: &str) {
        self.notes.push((self.table.row_count(), one_line(text)));
    }

    /// The lines of the table, without spaces at their ends.
    pub(crate) fn text(mut self) -> String {
        let last = self.columns.len().saturating_sub(1);
        for (n, column) in self.columns.iter().enumerate() {
            let gap = if n == last { 0 } else { GAP };
            if let Some(settings) = self.table.column_mut(n) {
                settings.set_padding((0, gap));
                settings.set_cell_alignment(column.alignment);
                // The constraint includes the padding.
                let least = Width::Fixed(column.least_width + gap);
                settings.set_constraint(ColumnConstraint::LowerBoundary(least));
            }
        }
        let widths = self.table.column_max_content_widths();
        let indent = usize::from(widths.first().copied().unwrap_or(0) + GAP + 1);
        let mut notes = self.notes.iter().peekable();
        let mut text = String::new();
        for (rows_above, line) in self.table.trim_fmt().lines().enumerate() {
            text += &format!("{line}\n");
            while let Some((_, note)) = notes.next_if(|(row, _)| *row == rows_above) {
                text += &format!("{:indent$}{note}\n", "");
            }
        }
        text
    }
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r', '\t'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_to_the_right_and_text_to_the_left() {
        let mut table = TextTable::new([
            Column::left("name"),
            Column::right("games"),
            Column::left("champion"),
        ]);
        table.row(["a", "1,000 of 30,000", "-"]);
        table.row(["longer", "5", "here"]);
        table.row(["b"]);
        assert_eq!(
            table.text(),
            "name              games  champion\n\
             a       1,000 of 30,000  -\n\
             longer                5  here\n\
             b\n"
        );
    }

    #[test]
    fn rows_are_lines_and_notes_follow_them() {
        let mut table = TextTable::new([Column::left("name"), Column::right("n")]);
        table.row(["a\nb", "1"]);
        table.note("first");
        table.note("second, longer than the row");
        table.row(["c", "2"]);
        assert_eq!(
            table.text(),
            "name  n\na b   1\n       first\n       second, longer than the row\nc     2\n"
        );
    }

    #[test]
    fn columns_have_a_least_width() {
        let mut table = TextTable::new([
            Column::left("name").at_least(6),
            Column::right("W").at_least(3),
        ]);
        table.row(["a", "1"]);
        assert_eq!(table.text(), "name      W\na         1\n");
    }

    #[test]
    fn wide_characters_align() {
        let mut table = TextTable::new([Column::left("name"), Column::right("n")]);
        table.row(["対局", "1"]);
        table.row(["abcd", "2"]);
        assert_eq!(table.text(), "name  n\n対局  1\nabcd  2\n");
    }

    #[test]
    fn long_cells_are_neither_wrapped_nor_cut() {
        let long = "word ".repeat(60) + "end";
        let mut table = TextTable::new([Column::left("a"), Column::left("b")]);
        table.row([long.as_str(), "x"]);
        let text = table.text();
        assert_eq!(text.lines().count(), 2);
        assert!(text.contains(&(long + "  x\n")), "{text}");
    }
}
