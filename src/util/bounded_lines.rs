//! Lines that come from outside. Owns what a line may be: of any bytes, which
//! become text one way or another, and no longer than [`LONGEST`], however
//! much is sent. It knows nothing of what the lines say.

use std::io::{self, BufRead, ErrorKind};

/// The most bytes of a line that are kept; a game of 2,000 moves has 12,000.
pub(crate) const LONGEST: usize = 1 << 20;

/// One line, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Its text; bytes that are no text show as `U+FFFD`.
    Text(String),
    /// It was longer than [`LONGEST`] bytes and is gone.
    TooLong,
}

/// The next line; `None` at the end of the input.
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
        if length + part.len() <= LONGEST {
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
    if length > LONGEST {
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
    fn lines_end_as_they_like() {
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"\n"), [text("")]);
        let expected = [text("one line, longer"), text(""), text("b"), text("c")];
        assert_eq!(lines(b"one line, longer\r\n\nb\nc"), expected);
        assert_eq!(lines(b"\xff\n"), [text("\u{fffd}")]);
    }

    #[test]
    fn a_line_without_end_takes_no_memory() {
        let mut bytes = vec![b'a'; LONGEST];
        bytes.push(b'\n');
        assert_eq!(lines(&bytes), [text(&"a".repeat(LONGEST))]);
        bytes.insert(0, b'a');
        bytes.extend_from_slice(b"next");
        assert_eq!(lines(&bytes), [Line::TooLong, text("next")]);
    }
}
