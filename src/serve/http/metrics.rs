//! Numbers for monitoring, in the text format of Prometheus.

use std::fmt::{Display, Write as _};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::app_state::AppState;
use super::fleet_metrics;
use super::process_metrics::process_metrics;
use super::reply::Failure;
use crate::api::{State as Stage, Status};
use crate::weights::WeightFile;

/// Whether the server lives.
///
/// The answer needs no token, because it says nothing about the population.
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "getHealth",
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
    operation_id = "getMetrics",
    tag = "server",
    responses((status = 200, description = "The answer", body = String, content_type = "text/plain")),
)]
pub(super) async fn metrics(State(app): State<Arc<AppState>>) -> Result<Response, Failure> {
    let status = &app.status().await?.status;
    let mut text = population(status);
    if status.champion.is_some() {
        let champion = app.ask_now(|source| source.champion()).await?;
        text += &champion.map_or_else(String::new, |file| proof(&file));
    }
    if let Some(fleet) = app.ask_now(|source| source.fleet()).await? {
        text.push_str(&fleet_metrics::text(&fleet));
    }
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
    text += &process_metrics();
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
    let mut measured = status.hall.iter().rev();
    if let Some((elo, error)) = measured.find_map(|entry| Some((entry.elo?, entry.error?))) {
        add(
            "strength_elo",
            "gauge",
            "Elo of the newest measured elder above the reference weights.",
            elo,
        );
        add(
            "strength_elo_error",
            "gauge",
            "The 95 % error of the strength, in Elo.",
            error,
        );
    }
    text
}

/// The champion's strength against each opponent of its certificate.
fn proof(file: &WeightFile) -> String {
    let mut text = String::new();
    let results = file.certificate.iter().flat_map(|proof| &proof.results);
    let measured: Vec<_> = results
        .filter_map(|result| Some((&result.opponent, result.elo?)))
        .collect();
    if !measured.is_empty() {
        let _ = writeln!(
            text,
            "# HELP loatune_champion_elo Elo of the champion above an opponent.\n\
             # TYPE loatune_champion_elo gauge"
        );
    }
    for (opponent, elo) in measured {
        let opponent = escaped(opponent);
        let _ = writeln!(
            text,
            "loatune_champion_elo{{opponent=\"{opponent}\"}} {elo}"
        );
    }
    text
}

pub(super) fn metric(text: &mut String, name: &str, kind: &str, help: &str, value: impl Display) {
    let _ = writeln!(
        text,
        "# HELP loatune_{name} {help}\n# TYPE loatune_{name} {kind}\nloatune_{name} {value}"
    );
}

/// A label's value with what would end it escaped.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}
