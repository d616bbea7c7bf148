#!/bin/sh
# What the techniques of the selective search are worth, and how strong it is beside
# mtdf: the matches behind the tables of docs/players.md. It may be stopped at any
# moment; started again it goes on where it was. Results are JSON files in OUT.
#
#   benches/selective.sh [PART]...
#
# Parts, all of them where none is named:
#   techniques   each technique switched off, 20,000 nodes a move, an SPRT each
#   target       against mtdf at 0.1 s and 1 s a move
#   deep         each technique switched off, 200,000 nodes a move, 400 games each
#   timed        each technique switched off, 0.05 s a move, 400 games each
#   report       plays nothing: prints the results as rows of a table
#
# Variables: LOATUNE (the program), OUT (a directory, benches/selective), THREADS (games at a time; the
# matches by time need a free core for each).
set -eu

LOATUNE=${LOATUNE:-target/release/loatune}
OUT=${OUT:-benches/selective}
THREADS=${THREADS:-1}
mkdir -p "$OUT"

# The constants that switch a technique off. The last four try out what is off by
# default, or twice as much of something.
TECHNIQUES="null_move=0 lmr=0 quiescence=0 history=0 late_moves=0 futility=0
reverse_futility=0 threats=0 killers=0 counter_moves=0 internal_deepening=0
aspiration=0 keep_deeper=0 repetition=0 lmr_history=0
multi_cut=3 quiescence_all=1 late_moves=5 lmr_slope=60"

# play NAME A B OPTION...: one match, unless it is finished.
play() {
    name=$1 a=$2 b=$3
    shift 3
    [ -s "$OUT/$name.json" ] && return
    "$LOATUNE" match "$a" "$b" "$@" --threads "$THREADS" --resume "$OUT/$name.games" \
        --json > "$OUT/$name.part" 2>> "$OUT/log"
    mv "$OUT/$name.part" "$OUT/$name.json"
}

# row FILE: games, wins, draws, losses, Elo with its error, the verdict of the SPRT.
row() {
    field() { sed -n "s/.*\"$1\": *\(-\{0,1\}[0-9.]*\).*/\1/p" "$2" | head -n 1; }
    verdict=$(sed -n 's/.*"verdict": *"\([a-z0-9-]*\)".*/\1/p' "$1" | head -n 1)
    # The greedy match of sed finds the last field of a name; the totals are the first.
    head=$(mktemp)
    sed 's/"as_black".*//' "$1" > "$head"
    name=${1##*/}
    printf '| `%s` | %s | %s, %s, %s | %+.0f ± %.0f | %s |\n' "${name%.json}" \
        "$(field games "$head")" "$(field wins "$head")" "$(field draws "$head")" \
        "$(field losses "$head")" "$(field elo "$head")" "$(field elo_error "$head")" \
        "${verdict:-}"
    rm -f "$head"
}

usual=champion@selective
for part in ${*:-techniques target deep timed}; do
    case $part in
    techniques)
        for change in $TECHNIQUES; do
            play "nodes20000-$change" "$usual:n20000" "$usual:n20000,$change" \
                --sprt elo0=0,elo1=30 --games 2000
        done ;;
    target)
        play mtdf-0.1s "$usual" champion@mtdf --time 0.1 --games 1000
        play mtdf-1s "$usual" champion@mtdf --time 1 --games 200 ;;
    deep)
        for change in $TECHNIQUES; do
            play "nodes200000-$change" "$usual:n200000" "$usual:n200000,$change" --games 400
        done ;;
    timed)
        for change in $TECHNIQUES; do
            play "time0.05-$change" "$usual:t0.05" "$usual:t0.05,$change" --games 400
        done ;;
    report)
        for file in "$OUT"/*.json; do
            row "$file"
        done ;;
    *)
        echo "unknown part: $part; one of techniques, target, deep, timed, report" >&2
        exit 2 ;;
    esac
done
