#!/usr/bin/env bash
# A long run, watched: memory, disk and speed must not change with the games.
#
#   benches/soak.sh [GAMES] [BINARY]
#
# Plays GAMES games (default 1,000,000) one ply deep in a scratch directory and
# prints a line for every twentieth of them: games, games a second since the
# last line, resident memory in KiB, bytes on disk a game. At the end it compares
# what the promise is about: memory after the first twentieth with that at the
# end, and the speed of the second tenth (after warm-up) with that of the last.
set -euo pipefail
games=${1:-1000000}
binary=$(realpath "${2:-target/release/loatune}")
place=$(mktemp -d)
trap 'kill "$run" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$place"' EXIT
cd "$place"

"$binary" -q run --no-http --population soak --depth 1 --budget "$games" \
    --certificate-games 2 --hall-games 2 > /dev/null &
run=$!

now() { date +%s.%N; }
played() { "$binary" status --population soak --json | grep -oE '"games":[0-9]+' | head -1 | cut -d: -f2; }
memory() { awk '/^VmRSS/ { print $2 }' "/proc/$run/status" 2>/dev/null || true; }
disk() { du -sb populations/soak | cut -f1; }

echo "games games/s RSS_KiB bytes/game"
step=$((games / 20))
next=$step
since=$(now)
before=0
declare -a speeds memories
while kill -0 "$run" 2>/dev/null; do
    sleep 0.5
    played=$(played 2>/dev/null || true)
    [[ $played =~ ^[0-9]+$ ]] || continue
    ((played >= next)) || continue
    rss=$(memory)
    [[ -n $rss ]] || break
    time=$(now)
    speed=$(awk "BEGIN { printf \"%.0f\", ($played - $before) / ($time - $since) }")
    echo "$played $speed $rss $(($(disk) / played))"
    speeds+=("$speed")
    memories+=("$rss")
    since=$time
    before=$played
    while ((next <= played)); do next=$((next + step)); done
done
wait "$run"

last=$((${#speeds[@]} - 1))
awk -v first="${memories[0]}" -v end="${memories[$last]}" 'BEGIN {
    printf "memory: %d KiB after a twentieth, %d KiB at the end (%+.1f %%)\n",
        first, end, 100 * (end / first - 1) }'
awk -v a="${speeds[2]}" -v b="${speeds[3]}" -v c="${speeds[$((last - 1))]}" -v d="${speeds[$last]}" 'BEGIN {
    printf "speed: %.0f games/s in the second tenth, %.0f in the last (%+.1f %%)\n",
        (a + b) / 2, (c + d) / 2, 100 * ((c + d) / (a + b) - 1) }'
