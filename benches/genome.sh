#!/bin/sh
# What genes and phases are worth in games: weights are learned with and without them, and
# both play each other; the matches behind docs/measurements.md. It may be stopped at any
# moment; started again it goes on where it was. Weights and results lie in OUT.
#
#   benches/genome.sh [PART]...
#
# Parts, all of them where none is named:
#   phases   two phases against one, by depth, nodes and time
#   moves    edge_moves and centre_moves against neither, the same way
#   genes    each gene that joined the first ones against its absence, 2,000 nodes a move
#   powers   free powers and centre mobility against fixed ones, by nodes and time
#
# Variables: LOATUNE (the program), OUT (a directory), SEEDS, THREADS (games at a time).
set -eu

LOATUNE=${LOATUNE:-target/release/loatune}
OUT=${OUT:-genome-results}
SEEDS=${SEEDS:-31 32}
THREADS=${THREADS:-2}
mkdir -p "$OUT"

# learn NAME OPTION...: weights from 4,000 games at depth 3, unless they are there.
learn() {
    name=$1
    shift
    [ -s "$OUT/$name.toml" ] && return
    "$LOATUNE" -q fit --play 4000 --depth 3 --threads "$THREADS" "$@" --force \
        -o "$OUT/$name.toml" > "$OUT/$name.txt"
}

# play NAME A B OPTION...: a match, unless it is finished, and its Elo.
play() {
    name=$1 a=$2 b=$3
    shift 3
    [ -s "$OUT/$name.json" ] || {
        "$LOATUNE" -q match "$OUT/$a.toml" "$OUT/$b.toml" "$@" --threads "$THREADS" \
            --resume "$OUT/$name.games" --json > "$OUT/$name.part"
        mv "$OUT/$name.part" "$OUT/$name.json"
    }
    printf '%s: ' "$name"
    sed -n 's/.*"elo": *\([-0-9.]*\),.*"elo_error": *\([0-9.]*\).*/\1 +\/- \2/p' "$OUT/$name.json"
}

# compare NAME A B: by depth, nodes and time.
compare() {
    for depth in 2 3 4 5; do
        play "$1-depth$depth" "$2" "$3" --depth $depth --games 400
    done
    play "$1-nodes2000" "$2" "$3" --nodes 2000 --games 1000
    play "$1-time0.02" "$2" "$3" --time 0.02 --games 400
}

for part in ${*:-phases moves genes powers}; do
    for seed in $SEEDS; do
        all=all-$seed
        learn "$all" --seed "$seed"
        case $part in
        phases)
            learn "one-phase-$seed" --seed "$seed" --phases 1
            compare "phases-$seed" "$all" "one-phase-$seed" ;;
        moves)
            learn "no-moves-$seed" --seed "$seed" --edge-moves=0..0 --centre-moves=0..0
            compare "moves-$seed" "$all" "no-moves-$seed" ;;
        genes)
            for gene in pieces extent concentration edge-moves centre-moves; do
                learn "no-$gene-$seed" --seed "$seed" "--$gene=0..0"
                play "$gene-$seed" "$all" "no-$gene-$seed" --nodes 2000 --games 1000
            done ;;
        powers)
            learn "powers-$seed" --seed "$seed" --mobility-power 0.25..2 \
                --mobility-centre=-50..100
            play "powers-$seed-nodes2000" "powers-$seed" "$all" --nodes 2000 --games 1000
            play "powers-$seed-time0.02" "powers-$seed" "$all" --time 0.02 --games 400 ;;
        *)
            echo "unknown part: $part; one of phases, moves, genes, powers" >&2
            exit 2 ;;
        esac
    done
done
