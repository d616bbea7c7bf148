/* The evaluation of loatune in C, for a weight file in TOML.
 *
 *     loatune export -o mine.toml
 *     cc -O2 -o evaluate evaluate.c
 *     ./evaluate mine.toml '8/8/8/3x4/4x3/8/o6o/8 o' [PLIES]
 *
 * docs/evaluation.md explains the formula. It is written to be read, not to be
 * fast: an engine updates all of this move by move. A position that is won or lost
 * has no such value: the search knows it. Without a position, lines of PLIES and
 * position are read from standard input. Needs GCC or Clang, for 128-bit numbers. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ONE = 64, PHASES = 16, LARGEST = 20000, GENES = 16, FEATURES = 13 };

/* The genes as weight files name them; those with a shape count in quarters. */
enum { EULER, QUAD3, QUAD4, SPREAD, CAPTURABLE, MOBILITY, BLOCKED, MOBILITY_CENTRE,
       PIECES, EXTENT, CONCENTRATION, EDGE_MOVES, CENTRE_MOVES,
       HOLE_PENALTY, SPREAD_POWER, MOBILITY_POWER };
static const char *const NAMES[GENES] = {
    "euler", "quad3", "quad4", "spread", "capturable", "mobility", "blocked",
    "mobility_centre", "pieces", "extent", "concentration", "edge_moves", "centre_moves",
    "hole_penalty", "spread_power", "mobility_power" };

struct weights { int opening[GENES], endgame[GENES], has_endgame; };
struct position { char cells[8][8], turn; }; /* by file and rank: 'x', 'o' or '.' */

static unsigned __int128 square_root(unsigned __int128 n)
{
    unsigned __int128 root = 0;
    for (int bit = 63; bit >= 0; bit--) {
        unsigned __int128 next = root | (unsigned __int128)1 << bit;
        if (next * next <= n)
            root = next;
    }
    return root;
}

/* 64 * (numerator / denominator) ^ (quarters / 4), rounded. */
static int scaled_power(int numerator, int denominator, int quarters)
{
    unsigned __int128 above = (unsigned __int128)1 << 28, below = 1;
    for (int n = 0; n < quarters; n++) {
        above *= numerator;
        below *= denominator;
    }
    return (int)((square_root(square_root(above / below)) + 1) / 2);
}

static int read_position(const char *text, struct position *p)
{
    int x = 0, y = 7;
    memset(p->cells, '.', sizeof p->cells);
    for (; *text && *text != ' '; text++) {
        if (*text == '/') {
            x = 0;
            y--;
        } else if (*text >= '1' && *text <= '8') {
            x += *text - '0';
        } else if ((*text == 'x' || *text == 'o') && x < 8 && y >= 0) {
            p->cells[x++][y] = *text;
        } else {
            return 0;
        }
    }
    p->turn = *text ? text[1] : 0;
    return y == 0 && (p->turn == 'x' || p->turn == 'o');
}

static char at(const struct position *p, int x, int y)
{
    return x >= 0 && x < 8 && y >= 0 && y < 8 ? p->cells[x][y] : '#';
}

/* The legal moves of the piece on a square; counts those that capture, that end on the
 * edge and that end on the sixteen squares in the middle. */
static int moves_of(const struct position *p, int x, int y, int f[])
{
    char side = at(p, x, y);
    int moves = 0;
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++) {
            int count = 0, is_free = dx || dy;
            for (int n = -7; n <= 7; n++) {
                char cell = at(p, x + n * dx, y + n * dy);
                count += cell == 'x' || cell == 'o';
            }
            for (int n = 1; is_free && n < count; n++) {
                char cell = at(p, x + n * dx, y + n * dy);
                is_free = cell == '.' || cell == side;
            }
            int to_x = x + count * dx, to_y = y + count * dy;
            char target = at(p, to_x, to_y);
            if (is_free && target != side && target != '#') {
                moves++;
                f[CAPTURABLE] += target != '.' ? ONE : 0;
                f[EDGE_MOVES] += to_x % 7 == 0 || to_y % 7 == 0 ? ONE : 0;
                f[CENTRE_MOVES] += to_x / 2 % 3 && to_y / 2 % 3 ? ONE : 0;
            }
        }
    return moves;
}

static int group_size(const struct position *p, int x, int y, char side, char seen[8][8])
{
    if (at(p, x, y) != side || seen[x][y])
        return 0;
    int size = seen[x][y] = 1;
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++)
            size += group_size(p, x + dx, y + dy, side, seen);
    return size;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* The features of one side, in 64ths. */
static void features(const struct position *p, char side, const struct weights *w, int f[FEATURES])
{
    int quads[5] = {0}, diagonal = 0, count = 0, sum_x = 0, sum_y = 0, largest = 0;
    char seen[8][8] = {{0}};
    memset(f, 0, FEATURES * sizeof *f);
    for (int x = -1; x < 8; x++)
        for (int y = -1; y < 8; y++) {
            int a = at(p, x, y) == side, b = at(p, x + 1, y) == side;
            int c = at(p, x, y + 1) == side, d = at(p, x + 1, y + 1) == side;
            quads[a + b + c + d]++;
            diagonal += a + b + c + d == 2 && a == d;
            if (a) {
                int size = group_size(p, x, y, side, seen);
                largest = size > largest ? size : largest;
                count++;
                sum_x += x;
                sum_y += y;
            }
        }
    int euler4 = quads[1] - quads[3] - 2 * diagonal;
    if (euler4 <= 4 && largest < count)
        euler4 += w->opening[HOLE_PENALTY];
    f[EULER] = -euler4 * (ONE / 4);
    f[QUAD3] = quads[3] * ONE;
    f[QUAD4] = quads[4] * ONE;
    /* The square nearest to the centre of mass, and the box around the pieces. */
    int centre_x = (2 * sum_x + count) / (2 * count), centre_y = (2 * sum_y + count) / (2 * count);
    int left = 7, right = 0, low = 7, high = 0, steps = 0;
    for (int x = 0; x < 8; x++)
        for (int y = 0; y < 8; y++) {
            if (at(p, x, y) != side)
                continue;
            left = x < left ? x : left;
            low = y < low ? y : low;
            right = larger(x, right);
            high = larger(y, high);
            steps += larger(abs(x - centre_x), abs(y - centre_y));
            int dx = abs(count * x - sum_x), dy = abs(count * y - sum_y);
            f[SPREAD] -= scaled_power(dx, count, w->opening[SPREAD_POWER]);
            f[SPREAD] -= scaled_power(dy, count, w->opening[SPREAD_POWER]);
            int moves = moves_of(p, x, y, f);
            int worth = scaled_power(moves, 1, w->opening[MOBILITY_POWER]);
            f[MOBILITY] += worth;
            f[BLOCKED] -= moves ? 0 : ONE;
            if (dx <= 2 * count && dy <= 2 * count)
                f[MOBILITY_CENTRE] += worth;
        }
    f[PIECES] = count * ONE;
    f[EXTENT] = -(right - left + 1 + high - low + 1) * ONE;
    /* One piece in the centre, eight around it, the others a step further out. */
    int least = count <= 9 ? count - 1 : 8 + 2 * (count - 9);
    int parts = 2 * (steps - least) + 1;
    f[CONCENTRATION] = (2 * 8 * ONE + parts) / (2 * parts);
}

/* The value for the side to move, in points. */
int evaluate(const struct weights *w, const struct position *p, int plies)
{
    int pieces = 0, phase = 0, total = 0, own[FEATURES], other[FEATURES];
    for (int n = 0; n < 64; n++)
        pieces += p->cells[n / 8][n % 8] != '.';
    if (w->has_endgame) {
        int age = plies / 10 < PHASES ? plies / 10 : PHASES;
        phase = 24 - pieces - 4 + age;
        phase = phase < 0 ? 0 : phase > PHASES ? PHASES : phase;
    }
    features(p, p->turn, w, own);
    features(p, p->turn == 'x' ? 'o' : 'x', w, other);
    for (int n = 0; n < FEATURES; n++)
        total += (w->opening[n] * (PHASES - phase) + w->endgame[n] * phase) * (own[n] - other[n]);
    int value = total / (ONE * PHASES * 8); /* towards zero */
    return value < -LARGEST ? -LARGEST : value > LARGEST ? LARGEST : value;
}

/* Reads the lines `gene = value` of [weights] and [endgame]. */
int read_weights(const char *path, struct weights *w)
{
    char line[1024], name[64];
    double value;
    int *phase = NULL;
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    memset(w, 0, sizeof *w);
    w->opening[SPREAD_POWER] = w->opening[MOBILITY_POWER] = 4;
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '[') {
            if (!strncmp(line, "[endgame]", 9)) {
                /* What [endgame] leaves out stays as it was. */
                memcpy(w->endgame, w->opening, sizeof w->endgame);
                w->has_endgame = 1;
            }
            phase = !strncmp(line, "[weights]", 9)   ? w->opening
                    : !strncmp(line, "[endgame]", 9) ? w->endgame
                                                     : NULL;
        } else if (phase && sscanf(line, "%63[a-z0-9_] = %lf", name, &value) == 2) {
            for (int n = 0; n < GENES; n++)
                if (!strcmp(name, NAMES[n]))
                    phase[n] = (int)(n < FEATURES ? value : 4 * value);
        }
    }
    fclose(file);
    if (!w->has_endgame)
        memcpy(w->endgame, w->opening, sizeof w->endgame);
    return 1;
}

int main(int argc, char **argv)
{
    struct weights w;
    struct position p;
    char line[256];
    if (argc < 2 || !read_weights(argv[1], &w)) {
        fprintf(stderr, "usage: evaluate WEIGHTS.toml [POSITION [PLIES]]\n");
        return 2;
    }
    if (argc > 2) {
        if (!read_position(argv[2], &p)) {
            fprintf(stderr, "no position: %s\n", argv[2]);
            return 2;
        }
        printf("%d\n", evaluate(&w, &p, argc > 3 ? atoi(argv[3]) : 0));
        return 0;
    }
    while (fgets(line, sizeof line, stdin)) {
        char *position = strchr(line, ' ');
        if (!position || !read_position(position + 1, &p)) {
            fprintf(stderr, "no position: %s", line);
            return 2;
        }
        printf("%d\n", evaluate(&w, &p, atoi(line)));
    }
    return 0;
}
