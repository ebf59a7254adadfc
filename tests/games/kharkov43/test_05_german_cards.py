"""5 German draw pile and commands, with 4.II and the German impulse of 4.IV."""

from __future__ import annotations

import random

import msgspec
import pytest

from kessel.core.analysis import answer
from kessel.core.dice import Dice
from kessel.core.game import Game
from kessel.core.procedure import PASS, apply, asked, legal, why_not
from kessel.games.kharkov43.answers.view import unseen_german_cards
from kessel.games.kharkov43.board import (
    ACTIVE,
    AVAILABLE,
    DISCARD,
    DRAW,
    ENTERING,
    HAND,
    IN_PLAY,
    OFF_MAP,
    RESERVE,
    Board,
)
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.sequence import prepare_soviet_deck
from kessel.games.kharkov43.title import TITLE
from kessel.games.kharkov43.turn.events import candidates
from kessel.games.kharkov43.turn.german_cards import (
    GermanImpulse,
    discard,
    german_pile,
    plays,
    prepare_german_cards,
    refill_hand,
    supplementals_dealt,
)
from tests.games.kharkov43.helpers import KIT
from tests.games.kharkov43.soviet_helpers import arena

from .helpers import PACK, board, german, hexes, hx, panzer, position, soviet, unit

rule = pytest.mark.rule
example = pytest.mark.example
EVERYWHERE = " ".join(hexes(15, 22))
HOME = board(
    german_edge=EVERYWHERE, areas={"deploy_4pz": EVERYWHERE, "deploy_1pz": EVERYWHERE, "deploy_raus": EVERYWHERE}
)


def impulse(hand: str, units: list | None = None, draw: str = "", **more) -> Board:
    """A German impulse with this hand."""
    more.setdefault("board", HOME)
    cards = {"hand": hand, "draw": draw, **more.pop("cards", {})}
    units = units if units is not None else [german("A", "1910", corps="XL"), german("B", "1911", corps="III")]
    return position(phase="german_impulse", cards=cards, units=units, **more)


def texts(g: Board) -> set[str]:
    return {" ".join(map(str, a)) for a in legal(g)}


def active(g: Board) -> set[str]:
    return {g.id(u) for u in g.active_units()}


def ids(g: Board, pile: int) -> set[str]:
    return {g.charts.cards[i].id for i in german_pile(g, pile)}


def play(g: Board, *action) -> None:
    apply(g, tuple(action), GERMAN)


# --- 4.II, 5.0 -----------------------------------------------------------------------------------------------------


@example("kharkov43", "X04")
@rule("kharkov43", "5.0a")
@rule("kharkov43", "5.0b")
@rule("kharkov43", "5.0c")
@rule("kharkov43", "4.IIa")
@rule("kharkov43", "4.IIb")
@rule("kharkov43", "4.IIc")
@rule("kharkov43", "4.IId")
@rule("kharkov43", "4.IIe")
def test_x04_the_german_draw_pile():
    g = Game.new("kharkov43", "campaign", seed=5, pack=PACK).board
    first = ids(g, HAND) | ids(g, DRAW)
    assert (len(ids(g, HAND)), len(ids(g, DRAW)), len(first)) == (4, 4, 8)
    used = {c for c in first if not g.charts.card(c).primary}
    assert len(used) == 3
    for c in first:
        discard(g, g.charts.card_index(c))
    g.set_track("turn", 2)
    prepare_german_cards(g)
    second = ids(g, HAND) | ids(g, DRAW)
    assert (len(ids(g, HAND)), len(ids(g, DRAW))) == (4, 5)
    assert sum(g.charts.card(c).primary for c in second) == 5
    assert not used & second, "supplementals used last turn are not available"
    assert len({"P36", "P37", "P38", "P39"} & (second | ids(g, AVAILABLE))) == 4, "four new supplementals"
    assert used <= ids(g, AVAILABLE), "they return too late for this turn's deal"
    assert len(ids(g, AVAILABLE)) == 2 + 3


@rule("kharkov43", "4.IIa")
def test_an_entering_primary_goes_straight_to_the_draw_pile():
    g = position(cards={"entering": "P28 P45"}, turn=5)
    prepare_german_cards(g)
    assert "P28" in ids(g, HAND) | ids(g, DRAW)
    later = position(cards={"entering": "P28 P45"}, turn=4)
    prepare_german_cards(later)
    assert ids(later, ENTERING) == {"P28", "P45"}


@rule("kharkov43", "18.34a")
def test_light_mud_deals_four_supplementals_instead_of_seven():
    assert supplementals_dealt(position(turn=8)) == 7
    assert supplementals_dealt(position(turn=8, ground="light_mud")) == 4
    cards = {"available": "P29 P30 P31 P36 P37 P38 P39 P40 P41", "discard": "P23 P24 P25 P26 P27"}
    for ground, dealt, told in (("frozen", 7, "unseen"), ("light_mud", 4, "unseen, in light mud")):
        g = position(turn=8, ground=ground, cards=cards)
        g.events, g.dice = [], Dice(3)
        prepare_german_cards(g)
        assert len(ids(g, HAND) | ids(g, DRAW)) == 5 + dealt
        assert ("4.II", f"{dealt} supplemental cards dealt to the draw pile {told}") in [
            (e["rule"], e["what"]) for e in g.events
        ]


@rule("kharkov43", "4.IIf")
def test_the_soviet_deck_is_made_of_discards_and_entering_cards():
    g = position(cards={"draw": "E01", "discard": "E02 E03", "entering": "E16 E18 E21", "out": "E22"}, turn=2)
    prepare_soviet_deck(g)
    deck = {g.charts.cards[i].id for i in g.charts.soviet_cards if g.cards[i] == DRAW}
    assert deck == {"E01", "E02", "E03", "E16", "E21"}, "E18 enters on turn 3"


# --- 5.1 -----------------------------------------------------------------------------------------------------------


@rule("kharkov43", "4.IVg")
@rule("kharkov43", "5.1a")
def test_an_impulse_plays_one_card_from_the_hand_for_one_command():
    g = impulse("P26 P25", draw="P23")
    assert asked(g) == GERMAN
    assert {"play P26 activate", "play P25 activate"} <= texts(g)
    assert why_not(g, ("play", "P23", "activate")).rule == "5.1", "not in hand"
    play(g, "play", "P26", "activate")
    assert ids(g, IN_PLAY) == {"P26"}
    assert ids(g, HAND) == {"P25"}, "the rest stays, for combat tactics too"


@rule("kharkov43", "5.1b")
@rule("kharkov43", "5.1c")
def test_passing():
    assert PASS in legal(impulse("P26"))
    two = impulse("P26 P25")
    assert PASS not in legal(two)
    assert why_not(two, PASS).rule == "5.1"
    pile = impulse("P26", draw="P23")
    assert PASS not in legal(pile)
    g = impulse("P26", cards={"discard": "E01", "hand": "P26", "draw": "E02"})
    play(g, "pass")
    assert ids(g, HAND) == {"P26"}, "it may be played in a later impulse"
    last = impulse("P26")
    play(last, "pass")
    assert ids(last, DISCARD) == {"P26"}, "the Soviets have no card left: the turn ends and the card is discarded"


@rule("kharkov43", "4.IVh")
def test_the_hand_is_refilled_after_the_command():
    g = impulse("P26 P25 P41", draw="P23 P24 P27", turn=1)
    play(g, "play", "P26", "activate")
    assert len(ids(g, HAND)) == 2
    while g.stack:
        play(g, *legal(g)[0] if PASS not in legal(g) else PASS)
    assert len(ids(g, HAND)) == 4
    assert ids(g, DISCARD) == {"P26"}
    refill_hand(g)
    assert len(ids(g, HAND)) == 4


# --- 5.2 -----------------------------------------------------------------------------------------------------------

CORPS_UNITS = [
    german("r1", "1906", corps="Raus"),
    german("s1", "1908", corps="IISS"),
    german("l1", "1910", corps="LVII"),
    german("l2", "1918", corps="LVII", status=["dispersed"]),
    german("x1", "1912", corps="XLVIII"),
    german("t1", "1914", corps="III"),
    german("xl", "1916", corps="XL"),
]


@rule("kharkov43", "5.2a")
def test_a_corps_card_activates_all_units_of_the_corps():
    g = impulse("P27 P26", CORPS_UNITS)
    play(g, "play", "P27", "activate")
    assert active(g) == {"x1"}
    assert why_not(impulse("P41 P26", CORPS_UNITS), ("play", "P41", "activate")).rule == "5.2"


@rule("kharkov43", "5.2b")
def test_a_corps_kampfgruppe_card_activates_corps_units_within_two_hexes():
    g = impulse("P41 P26", CORPS_UNITS)
    play(g, "play", "P41", "kampfgruppe")
    assert ("kg", hx(g, "1908")) in legal(g)
    assert why_not(g, ("kg", hx(g, "1907"))).reason == "no unit the card may activate is within 2 hexes of 1907"
    play(g, "kg", hx(g, "1912"))
    assert active(g) == {"l1"}, "within two hexes and of LVII"


@example("kharkov43", "X05")
@rule("kharkov43", "5.2c")
@rule("kharkov43", "6.0e")
def test_x05_an_army_card_activates_one_corps_of_the_army():
    g = impulse("P29 P26", CORPS_UNITS)
    play(g, "play", "P29", "activate")
    assert texts(g) == {"corps Raus", "corps IISS", "corps LVII", "corps XLVIII"}
    assert why_not(g, ("corps", "XL")).reason == "4th Panzer Army does not command XL"
    play(g, "corps", "LVII")
    assert active(g) == {"l1", "l2"}, "dispersed units too, IISS and Raus not"


@rule("kharkov43", "5.2d")
def test_an_army_kampfgruppe_takes_units_of_the_army():
    g = impulse("P30 P26", CORPS_UNITS)
    play(g, "play", "P30", "kampfgruppe")
    play(g, "kg", hx(g, "1914"))
    assert active(g) == {"t1", "xl"}, "XLVIII in 1912 is of the other army"


@rule("kharkov43", "5.2e")
def test_army_group_south_and_manstein_activate_any_corps():
    for card in ("P31", "P32"):
        g = impulse(f"{card} P26", CORPS_UNITS, turn=7)
        play(g, "play", card, "activate")
        assert len(legal(g)) == 6
        play(g, "corps", "III")
        assert active(g) == {"t1"}


@rule("kharkov43", "5.2f")
@rule("kharkov43", "5.2g")
def test_army_group_south_reaches_three_hexes_manstein_two():
    for card, expected in (("P31", {"s1", "l1", "x1", "t1"}), ("P32", {"l1", "x1"})):
        g = impulse(f"{card} P26", CORPS_UNITS, turn=7)
        play(g, "play", card, "kampfgruppe")
        play(g, "kg", hx(g, "1911"))
        assert active(g) == expected


@rule("kharkov43", "5.2h")
@rule("kharkov43", "6.1c")
def test_any_card_activates_one_unit_once_a_turn():
    g = impulse("P27 P26", CORPS_UNITS)
    play(g, "play", "P27", "one_unit")
    play(g, "unit", unit(g, "t1"))
    assert active(g) == {"t1"}
    assert g.track("one_unit_used") == 1
    again = impulse("P27 P26", CORPS_UNITS, one_unit_used=True)
    assert why_not(again, ("play", "P27", "one_unit")).rule == "6.1"


# --- 5.3 -----------------------------------------------------------------------------------------------------------

RESERVES = [
    *CORPS_UNITS,
    german("LR", "reserve", corps="LVII"),
    german("TR", "reserve", corps="III"),
    german("XR", "reserve", corps="XL"),
    german("SR", "reserve", corps="IISS"),
]


def deployed(g: Board) -> set[str]:
    return {n for n in ("LR", "TR", "XR", "SR") if g.box[unit(g, n)] != RESERVE}


def finish(g: Board) -> None:
    while g.stack:
        apply(g, legal(g)[0])


@rule("kharkov43", "5.3a")
def test_corps_and_corps_kampfgruppe_cards_deploy_their_corps():
    for card in ("P26", "P37"):
        g = impulse(f"{card} P27", RESERVES)
        play(g, "play", card, "deploy")
        assert {a[0] for a in legal(g)} == {"deploy"}
        finish(g)
        assert deployed(g) == {"XR"}


@rule("kharkov43", "5.3b")
def test_an_army_card_deploys_one_corps():
    g = impulse("P30 P27", RESERVES)
    play(g, "play", "P30", "deploy")
    assert texts(g) == {"corps III", "corps XL"}
    assert why_not(g, ("corps", "LVII")).reason == "1st Panzer Army does not deploy LVII"
    play(g, "corps", "III")
    finish(g)
    assert deployed(g) == {"TR"}


@rule("kharkov43", "5.3c")
def test_army_group_south_deploys_two_corps():
    g = impulse("P31 P27", RESERVES)
    play(g, "play", "P31", "deploy")
    play(g, "corps", "LVII")
    play(g, *legal(g)[0])
    play(g, "corps", "XL")
    finish(g)
    assert deployed(g) == {"LR", "XR"}
    assert why_not(impulse("P32 P27", RESERVES, turn=7), ("play", "P32", "deploy")).rule == "5.3", (
        "Von Manstein deploys none"
    )


# --- 5.4, 5.5, 5.6 -------------------------------------------------------------------------------------------------


@rule("kharkov43", "5.4a")
def test_an_event_must_stand_on_the_card_and_be_valid():
    more = {
        "board": board(
            german_edge="1923", soviet_edge="1701", terrain={"1716": "town"}, areas={"west_support_zone": "1704"}
        )
    }
    units = [german("A", "1910", corps="XLVIII"), soviet("S", "1712"), soviet("T", "1704"), soviet("U", "1716")]
    early = impulse("P27 P26", units, turn=4, **more)
    assert why_not(early, ("play", "P27", "event")).rule == "5.4", "Over Extended begins on turn 5"
    g = impulse("P27 P26", units, turn=5, **more)
    assert ("play", "P27", "event") in legal(g)
    assert why_not(g, ("play", "P26", "event")).rule == "5.4", "no event on the card"
    play(g, "play", "P27", "event")
    assert texts(g) == {"event over_extended"}
    play(g, "event", "over_extended")
    assert legal(g) == [("target", hx(g, "1712"))], "1704 is in support and reserve supply, 1716 a VP hex"
    assert why_not(g, ("target", hx(g, "1910"))).rule == "5.4"
    assert why_not(g, ("target", hx(g, "1910"))).reason.startswith("it does not qualify: ")
    assert not why_not(g, PASS).reason.startswith("it does not qualify"), "the first target is not optional"
    play(g, "target", hx(g, "1712"))
    assert g.is_dispersed(unit(g, "S"))


@rule("kharkov43", "5.4b")
@rule("kharkov43", "5.4c")
def test_army_cards_play_any_command_event_but_no_special_event():
    units = [
        german("A", "1910", corps="XLVIII", status=["out_of_supply"]),
        german("B", "1914", corps="XL", steps=1, status=["dispersed"]),
        panzer("C", "1916", corps="XL", steps=1),
        soviet("S", "1702"),
    ]
    for card in ("P29", "P31", "P32"):
        g = impulse(f"{card} P26", units, turn=7, forward_support="1704")
        play(g, "play", card, "event")
        assert texts(g) == {"event over_extended", "event air_interdiction", "event engineers", "event airpower"}
        assert why_not(g, ("event", "reorganize")).rule == "5.4"
        assert why_not(g, ("event", "forward_support")).reason == "Forward Support is not a German event"
    assert ("play", "P31", "special_event") not in legal(impulse("P31 P26", units, turn=7))
    special = impulse("P43 P26", units, turn=7)
    play(special, "play", "P43", "special_event")
    play(special, "event", "reorganize")
    assert not special.is_dispersed(unit(special, "B"))


@rule("kharkov43", "5.4a")
@rule("kharkov43", "13.4a")
def test_the_airpower_event_restores_a_stack():
    units = [
        german("A", "1910", status=["isolated"]),
        german("B", "1910", status=["out_of_supply"]),
        german("C", "1912"),
    ]
    g = impulse("P38 P26", units, turn=6)
    play(g, "play", "P38", "event")
    play(g, "event", "airpower")
    assert legal(g) == [("target", hx(g, "1910"))]
    play(g, "target", hx(g, "1910"))
    assert all(g.is_supplied(unit(g, n)) for n in "ABC")


@rule("kharkov43", "13.54b")
def test_air_interdiction_removes_one_forward_support_marker():
    g = impulse("P39 P26", turn=6, forward_support="1704 1706")
    play(g, "play", "P39", "event")
    play(g, "event", "air_interdiction")
    play(g, "target", hx(g, "1706"))
    assert g.forward_support == 1 << hx(g, "1704")


@rule("kharkov43", "14.21d")
def test_the_engineers_event_places_up_to_three_improved_positions():
    units = [german(f"U{i}", f"19{10 + i}") for i in range(5)]
    g = impulse("P40 P26", units)
    play(g, "play", "P40", "event")
    play(g, "event", "engineers")
    assert PASS not in legal(g)
    play(g, "target", hx(g, "1911"))
    assert PASS in legal(g), "up to three"
    assert ("target", hx(g, "1911")) not in legal(g)
    play(g, "target", hx(g, "1912"))
    play(g, "target", hx(g, "1914"))
    assert not g.stack
    assert g.improved_positions.bit_count() == 3


@rule("kharkov43", "5.5a")
@rule("kharkov43", "16.0a")
@rule("kharkov43", "16.0b")
@rule("kharkov43", "6.3e")
def test_a_corps_card_replaces_steps_from_turn_3_and_that_is_no_activation():
    units = [german("A", "1910", corps="XL", steps=1), german("B", "1912", corps="III", steps=1)]
    assert why_not(impulse("P26 P27", units, turn=2), ("play", "P26", "replace")).rule == "5.5"
    g = impulse("P26 P27", units, turn=3)
    play(g, "play", "P26", "replace")
    assert legal(g) == [("replace", unit(g, "A"))]
    assert why_not(g, ("replace", unit(g, "B"))).rule == "16.1"
    play(g, "replace", unit(g, "A"))
    assert g.steps[unit(g, "A")] == 2
    assert not g.stack
    assert not any(g.activated), "the corps may be activated in the next impulse"


@rule("kharkov43", "5.6a")
def test_the_first_card_of_the_pack_is_discarded_like_any_other():
    g = impulse("P23 P27", [german("A", "1910", corps="Raus")])
    play(g, "play", "P23", "activate")
    finish(g)
    assert ids(g, DISCARD) == {"P23"}


@rule("kharkov43", "5.6a")
def test_a_played_card_goes_to_the_discards_of_its_kind():
    g = impulse("P26 P31")
    play(g, "play", "P26", "activate")
    finish(g)
    assert ids(g, DISCARD) == {"P26"}
    g.set_track("turn", 2)
    prepare_german_cards(g)
    assert "P26" in ids(g, DRAW) | ids(g, HAND), "a primary returns to the draw pile at once"


@rule("kharkov43", "5.6a")
def test_the_first_card_of_the_list_is_discarded_like_any_other():
    units = [german("A", "1910", corps="Raus"), soviet("S", "1506")]
    g = position(board=arena(), turn=2, units=units, cards={"hand": "P23", "draw": "P24 E01"}, phase="german_impulse")
    assert g.charts.card_index("P23") == 0
    KIT.do(g, "play P23 one_unit")
    while "P23" not in [g.charts.cards[i].id for i in german_pile(g, DISCARD)]:
        KIT.do(g, KIT.texts(g)[0])
    assert [g.charts.cards[i].id for i in german_pile(g, HAND)] == ["P24"], "and the hand is refilled"


def test_a_hand_that_can_do_nothing_gives_up_a_card():
    units = [german("A", "1910", corps="XL", status=["dispersed"])]
    g = impulse("P24 P27", units, one_unit_used=True)
    assert plays(g) == [("play", "P24", "nothing"), ("play", "P27", "nothing")]
    kept = why_not(impulse("P26 P27"), ("play", "P26", "nothing"))
    assert kept.reason == "a card is given up only if no card can be played for a command"
    play(g, "play", "P24", "nothing")
    assert ids(g, DISCARD) == {"P24"}
    assert not g.stack


def test_the_impulse_can_be_saved_at_every_question():
    from kessel.core.procedure import load_stack, save_stack
    from kessel.games.kharkov43.title import TITLE

    g = impulse("P31 P27", RESERVES)
    play(g, "play", "P31", "deploy")
    assert load_stack(save_stack(g), TITLE.procedures) == g.stack
    assert isinstance(g.stack[0], GermanImpulse)
    assert not any(s & ACTIVE for s in g.status)


@rule("kharkov43", "4.IVh")
def test_the_last_cards_drawn_are_seen_and_nothing_can_be_taken_back_then():
    """Without a roll, for the whole pile is drawn; but which supplementals it held was not known before."""
    game = Game.new("kharkov43", "initial-assault", seed=3)
    g = game.board
    for i, card in enumerate(g.charts.cards):
        g.cards[i] = {"P23": HAND, "P24": HAND, "P30": DRAW, "P29": AVAILABLE}.get(card.id, DISCARD)
    g.happened(OFF_MAP)
    game.play("play P23 activate")
    while g.cards[g.charts.card_index("P30")] == DRAW:
        game.play("pass")
    assert game.entries[-1].dice == ()
    assert game.side == GERMAN
    assert not game.can_undo


@rule("kharkov43", "6.3a")
@rule("kharkov43", "6.3c")
@rule("kharkov43", "6.1c")
@rule("kharkov43", "5.4a")
@rule("kharkov43", "5.4c")
@rule("kharkov43", "16.21a")
@pytest.mark.parametrize(
    ("action", "more", "cited", "reason"),
    [
        ("P37 kampfgruppe", {"activated": "XL"}, "6.3", "units of XL were activated in the preceding German impulse"),
        ("P23 one_unit", {"activated": "XL"}, "6.3", "units of XL were activated in the preceding German impulse"),
        ("P23 one_unit", {"one_unit_used": True}, "6.1", "one unit has been activated alone in this game-turn"),
        ("P26 deploy", {}, "7.0", "no unit of XL Panzer Corps is in the Reserve Units box"),
        ("P27 event", {}, "5.4", "Over Extended is not valid on game-turn 4"),
        ("P38 event", {"status": ["isolated"]}, "5.4", "Airpower is not valid on game-turn 4"),
        ("P31 special_event", {}, "5.4", "Army Group South lists no special event"),
        ("P26 replace", {}, "16.1", "no unit of XL can receive a replacement"),
        ("P26 replace", {"steps": 1, "status": ["isolated"]}, "16.21", "A is not in supply"),
    ],
)
def test_a_card_is_refused_for_what_stands_against_it(action, more, cited, reason):
    """Each command by the rule that forbids it now, not only by that of the command."""
    unit_fields = {k: more[k] for k in ("steps", "status") if k in more}
    doc = {k: v for k, v in more.items() if k not in unit_fields}
    card, command = action.split()
    g = impulse(card, [german("A", "1910", corps="XL", **unit_fields)], turn=4, **doc)
    refusal = why_not(g, ("play", card, command))
    assert refusal is not None
    assert (refusal.rule, refusal.reason) == (cited, reason)


@rule("kharkov43", "5.4a")
@rule("kharkov43", "16.21a")
def test_panzer_workshops_mend_only_what_may_receive_a_step():
    units = [
        german("A", "1910", "5-6 3-6", "armor", corps="XL", steps=1),
        german("B", "1912", "5-6 3-6", "armor", corps="XL", steps=1, status=["out_of_supply"]),
        german("C", "1914", "5-6 3-6", "armor", corps="XL"),
        german("D", "1810", "3-4 1-4", corps="XL", steps=1),
    ]
    g = position(board=arena(), turn=5, units=units)
    event = g.charts.events["panzer_workshops"]
    assert [g.id(u) for u in candidates(g, event, "XL")] == ["A"]


def any_questions(g: Board, dice: random.Random) -> list[bytes]:
    """One of each kind that can be asked of any position."""
    here = g.hex_name(g.place[dice.choice([*g.on_map_of(GERMAN), *g.on_map_of(SOVIET)])])
    docs: list[dict] = [
        {"question": "attack", "hex": here},
        {"question": "hits", "hex": here, "attacker": 1, "defender": 1},
        {"question": "retreat", "hex": here},
        {"question": "legal"},
        {"question": "system", "card": dice.choice(["E01", "E05", "E17", "E20"]), "attacks": "no_effect"},
        {"question": "command_cards", "cards": dice.sample(["E02", "E04", "E11", "E22"], 2)},
        {"question": "activate", "card": "P31", "command": "kampfgruppe", "hex": here},
        {"question": "victory", "scenario": "campaign"},
    ]
    return [msgspec.json.encode(d) for d in docs]


@rule("kharkov43", "4.IIb")
@pytest.mark.parametrize("seed", range(4))
def test_which_supplementals_were_dealt_unseen_can_not_be_told(seed):
    """Two boards that differ only in them and in the dice look, offer, refuse, foretell and answer the same."""
    game = Game.new("kharkov43", "initial-assault", seed=seed)
    dice = random.Random(seed)
    for _ in range(12):
        g = game.board
        h = g.copy()
        h.dice = Dice(dice.randrange(1000))
        mixed, dealt = unseen_german_cards(h)
        for i in mixed:
            h.cards[i] = AVAILABLE
        for i in dice.sample(mixed, dealt):
            h.cards[i] = DRAW
        h.happened(OFF_MAP)
        for side in (GERMAN, None):
            assert TITLE.view(h, side) == TITLE.view(g, side)
        assert legal(h) == legal(g)
        for card in g.charts.german_cards:
            for command in ("activate", "deploy", "event"):
                action = ("play", g.charts.cards[card].id, command)
                assert why_not(h, action) == why_not(g, action)
        assert TITLE.overlays(h, GERMAN) == TITLE.overlays(g, GERMAN)
        chosen = dice.choice(legal(g))
        assert TITLE.preview(h, chosen) == TITLE.preview(g, chosen)
        for question in any_questions(g, dice):
            assert answer(TITLE, h, question) == answer(TITLE, g, question)
        game.play(chosen)
        if game.over:
            break


@rule("kharkov43", "4.IIe")
def test_the_size_of_the_german_draw_pile_is_seen_but_not_its_cards():
    game = Game.new("kharkov43", "initial-assault", seed=2)
    view = TITLE.view(game.board, GERMAN)
    assert next(t.value for t in view.tracks if t.name == "German draw pile") == 4
    where = {c.id: c.where for c in view.cards if c.id.startswith("P")}
    assert sorted(where.values()).count("hand") == 4
    assert {where[i] for i in ("P29", "P30", "P31", "P40")} <= {"hand", "draw or available"}
