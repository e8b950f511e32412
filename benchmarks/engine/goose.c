/* The Game of the Goose by hand: what the compiled rules are measured against.

   The same rules, options, generator and seeding as the Python, so that both play the very same games. */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MAX_SEATS = 4, START = 0, BRIDGE = 6, BRIDGE_END = 12, HOTEL = 19, WELL = 31, MAZE = 42, PRISON = 52,
       DEATH = 58, DRINK = 61, END = 63 };

static const uint64_t GEESE =
    1ull << 5 | 1ull << 9 | 1ull << 14 | 1ull << 18 | 1ull << 23 | 1ull << 27 | 1ull << 32 | 1ull << 36 | 1ull << 41 |
    1ull << 45 | 1ull << 50 | 1ull << 54 | 1ull << 59;

typedef struct {
    int seats, maze;
    bool drink, stakes;
} Options;

typedef struct {
    int to_move, first;
    bool over;
    int32_t turns;
    int8_t position[MAX_SEATS], resting[MAX_SEATS];
    int32_t trapped_since[MAX_SEATS], balance[MAX_SEATS], pool;
} State;

typedef struct {
    int64_t plies, turns, wins[MAX_SEATS], by_order[MAX_SEATS], scores[MAX_SEATS];
} Totals;

/* Chance: xoshiro128++, and Lemire's way to a number below n. */

typedef struct {
    uint32_t s[4];
} Chance;

static inline uint32_t rotate(uint32_t word, int by) { return word << by | word >> (32 - by); }

static inline uint32_t next_word(Chance *chance) {
    uint32_t *s = chance->s;
    uint32_t word = rotate(s[0] + s[3], 7) + s[0], shifted = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 11);
    return word;
}

static inline uint32_t below(Chance *chance, uint32_t n) {
    uint64_t product = (uint64_t)next_word(chance) * n;
    if ((uint32_t)product < n) {
        uint32_t uneven = -n % n;
        while ((uint32_t)product < uneven) product = (uint64_t)next_word(chance) * n;
    }
    return product >> 32;
}

static inline int roll(Chance *chance) { return (int)below(chance, 6) + 1; }

static inline uint32_t mix(uint32_t word) {
    word = (word ^ word >> 16) * 0x85EBCA6Bu;
    word = (word ^ word >> 13) * 0xC2B2AE35u;
    return word ^ word >> 16;
}

static void seed_game(Chance *chance, const uint32_t words[4], uint64_t number) {
    uint32_t beyond = (uint32_t)(number >> 32);
    uint32_t hashed = mix((uint32_t)number ^ 0x9E3779B9u);
    hashed = mix(hashed ^ beyond);
    beyond *= 0x9E3779B1u;
    for (int lane = 0; lane < 4; lane++) {
        for (int word = 0; word < 4; word++) hashed = mix((hashed + 0x9E3779B9u) ^ words[word] ^ beyond);
        chance->s[lane] = hashed;
    }
    chance->s[0] |= 1;
}

/* Rules. */

static inline void pay_stake(State *state, int seat) {
    state->balance[seat]--;
    state->pool++;
}

static int who_begins(const Options *options, Chance *chance) {
    unsigned leaders = (1u << options->seats) - 1;
    while (leaders & (leaders - 1)) {
        unsigned throwing = leaders;
        int best = 0;
        for (int seat = 0; seat < options->seats; seat++) {
            if (!(throwing >> seat & 1)) continue;
            int throw = roll(chance);
            throw += roll(chance);
            if (throw > best) {
                best = throw;
                leaders = 0;
            }
            if (throw == best) leaders |= 1u << seat;
        }
    }
    return __builtin_ctz(leaders);
}

static void set_up(State *state, const Options *options, Chance *chance) {
    memset(state, 0, sizeof *state);
    if (options->stakes)
        for (int seat = 0; seat < options->seats; seat++) pay_stake(state, seat);
    state->to_move = state->first = who_begins(options, chance);
}

static inline int move_piece(int position, int first, int second) {
    int throw = first + second, step = throw;
    if (position == START && throw == 9) return first == 6 || first == 3 ? 26 : 53;
    do {
        position += step;
        if (position > END) {
            position = END - (position - END);
            step = -throw;
        }
    } while (GEESE >> position & 1);
    return position;
}

static inline int suffer(State *state, const Options *options, int seat, int space) {
    switch (space) {
    case BRIDGE: space = BRIDGE_END; break;
    case HOTEL: state->resting[seat] = 1; break;
    case WELL:
    case PRISON:
        for (int other = 0; other < options->seats; other++)
            if (other != seat && state->position[other] == space) state->trapped_since[other] = 0;
        state->trapped_since[seat] = state->turns + 1;
        break;
    case MAZE: space = options->maze; break;
    case DEATH: space = START; break;
    case DRINK:
        if (options->drink) break;
        return space;
    default: return space;
    }
    if (options->stakes) pay_stake(state, seat);
    return space;
}

static inline void swap_away(State *state, const Options *options, int seat, int space, int began_at) {
    for (int other = 0; other < options->seats; other++) {
        if (other == seat || state->position[other] != space) continue;
        state->position[other] = (int8_t)began_at;
        state->resting[other] = 0;
        if (options->stakes) {
            pay_stake(state, seat);
            pay_stake(state, other);
        }
    }
}

static void free_longest_trapped(State *state, const Options *options) {
    int longest = 0;
    for (int seat = 0; seat < options->seats; seat++) {
        if (!state->trapped_since[seat]) return;
        if (state->trapped_since[seat] < state->trapped_since[longest]) longest = seat;
    }
    state->trapped_since[longest] = 0;
}

static inline int next_seat(State *state, const Options *options, int seat) {
    free_longest_trapped(state, options);
    for (;;) {
        if (++seat == options->seats) seat = 0;
        if (state->trapped_since[seat]) continue;
        if (!state->resting[seat]) return seat;
        state->resting[seat]--;
    }
}

static inline void take_turn(State *state, const Options *options, Chance *chance) {
    int seat = state->to_move, began_at = state->position[seat];
    int first = roll(chance), second = roll(chance);
    int space = suffer(state, options, seat, move_piece(began_at, first, second));
    state->position[seat] = (int8_t)space;
    if (space != START && space != WELL && space != PRISON) swap_away(state, options, seat, space, began_at);
    if (space == END) {
        if (options->stakes) state->balance[seat] += state->pool;
        state->pool = 0;
        state->over = true;
    } else {
        state->to_move = next_seat(state, options, seat);
    }
    state->turns++;
}

/* Play games first, first + 1, ... under the seed of the four words, and add up what came of them. */
void goose_rollout(int64_t first, int64_t games, const uint32_t words[4], const Options *options, Totals *totals) {
    State state;
    Chance chance;
    for (int64_t number = first; number < first + games; number++) {
        seed_game(&chance, words, (uint64_t)number);
        set_up(&state, options, &chance);
        while (!state.over) take_turn(&state, options, &chance);
        int winner = state.to_move;
        totals->plies += state.turns;
        totals->turns += state.turns;
        totals->wins[winner]++;
        totals->by_order[(winner - state.first + options->seats) % options->seats]++;
        for (int seat = 0; seat < options->seats; seat++)
            totals->scores[seat] += options->stakes ? state.balance[seat] : seat == winner;
    }
}
