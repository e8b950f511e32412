"""What can be decided, and the number of each choice. Every action has one number in every phase."""

# Phases: what the seat to move has to decide next.
CHOOSE, MIX, DICE, ENTRANCE, MAZE, COMPASS, ROPE, SHOP = range(8)

HEAL, MOVE, DRINK = 0, 1, 2
MIX_OF = 3  # + (attack dice − 1) + 2 × (resource dice − 1): the rest are movement dice
STEP = 7  # + side
BACK = 11
FIGHT, USE_ROPE = 12, 13
KEEP_CARD = 14  # + kind of chance card
BUY = 18  # + place in the shop
TRADE = 21  # + 3 × resource given + resource taken
END = 30
REROLL = 31  # + the dice to roll again, one bit each; none keeps all

MAX_ACTIONS = 64  # every set of six dice
