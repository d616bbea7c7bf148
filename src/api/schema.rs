//! Descriptions of texts that have a form of their own: positions, moves and
//! names out of a fixed list.
//!
//! In the JSON they are plain strings. The types here have no values; a field
//! names one of them in `#[schema(value_type = …)]`, so that the description of
//! the HTTP interface states the form. Lists of names are taken from the code
//! that prints them.

use std::borrow::Cow;

use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::board::Side;
use crate::charts::Theme;
use crate::eval::genes::Family;
use crate::game::{Reason, Winner};
use crate::search::Algorithm;

/// Declares a type without values whose schema is a string: its name in the
/// description, what the string means and how the schema is restricted.
macro_rules! text_schema {
    ($type:ident, $name:literal, $meaning:literal, $restrict:expr) => {
        #[doc = $meaning]
        pub enum $type {}

        impl PartialSchema for $type {
            fn schema() -> RefOr<Schema> {
                let text = ObjectBuilder::new()
                    .schema_type(Type::String)
                    .description(Some($meaning));
                let restrict: fn(ObjectBuilder) -> ObjectBuilder = $restrict;
                restrict(text).into()
            }
        }

        impl ToSchema for $type {
            fn name() -> Cow<'static, str> {
                Cow::Borrowed($name)
            }
        }
    };
}

text_schema!(
    PositionText,
    "Position",
    "A position: the ranks from 8 to 1, separated by slashes, and the side to move. `x` is a \
     black piece, `o` a white one, a digit that many empty squares.",
    |text| text.pattern(Some("^[xo1-8/]+ [xo]$"))
);

text_schema!(
    MoveText,
    "Move",
    "A move: the square that the piece leaves, `-` or, for a capture, `x`, and the square that it \
     goes to; or `pass`.",
    |text| text.pattern(Some("^([a-h][1-8][-x][a-h][1-8]|pass)$"))
);

text_schema!(
    SideName,
    "Side",
    "A side: Black is `x` and moves first, White is `o`.",
    |text| text.enum_values(Some([Side::X, Side::O].map(|side| side.to_string())))
);

text_schema!(
    WinnerName,
    "Winner",
    "How a game ended: the side that won, or `draw`.",
    |text| {
        let winners = [Winner::Side(Side::X), Winner::Side(Side::O), Winner::Draw];
        text.enum_values(Some(winners.map(Winner::name)))
    }
);

text_schema!(
    ReasonName,
    "Reason",
    "The rule that ended a game.",
    |text| {
        let reasons = [
            Reason::Connected,
            Reason::BothConnected,
            Reason::NoMoves,
            Reason::Repetition,
            Reason::MaxPlies,
        ];
        text.enum_values(Some(reasons.map(Reason::name)))
    }
);

text_schema!(AlgorithmName, "Algorithm", "A search algorithm.", |text| {
    text.enum_values(Some(Algorithm::ALL.map(Algorithm::name)))
});

text_schema!(
    FamilyName,
    "Family",
    "A family of features of the evaluation.",
    |text| text.enum_values(Some(Family::ALL.map(Family::name)))
);

text_schema!(ThemeName, "Theme", "The colours of a chart.", |text| text
    .enum_values(Some(Theme::ALL.map(Theme::name))));
