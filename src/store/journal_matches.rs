//! The matches of a journal, one after the other, with the parameters that were
//! valid. A journal only grows, so this needs no lock and writes nothing: it reads
//! as far as the journal goes, also while another process appends to it.

use std::path::Path;

use super::codec::{Stored, decode};
use super::error::StoreError;
use super::fold::parse;
use super::journal::{FrameReader, JournalError, JournalTail};
use super::layout::Layout;
use super::record::{Begin, Entry, MatchRecord};
use super::sled_store::TableError;
use crate::genome::GeneTable;
use crate::params::Params;

/// Reads the matches of a population's journal in order.
#[derive(Debug)]
pub struct JournalMatches {
    frames: FrameReader,
    params: Params,
    genes: GeneTable,
    path: std::path::PathBuf,
}

impl JournalMatches {
    /// Begins at the first match of the population in `dir`.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn open(dir: &Path) -> Result<JournalMatches, StoreError> {
        let path = Layout::new(dir).journal();
        let mut frames = FrameReader::open(&path)?;
        let begin: Begin = decode_entry(frames.next_frame()?.unwrap_or_default())?;
        let params = parse(&begin.params, 0, &begin.genes)?;
        Ok(JournalMatches {
            frames,
            params,
            genes: begin.genes,
            path,
        })
    }

    /// The parameters that were valid for the match that was read last.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The next match; `None` at the end. An entry that is not written to its end
    /// is not there yet.
    ///
    /// # Errors
    /// The journal is damaged or cannot be read.
    pub fn next_match(&mut self) -> Result<Option<MatchRecord>, StoreError> {
        loop {
            let number = self.frames.position().entries;
            let Some(payload) = self.frames.next_frame()? else {
                return match self.frames.tail()? {
                    JournalTail::Damaged(next) => Err(StoreError::Journal(JournalError::Damaged {
                        path: self.path.clone(),
                        offset: self.frames.offset(),
                        next,
                    })),
                    _ => Ok(None),
                };
            };
            match decode_entry(payload)? {
                Entry::Match(record) => return Ok(Some(record)),
                Entry::Changed { params, .. } | Entry::Extended { params, .. } => {
                    self.params = parse(&params, number, &self.genes)?;
                }
                _ => {}
            }
        }
    }
}

fn decode_entry<T: Stored>(payload: &[u8]) -> Result<T, StoreError> {
    decode(payload).map_err(|source| {
        StoreError::Table(TableError::Value {
            table: "journal",
            key: String::from("entry"),
            source,
        })
    })
}
