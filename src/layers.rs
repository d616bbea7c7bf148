//! The test of the layers: no module uses one that stands below it in
//! `lib.rs`.
//!
//! Owns reading the order of the `pub mod` lines and finding the paths in
//! source text that start at the crate's root. Comments, strings and character
//! literals do not count, so that a module may mention in its documentation
//! what builds on it. Tests inside of the crate are held to the same order.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

/// A path in the source that starts at the crate's root.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Use {
    /// The first name below the root: a module, a macro or another root item.
    name: String,
    /// The line of that name, counted from 1.
    line: usize,
}

/// The names of the `pub mod` lines, in their order.
fn modules(lib: &str) -> Vec<String> {
    lib.lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .map(str::to_owned)
        .collect()
}

/// A word or a single punctuation character, and its line.
type Token = (String, usize);

/// The tokens of Rust source, without comments and literals of text.
fn tokens(source: &str) -> Vec<Token> {
    let letters: Vec<char> = source.chars().collect();
    let at = |n: usize| letters.get(n).copied().unwrap_or('\0');
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut tokens = Vec::new();
    let (mut n, mut line) = (0, 1);
    while n < letters.len() {
        let start = n;
        let mut token = None;
        match letters[n] {
            '/' if at(n + 1) == '/' => {
                while n < letters.len() && at(n) != '\n' {
                    n += 1;
                }
            }
            '/' if at(n + 1) == '*' => n = end_of_block_comment(&letters, n),
            '"' => n = end_of_string(&letters, n),
            'r' | 'b' | 'c' if raw_string(&letters, n).is_some() => {
                n = raw_string(&letters, n).unwrap();
            }
            '\'' => n = end_of_char_or_lifetime(&letters, n),
            letter if is_word(letter) => {
                while is_word(at(n)) {
                    n += 1;
                }
                token = Some(letters[start..n].iter().collect());
            }
            letter => {
                n += 1;
                token = (!letter.is_whitespace()).then(|| letter.to_string());
            }
        }
        tokens.extend(token.map(|text| (text, line)));
        line += letters[start..n].iter().filter(|c| **c == '\n').count();
    }
    tokens
}

/// Block comments nest.
fn end_of_block_comment(letters: &[char], start: usize) -> usize {
    let (mut n, mut depth) = (start, 0);
    while n + 1 < letters.len() {
        match (letters[n], letters[n + 1]) {
            ('/', '*') => depth += 1,
            ('*', '/') => depth -= 1,
            _ => {
                n += 1;
                continue;
            }
        }
        n += 2;
        if depth == 0 {
            return n;
        }
    }
    letters.len()
}

fn end_of_string(letters: &[char], start: usize) -> usize {
    let mut n = start + 1;
    while n < letters.len() && letters[n] != '"' {
        n += if letters[n] == '\\' { 2 } else { 1 };
    }
    (n + 1).min(letters.len())
}

/// The end of a raw string (`r"…"`, `br#"…"#`) that starts here; `None` where
/// the letter belongs to a word.
fn raw_string(letters: &[char], start: usize) -> Option<usize> {
    let mut n = start;
    if matches!(letters[n], 'b' | 'c') {
        n += 1;
    }
    if letters.get(n) != Some(&'r') {
        return None;
    }
    let hashes = letters[n + 1..].iter().take_while(|c| **c == '#').count();
    let quote = n + 1 + hashes;
    if letters.get(quote) != Some(&'"') {
        return None;
    }
    let mut end = quote + 1;
    while end < letters.len() {
        let closing = letters[end + 1..].iter().take(hashes);
        if letters[end] == '"' && closing.filter(|c| **c == '#').count() == hashes {
            return Some(end + 1 + hashes);
        }
        end += 1;
    }
    Some(end)
}

/// After `'x'` and `'\n'`, or after the quote of a lifetime.
fn end_of_char_or_lifetime(letters: &[char], start: usize) -> usize {
    if letters.get(start + 1) == Some(&'\\') {
        let rest = letters.iter().skip(start + 3);
        let length = rest.take_while(|c| **c != '\'').count();
        return (start + 4 + length).min(letters.len());
    }
    if letters.get(start + 2) == Some(&'\'') {
        start + 3
    } else {
        start + 1
    }
}

/// Every path that starts at the crate's root, be it as `crate::…` or by as
/// many `super::` as lead there. `depth` is how many modules the file is below
/// the root.
fn uses(source: &str, depth: usize) -> Vec<Use> {
    let tokens = tokens(source);
    let text = |n: usize| tokens.get(n).map_or("", |(text, _)| text.as_str());
    let is_path = |n: usize| text(n) == ":" && text(n + 1) == ":";
    let mut found = Vec::new();
    // The brace depths at which inline modules (`mod tests {`) were opened.
    let mut inline: Vec<usize> = Vec::new();
    let mut braces = 0;
    let mut n = 0;
    while n < tokens.len() {
        match text(n) {
            "{" => {
                if n >= 2 && text(n - 2) == "mod" {
                    inline.push(braces);
                }
                braces += 1;
            }
            "}" => {
                braces = braces.saturating_sub(1);
                if inline.last() == Some(&braces) {
                    inline.pop();
                }
            }
            "crate" if is_path(n + 1) => found.extend(first_names(&tokens, n + 3)),
            "super" if is_path(n + 1) => {
                let mut supers = 1;
                while text(n + 3) == "super" && is_path(n + 4) {
                    supers += 1;
                    n += 3;
                }
                if supers >= depth + inline.len() {
                    found.extend(first_names(&tokens, n + 3));
                }
            }
            _ => {}
        }
        n += 1;
    }
    found
}

/// The name at `start`, or the first names of the list in braces there.
fn first_names(tokens: &[Token], start: usize) -> Vec<Use> {
    let named = |(text, line): &Token| Use {
        name: text.clone(),
        line: *line,
    };
    let Some(first) = tokens.get(start) else {
        return Vec::new();
    };
    if first.0 != "{" {
        return vec![named(first)];
    }
    let mut found = Vec::new();
    let mut depth = 0;
    let mut is_first = true;
    for token in &tokens[start..] {
        match token.0.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            "," if depth == 1 => is_first = true,
            _ if depth == 1 && is_first => {
                found.push(named(token));
                is_first = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    found
}

/// What is wrong in one file, and how many modules of the list it uses.
fn violations(order: &[String], file: &str, source: &str) -> (Vec<String>, usize) {
    let mut parts: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
    if parts.last() == Some(&"mod") {
        parts.pop();
    }
    let place = |name: &str| order.iter().position(|module| module == name);
    let Some(user) = parts.first().and_then(|module| place(module)) else {
        return (Vec::new(), 0);
    };
    let mut wrong = Vec::new();
    let mut known = 0;
    for Use { name, line } in uses(source, parts.len()) {
        let Some(used) = place(&name) else { continue };
        known += 1;
        if used > user {
            let user = &order[user];
            wrong.push(format!(
                "src/{file}:{line}: `{user}` uses `{name}`, which stands below it in lib.rs"
            ));
        }
    }
    (wrong, known)
}

/// Every `.rs` file below a directory, in the order of their names.
fn sources(directory: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    let mut found = Vec::new();
    for path in entries {
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn no_module_uses_one_that_stands_below_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let order = modules(&fs::read_to_string(src.join("lib.rs")).unwrap());
    let mut wrong = Vec::new();
    let mut known = 0;
    let mut without_files = order.clone();
    for path in sources(&src) {
        let file = path.strip_prefix(&src).unwrap().to_str().unwrap();
        let file = file.replace('\\', "/");
        let found = violations(&order, &file, &fs::read_to_string(&path).unwrap());
        wrong.extend(found.0);
        known += found.1;
        let module = file.split('/').next().unwrap().trim_end_matches(".rs");
        without_files.retain(|name| name != module);
    }
    // A scan that reads nothing must not pass.
    assert!(order.len() > 10, "modules in lib.rs: {order:?}");
    assert!(without_files.is_empty(), "no source of {without_files:?}");
    assert!(known > 100, "only {known} uses of modules were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The rooms that know genes only through the table that they are given: nothing
/// outside of their tests uses the evaluation.
#[test]
fn evolution_and_store_do_not_know_what_genes_mean() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut scanned = 0;
    for room in ["evolve", "store"] {
        for path in sources(&root.join(room)) {
            let file = path.strip_prefix(&root).unwrap().display().to_string();
            if file.contains("tests") {
                continue;
            }
            let source = fs::read_to_string(&path).unwrap();
            let code = source.split("#[cfg(test)]\n#[allow").next().unwrap();
            let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let used = uses(code, 2).into_iter().find(|used| used.name == "eval");
            assert_eq!(used, None, "{file} uses the evaluation");
            scanned += 1;
        }
    }
    assert!(scanned > 30, "only {scanned} files were read");
}

#[test]
fn the_scanner_finds_every_form_of_a_use() {
    let order =
        modules("//! pub mod no;\npub mod low;\nmod hidden;\npub mod mid;\npub mod high;\n");
    assert_eq!(order, ["low", "mid", "high"]);
    let scan = |file: &str, source: &str| violations(&order, file, source);
    let told = |line: usize, used: &str| {
        vec![format!(
            "src/mid/a.rs:{line}: `mid` uses `{used}`, which stands below it in lib.rs"
        )]
    };

    // Downwards is allowed, also to itself; other root items are not counted.
    let source = "use crate::low::A;\nuse crate::mid;\nuse crate::{low, mid::B};\ncrate::shout!();";
    assert_eq!(scan("mid/a.rs", source), (vec![], 4));
    // Upwards: in `use`, in lists over lines, in code, in public uses.
    assert_eq!(scan("mid/a.rs", "\nuse crate::high::A;").0, told(2, "high"));
    let list = "use crate::{\n    low::{high, B},\n    high::{A, C},\n};";
    assert_eq!(scan("mid/a.rs", list), (told(3, "high"), 2));
    let code = "fn f<'a>(x: &'a str) -> u8 {\n    crate :: high::f(x)\n}";
    assert_eq!(scan("mid/a.rs", code).0, told(2, "high"));
    assert_eq!(scan("mid/a.rs", "pub(crate) use crate::high;").0.len(), 1);
    assert_eq!(
        scan("mid.rs", "macro_rules! m { () => { $crate::high::f() } }")
            .0
            .len(),
        1
    );

    // By `super` to the root, with inline modules counted.
    assert_eq!(scan("mid/a.rs", "use super::high;").0.len(), 0);
    assert_eq!(scan("mid/a.rs", "use super::super::high;").0.len(), 1);
    assert_eq!(scan("mid/mod.rs", "use super::high;").0.len(), 1);
    assert_eq!(scan("mid.rs", "mod tests { use super::high; }").0.len(), 0);
    let nested = "mod tests { fn f() {} }\nuse super::high;";
    assert_eq!(scan("mid.rs", nested).0.len(), 1);

    // Comments and literals are not code; what follows them is.
    for text in [
        "// crate::high",
        "/// See [`crate::high`].",
        "/* crate::high /* nested */ crate::high */",
        "const A: &str = \"crate::high \\\" crate::high\";",
        "const A: &str = r#\"crate::high \" crate::high\"#;",
        "const A: &[u8] = br\"crate::high\";",
    ] {
        assert_eq!(scan("mid/a.rs", text), (vec![], 0), "{text}");
        let followed = format!("{text}\nfn f(_: char) {{ f('\"'); f('\\''); crate::high::g() }}");
        assert_eq!(scan("mid/a.rs", &followed).0, told(2, "high"), "{text}");
    }
    // Files that belong to no module of the list are free.
    assert_eq!(scan("main.rs", "use crate::high;"), (vec![], 0));
}
