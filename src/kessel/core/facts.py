"""Facts: what is derived from the columns of a board and kept as long as it holds.

A game names its lifetimes by what ends them, and a rule names the lifetime of what it finds:

    FACTS = Lifetimes()
    POSITION = FACTS.until("place", "rout", "weather")
    ZONES = FACTS.until("place", "rout", by_side=True)

    @fact(ZONES)
    def zone_of(g, side): ...

    class Board(core.Board):
        lifetimes = FACTS

    ON_ROUT = FACTS.ended_by("rout", "place", side=...)

The board says what happened (`g.happened(ON_ROUT)`), and whatever was kept until then is forgotten. A unit that moves
is the cause "place"; the core says it by itself. `NOW` holds until anything changes, `GAME` as long as the game,
`FOREVER` as long as the map. `LAST` keeps one answer as long as it is asked with the same arguments: for what is made
of a few things that change more rarely than anything a board could say.

A copy of a board shares its facts: what is found of one of them holds of the other, until something happens to one.

A fact of every unit or hex of a side that only what stands near it can change is one of `@nearby`: its lifetime names
what else ends it, and the board says with `touched` which hexes have changed, so that the rest is not found anew.

What a fact may be: (1) it depends on its arguments and on what its lifetime names, nothing else; (2) it is never None
and never changed afterwards; (3) a memo that those who ask fill is a fact that returns an empty dict, and its name
begins with `_memo`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import compress
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

from kessel.core.hexset import members, within

P = ParamSpec("P")
R = TypeVar("R")
G = TypeVar("G")

Store: TypeAlias = dict[Any, Any]
Ends: TypeAlias = tuple[int, ...]
"""The stores of a board that something empties."""


class Lifetime:
    """How long a fact holds. `store` is the first of its stores on a board; one by side has two of them."""

    __slots__ = ("by_side", "causes", "store")

    def __init__(self, store: int, causes: tuple[str, ...], by_side: bool) -> None:
        self.store, self.causes, self.by_side = store, causes, by_side


NOW = Lifetime(0, (), False)
"""Until anything changes."""
LAST = Lifetime(1, (), False)
"""As long as it is asked with the same arguments: the last answer is kept, by the first of them."""
FOREVER = Lifetime(-1, (), False)
"""As long as the map: what is printed."""
GAME = Lifetime(-2, (), False)
"""As long as the game, for all copies of its board: what depends on its scenario and options."""


class Lifetimes:
    """All lifetimes of a game."""

    def __init__(self) -> None:
        self._kept: list[Lifetime] = []
        self.stores = 2
        """How many stores a board has: the first two are those of `NOW` and `LAST`."""
        self.local: tuple[int, ...] = ()
        """The stores of the facts that hold where nothing near is touched."""
        self.own: tuple[int, ...] = (NOW.store, LAST.store)
        """The stores of which each board has its own. A copy shares the others with the board it was made of, until
        what ends them happens on either."""

    def until(self, *causes: str, by_side: bool = False) -> Lifetime:
        """A lifetime that ends with any of these; `by_side`: with what the side does that is the first argument."""
        made = Lifetime(self.stores, causes, by_side)
        self._kept.append(made)
        self.stores += 2 if by_side else 1
        return made

    def near(self, *causes: str) -> Lifetime:
        """A lifetime of facts of single units or hexes (`@nearby`) that ends with any of these."""
        made = self.until(*causes)
        self.local += (made.store,)
        self.own += (made.store,)
        return made

    def ended_by(self, *causes: str, side: int | None = None) -> Ends:
        """What is forgotten when this happens, to that side or (None) to both. What holds only `NOW` always is."""
        if unknown := set(causes) - {c for one in self._kept for c in one.causes} - {"place"}:
            raise ValueError(f"no fact ends with {', '.join(sorted(unknown))}")
        found: list[int] = []
        for one in self._kept:
            if not set(causes) & set(one.causes):
                continue
            if not one.by_side:
                found.append(one.store)
            elif side is None:
                found += [one.store, one.store + 1]
            else:
                found.append(one.store + side)
        return tuple(found)


NONE = Lifetimes()
"""Those of a game that keeps nothing longer than `NOW`."""


def fact(lifetime: Lifetime) -> Callable[[Callable[Concatenate[G, P], R]], Callable[Concatenate[G, P], R]]:
    """Keeps what a function of the board (and of hashable arguments) finds, as long as the lifetime says."""

    def decorate(make: Callable[Concatenate[G, P], R]) -> Callable[Concatenate[G, P], R]:
        any_number = 3  # what may be left out is not counted
        arguments = any_number if make.__defaults__ else make.__code__.co_argcount - 1
        getter: Any
        if lifetime is FOREVER:
            getter = _forever(make)
        elif lifetime is GAME:
            getter = _of_game(make) if arguments == 0 else _of_game_and_more(make)
        elif lifetime is LAST:
            getter = _last(make)
        elif lifetime.by_side:
            getter = (_of_side, _of_side_and_one, _of_side_and_more)[min(arguments, 3) - 1](make, lifetime.store)
        else:
            getter = (_plain, _of_one, _of_two, _of_more)[min(arguments, 3)](make, lifetime.store)
        getter.__name__, getter.__qualname__ = make.__name__, make.__qualname__
        getter.__doc__, getter.__module__ = make.__doc__, make.__module__
        getter.__wrapped__ = make
        getter.lifetime = lifetime
        return getter  # type: ignore[no-any-return]

    return decorate


def _plain(make: Any, store: int) -> Any:
    def getter(g: Any) -> Any:
        kept = g.kept[store]
        found = kept.get(make)
        if found is None:
            found = kept[make] = make(g)
        return found

    return getter


def _of_one(make: Any, store: int) -> Any:
    def getter(g: Any, a: Any) -> Any:
        kept, key = g.kept[store], (make, a)
        found = kept.get(key)
        if found is None:
            found = kept[key] = make(g, a)
        return found

    return getter


def _of_two(make: Any, store: int) -> Any:
    def getter(g: Any, a: Any, b: Any) -> Any:
        kept, key = g.kept[store], (make, a, b)
        found = kept.get(key)
        if found is None:
            found = kept[key] = make(g, a, b)
        return found

    return getter


def _of_more(make: Any, store: int) -> Any:
    def getter(g: Any, *arguments: Any) -> Any:
        kept, key = g.kept[store], (make, *arguments)
        found = kept.get(key)
        if found is None:
            found = kept[key] = make(g, *arguments)
        return found

    return getter


def _of_side(make: Any, store: int) -> Any:
    def getter(g: Any, side: int) -> Any:
        kept = g.kept[store + side]
        found = kept.get(make)
        if found is None:
            found = kept[make] = make(g, side)
        return found

    return getter


def _of_side_and_one(make: Any, store: int) -> Any:
    def getter(g: Any, side: int, a: Any) -> Any:
        kept, key = g.kept[store + side], (make, a)
        found = kept.get(key)
        if found is None:
            found = kept[key] = make(g, side, a)
        return found

    return getter


def _of_side_and_more(make: Any, store: int) -> Any:
    def getter(g: Any, side: int, *arguments: Any) -> Any:
        kept, key = g.kept[store + side], (make, *arguments)
        found = kept.get(key)
        if found is None:
            found = kept[key] = make(g, side, *arguments)
        return found

    return getter


def _forever(make: Any) -> Any:
    def getter(g: Any, *arguments: Any) -> Any:
        kept, key = g.map.cache, (make, *arguments)
        found = kept.get(key)
        if found is None:
            found = kept[key] = make(g, *arguments)
        return found

    return getter


def _of_game(make: Any) -> Any:
    def getter(g: Any) -> Any:
        found = g.settled.get(make)
        if found is None:
            found = g.settled[make] = make(g)
        return found

    return getter


def _of_game_and_more(make: Any) -> Any:
    def getter(g: Any, *arguments: Any) -> Any:
        kept, key = g.settled, (make, *arguments)
        found = kept.get(key)
        if found is None:
            found = kept[key] = make(g, *arguments)
        return found

    return getter


def _last(make: Any) -> Any:
    def getter(g: Any, of: Any, *made_of: Any) -> Any:
        kept, key = g.kept[LAST.store], (make, of)
        known = kept.get(key)
        if known is None or known[0] != made_of:
            known = kept[key] = (made_of, make(g, of, *made_of))
        return known[1]

    return getter


# --- facts of single units and hexes ---------------------------------------------------------------------------------

TOUCHED = "touched"
"""Where the store of `LAST` keeps what was touched: (a hex, or ~u for a unit that left the map; what was touched before
it)."""
MANY = 40
"""With so many hexes touched everything is found anew."""


def nearby(
    lifetime: Lifetime, radius: int, *, hexes: bool = False, of: Callable[[Any], Sequence[Any]] | None = None
) -> Callable[[Callable[Concatenate[G, int, int, P], R]], Callable[Concatenate[G, int, P], dict[int, R]]]:
    """What a function finds for each unit of a side on the map, or for each hex it holds, as far as it finds anything:
    `make(g, side, unit or hex, ...)`, kept as `found(g, side, ...)`, by unit or hex in ascending order.

    It may depend on what its lifetime names and on the units not further than the radius from the unit or hex. `of`:
    what says by unit, for the whole game, whether it is ever found for that unit.
    """

    def decorate(make: Any) -> Any:
        def whole(g: Any, side: int, *more: Any) -> dict[int, Any]:
            items = members(g.hexes_of(side)) if hexes else g.on_the_map(side)
            if of is not None:
                items = compress(items, map(of(g).__getitem__, items))
            return {i: found for i in items if (found := make(g, side, i, *more))}

        def getter(g: Any, side: int, *more: Any) -> dict[int, Any]:
            kept, key = g.kept[lifetime.store], (whole, side, *more)
            known, now = kept.get(key), g.kept[LAST.store].get(TOUCHED)
            if known is None:
                found = whole(g, side, *more)
            elif known[1] is now:
                return known[0]  # type: ignore[no-any-return]
            else:
                touched = _since(known[1], now)
                if len(touched) > MANY:
                    found = whole(g, side, *more)
                else:
                    found = _mended(g, make, known[0], touched, radius, hexes, of and of(g), side, more)
            kept[key] = found, now
            return found

        getter.__name__ = whole.__name__ = make.__name__
        getter.__doc__, getter.__module__ = make.__doc__, make.__module__
        getter.__wrapped__ = make  # type: ignore[attr-defined]
        whole.kept = getter  # type: ignore[attr-defined]
        return getter

    return decorate


def touched(g: Any, *places: int) -> None:
    """Something about the units in these hexes has changed, or (~u) a unit has left the map."""
    kept = g.kept[LAST.store]
    now = kept.get(TOUCHED)
    for h in places:
        now = (h, now)
    kept[TOUCHED] = now


def _since(then: Any, now: Any) -> set[int]:
    """Where something was touched; more than `MANY` are as good as all."""
    found = set()
    while now is not then:
        h, now = now
        found.add(h)
        if len(found) > MANY:
            break
    return found


def _mended(
    g: Any, make: Any, known: dict[int, Any], touched: set[int], radius: int, hexes: bool, of: Any, side: int, more: Any
) -> dict[int, Any]:
    """What was found before, and anew for what stands near the hexes touched."""
    found, fresh = known.copy(), False
    around = _around(g, radius)
    near: set[int] = set()
    for h in touched:
        if h >= 0:
            near |= around[h]
        elif not hexes:
            found.pop(~h, None)
    sides, under, top = g.forces.side, g._under, g._top
    for h in near:
        u, mine = top[h], False
        while u >= 0:
            if sides[u] == side:
                mine = True
                if not hexes and (of is None or of[u]):
                    fresh |= _put(found, u, make(g, side, u, *more))
            u = under[u]
        if hexes:
            fresh |= _put(found, h, make(g, side, h, *more) if mine else None)
    return dict(sorted(found.items())) if fresh else found


def _put(found: dict[int, Any], item: int, value: Any) -> bool:
    """Whether it is new."""
    if not value:
        found.pop(item, None)
        return False
    fresh = item not in found
    found[item] = value
    return fresh


@fact(FOREVER)
def _around(g: Any, radius: int) -> dict[int, frozenset[int]]:
    """The hexes not further than so many from each."""
    grid = g.map.grid
    return {h: frozenset(members(within(grid, 1 << h, radius))) for h in grid.hexes}


# --- keeping up, and tests ---------------------------------------------------------------------------------------


def _owned(g: Any, keeper: Any, arguments: tuple[Any, ...]) -> tuple[Store, Any]:
    """The store of a fact, which no copy of the board shares any more, and the key it has there."""
    lifetime: Lifetime = keeper.lifetime
    n = lifetime.store
    if lifetime.by_side:
        n, arguments = n + arguments[0], arguments[1:]
    if n not in g.lifetimes.own:
        g.kept[n] = g.kept[n].copy()
    return g.kept[n], (keeper.__wrapped__, *arguments) if arguments else keeper.__wrapped__


def amend(g: Any, keeper: Callable[..., R], *arguments: Any, by: Callable[[R], R]) -> None:
    """Brings a kept fact up to date instead of finding it anew."""
    kept, key = _owned(g, keeper, arguments)
    found = kept.get(key)
    if found is not None:
        kept[key] = by(found)


def keep(g: Any, keeper: Callable[..., R], *arguments: Any, found: R) -> None:
    """Keeps as a fact what is known without finding it."""
    kept, key = _owned(g, keeper, arguments)
    kept[key] = found


def forget(g: Any, keeper: Callable[..., Any], *arguments: Any) -> None:
    """Forgets a kept fact, of whatever lifetime, alone."""
    kept, key = _owned(g, keeper, arguments)
    kept.pop(key, None)


def kept_facts(g: Any) -> Iterator[tuple[Callable[..., Any], tuple[Any, ...], Any]]:
    """Every fact a board keeps now but memos: what made it, the arguments, what was found. For tests."""
    sides: dict[int, int] = {}
    for one in g.lifetimes._kept:
        if one.by_side:
            sides |= {one.store: 0, one.store + 1: 1}
    for n, store in enumerate(g.kept):
        of_side = (sides[n],) if n in sides else ()
        for key, found in list(store.items()):
            make, *rest = key if isinstance(key, tuple) else (key,)
            if key == TOUCHED:
                continue
            if n in g.lifetimes.local and callable(make):
                found = make.kept(g, *rest)
            if n == LAST.store:
                made_of, found = found
                rest += made_of
            if callable(make) and not make.__name__.startswith("_memo"):
                yield make, (*of_side, *rest), found
