"""Every lesson of every game can be played to its end as it stands, and answers whoever tries something else."""

from __future__ import annotations

import random
import re

import pytest

from kessel.core.errors import BadInput, IllegalAction
from kessel.core.learning import NEXT, LessonGame, NotHere, walk
from kessel.core.lessons import MOST_WORDS, lesson_faults, lesson_names, read_lesson
from kessel.core.pack import Pack
from kessel.core.title import title, titles
from kessel.core.words import words_of

OURS = ("stalingrad42", "kharkov43", "don42", "bug41", "korsun44")
LESSONS = [(t, name) for t in titles() for name in lesson_names(Pack(t))]
TRIED = 8
"""Other listed actions tried at each decision."""
every_lesson = pytest.mark.parametrize(("game", "name"), LESSONS, ids=["/".join(n) for n in LESSONS])


@pytest.mark.parametrize("game", OURS)
def test_every_game_has_a_first_battle(game: str) -> None:
    lessons = [read_lesson(Pack(game), name) for name in lesson_names(Pack(game))]
    assert lessons
    for lesson in lessons:
        assert sum(step.acts or step.forbid is not None for step in lesson.step) >= 5
        g = LessonGame(lesson, title(game), Pack(game)).board
        assert 6 <= sum(map(g.on_map, range(len(g.forces)))) <= 12
        assert lesson.minutes <= 10


@every_lesson
def test_words_hexes_units_and_rules_are_right(game: str, name: str) -> None:
    assert lesson_faults(title(game), Pack(game), name) == []


@every_lesson
def test_it_comes_to_its_end(game: str, name: str) -> None:
    playing = LessonGame.begin(game, name)
    walk(playing)
    assert playing.finished
    again = LessonGame.reopened(playing.record, Pack(game))
    assert again.board.digest() == playing.board.digest()
    assert again.lesson_view() == playing.lesson_view()


@every_lesson
def test_what_a_step_tells_has_happened(game: str, name: str) -> None:
    playing = LessonGame.begin(game, name)
    seen = set()
    while not playing.finished:
        if playing.done or not playing.now.acts:
            if playing.done and playing.now.happens:
                log = iter(playing.lesson_view().happened)
                for wanted in playing.now.happens:
                    assert any(wanted in line for line in log), (playing.now.title, wanted)
                seen.add(playing.step)
            playing.play(NEXT)
        else:
            playing.play(playing.fitting()[0], playing.seat)
        playing.replies()
    assert seen == {n for n, step in enumerate(playing.lesson.step) if step.happens}


@every_lesson
def test_whatever_else_is_legal_is_answered_and_taken_back(game: str, name: str) -> None:
    playing = LessonGame.begin(game, name)
    rng = random.Random(1)
    tried = 0
    while not playing.finished:
        if playing.done or not playing.now.acts:
            playing.play(NEXT)
        else:
            wanted = playing.fitting()
            others = [t for t in playing.legal_texts() if t not in wanted]
            for text in rng.sample(others, min(TRIED, len(others))):
                tried += answers(playing, text)
            playing.play(wanted[0], playing.seat)
        playing.replies()
        for side in range(len(playing.title.sides)):
            assert playing.view(side).lesson is not None
    assert tried


def answers(playing: LessonGame, text: str) -> bool:
    """Whether the action was refused by the teacher; else it serves the step as well, and is undone here."""
    before, version, step = playing.board.digest(), playing.version, playing.step
    try:
        playing.play(text, playing.seat)
    except NotHere:
        assert playing.said
        told = playing.said
        assert all(part in told for part in playing.now.other.split("{did}"))
        assert "{did}" not in told
        assert "_" not in told
        assert not re.search(r"\bpass\b", told)
        assert (playing.board.digest(), playing.version, playing.step) == (before, version, step)
        return True
    assert playing.lesson.step[step].or_, f"{text} was neither expected nor answered"
    playing.undo()
    assert playing.board.digest() == before
    return False


@every_lesson
def test_every_step_can_be_begun_again_and_left_backwards(game: str, name: str) -> None:
    playing = LessonGame.begin(game, name)
    begun = {0: playing.board.digest()}
    while not playing.finished:
        step = playing.step
        if playing.done or not playing.now.acts:
            playing.play(NEXT)
        else:
            playing.play(playing.fitting()[0], playing.seat)
        playing.replies()
        if playing.step != step:
            begun[playing.step] = playing.board.digest()
    while playing.step or playing.entries:
        step = playing.step
        for _ in range(playing.back_to(before=True)):
            playing.undo()
        playing.replies()
        assert playing.step < step or step == 0
        assert playing.board.digest() == begun[playing.step]
        if not playing.step:
            break


def test_next_waits_until_the_step_is_done() -> None:
    playing = LessonGame.begin("stalingrad42", "voronezh")
    with pytest.raises(IllegalAction, match="first do this"):
        playing.play(NEXT)
    playing.play("move 24Pz", 0)
    assert playing.can_undo
    playing.play("to 2402 normal", 0)
    assert playing.done
    assert playing.lesson_view().ready
    with pytest.raises(NotHere):
        playing.play("move GD", 0)


def test_what_the_rules_forbid_is_refused_by_the_lesson_too() -> None:
    playing = LessonGame.begin("stalingrad42", "voronezh")
    with pytest.raises(IllegalAction) as refused:
        playing.play("move VorNKVD", 0)
    assert not isinstance(refused.value, NotHere)


def test_a_position_that_answers_as_wanted_will_do() -> None:
    """don42: the headquarters may stand anywhere from where the chain of supply holds, not only where the arrow is."""
    playing = LessonGame.begin("don42", "sixty")
    while playing.now.title != "The supply chain":
        playing.play(NEXT if playing.done or not playing.now.acts else playing.fitting()[0])
        playing.replies()
    playing.play("move HQ60Mot", 0)
    with pytest.raises(NotHere):
        playing.play("to 2633", 0)
    playing.play("to 2422", 0)
    assert playing.done


def test_faults_of_a_lesson_are_named() -> None:
    pack = Pack("stalingrad42")
    lesson = read_lesson(Pack("stalingrad42"), "voronezh")
    long = "word " * (MOST_WORDS + 1)
    broken = pack.text("lessons/voronezh.toml").replace(lesson.step[0].text, long)
    broken = broken.replace('units = ["24Pz"]', 'units = ["25Pz"]').replace('"S1.3", "5.1"]', '"5.99"]')
    broken = broken.replace('hexes = ["2402", ', 'hexes = ["9999", ').replace('"Axis ZOC bonds"', '"Bonds"')
    pack._text["lessons/voronezh.toml"] = broken
    found = "\n".join(lesson_faults(title("stalingrad42"), pack, "voronezh"))
    for fault in ("68 words", "no unit 25Pz", "no rule 5.99", "no hex 9999", "no overlay 'Bonds'"):
        assert fault in found


def test_there_is_no_lesson_of_another_name() -> None:
    with pytest.raises(BadInput, match="has no lesson 'nowhere'; there are voronezh"):
        LessonGame.begin("stalingrad42", "nowhere")


@pytest.mark.parametrize("game", OURS)
def test_lessons_and_words_change_no_record(game: str) -> None:
    """What only teaches is no part of what play depends on."""
    pack = Pack(game)
    digest = pack.digest
    other = Pack(game)
    other._text["words.toml"] = "# nothing"
    assert other.digest == digest
    assert isinstance(words_of(pack), list)
