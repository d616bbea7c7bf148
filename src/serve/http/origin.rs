//! The texts of the `Host` and `Origin` headers: their host without the port,
//! and whether an origin is this server's own. Knows no request and no policy.

/// The host of an authority, which is its name or number without the port.
pub(super) fn host_of(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => {
            // The colons of an IPv6 number without brackets begin no port.
            if host.contains(':') && !host.ends_with(']') {
                authority
            } else {
                host
            }
        }
        _ => authority,
    }
}

/// Whether an `Origin` is a page of the server that `host`, the request's own
/// `Host` header, names.
pub(super) fn is_own_origin(origin: &[u8], host: &str) -> bool {
    authority_of(origin).is_some_and(|authority| authority.eq_ignore_ascii_case(host))
}

/// The host and port of an `Origin` that a page on the web can have.
pub(super) fn authority_of(origin: &[u8]) -> Option<&str> {
    let origin = std::str::from_utf8(origin).ok()?;
    origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_no_part_of_the_host() {
        for (authority, host) in [
            ("localhost", "localhost"),
            ("localhost:8420", "localhost"),
            ("127.0.0.1:8420", "127.0.0.1"),
            ("[::1]:8420", "[::1]"),
            ("[::1]", "[::1]"),
            ("::1", "::1"),
        ] {
            assert_eq!(host_of(authority), host, "{authority}");
        }
    }

    #[test]
    fn only_the_same_host_and_port_is_the_own_origin() {
        assert!(is_own_origin(b"http://localhost:8420", "localhost:8420"));
        assert!(is_own_origin(b"https://localhost:8420", "localhost:8420"));
        for foreign in [
            "null",
            "",
            "http://localhost",
            "http://localhost:8421",
            "http://example.com",
            "ftp://localhost:8420",
            "http://localhost:8420.example.com",
        ] {
            assert!(
                !is_own_origin(foreign.as_bytes(), "localhost:8420"),
                "{foreign}"
            );
        }
    }
}
