//! Raw results, and what is made of them without playing: the tables and the
//! pictures of the document. Knows no method and plays no game, so that a test
//! of the documents can use it as well.
//!
//! | file | purpose |
//! |---|---|
//! | `entry` | one line of raw results |
//! | `file` | the lines of a file, one more at a time |
//! | `summary` | means over opponents and seeds, with their errors |
//! | `table` | the tables of the document |
//! | `picture` | its pictures |
//! | `document` | where in the document they stand |

pub(crate) mod document;
pub(crate) mod entry;
pub(crate) mod file;
pub(crate) mod picture;
pub(crate) mod summary;
pub(crate) mod table;
