"""What was played, in one SQLite file that is only ever added to."""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from kessel.core.errors import BadInput
from kessel.lab.arena.matches import Match, Played

TABLES = """
create table if not exists games (
    id text primary key, game text not null, scenario text not null, players text not null, seed integer not null,
    pack text not null, code text not null, winner integer not null, level text not null, margin real not null,
    steps integer not null, ended text not null, cpu text not null, faults text not null);
create index if not exists by_code on games (code, game, scenario);
create table if not exists records (id text primary key, record blob not null);
create table if not exists positions (
    id text primary key, game text not null, scenario text not null, seed integer not null, turn integer not null,
    side integer not null, pack text not null, board blob not null);
create table if not exists turns (id text primary key, about text not null, margins text not null);
create trigger if not exists games_stay before update on games begin select raise(abort, 'games stay'); end;
create trigger if not exists games_last before delete on games begin select raise(abort, 'games stay'); end;
"""
DEFAULT = Path("arena.sqlite")


class Store:
    def __init__(self, path: Path) -> None:
        try:
            self._db = sqlite3.connect(path)
            self._db.executescript(TABLES)
        except sqlite3.Error as e:
            raise BadInput(f"the arena's games cannot be kept there: {e}", str(path)) from None

    def close(self) -> None:
        self._db.close()

    # --- games -------------------------------------------------------------------------------------------------------

    def add(self, match: Match, played: Played, record: str = "") -> None:
        """Keep a game; one that is there already stays as it is."""
        row = (
            *(match.id, match.game, match.scenario, _text(match.players), match.seed, match.pack, match.code),
            *(played.winner, played.level, played.margin, played.steps, played.ended),
            *(_text(played.cpu), _text(played.faults)),
        )
        with self._db:
            self._db.execute(f"insert or ignore into games values ({','.join('?' * len(row))})", row)
            if record:
                text = zlib.compress(record.encode())
                self._db.execute("insert or ignore into records values (?, ?)", (match.id, text))

    def find(self, match: Match) -> Played | None:
        row = self._db.execute(f"select {PLAYED} from games where id = ?", (match.id,)).fetchone()
        return _played(row) if row is not None else None

    def games(self, codes: dict[str, str] | None = None) -> Iterator[tuple[Match, Played]]:
        """All games, or those of this code by game, in the order they were played."""
        rows = self._db.execute(f"select game, scenario, players, seed, pack, code, {PLAYED} from games order by rowid")
        for game, scenario, players, seed, pack, code, *rest in rows.fetchall():
            if codes is None or codes.get(game) == code:
                who = msgspec.json.decode(players, type=tuple[str, ...])
                yield Match(game, scenario, who, seed, pack, code), _played(rest)

    def record(self, id_: str) -> str | None:
        row = self._db.execute("select record from records where id = ?", (id_,)).fetchone()
        return zlib.decompress(row[0]).decode() if row is not None else None

    # --- positions ---------------------------------------------------------------------------------------------------

    def add_position(self, row: tuple[str, str, str, int, int, int, str], board: bytes) -> bool:
        """Keep a position; False if it is there already."""
        with self._db:
            words = "insert or ignore into positions values (?,?,?,?,?,?,?,?)"
            return self._db.execute(words, (*row, zlib.compress(board))).rowcount > 0

    def positions(self, game: str, scenario: str, pack: str) -> list[tuple[str, int, int, int, bytes]]:
        """Id, seed, turn, side and board of the positions of a scenario."""
        rows = self._db.execute(
            "select id, seed, turn, side, board from positions where game = ? and scenario = ? and pack = ?"
            " order by id",
            (game, scenario, pack),
        )
        return [(i, seed, turn, side, zlib.decompress(board)) for i, seed, turn, side, board in rows.fetchall()]

    # --- turns played from positions ---------------------------------------------------------------------------------

    def add_turn(self, about: list[object], margins: tuple[float, ...]) -> None:
        """Keep what a turn came to; `about` is all that determines it."""
        text = _text(about)
        with self._db:
            self._db.execute("insert or ignore into turns values (?, ?, ?)", (_hash(text), text, _text(margins)))

    def find_turn(self, about: list[object]) -> tuple[float, ...] | None:
        row = self._db.execute("select margins from turns where id = ?", (_hash(_text(about)),)).fetchone()
        return msgspec.json.decode(row[0], type=tuple[float, ...]) if row is not None else None


PLAYED = "winner, level, margin, steps, ended, cpu, faults"


def _played(row: tuple[int, str, float, int, str, str, str] | list[object]) -> Played:
    winner, level, margin, steps, ended, cpu, faults = row
    doc = {"winner": winner, "level": level, "margin": margin, "steps": steps, "ended": ended}
    doc |= {"cpu": msgspec.json.decode(str(cpu)), "faults": msgspec.json.decode(str(faults))}
    return msgspec.convert(doc, Played)


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()
