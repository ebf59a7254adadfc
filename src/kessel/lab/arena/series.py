"""Many pairs, in processes, kept as they are played; a test stops when it knows enough."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from kessel.core.title import title
from kessel.lab.arena.matches import Match, Pair, PairScore, Played, code_of, play, score_pair
from kessel.lab.arena.ratings import NO_SIDES, Game, Ratings, rate
from kessel.lab.arena.sprt import Test, counted, llr
from kessel.lab.arena.store import Store
from kessel.lab.on_ray import shared


def _play_all(matches: tuple[Match, ...]) -> list[tuple[Match, Played, str]]:
    return [(m, *play(m)) for m in matches]


def play_pairs(store: Store, wanted: Iterable[Pair], workers: int = 1, ray: str = "") -> Iterator[PairScore]:
    """The scores of the pairs in the order given, whatever order they are played in: else quick games, which are often
    lost ones, would come first. Games that are kept already are not played again.
    """
    waiting: list[Pair] = []
    done: dict[str, Played] = {}
    at = 0

    def open_matches() -> Iterator[tuple[Match, ...]]:
        seen: set[str] = set()
        for pair in wanted:
            missing = []
            for m in dict.fromkeys(pair.matches()):
                found = store.find(m)
                if found is not None:
                    done[m.id] = found
                elif m.id not in seen:
                    missing.append(m)
                    seen.add(m.id)
            waiting.append(pair)
            if missing:
                yield tuple(missing)

    def ready() -> Iterator[PairScore]:
        nonlocal at
        while at < len(waiting):
            first, second = waiting[at].matches()
            if first.id not in done or second.id not in done:
                return
            yield score_pair(waiting[at], done[first.id], done[second.id])
            at += 1

    for finished in shared(_play_all, open_matches(), workers, ray):
        for match, played, record in finished:
            store.add(match, played, record)
            done[match.id] = played
        yield from ready()
    yield from ready()


@dataclass(slots=True)
class Tested:
    """A sequential test as far as it has gone."""

    test: Test
    scores: list[PairScore] = field(default_factory=list)
    verdict: str = "open"

    def add(self, score: PairScore) -> None:
        if self.verdict == "open":
            self.scores.append(score)
            self.verdict = self.test.verdict(counted(s.score for s in self.scores))

    @property
    def llr(self) -> float:
        return llr(counted(s.score for s in self.scores), self.test.elo0, self.test.elo1)


def run_test(
    store: Store,
    wanted: Iterable[Pair],
    test: Test,
    *,
    workers: int = 1,
    ray: str = "",
    each: Callable[[Tested], None] | None = None,
) -> Tested:
    """Pairs until the test is over, or there are no more."""
    found = Tested(test)
    for score in play_pairs(store, wanted, workers, ray):
        found.add(score)
        if each is not None:
            each(found)
        if found.verdict != "open":
            break
    return found


def mean_and_error(values: list[float]) -> tuple[float, float]:
    """The mean and its standard error."""
    if len(values) < 2:
        return (values[0] if values else 0.0), float("inf")
    return statistics.fmean(values), statistics.stdev(values) / len(values) ** 0.5


# --- what is kept, as pairs --------------------------------------------------------------------------------------


def codes(games: Iterable[str]) -> dict[str, str]:
    """The code of each game as it is now."""
    return {game: code_of(game) for game in games}


def kept_games(store: Store, of: dict[str, str] | None) -> list[tuple[Match, Played]]:
    return [(m, p) for m, p in store.games(of) if p.ended == "rules"]


def kept_pairs(kept: list[tuple[Match, Played]]) -> list[list[Game]]:
    """The games in groups that hang together: one seed of a scenario between two programs."""
    groups: dict[tuple[str, str, tuple[str, ...], int], list[Game]] = {}
    alone: dict[tuple[str, int], list[tuple[str, Played]]] = {}
    for m, p in kept:
        if len(m.players) == 2:
            a, b = m.players
            key = (m.where, "", tuple(sorted((a, b))), m.seed)
            groups.setdefault(key, []).append(Game(a, b, m.where, p.score(0)))
        else:
            alone.setdefault((m.where, m.seed), []).append((m.players[0], p))
    for (where, seed), several in alone.items():
        game, _, scenario = where.partition("/")
        for i, (a, x) in enumerate(several):
            for b, y in several[i + 1 :]:
                pair = score_pair(Pair(game, scenario, a, b, seed), x, y)
                key = (where, "alone", tuple(sorted((a, b))), seed)
                groups.setdefault(key, []).append(Game(a, b, NO_SIDES, pair.score))
    return list(groups.values())


def rate_kept(store: Store, of: dict[str, str] | None, reference: str, where: str = "", draws: int = 200) -> Ratings:
    kept = [(m, p) for m, p in kept_games(store, of) if not where or m.where == where]
    return rate(kept_pairs(kept), reference, draws=draws)


def margins_of_pairs(kept: list[tuple[Match, Played]]) -> dict[tuple[str, str, str], list[float]]:
    """By two programs and scenario: how many Victory Points better the first did on the same side with the same seed,
    pair by pair.
    """
    games = {(m.where, m.seed, m.players): p for m, p in kept}
    found: dict[tuple[str, str, str], list[float]] = {}
    for (where, seed, players), p in games.items():
        other = games.get((where, seed, players[::-1])) if len(players) == 2 else None
        if other is not None and players[0] < players[1]:
            found.setdefault((*players, where), []).append(p.margin - other.margin)  # type: ignore[arg-type]
    return found


def margins_by_side(
    kept: list[tuple[Match, Played]], player: str, reference: str
) -> dict[tuple[str, int], list[float]]:
    """By scenario and side: how many Victory Points better the program did against the reference than the reference
    against itself, with the same seeds. The measure where one side wins nearly always.
    """
    plain = {(m.where, m.seed): p for m, p in kept if set(m.players) == {reference}}
    found: dict[tuple[str, int], list[float]] = {}
    for m, p in kept:
        base = plain.get((m.where, m.seed))
        others = [x for i, x in enumerate(m.players) if i != _place(m, player)]
        if base is None or player not in m.players or any(x != reference for x in others) or player == reference:
            continue
        place = _place(m, player)
        sign = 1 if place == 0 else -1
        found.setdefault((m.where, title(m.game).played[place]), []).append(sign * (p.margin - base.margin))
    return found


def _place(m: Match, player: str) -> int:
    return m.players.index(player) if player in m.players else -1
