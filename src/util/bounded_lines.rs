//! Lines of input with a bound on their length: a line may have any bytes, and
//! no more than [`MAX_LINE_BYTES`] of it are held in memory, however much is
//! sent. Knows nothing of what the lines say.

use std::io::{self, BufRead, ErrorKind};

/// The longest line in bytes, without its end; the moves of a game of 2,000
/// plies take 12,000.
pub(crate) const MAX_LINE_BYTES: usize = 1 << 20;

/// One line, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// The text of the line; bytes that are not UTF-8 show as `U+FFFD`.
    Text(String),
    /// The line had more than [`MAX_LINE_BYTES`] bytes and was skipped.
    TooLong,
}

/// The next line; `None` at the end of the input.
///
/// # Errors
/// Every error of the input but `Interrupted`, after which reading goes on.
pub(crate) fn next_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut kept = Vec::new();
    let mut length = 0;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() && length == 0 {
            return Ok(None);
        }
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        if length + part.len() <= MAX_LINE_BYTES {
            kept.extend_from_slice(part);
        }
        length = length.saturating_add(part.len());
        let is_last = chunk.is_empty() || end.is_some();
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if is_last {
            break;
        }
    }
    if length > MAX_LINE_BYTES {
        return Ok(Some(Line::TooLong));
    }
    let text = String::from_utf8_lossy(&kept);
    Ok(Some(Line::Text(text.trim_end_matches('\r').to_owned())))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn lines(bytes: &[u8]) -> Vec<Line> {
        let mut input = BufReader::with_capacity(7, bytes);
        std::iter::from_fn(|| next_line(&mut input).unwrap()).collect()
    }

    fn text(text: &str) -> Line {
        Line::Text(text.to_owned())
    }

    #[test]
    fn every_line_end_is_taken_off() {
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"\n"), [text("")]);
        let expected = [text("one line, longer"), text(""), text("b"), text("c")];
        assert_eq!(lines(b"one line, longer\r\n\nb\nc"), expected);
        assert_eq!(lines(b"\xff\n"), [text("\u{fffd}")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped() {
        let mut bytes = vec![b'a'; MAX_LINE_BYTES];
        bytes.push(b'\n');
        assert_eq!(lines(&bytes), [text(&"a".repeat(MAX_LINE_BYTES))]);
        bytes.insert(0, b'a');
        bytes.extend_from_slice(b"next");
        assert_eq!(lines(&bytes), [Line::TooLong, text("next")]);
    }
}
