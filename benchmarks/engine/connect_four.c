/* Connect Four with bitboards, by hand: the limit that any engine can be held against.

   A column takes seven bits, the lowest row first; the seventh stays empty, so that lines do not run over the edge.
   Whole games of uniformly random legal actions; their results are added up so that nothing can be left out. */

#include <stdint.h>

enum { COLUMNS = 7, ROWS = 6, TALL = ROWS + 1 };

static inline uint64_t next(uint64_t *state) { /* xorshift64* */
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * UINT64_C(2685821657736338717);
}

static inline int has_four(uint64_t discs) {
    uint64_t pairs = discs & discs >> 1, across = discs & discs >> TALL;
    uint64_t rising = discs & discs >> (TALL + 1), falling = discs & discs >> (TALL - 1);
    return ((pairs & pairs >> 2) | (across & across >> 2 * TALL) | (rising & rising >> 2 * (TALL + 1)) |
            (falling & falling >> 2 * (TALL - 1))) != 0;
}

/* How many of so many games the first seat wins; ``plies`` grows by all that were played. */
int64_t connect_four_rollout(int64_t games, uint64_t seed, int64_t *plies) {
    uint64_t random = seed * 2 + 1;
    int64_t won = 0;
    for (int64_t game = 0; game < games; game++) {
        uint64_t discs[2] = {0, 0};
        int open[COLUMNS], place[COLUMNS], count = COLUMNS;
        for (int column = 0; column < COLUMNS; column++) {
            open[column] = column;
            place[column] = column * TALL;
        }
        for (int ply = 0; count > 0; ply++) {
            int index = (int)((uint64_t)(uint32_t)(next(&random) >> 32) * (uint64_t)count >> 32);
            int column = open[index], seat = ply & 1;
            discs[seat] |= UINT64_C(1) << place[column];
            place[column]++;
            ++*plies;
            if (has_four(discs[seat])) {
                won += seat == 0;
                break;
            }
            if (place[column] == column * TALL + ROWS) open[index] = open[--count];
        }
    }
    return won;
}
