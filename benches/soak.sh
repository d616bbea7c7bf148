#!/usr/bin/env bash
# A long run, watched: memory, disk and speed must not change with the games.
#
#   benches/soak.sh [GAMES] [BINARY]
#
# Plays GAMES games (default 1,000,000) one ply deep in a scratch directory and
# prints a line for every twentieth of them: games, games a second since the
# last line, resident memory in KiB, bytes on disk a game. Then it compares what
# the promise is about: memory after the first twentieth with that at the end,
# and the speed with a tenth of the games behind it with that at the end.
#
# A shared machine is faster and slower by turns, so the two speeds are measured
# by turns, too: a population with a tenth of the games and the one with all of
# them go on for some seconds each, several times.
set -euo pipefail
games=${1:-1000000}
binary=$(realpath "${2:-target/release/loatune}")
turns=8
seconds=10
place=$(mktemp -d)
run=
trap '[[ -z $run ]] || kill "$run" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$place"' EXIT
cd "$place"

# The budget leaves games to play after GAMES.
start() {
    "$binary" -q run --no-http --population "$1" --depth 1 --budget $((2 * games)) \
        > /dev/null 2> messages &
    run=$!
}
# Stopping is exit code 3.
stop() {
    kill -TERM "$run"
    local code=0
    wait "$run" || code=$?
    run=
    ((code == 3))
}
now() { date +%s.%N; }
played() {
    local status
    status=$("$binary" status --population "$1" --json 2>/dev/null || true)
    [[ $status =~ \"games\":([0-9]+) ]] && echo "${BASH_REMATCH[1]}" || echo 0
}
until_played() {
    while (($(played "$1") < $2)); do
        kill -0 "$run" 2>/dev/null || { cat messages >&2; exit 1; }
        sleep 0.3
    done
}
rate() { awk -v games="$1" -v from="$2" -v to="$3" 'BEGIN { printf "%.0f", games / (to - from) }'; }

start early
until_played early $((games / 10))
stop

echo "games games/s RSS_KiB bytes/game"
start late
before=0
since=$(now)
for twentieth in $(seq 20); do
    until_played late $((games * twentieth / 20))
    so_far=$(played late)
    at=$(now)
    memory=$(awk '/^VmRSS/ { print $2 }' "/proc/$run/status")
    first=${first:-$memory}
    disk=$(du -sb populations/late | cut -f1)
    echo "$so_far $(rate $((so_far - before)) "$since" "$at") $memory $((disk / so_far))"
    before=$so_far
    since=$at
done
stop
awk -v first="$first" -v end="$memory" 'BEGIN {
    printf "memory: %d KiB after a twentieth, %d KiB at the end (%+.1f %%)\n",
        first, end, 100 * (end / first - 1) }'

declare -A all=([early]=0 [late]=0)
for turn in $(seq $turns); do
    for name in early late; do
        before=$(played "$name")
        start "$name"
        until_played "$name" $((before + 1))
        before=$(played "$name")
        since=$(now)
        sleep $seconds
        so_far=$(played "$name")
        speed=$(rate $((so_far - before)) "$since" "$(now)")
        all[$name]=$((all[$name] + speed))
        stop
    done
done
awk -v early=$((all[early] / turns)) -v late=$((all[late] / turns)) -v turns="$turns" 'BEGIN {
    printf "speed, %d turns each: %d games/s after a tenth, %d at the end (%+.1f %%)\n",
        turns, early, late, 100 * (late / early - 1) }'
