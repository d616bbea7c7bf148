//! The sessions of browsers. The token is exchanged for a session, which ends:
//! after its time, when the user logs out, and with the process.
//!
//! A session has two random secrets. The page's script keeps the first one in
//! the storage of its origin and sends it in a header; it does what the token
//! does. A browser sends the second one by itself, as a cookie, and to every
//! port of this host; so it does nothing but load pages and their files, which
//! hold nothing about a population.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::token::{Token, TokenError};

/// The longest life of a session.
pub(super) const MAX_AGE: Duration = Duration::from_secs(7 * 24 * 3600);

/// The longest time for which a session is not used.
const MAX_IDLE: Duration = Duration::from_secs(24 * 3600);

/// The most sessions at a time; the one that was not used for longest gives way.
const MAX_SESSIONS: usize = 64;

/// All sessions that are open.
#[derive(Default)]
pub(super) struct Sessions {
    open: Mutex<Vec<Session>>,
}

struct Session {
    secret: Token,
    cookie: Token,
    begun: Instant,
    used: Instant,
}

/// The secrets of a new session.
pub(super) struct NewSession {
    pub(super) secret: Token,
    pub(super) cookie: Token,
}

impl Sessions {
    /// Begins a session.
    pub(super) fn begin(&self, now: Instant) -> Result<NewSession, TokenError> {
        let new = NewSession {
            secret: Token::random()?,
            cookie: Token::random()?,
        };
        let mut open = self.open(now);
        if open.len() >= MAX_SESSIONS
            && let Some(oldest) = (0..open.len()).min_by_key(|&n| open[n].used)
        {
            open.swap_remove(oldest);
        }
        open.push(Session {
            secret: new.secret.clone(),
            cookie: new.cookie.clone(),
            begun: now,
            used: now,
        });
        Ok(new)
    }

    /// Whether `text` is the secret of a session, which counts as its use.
    pub(super) fn has_secret(&self, text: &str, now: Instant) -> bool {
        self.use_one(now, |session| session.secret.is(text))
    }

    /// Whether `text` is the cookie of a session, which counts as its use.
    pub(super) fn has_cookie(&self, text: &str, now: Instant) -> bool {
        self.use_one(now, |session| session.cookie.is(text))
    }

    /// Ends the session with this secret; how many have ended.
    pub(super) fn end(&self, secret: &str, now: Instant) -> usize {
        let mut open = self.open(now);
        let before = open.len();
        open.retain(|session| !session.secret.is(secret));
        before - open.len()
    }

    /// Ends all sessions; how many have ended.
    pub(super) fn end_all(&self, now: Instant) -> usize {
        self.open(now).drain(..).count()
    }

    fn use_one(&self, now: Instant, is_it: impl Fn(&Session) -> bool) -> bool {
        let mut open = self.open(now);
        let found = open.iter_mut().find(|session| is_it(session));
        found.map(|session| session.used = now).is_some()
    }

    /// The sessions whose time is not over.
    fn open(&self, now: Instant) -> MutexGuard<'_, Vec<Session>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|session| {
            now.saturating_duration_since(session.begun) < MAX_AGE
                && now.saturating_duration_since(session.used) < MAX_IDLE
        });
        open
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn each_secret_is_good_for_its_own_use() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        let one = sessions.begin(now).unwrap();
        let other = sessions.begin(now).unwrap();
        assert!(sessions.has_secret(one.secret.reveal(), now));
        assert!(sessions.has_cookie(one.cookie.reveal(), now));
        assert!(!sessions.has_secret(one.cookie.reveal(), now));
        assert!(!sessions.has_cookie(one.secret.reveal(), now));
        assert_eq!(sessions.end(one.cookie.reveal(), now), 0);
        assert_eq!(sessions.end(one.secret.reveal(), now), 1);
        assert!(!sessions.has_secret(one.secret.reveal(), now));
        assert!(!sessions.has_cookie(one.cookie.reveal(), now));
        assert_eq!(sessions.end_all(now), 1);
        assert!(!sessions.has_secret(other.secret.reveal(), now));
    }

    #[test]
    fn a_session_ends_after_its_time_and_when_nobody_uses_it() {
        let (sessions, begin) = (Sessions::default(), Instant::now());
        let idle = sessions.begin(begin).unwrap();
        let used = sessions.begin(begin).unwrap();
        for hour in 1..7 * 24 {
            let now = begin + hour * HOUR;
            assert!(sessions.has_secret(used.secret.reveal(), now), "{hour}");
        }
        let end = begin + 7 * 24 * HOUR;
        assert!(!sessions.has_secret(idle.secret.reveal(), begin + 25 * HOUR));
        assert!(!sessions.has_secret(used.secret.reveal(), end));
    }

    #[test]
    fn there_are_never_too_many() {
        let (sessions, begin) = (Sessions::default(), Instant::now());
        let first = sessions.begin(begin).unwrap();
        let second = sessions.begin(begin).unwrap();
        for n in 1..=MAX_SESSIONS as u32 {
            let now = begin + n * Duration::from_secs(1);
            assert!(sessions.has_secret(second.secret.reveal(), now));
            sessions.begin(now).unwrap();
        }
        let now = begin + HOUR;
        assert!(!sessions.has_secret(first.secret.reveal(), now));
        assert!(sessions.has_secret(second.secret.reveal(), now));
        assert_eq!(sessions.end_all(now), MAX_SESSIONS);
    }
}
