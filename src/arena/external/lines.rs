//! Lines that another program writes: any bytes, of any length. Owns how much
//! of them is kept.

use std::io::{self, BufRead, ErrorKind};

/// The bytes that are kept of a line. What stands after them is read and
/// thrown away: nobody needs that much of a best line.
const KEPT: usize = 8 << 10;

/// The most characters of a line that a message repeats.
const QUOTED: usize = 80;

/// The next line without its end, cut at [`KEPT`] bytes; `None` at the end of
/// the input. Bytes that are no text show as `U+FFFD`.
pub(super) fn next_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut kept = Vec::new();
    let mut is_empty = true;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() && is_empty {
            return Ok(None);
        }
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        kept.extend_from_slice(&part[..part.len().min(KEPT - kept.len())]);
        let is_last = end.is_some() || chunk.is_empty();
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        is_empty = false;
        if is_last {
            let text = String::from_utf8_lossy(&kept);
            return Ok(Some(text.trim_end_matches('\r').to_owned()));
        }
    }
}

/// The beginning of a line, in quotes, safe to show and to record.
pub(super) fn quoted(line: &str) -> String {
    match line.char_indices().nth(QUOTED) {
        None => format!("{line:?}"),
        Some((end, _)) => format!("{:?}...", &line[..end]),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    fn lines(input: impl Read) -> Vec<String> {
        let mut input = BufReader::with_capacity(7, input);
        std::iter::from_fn(|| next_line(&mut input).unwrap()).collect()
    }

    #[test]
    fn lines_end_as_they_like() {
        assert_eq!(lines(&b""[..]), [""; 0]);
        assert_eq!(lines(&b"\n"[..]), [""]);
        assert_eq!(
            lines(&b"readyok\r\n\n\xff\nthe last"[..]),
            ["readyok", "", "\u{fffd}", "the last"]
        );
    }

    #[test]
    fn an_endless_line_is_cut() {
        let long = io::repeat(b'a').take(10 * KEPT as u64);
        let found = lines(long.chain(&b"\nnext"[..]));
        assert_eq!(found, ["a".repeat(KEPT), "next".to_owned()]);
    }

    #[test]
    fn a_quotation_is_short_and_plain() {
        assert_eq!(quoted("a\u{1b}[2J\"b"), r#""a\u{1b}[2J\"b""#);
        let long = quoted(&"é".repeat(1000));
        assert_eq!(long, format!("\"{}\"...", "é".repeat(QUOTED)));
    }
}
