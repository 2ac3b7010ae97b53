"""Golden playthroughs still read as they were written; `make regen` writes them again."""

import json

import pytest

from qgames import GAMES, Match
from tests.regen import FOLDER, path_of, plans, record_of, told

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_playthroughs_read_as_written(path) -> None:
    text = path.read_text(encoding="utf-8")
    head, record = record_of(text)
    saved = {
        "qgames": 1,
        "game": head["game"],
        "options": json.loads(head["options"]),
        "seed": int(head["seed"]),
        "record": record,
    }
    assert told(Match.from_json(json.dumps(saved))) == text


@pytest.mark.parametrize("key", GAMES)
def test_no_transcript_no_game(key: str) -> None:
    wanted = {path_of(game, seed) for game, seed, _ in plans() if game == key}
    assert wanted
    assert wanted <= set(FILES), "run `make regen` and commit what it writes"


def test_no_playthrough_is_left_over() -> None:
    assert set(FILES) == {path_of(key, seed) for key, seed, _ in plans()}
