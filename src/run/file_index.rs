//! All files of a population in memory, so that they can be searched, filtered
//! and sorted without reading the store for each question.
//!
//! Births never change, and neither do the totals of a file that is dead. So a
//! question reads what was born since the last one, and the totals of those
//! that live.

use crate::api::{FileQuery, FileRow, FileSort, FileState, FilesView};
use crate::evolve::{FileId, Origin};
use crate::store::{Reader, StoreError};

/// The most forebears of a line of descent.
const MAX_FOREBEARS: usize = 2000;

/// The files that were read so far, in the order of their numbers.
#[derive(Debug, Default)]
pub(super) struct FileIndex {
    rows: Vec<FileRow>,
    /// The places of those whose totals may still change.
    open: Vec<usize>,
    /// How many of the files are immigrants.
    immigrants: usize,
}

impl FileIndex {
    /// Reads what is new in the store.
    pub(super) fn update(&mut self, reader: &Reader) -> Result<(), StoreError> {
        let mut still_open = Vec::with_capacity(self.open.len());
        for &place in &self.open {
            let row = &mut self.rows[place];
            if let Some((birth, totals)) = reader.file(row.file)? {
                *row = FileRow {
                    name: row.name.take(),
                    ..FileRow::new(&birth, &totals)
                };
            }
            if is_open(row) {
                still_open.push(place);
            }
        }
        self.open = still_open;
        let next = self.rows.last().map_or(0, |row| row.file.0 + 1);
        let born = reader.files(FileId(next), usize::MAX)?;
        let is_immigrant = |origin| origin == Origin::Immigrant;
        let mut names = if born.iter().any(|(birth, _)| is_immigrant(birth.origin)) {
            reader.immigrant_names()?.split_off(self.immigrants)
        } else {
            Vec::new()
        }
        .into_iter();
        for (birth, totals) in born {
            let mut row = FileRow::new(&birth, &totals);
            if is_immigrant(birth.origin) {
                // Every import is one birth, in the same order.
                row.name = names.next();
                self.immigrants += 1;
            }
            if is_open(&row) {
                self.open.push(self.rows.len());
            }
            self.rows.push(row);
        }
        Ok(())
    }

    /// The row of a file.
    pub(super) fn row(&self, file: FileId) -> Option<&FileRow> {
        let place = self.rows.binary_search_by_key(&file, |row| row.file);
        place.ok().map(|place| &self.rows[place])
    }

    /// The files that a query asks for.
    pub(super) fn list(&self, query: &FileQuery) -> FilesView {
        let search = query
            .search
            .as_deref()
            .map(str::trim)
            .map(str::to_lowercase);
        let mut fitting: Vec<&FileRow> = self
            .rows
            .iter()
            .filter(|row| fits(row, query, search.as_deref()))
            .collect();
        match query.sort {
            FileSort::Number => {}
            FileSort::Points => fitting.sort_by(|a, b| a.points.total_cmp(&b.points)),
            FileSort::Games => fitting.sort_by_key(|row| row.games),
            FileSort::Children => fitting.sort_by_key(|row| row.children),
        }
        if query.descending {
            fitting.reverse();
        }
        let total = fitting.len() as u64;
        let mut rest = fitting.into_iter().skip(query.skip);
        let files = rest.by_ref().take(query.count).cloned().collect();
        FilesView {
            files,
            next: rest.next().map(|row| row.file),
            total,
        }
    }

    /// A file and its first parents, back to one that has none.
    pub(super) fn descent(&self, file: FileId) -> Vec<FileRow> {
        let mut line: Vec<FileRow> = Vec::new();
        let mut next = Some(file);
        while let Some(row) = next.and_then(|file| self.row(file))
            && line.len() < MAX_FOREBEARS
        {
            line.push(row.clone());
            next = row.parents.first().copied();
        }
        line
    }
}

/// Whether a file's totals may still change.
fn is_open(row: &FileRow) -> bool {
    row.death.is_none()
}

fn fits(row: &FileRow, query: &FileQuery, search: Option<&str>) -> bool {
    let state = match row.origin {
        _ if row.alive => Some(FileState::Living),
        _ if row.death.is_some() => Some(FileState::Dead),
        // What a scholar challenged is neither alive nor dead nor in the hall.
        Origin::Consensus => None,
        _ => Some(FileState::Hall),
    };
    let found = |text: &str| {
        let number = text.strip_prefix('#').unwrap_or(text);
        let name = row.name.as_deref().map(str::to_lowercase);
        row.file.0.to_string().starts_with(number) || name.is_some_and(|name| name.contains(text))
    };
    row.file >= query.from
        && query.state.is_none_or(|wanted| Some(wanted) == state)
        && query.origin.is_none_or(|wanted| wanted == row.origin)
        && query
            .parent
            .is_none_or(|parent| row.parents.contains(&parent))
        && search.is_none_or(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::DeathView;
    use crate::evolve::Cause;

    fn row(file: u64, origin: Origin, parents: &[u64], points: f64) -> FileRow {
        FileRow {
            file: FileId(file),
            name: None,
            origin,
            parents: parents.iter().map(|&parent| FileId(parent)).collect(),
            twin: None,
            at: file,
            alive: origin.lives(),
            death: None,
            points,
            games: file,
            children: 0,
        }
    }

    fn index() -> FileIndex {
        let mut rows = vec![
            row(0, Origin::Founder, &[], 1.5),
            row(1, Origin::Founder, &[], -2.0),
            row(2, Origin::Crossover, &[0, 1], 3.0),
            row(3, Origin::Immigrant, &[], 0.0),
            row(4, Origin::Elder, &[], 0.0),
            row(5, Origin::Doubling, &[2], 2.0),
            row(6, Origin::Scholar, &[], 0.5),
            row(7, Origin::Consensus, &[], 0.0),
        ];
        rows[1].alive = false;
        rows[1].death = Some(DeathView {
            at: 9,
            cause: Cause::Capacity,
        });
        rows[3].name = Some(String::from("Strong-One"));
        FileIndex {
            rows,
            ..FileIndex::default()
        }
    }

    fn numbers(query: FileQuery) -> Vec<u64> {
        let found = index().list(&FileQuery { count: 50, ..query });
        assert_eq!(found.total, found.files.len() as u64);
        found.files.iter().map(|row| row.file.0).collect()
    }

    #[test]
    fn files_are_filtered() {
        let all = FileQuery::default;
        assert_eq!(numbers(all()), [0, 1, 2, 3, 4, 5, 6, 7]);
        let state = |state| FileQuery {
            state: Some(state),
            ..all()
        };
        assert_eq!(numbers(state(FileState::Dead)), [1]);
        assert_eq!(numbers(state(FileState::Hall)), [4]);
        assert_eq!(numbers(state(FileState::Living)), [0, 2, 3, 5, 6]);
        let parent = FileQuery {
            parent: Some(FileId(0)),
            ..all()
        };
        assert_eq!(numbers(parent), [2]);
        for (text, expected) in [("STRONG", vec![3]), ("#5", vec![5]), ("77", vec![])] {
            let search = FileQuery {
                search: Some(text.to_owned()),
                ..all()
            };
            assert_eq!(numbers(search), expected, "{text}");
        }
        let founders = FileQuery {
            origin: Some(Origin::Founder),
            from: FileId(1),
            ..all()
        };
        assert_eq!(numbers(founders), [1]);
        let scholars = FileQuery {
            origin: Some(Origin::Scholar),
            ..all()
        };
        assert_eq!(numbers(scholars), [6]);
    }

    #[test]
    fn files_are_sorted_and_paged() {
        let best = FileQuery {
            sort: FileSort::Points,
            descending: true,
            count: 2,
            ..FileQuery::default()
        };
        let found = index().list(&best);
        assert_eq!(found.total, 8);
        assert_eq!(found.files[0].file, FileId(2));
        assert_eq!(found.files[1].file, FileId(5));
        assert_eq!(found.next, Some(FileId(0)));
        let rest = index().list(&FileQuery { skip: 6, ..best });
        assert_eq!(rest.files.len(), 2);
        assert_eq!(rest.next, None);
    }

    #[test]
    fn a_line_of_descent_ends_at_a_founder() {
        let line = index().descent(FileId(5));
        let numbers: Vec<u64> = line.iter().map(|row| row.file.0).collect();
        assert_eq!(numbers, [5, 2, 0]);
        assert!(index().descent(FileId(77)).is_empty());
    }
}
