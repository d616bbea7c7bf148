//! Documents in Markdown, as far as their checks need it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

pub(super) const ROOT: &str = env!("CARGO_MANIFEST_DIR");

pub(super) struct Document {
    /// Seen from the root of the project.
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) text: String,
}

pub(super) fn read(name: &str) -> String {
    let path = Path::new(ROOT).join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Everything that people read, but for what is inside of the source.
pub(super) fn documents() -> Vec<Document> {
    let mut names = vec![String::from("populations/README.md")];
    for folder in ["", "docs/"] {
        for file in fs::read_dir(Path::new(ROOT).join(folder)).unwrap() {
            let file = file.unwrap().file_name().into_string().unwrap();
            if file.ends_with(".md") {
                names.push(format!("{folder}{file}"));
            }
        }
    }
    names.sort();
    let documents: Vec<Document> = names.iter().map(|name| Document::new(name)).collect();
    assert!(documents.len() >= 14, "{names:?}");
    documents
}

impl Document {
    pub(super) fn new(name: &str) -> Document {
        Document {
            name: name.to_owned(),
            path: Path::new(ROOT).join(name),
            text: read(name),
        }
    }

    /// Its lines, with whether they are inside of a fenced block.
    pub(super) fn lines(&self) -> impl Iterator<Item = (bool, &str)> {
        let mut inside = false;
        self.text.lines().map(move |line| {
            let is_fence = line.trim_start().starts_with("```");
            inside ^= is_fence;
            (inside || is_fence, line)
        })
    }

    pub(super) fn headings(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.lines().filter(|(inside, _)| !inside);
        lines.filter_map(|(_, line)| {
            let level = line.len() - line.trim_start_matches('#').len();
            let title = line[level..].strip_prefix(' ')?;
            (level > 0).then_some((level, title))
        })
    }

    /// The names under which headings can be reached, as GitHub makes them.
    pub(super) fn anchors(&self) -> BTreeSet<String> {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let name = |(_, title): (usize, &str)| {
            let kept = |letter: &char| letter.is_alphanumeric() || " -_".contains(*letter);
            let slug: String = title.chars().filter(kept).collect();
            let slug = slug.to_lowercase().replace(' ', "-");
            let count = seen.entry(slug.clone()).or_default();
            *count += 1;
            match *count {
                1 => slug,
                more => format!("{slug}-{}", more - 1),
            }
        };
        self.headings().map(name).collect()
    }

    /// What stands below a heading, up to the next of its level.
    pub(super) fn section(&self, title: &str) -> Option<String> {
        let mut section: Option<(usize, String)> = None;
        for (inside, line) in self.lines() {
            let level = line.len() - line.trim_start_matches('#').len();
            let is_heading = !inside && level > 0 && line[level..].starts_with(' ');
            match &mut section {
                Some((own, _)) if is_heading && level <= *own => break,
                Some((_, text)) => {
                    text.push_str(line);
                    text.push('\n');
                }
                None if is_heading && line[level..].trim().replace('`', "") == title => {
                    section = Some((level, String::new()));
                }
                None => {}
            }
        }
        section.map(|(_, text)| text)
    }

    /// Where its links and pictures lead.
    pub(super) fn links(&self) -> Vec<String> {
        let mut links = Vec::new();
        for (_, line) in self.lines().filter(|(inside, _)| !inside) {
            // Code has no links in it.
            let prose: Vec<&str> = line.split('`').step_by(2).collect();
            let prose = prose.join("code");
            for (start, end) in [("](", ')'), ("src=\"", '"'), ("href=\"", '"')] {
                let parts = prose.split(start).skip(1);
                links.extend(parts.filter_map(|part| Some(part.split_once(end)?.0.to_owned())));
            }
        }
        links
    }

    /// Code inside of the text.
    pub(super) fn code(&self) -> impl Iterator<Item = &str> {
        let prose = self.lines().filter(|(inside, _)| !inside);
        prose.flat_map(|(_, line)| line.split('`').skip(1).step_by(2))
    }

    /// The words after `loatune` wherever it is a command: in code inside of
    /// the text, after `$ ` and in blocks of commands.
    pub(super) fn mentions(&self) -> Vec<Vec<String>> {
        let mut code: Vec<&str> = self.code().collect();
        let mut in_commands = false;
        for (_, line) in self.lines().filter(|(inside, _)| *inside) {
            if line.starts_with("```") {
                in_commands = line == "```sh";
            } else if let Some(command) = line.strip_prefix("$ ") {
                code.push(command);
            } else if in_commands {
                code.push(line);
            }
        }
        let commands = code.iter().filter_map(|code| code.strip_prefix("loatune "));
        let words = |command: &str| {
            let words = command.split_whitespace().map(str::to_owned);
            let ends = |word: &String| !["|", ">", "&&", ";", "#"].contains(&word.as_str());
            words.take_while(ends).collect()
        };
        commands.map(words).collect()
    }
}

/// The path without `.` and `..`.
pub(super) fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(normal.pop()),
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}
