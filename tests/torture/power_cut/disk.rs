//! A disk as the records of a process leave it: what is safe on it, and what is
//! only in memory until it is synced.
//!
//! The rules are strict. A sync of a file makes its content and its length safe,
//! and nothing else: its name is safe when the directory is synced that holds it,
//! and that directory's own name when the one above is. `sync_file_range` makes
//! nothing safe.

use std::collections::{BTreeMap, HashMap};

use crate::io_shim::record::Record;

/// A file or a directory, by its place in [`Disk::nodes`].
pub(super) type Id = usize;

#[derive(Clone, Debug)]
pub(super) enum Node {
    File(Content),
    Directory(Names),
}

/// The content of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    pub(super) safe: Vec<u8>,
    /// What was changed since the last sync, in order.
    pub(super) pending: Vec<Change>,
}

#[derive(Clone, Debug)]
pub(super) enum Change {
    Write { offset: usize, data: Vec<u8> },
    SetLength(usize),
}

impl Change {
    pub(super) fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Change::Write { offset, data } => {
                let end = offset + data.len();
                if bytes.len() < end {
                    bytes.resize(end, 0);
                }
                bytes[*offset..end].copy_from_slice(data);
            }
            Change::SetLength(length) => bytes.resize(*length, 0),
        }
    }
}

/// The names in a directory.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub(super) safe: BTreeMap<String, Id>,
    pub(super) now: BTreeMap<String, Id>,
    /// What was changed since the last sync, in order, with a number that orders
    /// the changes of all directories.
    pub(super) pending: Vec<(u64, NameChange)>,
}

/// A change of a directory, which happens as a whole or not at all.
#[derive(Clone, Debug)]
pub(super) struct NameChange {
    removed: Option<(String, Id)>,
    added: Option<(String, Id)>,
}

impl NameChange {
    pub(super) fn apply(&self, names: &mut BTreeMap<String, Id>) {
        if let Some((name, id)) = &self.removed
            && names.get(name) == Some(id)
        {
            names.remove(name);
        }
        if let Some((name, id)) = &self.added {
            names.insert(name.clone(), *id);
        }
    }
}

#[derive(Debug)]
pub(super) struct Disk {
    pub(super) nodes: Vec<Node>,
    open: HashMap<i32, Id>,
    changes: u64,
}

impl Disk {
    /// The watched directory.
    pub(super) const ROOT: Id = 0;

    /// The disk after these records.
    pub(super) fn after(records: &[Record]) -> Disk {
        let mut disk = Disk {
            nodes: vec![Node::Directory(Names::default())],
            open: HashMap::new(),
            changes: 0,
        };
        for record in records {
            // What cannot be followed concerns files that are not watched.
            let _ = disk.apply(record);
        }
        disk
    }

    fn apply(&mut self, record: &Record) -> Option<()> {
        match record {
            Record::Start => self.open.clear(),
            Record::Settled => (0..self.nodes.len()).for_each(|id| self.sync(id)),
            Record::Open {
                fd,
                path,
                created,
                truncated,
            } => {
                let id = if *created {
                    self.create(path, Node::File(Content::default()))?
                } else {
                    self.find(path)?
                };
                self.open.insert(*fd, id);
                if *truncated {
                    self.change(*fd, Change::SetLength(0))?;
                }
            }
            Record::Close { fd } => {
                self.open.remove(fd);
            }
            Record::Duplicate { fd, copy } => {
                let id = *self.open.get(fd)?;
                self.open.insert(*copy, id);
            }
            Record::Write { fd, offset, data } => {
                let offset = usize::try_from(*offset).ok()?;
                let data = data.clone();
                self.change(*fd, Change::Write { offset, data })?;
            }
            Record::SetLength { fd, length } => {
                self.change(*fd, Change::SetLength(usize::try_from(*length).ok()?))?;
            }
            Record::Sync { fd } => {
                let id = *self.open.get(fd)?;
                self.sync(id);
            }
            Record::Rename { from, to } => self.rename(from, to)?,
            Record::Link { from, to } => {
                let id = self.find(from)?;
                let (directory, name) = self.place(to)?;
                self.edit(directory, None, Some((name, id)));
            }
            Record::Remove { path } => {
                let id = self.find(path)?;
                let (directory, name) = self.place(path)?;
                self.edit(directory, Some((name, id)), None);
            }
            Record::MakeDirectory { path } => {
                self.create(path, Node::Directory(Names::default()))?;
            }
        }
        Some(())
    }

    fn create(&mut self, path: &str, node: Node) -> Option<Id> {
        let (directory, name) = self.place(path)?;
        let id = self.nodes.len();
        self.nodes.push(node);
        self.edit(directory, None, Some((name, id)));
        Some(id)
    }

    /// A rename within a directory is one change; from one to another it is two,
    /// of which either may be lost.
    fn rename(&mut self, from: &str, to: &str) -> Option<()> {
        let id = self.find(from)?;
        let (old, old_name) = self.place(from)?;
        let (new, new_name) = self.place(to)?;
        if old == new {
            self.edit(old, Some((old_name, id)), Some((new_name, id)));
        } else {
            self.edit(new, None, Some((new_name, id)));
            self.edit(old, Some((old_name, id)), None);
        }
        Some(())
    }

    fn edit(&mut self, directory: Id, removed: Option<(String, Id)>, added: Option<(String, Id)>) {
        let change = NameChange { removed, added };
        self.changes += 1;
        if let Node::Directory(names) = &mut self.nodes[directory] {
            change.apply(&mut names.now);
            names.pending.push((self.changes, change));
        }
    }

    fn change(&mut self, fd: i32, change: Change) -> Option<()> {
        let id = *self.open.get(&fd)?;
        if let Node::File(content) = &mut self.nodes[id] {
            content.pending.push(change);
        }
        Some(())
    }

    fn sync(&mut self, id: Id) {
        match &mut self.nodes[id] {
            Node::File(content) => {
                for change in content.pending.drain(..) {
                    change.apply(&mut content.safe);
                }
            }
            Node::Directory(names) => {
                names.safe.clone_from(&names.now);
                names.pending.clear();
            }
        }
    }

    /// What has a path now, in memory.
    pub(super) fn find(&self, path: &str) -> Option<Id> {
        let parts = path.split('/').filter(|part| !part.is_empty());
        parts.fold(Some(Disk::ROOT), |at, part| match &self.nodes[at?] {
            Node::Directory(names) => names.now.get(part).copied(),
            Node::File(_) => None,
        })
    }

    /// The directory and the name of a path.
    fn place(&self, path: &str) -> Option<(Id, String)> {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        Some((self.find(directory)?, name.to_owned()))
    }

    /// The number of the last change of a directory.
    pub(super) fn name_changes(&self) -> u64 {
        self.changes
    }
}
