//! The options of the tree search that are words: bandit formulas, ways to draw
//! the moves of a simulation, ways to choose the move to play.

/// Defines an enum whose values have the names that a player's text uses.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$value_doc])* $value,)*
        }

        impl $name {
            /// All values, in the order of their names.
            pub const ALL: [$name; [$($text),*].len()] = [$($name::$value),*];

            /// The names.
            pub const NAMES: [&'static str; [$($text),*].len()] = [$($text),*];
        }
    };
}

choice! {
    /// How a node weighs its moves.
    Bandit {
        /// UCB1: the mean and C √(ln N / n).
        Ucb1 = "ucb1",
        /// UCB1-Tuned: the exploration is scaled by the variance.
        Tuned = "tuned",
        /// UCB1-Tuned with a term for moves of few visits.
        TunedPlus = "tuned-plus",
    }
}

choice! {
    /// What decides the move to play.
    FinalMove {
        /// The move with the most visits.
        Visits = "visits",
        /// The move with the best mean.
        Value = "value",
    }
}

choice! {
    /// How the moves of a simulation are drawn.
    Policy {
        /// Every legal move is equally likely.
        Uniform = "uniform",
        /// By the weight of the move's class.
        Classes = "classes",
        /// Mostly the move after which the evaluation is best.
        Greedy = "greedy",
        /// Mostly the move that a search of two plies finds.
        Search = "search",
    }
}
