"""What can happen in mazerunner, in words."""

from collections.abc import Callable
from typing import Any

from parlour.engine import Seat, event
from parlour.games.mazerunner.events.naming import MazeEvent
from parlour.games.mazerunner.state.decks.items import ITEMS
from parlour.games.mazerunner.state.decks.monsters import MONSTERS
from parlour.games.mazerunner.state.decks.resources import RESOURCE_CARDS
from parlour.games.mazerunner.state.names import SIDES, a_monster, amount, amounts_on, block_name, join

# The match begins, and ends


@event
class Begins(MazeEvent):
    words = "{seat} begins"
    seat: Seat


@event
class Waits(MazeEvent):
    words = "{seat} has to wait, and begins with {potions}"
    seat: Seat
    potions: int

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        potions = self.said("1 potion" if self.potions == 1 else "{count} potions").format(count=self.potions)
        return {"seat": name(self.seat), "potions": potions}


@event
class TurnEnded(MazeEvent):
    words = "{seat} ends the turn"
    quiet = True
    seat: Seat


@event
class KnockedOut(MazeEvent):
    words = "{seat} has no hp left and is out"
    seat: Seat


@event
class Escaped(MazeEvent):
    words = "the map is complete: {seat} is out of the maze and wins"
    seat: Seat


@event
class LastOne(MazeEvent):
    words = "{seat} is the last one alive and wins"
    seat: Seat


@event
class AllOut(MazeEvent):
    words = "nobody is left alive: the maze wins"


@event
class TimeUp(MazeEvent):
    words = "{rounds}: the most map pieces win"
    rounds: int

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        over = self.said("1 round is over" if self.rounds == 1 else "{count} rounds are over")
        return {"rounds": over.format(count=self.rounds)}


# Heal or move; the dice


@event
class ChoseToHeal(MazeEvent):
    words = "{seat} stays in the base to heal"
    seat: Seat


@event
class ChoseToMove(MazeEvent):
    words = "{seat} makes ready for the maze"
    seat: Seat


@event
class PickedDice(MazeEvent):
    words = "{seat} takes {attack} attack, {movement} movement and {resources} resource dice"
    seat: Seat
    attack: int
    movement: int
    resources: int


@event
class Rolled(MazeEvent):
    words = "{seat} rolls attack {attack_faces}, movement {movement_faces}, resources {resource_faces}"
    seat: Seat
    attack: int  # how many dice of each kind
    movement: int
    resources: int
    faces: tuple[int, ...]  # of all dice as they lie now
    rolled: int  # which of them were rolled, one bit each

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        shown = [str(face) for face in self.faces]
        movement, resources = self.attack, self.attack + self.movement
        return {
            "seat": name(self.seat),
            "attack_faces": " ".join(shown[:movement]),
            "movement_faces": " ".join(shown[movement:resources]),
            "resource_faces": " ".join(shown[resources:]),
        }


@event
class KeptDice(MazeEvent):
    words = "{seat} keeps all dice"
    seat: Seat


@event
class RolledAttack(MazeEvent):
    words = "{seat} rolls {dice} for the attack"
    seat: Seat
    dice: tuple[int, ...]


@event
class RolledResources(MazeEvent):
    words = "{seat} rolls {dice} for resources"
    seat: Seat
    dice: tuple[int, ...]


@event
class Ready(MazeEvent):
    words = "{seat} has attack power {power}, resource roll {resource_roll} and {half_steps} half steps"
    seat: Seat
    power: int
    resource_roll: int
    half_steps: int


@event
class Healed(MazeEvent):
    words = "{seat} recovers {points} hp and has {hp}"
    seat: Seat
    points: int
    hp: int


@event
class Drank(MazeEvent):
    words = "{seat} drinks a potion"
    seat: Seat


# The run


@event
class Stepped(MazeEvent):
    words = "{seat} goes {side} from {start} to {to}, {cost}"
    seat: Seat
    side: int
    start: int
    to: int
    cost: int  # in half steps


@event
class Discovered(MazeEvent):
    words = "{block} is discovered: {ways}"
    block: int
    open_sides: int  # one bit each

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        sides = [self.said(SIDES[side]) for side in range(4) if self.open_sides >> side & 1]
        ways = self.said("it is open to {sides}" if sides else "a dead end").format(sides=join(sides, self.said))
        return {"block": block_name(self.block), "ways": ways}


@event
class NoStepLeft(MazeEvent):
    words = "{seat} cannot pay for another step"
    seat: Seat


@event
class Returned(MazeEvent):
    words = "{seat} returns to the base"
    seat: Seat


@event
class FoundNothing(MazeEvent):
    words = "{seat} finds nothing at {block}"
    seat: Seat
    block: int


@event
class FoundResources(MazeEvent):
    words = "{seat} finds {amount}"
    seat: Seat
    resource: int
    amount: int

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        return {"seat": name(self.seat), "amount": amount(self.resource, self.amount, self.said)}


@event
class FoundItem(MazeEvent):
    words = "{seat} finds an item: {item}"
    seat: Seat
    item: int


@event
class FoundMap(MazeEvent):
    words = "{seat} finds map pieces: {pieces}, and has {maps} of 10"
    seat: Seat
    pieces: int
    maps: int


@event
class DrewChance(MazeEvent):
    words = "chance: {seat} draws {card}"
    seat: Seat
    card: int


@event
class Offered(MazeEvent):
    words = "the compass shows {seat} two chance cards: {card} and {other}"
    seat: Seat
    card: int
    other: int


@event
class Teleported(MazeEvent):
    words = "a secret portal takes {seat} to {block}"
    seat: Seat
    block: int


@event
class DrewResources(MazeEvent):
    words = "{seat} comes upon {found}: {amounts}"
    seat: Seat
    found: int

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        return {**MazeEvent.spoken(self, name), "amounts": amounts_on(RESOURCE_CARDS[self.found], self.said)}


@event
class NoCardLeft(MazeEvent):
    words = "there is no {deck} card left, not even among the discards"
    deck: int


@event
class Reshuffled(MazeEvent):
    words = "the {deck} deck is empty: its discards are shuffled"
    deck: int


# Monsters


@event
class Met(MazeEvent):
    words = "at {block} {seat} meets {monster} of health {health}, with attack power {power}"
    seat: Seat
    monster: int
    health: int
    block: int
    power: int

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        return {**MazeEvent.spoken(self, name), "monster": self.said(a_monster(MONSTERS[self.monster].name))}


@event
class Killed(MazeEvent):
    words = "{seat} kills {monster}: the loot is {loot}"
    seat: Seat
    monster: int

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        return {**MazeEvent.spoken(self, name), "loot": amounts_on(MONSTERS[self.monster], self.said)}


@event
class Wounded(MazeEvent):
    words = "{seat} wounds {monster} by {power}; it has {health} health left"
    seat: Seat
    monster: int
    power: int
    health: int


@event
class Hurt(MazeEvent):
    words = "{monster} hurts {seat} by {damage}: {hp} hp left"
    seat: Seat
    monster: int
    damage: int
    hp: int


@event
class DrivenBack(MazeEvent):
    words = "{seat} retreats to {to}"
    seat: Seat
    to: int


@event
class UsedRope(MazeEvent):
    words = "{seat} gets away from {monster} by a rope"
    seat: Seat
    monster: int


@event
class Follows(MazeEvent):
    words = "{monster} follows {seat} from {start} to {to}"
    seat: Seat
    monster: int
    start: int
    to: int


@event
class Forgot(MazeEvent):
    words = "the monsters forget {seat}"
    seat: Seat


# The shop


@event
class LaidOpen(MazeEvent):
    words = "the shop offers {item}"
    place: int
    item: int  # -1 when none is left

    def tell(self, name: Callable[[int], str]) -> str:
        return MazeEvent.tell(self, name) if self.item >= 0 else self.said("the shop has no card to refill with")


@event
class Bought(MazeEvent):
    words = "{seat} buys {item} for {price}"
    seat: Seat
    item: int

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        return {**MazeEvent.spoken(self, name), "price": amounts_on(ITEMS[self.item], self.said)}


@event
class Traded(MazeEvent):
    words = "{seat} trades {given} for {taken}"
    seat: Seat
    given: int
    taken: int

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        given, taken = amount(self.given, 3, self.said), amount(self.taken, 1, self.said)
        return {"seat": name(self.seat), "given": given, "taken": taken}
