"""The sentences of a report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from kessel.core.hexes import NO_HEX
from kessel.core.terrain import Map
from kessel.core.title import Outcome, Title
from kessel.core.view import Piece
from kessel.report.story import Fight, Move, Part, Story

PEOPLE = {"german": "the Germans", "soviet": "the Soviets", "axis": "the Axis"}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def people(side: str) -> str:
    return PEOPLE.get(side, f"the {side.replace('_', ' ').title()}")


def was(side: str) -> str:
    """The verb that goes with `people`."""
    return "was" if side == "axis" else "were"


def adjective(side: str) -> str:
    return side.replace("_", " ").title()


def number(n: int) -> str:
    return NUMBERS[n] if 0 <= n < len(NUMBERS) else str(n)


def counted(n: int, what: str, several: str = "") -> str:
    """
    >>> counted(1, "step"), counted(3, "step"), counted(20, "step"), counted(0, "loss", "losses")
    ('one step', 'three steps', '20 steps', 'no losses')
    """
    return f"{number(n)} {what if n == 1 else several or what + 's'}"


def listed(some: Sequence[str], most: int = 99) -> str:
    """
    >>> listed(["a", "b", "c"]), listed(["a", "b", "c", "d"], 2), listed(["1 Brigade, 87 Division", "b", "c"])
    ('a, b and c', 'a, b and two others', '1 Brigade, 87 Division; b and c')
    """
    comma = "; " if any(", " in x for x in some) else ", "
    if len(some) > most + 1:
        return f"{comma.join(some[:most])} and {number(len(some) - most)} others"
    return comma.join(some[:-1]) + (" and " if len(some) > 1 else "") + some[-1] if some else ""


FORMATIONS = {
    "A": "Army",
    "PzA": "Panzer Army",
    "TA": "Tank Army",
    "TkA": "Tank Army",
    "GA": "Guards Army",
    "GdA": "Guards Army",
    "GTkA": "Guards Tank Army",
    "R": "Reserve Army",
    "C": "Corps",
    "K": "Korps",
    "PzC": "Panzer Corps",
    "PzK": "Panzer Korps",
    "TkC": "Tank Corps",
    "CC": "Cavalry Corps",
    "GCC": "Guards Cavalry Corps",
    "Div": "Division",
    "ID": "Infantry Division",
    "RD": "Rifle Division",
    "Pz": "Panzer Division",
    "SSPz": "SS Panzer Division",
    "Mot": "Motorized Division",
    "Gds": "Guards Division",
    "Hun": "Hungarian Army",
    "Ital": "Italian Army",
    "Rom": "Romanian Army",
    "": "Army",
    "G": "Guards Army",
    "T": "Tank Army",
    "GTkC": "Guards Tank Corps",
    "MC": "Mechanized Corps",
    "TD": "Tank Division",
    "MD": "Mechanized Division",
    "AT": "Anti-Tank Brigade",
    "FA": "Fortified Area",
}
"""What the letters after a formation's number stand for."""
NAMED = {
    "Bry": "Bryansk Front",
    "NCau": "North Caucasus Front",
    "SW": "Southwest Front",
    "South": "South Front",
    "Stal": "Stalingrad Front",
    "Vor": "Voronezh Front",
    "III": "III Panzer Corps",
    "IISS": "II SS Panzer Corps",
    "XL": "XL Panzer Corps",
    "XLVIII": "XLVIII Panzer Corps",
    "LVII": "LVII Panzer Corps",
    "Raus": "Corps Raus",
    "Popov": "Mobile Group Popov",
    "Bake": "Heavy Regiment Bäke",
    "Haake": "KG Haake",
    "KaB": "Korps-Abteilung B",
    "Wal": "Wallonien",
}
"""Formations without a number."""


def formation(code: str) -> str:
    """A formation's name spelled out, as far as its letters are known.

    >>> formation("1PzA"), formation("23TkC"), formation("69"), formation("Popov"), formation("X")
    ('1st Panzer Army', '23rd Tank Corps', '69th Army', 'Mobile Group Popov', 'X')
    """
    n = len(code) - len(code.lstrip("0123456789"))
    what = FORMATIONS.get(code[n:])
    return f"{ordinal(int(code[:n]))} {what}" if n and what else NAMED.get(code, code)


def ordinal(n: int) -> str:
    return f"{n}{'th' if 10 < n % 100 < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def chance(p: Fraction) -> str:
    """
    >>> chance(Fraction(1, 6)), chance(Fraction(5, 6)), chance(Fraction(1, 53))
    ('one chance in six', '83 chances in a hundred', '2 chances in a hundred')
    """
    if p.numerator == 1 and p.denominator <= 12:
        return f"one chance in {number(p.denominator)}"
    hundred = round(100 * p)
    return f"{hundred} chances in a hundred" if hundred > 1 else "one chance in a hundred or less"


def points_said(value: float, t: Title) -> str:
    """How the score stands."""
    if value == 0:
        return "neither side was ahead"
    ahead = t.sides[0] if value > 0 else t.sides[1]
    return f"{people(ahead)} {was(ahead)} {abs(value):g} {'point' if abs(value) == 1 else 'points'} ahead"


class Writer:
    def __init__(self, story: Story) -> None:
        self.story, self.t = story, story.game.title
        self.map: Map = story.game.board.map
        every = [*story.begun, *(p for part in story.parts for p in part.pieces)]
        self.name = {p.id: p.name or p.id for p in every}

    # --- the whole -------------------------------------------------------------------------------------------------

    def lead(self, out: Outcome | None) -> list[str]:
        """What came of it, in a few sentences."""
        s = self.story
        said = [self._ended(out)]
        if not s.parts:
            return said
        said.append(self._tally())
        before = s.first.points
        swings = []
        for part in s.parts:
            swings.append((part.row.points - before, part))
            before = part.row.points
        swing, part = max(swings, key=lambda x: abs(x[0]))
        if swing:
            who = self.t.sides[0] if swing > 0 else self.t.sides[1]
            gained = f"{abs(swing):g} {'point' if abs(swing) == 1 else 'points'}"
            said.append(f"The score moved most in {self.when(part)}, by {gained} for {people(who)}.")
        blood = max(s.parts, key=lambda p: sum(p.lost))
        if sum(blood.lost) and len(s.parts) > 1:
            where = "then too" if blood is part and swing else f"in {self.when(blood)}"
            said.append(f"Most blood flowed {where}: {counted(sum(blood.lost), 'step')} were lost by both sides.")
        said.append(self.luck_said())
        return said

    def _ended(self, out: Outcome | None) -> str:
        s = self.story
        turns, actions = counted(len(s.parts), "turn"), len(s.game.entries)
        if out is None or not s.game.over:
            return f"The game is not over: {turns} have been played, in {actions} actions."
        level = out.level.replace("_", " ")
        of_side = level.split()[0].lower() in self.t.sides
        level = capital(level) if of_side else level[:1].lower() + level[1:]
        if out.winner is None:
            return f"Nobody won ({level}) after {turns} and {actions} actions."
        scored = [f"{people(x)} had {n} {'point' if n == 1 else 'points'}" for x, n in out.points.items()]
        how = "; ".join(filter(None, ("" if level == "victory" else level, listed(scored))))
        won = people(self.t.sides[out.winner])
        return f"{capital(won)} won after {turns} and {actions} actions{': ' + how if how else ''}."

    def _tally(self) -> str:
        s = self.story
        lost = s.parts[-1].row.lost
        fights = len(s.fights)
        sides = listed([f"{people(x)} lost {counted(n, 'step')}" for n, x in zip(lost, self.t.sides, strict=True)])
        return f"There were {counted(fights, 'fight')}; in all {sides}."

    def luck_said(self) -> str:
        sums = self.story.luck.sums()
        if not self.story.luck.counted:
            return "No die was thrown that a side could have luck with."
        side = 0 if sums[0].luck >= 0 else 1
        luck, usual = float(sums[side].luck), sums[side].deviation
        if not usual or luck < usual / 2:
            return "The dice were fair to both sides."
        how = "a little" if luck < usual else "clearly" if luck < 2 * usual else "beyond all measure"
        return (
            f"The dice favoured {people(self.t.sides[side])} {how}: they were worth {luck:.1f} steps more than could "
            f"be expected, where {usual:.1f} either way are usual."
        )

    def when(self, part: Part) -> str:
        name = part.row.name
        return name[:1].lower() + name[1:] if name.startswith("Turn") else name

    # --- a turn ------------------------------------------------------------------------------------------------------

    def turn(self, part: Part, before: Part | None) -> list[str]:
        said = [self._fought(part)]
        said += self._taken(part)
        said += self._dead(part)
        said += self._arrived(part)
        said += self._march(part)
        said += self._supply(part, before)
        earlier = before.row.points if before else self.story.first.points
        if part.row.points != earlier:
            now = points_said(part.row.points, self.t)
            same = earlier * part.row.points > 0
            then = f"{abs(earlier):g}" if same else points_said(earlier, self.t)
            said.append(f"When it was over, {now} ({then} before).")
        return [x for x in said if x]

    def _fought(self, part: Part) -> str:
        some = [(sum(f.side == i for f in part.fights), people(x)) for i, x in enumerate(self.t.sides)]
        if not any(n for n, _ in some):
            return "Nobody attacked."
        times = {1: "once", 2: "twice"}
        said: list[str] = []
        for n, x in some:
            if n:
                said.append(f"{x}{'' if said else ' attacked'} {times.get(n, f'{number(n)} times')}")
        lost = [f"{people(x)} {counted(n, 'step')}" for n, x in zip(part.lost, self.t.sides, strict=True)]
        return f"{capital(' and '.join(said))}; it cost {' and '.join(lost)}."

    def _taken(self, part: Part) -> list[str]:
        by: dict[tuple[str, str], list[str]] = {}
        for place, was, now in part.taken:
            by.setdefault((was, now), []).append(place)
        said = []
        for (was, now), places in by.items():
            from_whom = f" from {people(was)}" if was else ""
            said.append(f"{capital(people(now))} took {listed(places, 6)}{from_whom}.")
        return said

    def _dead(self, part: Part) -> list[str]:
        said = []
        for side in self.t.sides:
            gone = [u for f in part.fights for u in f.dead if self._side(u) == side]
            if gone:
                names = [self.name.get(u, u) for u in dict.fromkeys(gone)]
                were = "was" if len(names) == 1 else "were"
                said.append(f"{listed(names, 4)} of {people(side)} {were} destroyed.")
        return said

    def _side(self, unit: str) -> str:
        forces = self.story.game.board.forces
        return self.t.sides[forces.side[forces.ids.index(unit)]]

    def _arrived(self, part: Part) -> list[str]:
        some = [(x, [p for p in part.arrived if p.side == x]) for x in self.t.sides]
        said = [f"{counted(len(new), 'unit')} for {people(x)}" for x, new in some if new]
        return [f"Fresh on the map: {listed(said)}."] if said else []

    def _march(self, part: Part) -> list[str]:
        """The longest way anybody went."""
        grid = self.map.grid

        def far(m: Move) -> int:
            return grid.distance(grid.hex(m.start), grid.hex(m.end))

        best = max(part.moves, key=far, default=None)
        if best is None or far(best) < 4:
            return []
        who = self.name.get(best.unit, best.unit)
        return [f"{who} went furthest: {far(best)} hexes, {self.near(best.end)}."]

    def where(self, f: Fight) -> str:
        return f.where if f.name or not f.hexes else self.near(f.hexes[0]).removeprefix("to ")

    def near(self, place: str) -> str:
        """Where a hex lies, by the nearest place with a name.

        A place of its own is reached, another is only near.
        """
        grid = self.map.grid
        h = grid.find(place)
        if h == NO_HEX:
            return f"to {place}"
        if h in self.map.name:
            return f"to {self.map.name[h]}"
        around = sorted((grid.distance(h, x), name) for x, name in self.map.name.items())
        return f"to {place} near {around[0][1]}" if around and around[0][0] <= 3 else f"to {place}"

    def _supply(self, part: Part, before: Part | None) -> list[str]:
        said = []
        for i, side in enumerate(self.t.sides):
            now, units = part.cut_off[i], part.row.units[i]
            old = {p.id for p in before.cut_off[i]} if before else set()
            new = [p for p in now if p.id not in old]
            if len(now) >= 3 and len(now) * 10 >= units and len(new) >= 2:
                newly = f", {number(len(new)) if len(new) < len(now) else 'all'} of them newly" if before else ""
                some = listed([p.name or p.id for p in biggest(new)], 3)
                share = f"{number(len(now))} of {units} {adjective(side)} units"
                said.append(f"<b>Supply:</b> {share} were out of supply or command{newly}: {some}.")
            elif len(old) >= 3 and len(now) <= len(old) // 3 and len(old) * 10 >= units:
                left = f"{counted(len(now), 'unit') if now else 'nobody'} remained cut off ({number(len(old))} before)"
                said.append(f"<b>Supply:</b> the {adjective(side)} lines were restored; {left}.")
        return said

    # --- a fight -----------------------------------------------------------------------------------------------------

    def fight(self, f: Fight, brief: bool = False) -> str:
        """A fight in a few sentences; `brief`: luck only where it was out of the ordinary."""
        us, them = people(self.t.sides[f.side]), people(self.t.sides[1 - f.side])
        said = [f"{capital(us)} attacked {self.where(f)}{self._odds(f)}."]
        own, enemy = f.lost[f.side], f.lost[1 - f.side]
        if own or enemy:
            cost = f"It cost them {counted(own, 'step')} and {them} {counted(enemy, 'step')}"
            gone = listed([self.name.get(u, u) for u in f.dead], 3)
            said.append(f"{cost}; {gone} {'was' if len(f.dead) == 1 else 'were'} destroyed." if gone else f"{cost}.")
        else:
            said.append("Neither side lost a step.")
        if f.taken:
            said.append(f"{f.name} changed hands.")
        return " ".join([*said, *self._luck(f, brief)])

    def _odds(self, f: Fight) -> str:
        if f.odds is None or not min(f.odds):
            return ""
        a, b = f.odds
        more, less = f"{a / b:.1f}".removesuffix(".0"), f"{b / a:.1f}".removesuffix(".0")
        said = "even odds" if more == less else f"{more} to one" if a > b else f"one to {less}"
        return f" at {said} ({a:g} against {b:g})"

    def _luck(self, f: Fight, brief: bool) -> list[str]:
        if not f.throws:
            return []
        said = []
        if abs(f.luck) >= (1 if brief else 0.5):
            by = f"{abs(f.luck):.1f}".removesuffix(".0")
            side = "with" if f.luck > 0 else "against"
            said.append(f"Luck was {side} the attackers, by {'a step' if by == '1' else f'{by} steps'}.")
        elif not brief:
            said.append("The dice fell about as expected.")
        rare = min(f.throws, key=lambda t: t.chance)
        if rare.chance <= Fraction(1, 10) and rare.fell is not None and len(f.throws) < 4:
            said.append(f"A result like theirs ({rare.fell.result}) had {chance(rare.chance)}.")
        return said


def biggest(some: Iterable[Piece]) -> list[Piece]:
    return sorted(some, key=lambda p: (-p.steps, p.id))
