#!/bin/sh
# What the techniques of the selective search are worth, and how strong it is beside
# mtdf: the matches behind the tables of docs/players.md. It may be stopped at any
# moment; started again it goes on where it was. Results are JSON files in OUT.
#
#   benches/selective.sh [PART]...
#
# Parts, all of them where none is named:
#   target       against mtdf: 1,000 games at 0.1 s a move, 200 at 1 s
#   techniques   each technique switched off, 20,000 nodes a move, an SPRT of 0 against 30 Elo
#   timed        each technique switched off, 0.01 s a move, the same SPRT
#   deep         each technique switched off, 200,000 nodes a move, 400 games each
#   tried        what is off by default, or more of something, 20,000 nodes a move, the same SPRT
#   report       plays nothing: prints the results as rows of a table, Elo with its error and the
#                number of games, bold where the SPRT accepts a gain
#
# Variables: LOATUNE (the program), OUT (a directory, benches/selective), THREADS (games at a
# time; the matches by time need a free core for each), TECHNIQUES (some of the constants below, so
# that several of these scripts can share the work).
set -eu

LOATUNE=${LOATUNE:-target/release/loatune}
OUT=${OUT:-benches/selective}
THREADS=${THREADS:-1}
mkdir -p "$OUT"

# The constants that switch a technique off.
TECHNIQUES=${TECHNIQUES:-quiescence=0 reverse_futility=0 history=0 lmr=0 late_moves=0 threats=0
null_move=0 internal_deepening=0 aspiration=0 keep_deeper=0 repetition=0}
TRIED="late_moves=5 lmr_slope=60"
SPRT="--sprt elo0=0,elo1=30 --games 2000"

# play NAME A B OPTION...: one match, unless it is finished.
play() {
    name=$1 a=$2 b=$3
    shift 3
    [ -s "$OUT/$name.json" ] && return
    # 1 says that a game was lost on time, which counts as a loss and is no failure here.
    "$LOATUNE" match "$a" "$b" "$@" --threads "$THREADS" --resume "$OUT/$name.games" \
        --json > "$OUT/$name.part" 2>> "$OUT/log" || [ $? = 1 ]
    mv "$OUT/$name.part" "$OUT/$name.json"
}

# cell NAME: games, Elo with its error and the verdict of the SPRT, or a dash.
cell() {
    file="$OUT/$1.json"
    if [ ! -s "$file" ]; then
        printf ' – |'
        return
    fi
    # The totals stand before the parts by colour, which have fields of the same names.
    totals=$(sed 's/"as_black".*//' "$file")
    field() { printf '%s' "$totals" | sed -n "s/.*\"$1\": *\(-\{0,1\}[0-9.]*\).*/\1/p"; }
    case $(sed -n 's/.*"verdict": *"\([a-z0-9-]*\)".*/\1/p' "$file") in
    accept-h1) mark='**' ;;
    *) mark= ;;
    esac
    printf ' %s%+.0f ± %.0f%s (%s) |' "$mark" "$(field elo)" "$(field elo_error)" "$mark" \
        "$(field games)"
}

usual=champion-1@selective
for part in ${*:-target techniques timed deep tried}; do
    case $part in
    target)
        play mtdf-0.1s "$usual" champion-1@mtdf --time 0.1 --games 1000
        play mtdf-1s "$usual" champion-1@mtdf --time 1 --games 200 ;;
    techniques)
        for change in $TECHNIQUES; do
            play "nodes20000-$change" "$usual:n20000" "$usual:n20000,$change" $SPRT
        done ;;
    timed)
        for change in $TECHNIQUES; do
            play "time0.01-$change" "$usual:t0.01" "$usual:t0.01,$change" $SPRT
        done ;;
    deep)
        for change in $TECHNIQUES; do
            play "nodes200000-$change" "$usual:n200000" "$usual:n200000,$change" --games 400
        done ;;
    tried)
        for change in $TRIED; do
            play "nodes20000-$change" "$usual:n20000" "$usual:n20000,$change" $SPRT
        done ;;
    report)
        for change in $TECHNIQUES $TRIED; do
            printf '| `%s` |' "$change"
            for limit in nodes20000 time0.01 nodes200000; do
                cell "$limit-$change"
            done
            printf '\n'
        done
        for name in mtdf-0.1s mtdf-1s; do
            printf '| `%s` |' "$name"
            cell "$name"
            printf '\n'
        done ;;
    *)
        echo "unknown part: $part; one of target, techniques, timed, deep, tried, report" >&2
        exit 2 ;;
    esac
done
