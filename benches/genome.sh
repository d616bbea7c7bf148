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
#   genes    each gene that joined the first ones against its absence: an SPRT of 0 against
#            15 Elo at 2,000 nodes a move
#   powers   free powers and centre mobility against fixed ones: the same
#   timed    genes and powers at 0.01 s a move, 400 games each
#   forward  genes join one by one, in the order of their worth in likelihood, with weights
#            from 16,000 games: an SPRT of 0 against 15 Elo at 2,000 nodes a move
#   forward-timed   the same steps at 0.005 s a move, 600 games each
#
# Variables: LOATUNE (the program), OUT (a directory), SEEDS, THREADS (games at a time; the
# matches by time need a free core for each).
set -eu

LOATUNE=${LOATUNE:-target/release/loatune}
OUT=${OUT:-genome-results}
SEEDS=${SEEDS:-31 32}
THREADS=${THREADS:-2}
mkdir -p "$OUT"

# learn NAME OPTION...: weights from LEARNED games at depth 3, unless they are there. The
# genes that stand still by default are free unless an option holds them.
LEARNED=4000
learn() {
    name=$1
    shift
    [ -s "$OUT/$name.toml" ] && return
    case " $*" in *" --extent="*) ;; *) set -- "$@" --extent=-50..200 ;; esac
    case " $*" in *" --edge-moves="*) ;; *) set -- "$@" --edge-moves=-100..100 ;; esac
    "$LOATUNE" -q fit --play $LEARNED --depth 3 --threads "$THREADS" "$@" --force \
        -o "$OUT/$name.toml" > "$OUT/$name.txt"
}

# play NAME A B OPTION...: a match, unless it is finished; its Elo, its games, and the
# verdict of an SPRT.
play() {
    name=$1 a=$2 b=$3
    shift 3
    [ -s "$OUT/$name.json" ] || {
        "$LOATUNE" -q match "$OUT/$a.toml" "$OUT/$b.toml" "$@" --threads "$THREADS" \
            --resume "$OUT/$name.games" --json > "$OUT/$name.part"
        mv "$OUT/$name.part" "$OUT/$name.json"
    }
    printf '%s: ' "$name"
    # Every field stands once before the sides are told apart.
    head=$(sed 's/"as_black".*//' "$OUT/$name.json")
    field() { printf '%s' "$head" | sed -n "s/.*\"$1\":\([^,}]*\).*/\1/p"; }
    printf '%+.1f +/- %.1f, %s games %s\n' "$(field elo)" "$(field elo_error)" \
        "$(field games)" "$(field verdict)"
}

# compare NAME A B: by depth, nodes and time.
compare() {
    for depth in 2 3 4 5; do
        play "$1-depth$depth" "$2" "$3" --depth $depth --games 400
    done
    play "$1-nodes2000" "$2" "$3" --nodes 2000 --games 1000
    play "$1-time0.02" "$2" "$3" --time 0.02 --games 400
}

# learn_changed SEED CHANGE: weights without one gene, or with free powers.
learn_changed() {
    case $2 in
    powers)
        learn "powers-$1" --seed "$1" --mobility-power 0.25..2 --mobility-centre=-50..100 ;;
    *)
        learn "$2-$1" --seed "$1" "--${2#no-}=0..0" ;;
    esac
}

# learn_step SEED STEP: weights with the genes of a step of the forward selection. The last
# three try the two genes that are worth least in likelihood, alone and together.
learn_step() {
    held=
    case $2 in
    families) held="pieces concentration centre-moves extent edge-moves" ;;
    pieces) held="concentration centre-moves extent edge-moves" ;;
    concentration) held="centre-moves extent edge-moves" ;;
    centre-moves) held="extent edge-moves" ;;
    extent) held=edge-moves ;;
    edge-moves) held=extent ;;
    every) ;;
    esac
    options=
    for gene in $held; do
        options="$options --$gene=0..0"
    done
    learn "step-$2-$1" --seed "$1" $options
}

# Each step with the one that it is compared to.
STEPS="pieces:families concentration:pieces centre-moves:concentration
extent:centre-moves edge-moves:centre-moves every:centre-moves"

GENES="no-pieces no-extent no-concentration no-edge-moves no-centre-moves"
SPRT="--nodes 2000 --games 4000 --sprt elo0=0,elo1=15"

for part in ${*:-phases moves genes powers timed forward forward-timed}; do
    for seed in $SEEDS; do
        all=all-$seed
        case $part in
        forward*) LEARNED=16000 ;;
        *) LEARNED=4000; learn "$all" --seed "$seed" ;;
        esac
        case $part in
        phases)
            learn "one-phase-$seed" --seed "$seed" --phases 1
            compare "phases-$seed" "$all" "one-phase-$seed" ;;
        moves)
            learn "no-moves-$seed" --seed "$seed" --edge-moves=0..0 --centre-moves=0..0
            compare "moves-$seed" "$all" "no-moves-$seed" ;;
        genes)
            for change in $GENES; do
                learn_changed "$seed" "$change"
                play "$change-$seed-nodes2000" "$all" "$change-$seed" $SPRT
            done ;;
        powers)
            learn_changed "$seed" powers
            play "powers-$seed-nodes2000" "$all" "powers-$seed" $SPRT ;;
        timed)
            for change in $GENES powers; do
                learn_changed "$seed" "$change"
                play "$change-$seed-time0.01" "$all" "$change-$seed" --time 0.01 --games 400
            done ;;
        forward | forward-timed)
            for step in $STEPS; do
                with=${step%:*} without=${step#*:}
                learn_step "$seed" "$without"
                learn_step "$seed" "$with"
                if [ $part = forward ]; then
                    play "step-$with-$seed-nodes2000" "step-$with-$seed" \
                        "step-$without-$seed" $SPRT
                else
                    play "step-$with-$seed-time0.005" "step-$with-$seed" \
                        "step-$without-$seed" --time 0.005 --games 600
                fi
            done ;;
        *)
            echo "unknown part: $part; one of phases, moves, genes, powers, timed, forward," \
                "forward-timed" >&2
            exit 2 ;;
        esac
    done
done
