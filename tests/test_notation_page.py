"""docs/notation.md shows a record; here it is played."""

import re
from pathlib import Path

from qgames import Match, Move

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "notation.md").read_text("utf-8")
RECORD, SEEN = (block.splitlines() for block in re.findall(r"```\n(.*?)```", PAGE, re.DOTALL))


def test_the_page_s_match_is_what_its_seed_plays():
    match = Match("qlanet", seed=0)
    for line in RECORD[1:]:
        match.play(" ".join(word for word in line.split() if "=" not in word))
    assert list(map(str, match.record)) == RECORD


def test_the_page_s_second_record_is_what_the_other_seat_sees():
    match = Match("qlanet", seed=0)
    match.play("h 5")
    match.play("BM  9 6")
    assert [str(step.seen_by(0)) for step in match.record] == SEEN


def test_every_move_in_the_page_s_table_is_spelled_as_moves_are():
    (table,) = re.findall(r"## Moves\n(.*?)\n###", PAGE, re.DOTALL)
    spelled = re.findall(r"`([^`|]+)`", "".join(re.findall(r"\|[^|]*\|(.*)\|\n", table)))
    assert len(spelled) >= 20
    for text in spelled:
        assert str(Move.parse(text)) == text
