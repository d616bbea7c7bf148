//! Presets: sets of values with a name, chosen by one flag.

/// Values that are taken together, below everything that is set explicitly.
#[derive(Debug)]
pub struct Preset {
    /// The flag that asks for it, without its dashes.
    pub name: &'static str,
    /// The paths of keys with their values, as flags would give them.
    pub settings: &'static [(&'static str, &'static str)],
}

/// A run to try things out with: minutes, not hours.
pub const QUICK: Preset = Preset {
    name: "quick",
    settings: &[
        ("evolution.budget", "12000"),
        ("final.certificate_games", "400"),
        ("final.hall_games", "40"),
    ],
};
