//! Numbers for monitoring, in the text format of Prometheus.

use std::fmt::{Display, Write as _};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::app_state::AppState;
use super::reply::Failure;
use crate::api::{State as Stage, Status};

/// Whether the server lives.
///
/// The answer needs no token, because it says nothing about the population.
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "server",
    responses((status = 200, description = "The answer", body = String, content_type = "text/plain")),
)]
pub(super) async fn healthz() -> &'static str {
    "ok\n"
}

/// Numbers for Prometheus.
#[utoipa::path(
    get,
    path = "/metrics",
    tag = "server",
    responses((status = 200, description = "The answer", body = String, content_type = "text/plain")),
)]
pub(super) async fn metrics(State(app): State<Arc<AppState>>) -> Result<Response, Failure> {
    let status = app.status().await?;
    let mut text = population(&status);
    let counters = &app.counters;
    let own = [
        (
            "http_requests_total",
            "counter",
            "Requests to the page.",
            counters.requests.load(Ordering::Relaxed),
        ),
        (
            "http_refused_total",
            "counter",
            "Requests refused for their host, origin or token.",
            counters.refused.load(Ordering::Relaxed),
        ),
        (
            "http_streams",
            "gauge",
            "Browsers that listen to events.",
            counters.streams.load(Ordering::Relaxed) as u64,
        ),
    ];
    for (name, kind, help, value) in own {
        metric(&mut text, name, kind, help, value);
    }
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}

fn population(status: &Status) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "# HELP loatune_info The population.\n# TYPE loatune_info gauge"
    );
    let _ = writeln!(
        text,
        "loatune_info{{population=\"{}\",params=\"{}\",version=\"{}\"}} 1",
        escaped(&status.population),
        escaped(&status.params),
        env!("CARGO_PKG_VERSION"),
    );
    let _ = writeln!(
        text,
        "# HELP loatune_state How far the run has come.\n# TYPE loatune_state gauge"
    );
    for stage in Stage::ALL {
        let is = u8::from(stage == status.state);
        let _ = writeln!(text, "loatune_state{{state=\"{stage}\"}} {is}");
    }
    let mut add = |name, kind, help, value: f64| metric(&mut text, name, kind, help, value);
    add(
        "running",
        "gauge",
        "Whether a process works on it.",
        f64::from(u8::from(status.running)),
    );
    add(
        "games_total",
        "counter",
        "Games played.",
        status.games as f64,
    );
    add(
        "matches_total",
        "counter",
        "Matches applied.",
        status.matches as f64,
    );
    add(
        "births_total",
        "counter",
        "Files born.",
        status.births as f64,
    );
    add(
        "deaths_total",
        "counter",
        "Files that died.",
        status.deaths as f64,
    );
    add(
        "budget_games",
        "gauge",
        "Games of the whole run.",
        status.budget as f64,
    );
    add(
        "progress_ratio",
        "gauge",
        "The part that is done.",
        status.progress,
    );
    add(
        "files",
        "gauge",
        "Files that live.",
        f64::from(status.files),
    );
    add(
        "capacity_files",
        "gauge",
        "Files that may live.",
        f64::from(status.capacity),
    );
    add(
        "threads",
        "gauge",
        "Games at the same time.",
        f64::from(status.threads),
    );
    if let Some(rate) = status.games_per_second {
        add(
            "games_per_second",
            "gauge",
            "How fast games are played.",
            rate,
        );
    }
    if let Some(eta) = status.eta_seconds {
        add("eta_seconds", "gauge", "Seconds to the end.", eta);
    }
    if let Some(leader) = status.leaders.first() {
        add(
            "best_points",
            "gauge",
            "The most points of a living file.",
            leader.points,
        );
    }
    text
}

fn metric(text: &mut String, name: &str, kind: &str, help: &str, value: impl Display) {
    let _ = writeln!(
        text,
        "# HELP loatune_{name} {help}\n# TYPE loatune_{name} {kind}\nloatune_{name} {value}"
    );
}

/// A label's value with what would end it escaped.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}
