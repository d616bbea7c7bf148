//! The players of a panel: opponents of other kinds than a run's own player, so
//! that a champion's strength against strangers is known.
//!
//! Owns who may sit on a panel: our own engine with a limit by depth, nodes or
//! simulations, whose games can be played again on any machine. How players are
//! spelled is [`super::spec`]'s, when their games are played is the proof's.

use std::path::Path;

use super::contender::MoveLimits;
use super::spec::{PlayerKind, PlayerSpec, SpecError};
use crate::eval::Weights;
use crate::weights::DEFAULT_WEIGHTS;

/// Why a text is no player of a panel.
#[derive(Debug, thiserror::Error)]
pub enum PanelError {
    /// It is no player at all.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Another program.
    #[error(
        "{0:?} is another program, whose games a certificate cannot repeat; write weights with a \
         search and its limit, as in default@selective:n2000"
    )]
    Program(String),
    /// The time decides what it plays.
    #[error(
        "{0:?} has a limit by time, and its games could not be played again; write a depth as in \
         mtdf:5, nodes as in selective:n2000 or simulations as in mcts:s500"
    )]
    Timed(String),
    /// Nothing says how long it thinks.
    #[error(
        "{0:?} has no limit; write a depth as in mtdf:5, nodes as in selective:n2000 or \
         simulations as in mcts:s500"
    )]
    Open(String),
    /// A file decides what it plays.
    #[error(
        "{0:?} has a book, which a certificate does not hold, and its games could not be played \
         again; leave book= out"
    )]
    Book(String),
    /// It is there already.
    #[error("{0:?} is there twice")]
    Twice(String),
}

/// Checks how the players of a panel are written; their weights are not looked
/// for.
///
/// # Errors
/// The first that cannot sit on a panel.
///
/// ```
/// use loatune::arena::panel::check_texts;
///
/// assert!(check_texts(&["champion@selective:n2000", "default@mcts:s500,c=0.3"]).is_ok());
/// let error = check_texts(&["champion@selective:t0.1"]).unwrap_err();
/// assert!(error.to_string().contains("has a limit by time"));
/// ```
pub fn check_texts<T: AsRef<str>>(texts: &[T]) -> Result<(), PanelError> {
    for (n, text) in texts.iter().map(AsRef::as_ref).enumerate() {
        if texts[..n].iter().any(|before| before.as_ref() == text) {
            return Err(PanelError::Twice(text.to_owned()));
        }
        if text.starts_with("ugi:") {
            return Err(PanelError::Program(text.to_owned()));
        }
        let search = text.rsplit_once('@').map(|(_, search)| search);
        let search = search.ok_or_else(|| PanelError::Open(text.to_owned()))?;
        if search
            .split([':', ','])
            .any(|option| option.starts_with("book="))
        {
            return Err(PanelError::Book(text.to_owned()));
        }
        with_weights(text, search, &Weights::source())?;
    }
    Ok(())
}

/// The player of a panel with this text; weights are looked up in `here`, as by
/// [`PlayerSpec::parse`].
///
/// # Errors
/// It cannot sit on a panel, or its weights cannot be read.
pub fn member(text: &str, here: &Path) -> Result<PlayerSpec, PanelError> {
    check_texts(&[text])?;
    checked(PlayerSpec::parse(text, MoveLimits::default(), here)?)
}

/// The player of a panel whose weights are known: `search` is what stands behind
/// its `@`, `name` what reports call it.
///
/// # Errors
/// It cannot sit on a panel.
pub fn with_weights(name: &str, search: &str, weights: &Weights) -> Result<PlayerSpec, PanelError> {
    let text = format!("{DEFAULT_WEIGHTS}@{search}");
    let spec = PlayerSpec::parse(&text, MoveLimits::default(), Path::new(""));
    let mut spec = spec.map_err(|error| named(error, name))?;
    name.clone_into(&mut spec.text);
    if let PlayerKind::Builtin { weights: own, .. } = &mut spec.kind {
        **own = *weights;
    }
    checked(spec)
}

/// What stands behind the `@` of a player's text: its search, limit and options.
pub fn search_of(text: &str) -> &str {
    text.rsplit_once('@').map_or("", |(_, search)| search)
}

/// An error about a player's text with the text that the user wrote.
fn named(mut error: SpecError, name: &str) -> SpecError {
    match &mut error {
        SpecError::NoBook(text)
        | SpecError::Search { text, .. }
        | SpecError::Book { text, .. }
        | SpecError::BookGames { text, .. }
        | SpecError::Limit { text, .. } => name.clone_into(text),
        SpecError::Empty(_)
        | SpecError::Unknown { .. }
        | SpecError::Weights(_)
        | SpecError::NoCommand => {}
    }
    error
}

fn checked(spec: PlayerSpec) -> Result<PlayerSpec, PanelError> {
    if spec.algorithm().is_none() {
        return Err(PanelError::Program(spec.text));
    }
    if spec.limits.is_timed() {
        return Err(PanelError::Timed(spec.text));
    }
    if spec.limits.is_open() {
        return Err(PanelError::Open(spec.text));
    }
    Ok(spec)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::search::Algorithm;
    use crate::weights::random_weights;

    fn refused(text: &str) -> String {
        check_texts(&[text]).unwrap_err().to_string()
    }

    #[test]
    fn only_what_can_be_repeated_is_taken() {
        for text in [
            "default@mtdf:4",
            "champion@selective:n2000,null_move=0",
            "no/such.toml@mcts:s500,c=0.3",
            "random:7@mcts:n5000",
        ] {
            assert!(check_texts(&[text]).is_ok(), "{text}");
        }
        assert!(refused("default@mtdf:t0.5").contains("has a limit by time"));
        assert!(refused("default@mcts:c10+0.1").contains("has a limit by time"));
        assert!(refused("default@mcts:c=0.3").contains("has no limit"));
        assert!(refused("default@mtdf").contains("has no limit"));
        assert!(refused("default").contains("has no limit"));
        assert!(refused("default@mtdf:4,book=mine.book").contains("has a book"));
        assert!(refused("ugi:./engine").contains("is another program"));
        assert!(refused("default@mtdf:s500").contains("bad limit \"s500\""));
        assert!(refused("mine.toml@mcts:s500,x=1").contains("mine.toml@mcts:s500,x=1"));
        // Threads that share a tree go by the clock.
        assert!(refused("default@mcts:s500,shared_tree=1").contains("not deterministic"));
        let twice = check_texts(&["default@mtdf:4", "default@mtdf:4"]);
        assert!(twice.unwrap_err().to_string().contains("is there twice"));
    }

    #[test]
    fn members_have_their_weights() {
        let here = Path::new("/nowhere");
        let found = member("random:7@selective:n900", here).unwrap();
        assert_eq!(found.text, "random:7@selective:n900");
        assert_eq!(found.algorithm(), Some(Algorithm::Selective));
        assert_eq!(found.limits.nodes, Some(900));
        let again = with_weights(
            "random:7@selective:n900",
            search_of(&found.text),
            &random_weights(7),
        );
        assert_eq!(again.unwrap().kind, found.kind);
        let missing = member("nobody@mtdf:4", here).unwrap_err().to_string();
        assert!(missing.contains("no player \"nobody\""), "{missing}");
    }
}
