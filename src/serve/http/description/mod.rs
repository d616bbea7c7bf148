//! The description of the HTTP interface, OpenAPI 3.1.
//!
//! It is derived: the schemas from the types of [`crate::api`], the paths from
//! the handlers. What the derive cannot know is added here: the way to show
//! the token, and that answers have all of their fields and no others
//! (`closed_objects`).

mod closed_objects;

use std::sync::LazyLock;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

use super::reply::Failure;
use super::{
    chances, control, engine_games, explanations, login, metrics, population, positions, stream,
    weight_files,
};
use crate::api::{ErrorView, EventsView};

/// The description of the interface as JSON.
pub static OPENAPI: LazyLock<String> = LazyLock::new(|| {
    let mut description = serde_json::json!(Interface::openapi());
    closed_objects::close(&mut description);
    // The registered names of the formats are `uint32` and `uint64`.
    description.to_string().replace("\"u-int", "\"uint")
});

#[derive(OpenApi)]
#[openapi(
    info(
        title = "loatune",
        version = "1",
        description = "An evolution of Lines of Action weights: what it does, and positions to look at. Beyond loopback every request needs the token; what changes something needs it everywhere.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    paths(
        population::status,
        population::fleet,
        population::files,
        population::file,
        population::descent,
        population::living,
        population::params,
        population::speed,
        weight_files::weights,
        population::matches,
        population::match_record,
        stream::events,
        weight_files::champion,
        explanations::explanation,
        population::history,
        population::charts,
        population::chart,
        positions::moves,
        positions::analyse,
        positions::curve,
        chances::chance,
        chances::calibration,
        engine_games::lines,
        engine_games::duel,
        population::populations,
        positions::write_sgf,
        positions::read_sgf,
        control::session,
        login::login,
        login::logout,
        control::stop,
        control::import,
        openapi,
        metrics::metrics,
        metrics::healthz,
    ),
    components(schemas(ErrorView, EventsView), responses(Failure)),
    modifiers(&TokenScheme),
    tags(
        (name = "population", description = "The population: its status, files, matches, history and charts."),
        (name = "positions", description = "Positions and games: legal moves, analyses, value curves and SGF."),
        (name = "control", description = "What changes something, and whether the client may."),
        (name = "server", description = "The server itself."),
    ),
)]
struct Interface;

/// How a request carries the token or a session.
struct TokenScheme;

impl Modify for TokenScheme {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let bearer = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some(
                "The token of the population's directory, or a session from `/api/login`.",
            ));
        let components = openapi.components.get_or_insert_default();
        components.add_security_scheme("bearer", SecurityScheme::Http(bearer.build()));
    }
}

/// This description.
#[utoipa::path(
    get,
    path = "/api/openapi.json",
    operation_id = "getDescription",
    tag = "server",
    responses((status = 200, description = "The answer", body = Object, content_type = "application/json")),
)]
pub(super) async fn openapi() -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json")];
    (headers, OPENAPI.as_str()).into_response()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_leads_somewhere() {
        let description: serde_json::Value = serde_json::from_str(&OPENAPI).unwrap();
        assert_eq!(description["openapi"], "3.1.0");
        let references: Vec<&str> = OPENAPI.split("\"$ref\":\"#").skip(1).collect();
        assert!(references.len() > 100, "{}", references.len());
        for reference in references {
            let pointer = reference.split('"').next().unwrap();
            assert!(description.pointer(pointer).is_some(), "{pointer}");
        }
    }

    #[test]
    fn integers_have_registered_formats() {
        assert!(OPENAPI.contains("\"format\":\"uint64\""));
        assert!(!OPENAPI.contains("u-int"));
    }
}
