"""Computer players: legal, deterministic, blind to secrets, each stronger than the last."""

import io
import re
from dataclasses import replace
from random import Random

import pytest
from qiskit import QuantumCircuit, QuantumRegister
from scipy.stats import binomtest

from qgames import GAMES, Match, Move
from qgames.__main__ import main
from qgames.arena import Progress, Score, compete, pairings, play_out, row
from qgames.core import View
from qgames.games.qlanet import Qlanet, QlanetPosition
from qgames.players import BY_GAME, general, player, players_of
from qgames.players import qlanet as own_players
from qgames.players.general import best
from qgames.players.qlanet import effects
from qgames.players.tableau import Tableau
from qgames.quantum import QuantumState, without_dice

ALL = [(game, name) for game in GAMES for name in players_of(game)]
THINKERS = ("greedy", "search")


def mid_game(seed: int, steps: int, **options: object) -> Match:
    """A match some random steps in; shorter if it ended."""
    rng, match = Random(seed), Match("qlanet", seed=seed, **options)
    for _ in range(steps):
        move = rng.choice(match.legal_moves)
        if match.to_move is not None:
            match.play(move)
        if match.to_move is None:
            match.undo()
    return match


def built(
    planets: str,
    fixed: str,
    hands: tuple[str, str],
    totals: tuple[int, int] = (0, 0),
    seat: int = 0,
) -> View:
    """The view of ``seat``, who is to move; in ``fixed`` a dot is a planet still free."""
    qc = QuantumCircuit(QuantumRegister(9, "planet"))
    for wire, symbol in enumerate(planets):
        if symbol in "1-":
            qc.x(wire)
        if symbol in "+-":
            qc.h(wire)
    position = QlanetPosition(
        QuantumState.zeros(9).follow(qc, ()),
        to_move=seat,
        mover=seat,
        totals=totals,
        hands=(tuple(hands[0].split()), tuple(hands[1].split())),
        fixed=tuple(None if side == "." else int(side) for side in fixed),
    )
    return Qlanet().view(seat, position, ())


def sure_losses(view: View) -> set[Move]:
    """Moves after which the rival wins at once for certain, worked out by `View.outlook` alone."""
    assert view.seat is not None
    lost = set()
    for move in view.legal_moves:
        branches = view.outlook(move)
        rivals = [
            view.game.view(1 - view.seat, _undrawn(branch.position, 1 - view.seat), ())
            for branch in branches
            if branch.position.result is None
        ]
        wins = [
            any(
                all(after.position.result is not None for after in rival.outlook(reply))
                for reply in rival.legal_moves
                if reply.verb == "m"  # only M ends a match
            )
            for rival in rivals
        ]
        if all(wins) and len(rivals) == len(branches):
            lost.add(move)
    return lost


def _undrawn(position: QlanetPosition, seat: int) -> QlanetPosition:
    """The position with the drawn card still unknown, and ``seat`` to move."""
    hands = tuple(tuple(card for card in hand if card) for hand in position.hands)
    return replace(position, hands=hands, to_move=seat)


# ---- the registry --------------------------------------------------------------------------------


def test_players_of_qlanet():
    assert list(players_of("qlanet")) == ["random", "greedy", "search"]
    assert player("greedy", "qlanet") is own_players.greedy


def test_any_game_has_the_general_players():
    assert list(players_of("a game to come")) == ["random", "greedy"]


@pytest.mark.parametrize("name", ["grandmaster", "", "Search", None, 3])
def test_unknown_player(name):
    with pytest.raises(ValueError, match="unknown") as error:
        player(name, "qlanet")
    assert str(error.value) == (
        f"unknown computer player for qlanet: expected one of random, greedy, search, got {name!r}"
    )


def test_a_seat_that_is_not_to_move_has_nothing_to_choose():
    match = Match("qlanet", seed=1)
    for name in players_of("qlanet"):
        with pytest.raises(ValueError, match="seat 1") as error:
            player(name, "qlanet")(match.view(1), Random(0))
        assert str(error.value) == "seat 1 has no move to choose: seat 0 is to move"


def test_ties_are_settled_by_the_generator_and_by_nothing_else():
    values = {Move("z", (n,)): 1.0 - 1e-12 * n for n in range(1, 10)} | {Move("x", (1,)): 0.9}
    drawn = [best(values, Random(seed)) for seed in range(200)]
    assert {move.verb for move in drawn} == {"z"}
    assert len(set(drawn)) == 9
    assert drawn == [best(values, Random(seed)) for seed in range(200)]


# ---- what every player of every game owes --------------------------------------------------------


@pytest.mark.parametrize(("game", "name"), ALL)
def test_a_match_ends_and_every_move_is_legal(game, name):
    match = Match(game, seed=11)
    chosen = player(name, game)
    seats = [chosen, *[player("random", game)] * (match.game.seats - 1)]
    moves = sum(1 for _ in play_out(match, seats, 5))  # Match.play refuses what is not legal
    assert match.result is not None
    assert moves == len(match.record) - match.fewest_steps


@pytest.mark.parametrize(("game", "name"), ALL)
def test_the_same_view_and_generator_give_the_same_move(game, name):
    chosen = player(name, game)
    for seed in range(3):
        match = Match(game, seed=seed)
        rng = Random(seed)
        for _ in range(6):
            match.play(rng.choice(match.legal_moves))
        if match.to_move is None:
            continue
        first = chosen(match.view(match.to_move), Random(seed))
        effects.cache_clear()  # what is remembered from other positions must not matter
        again = chosen(Match.from_json(match.to_json()).view(match.to_move), Random(seed))
        assert first == again


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"hand_size": 3},
        {"hand_size": 6},
        {"gates": "beginner"},
        {"gates": "intermediate", "sw_cost": 4},
        {"layout": "random", "first": "random"},
        {"hands": "any", "gates": "beginner"},
        {"marks": "deduced", "turn_limit": 12},
    ],
    ids=str,
)
@pytest.mark.parametrize("name", THINKERS)
def test_legal_in_random_positions_whatever_the_options(name, options):
    chosen = player(name, "qlanet")
    for seed in range(4):
        match = mid_game(seed, 7 * seed, **options)
        move = chosen(match.view(match.to_move), Random(seed))
        assert move in match.legal_moves


def test_a_forced_redraw_and_a_forced_draw_are_played():
    stuck = built("000011110", "00001111.", ("cx0 sw", "m z"), seat=0)
    assert [str(m) for m in stuck.legal_moves] == ["redraw"]
    for name in players_of("qlanet"):
        assert str(player(name, "qlanet")(stuck, Random(0))) == "redraw"


# ---- no peeking ----------------------------------------------------------------------------------


def variants() -> list[Match]:
    """Matches that player 1 cannot tell apart: planet 5, and what player 0's BM read."""
    match = Match("qlanet", seed=2)
    while "bm" not in match.position.hands[0] or "m" not in match.position.hands[1]:
        match = Match("qlanet", seed=match.seed + 1)
    match.play("bm 6 9")
    text = match.to_json()
    return [
        Match.from_json(
            re.sub("p0=..", f"p0={read}", re.sub("sealed=..", f"sealed={sealed}", text))
        )
        for sealed in ("00", "10", "01", "11")
        for read in ("10", "11")  # of - and +: P- or S-, each as likely
    ]


@pytest.mark.parametrize("name", list(players_of("qlanet")))
def test_matches_that_differ_in_a_secret_get_the_same_move(name):
    matches = variants()
    assert len({m.record for m in matches}) == 8
    assert matches[0].position.state != matches[1].position.state
    chosen = player(name, "qlanet")
    for seed in range(3):
        assert len({chosen(match.view(1), Random(seed)) for match in matches}) == 1


@pytest.mark.parametrize(("bell", "wanted"), [("P+", "cx1 6 9"), ("S+", "cx0 6 9")])
def test_search_uses_the_bell_pair_it_knows(bell, wanted):
    """The right CX makes planet 9, the last of a diagonal, a sure 0, and there is time for M."""
    qc = QuantumCircuit(QuantumRegister(9, "planet"))
    qc.h(5)
    qc.cx(5, 8)
    if bell == "S+":
        qc.x(8)
    qc.x([2, 3])
    position = QlanetPosition(
        QuantumState.zeros(9).follow(qc, ()),
        to_move=0,
        totals=(0, 15),
        hands=(("cx0", "cx1", "m"), ("z", "z", "z")),
        fixed=(0, None, 1, 1, 0, None, None, None, None),
    )
    view = Qlanet(hand_size=3).view(0, position, ())
    for seed in range(5):
        assert str(player("search", "qlanet")(view, Random(seed))) == wanted


# ---- the look-ahead against the rules ------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_the_look_ahead_has_the_odds_and_beliefs_of_the_rules(seed):
    match = mid_game(seed, 4 + 5 * seed, hands="any")
    view = match.view(match.to_move)
    rng = Random(seed)
    for move in rng.sample(view.legal_moves, 40):
        found = effects(Tableau.of(view.belief), move, own=True)
        wanted = view.outlook(move)
        assert [c for c, _, _ in found] == pytest.approx([branch.chance for branch in wanted])
        for branch in wanted:
            assert Tableau.of(branch.position.state) in [after for _, _, after in found]
        for _, fixed, after in found:
            if fixed:
                branch = next(b for b in wanted if dict(b.outcome)["fixed"] == fixed)
                assert after == Tableau.of(branch.position.state)


@pytest.mark.parametrize("seed", range(6))
def test_a_rivals_bell_measurement_stays_unread(seed):
    match = mid_game(seed, 4 + 5 * seed, hands="any")
    seat = 1 - match.to_move
    belief = match.view(seat).belief
    for move in [m for m in match.legal_moves if m.verb == "bm"][:12]:
        fragment = without_dice(match.fragment(move))
        ((chance, _, after),) = effects(Tableau.of(belief), move, own=False)
        assert chance == 1.0
        assert after == Tableau.of(belief.follow(fragment, ((f"p{1 - seat}", "??"),)))


@pytest.mark.parametrize("seed", range(6))
def test_a_tableau_has_the_single_planets_of_the_belief(seed):
    match = mid_game(seed, 6 + 3 * seed, hand_size=6)
    for seat in (0, 1, None):
        belief = match.view(seat).belief
        for wire, (z, x) in enumerate(Tableau.of(belief).bloch):
            rho = belief.density((wire,))
            assert rho[0, 0] - rho[1, 1] == pytest.approx(z, abs=1e-9)
            assert 2 * rho[0, 1] == pytest.approx(x, abs=1e-9)


def test_a_belief_that_hides_something_has_fewer_generators():
    match = variants()[0]
    assert len(Tableau.of(match.position.state).rows) == 9
    assert len(Tableau.of(match.view(0).belief).rows) == 8  # planet 5
    assert len(Tableau.of(match.view(1).belief).rows) == 7  # and one bit of the Bell pair


# ---- tactics -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", THINKERS)
@pytest.mark.parametrize(
    ("planets", "fixed", "hands", "seat", "wanted"),
    [
        ("000+--+-1", "00.......", ("m z z z", "m m z z"), 0, "m 3"),
        ("+-1-01+01", "..1..1...", ("m m m m", "h m z sw"), 1, "m 9"),
        ("1-+-1-++1", "1...1....", ("z z z z", "x h cx0 m"), 1, "m 9"),
        ("00--000--", "00...00..", ("x m sw bm", "m m z z"), 0, "m 5"),
    ],
    ids=["row", "column", "diagonal", "five planets"],
)
def test_a_sure_win_is_taken(name, planets, fixed, hands, seat, wanted):
    view = built(planets, fixed, hands, seat=seat)
    (branch,) = view.outlook(Move.parse(wanted))
    assert branch.position.result.winner == seat
    for seed in range(5):
        assert str(player(name, "qlanet")(view, Random(seed))) == wanted


@pytest.mark.parametrize(
    ("planets", "fixed", "hands"),
    [
        ("111+-+-++", "11.......", ("x h z z", "m z z z")),
        ("1+-+1+-+1", "1...1....", ("sw z z bm", "m m h z")),
        ("1-+1-+1-+", "1..1.....", ("cx0 cx1 z m", "m x x x")),
        ("110011+1+", "110011...", ("x h z m", "m z z z")),
    ],
    ids=["row", "diagonal", "column", "fifth planet"],
)
def test_a_certain_loss_is_avoided(planets, fixed, hands):
    view = built(planets, fixed, hands, totals=(0, 1))
    lost = sure_losses(view)
    assert lost, "nothing threatens here"
    assert lost < set(view.legal_moves), "nothing can be saved here"
    for seed in range(5):
        assert player("search", "qlanet")(view, Random(seed)) not in lost


@pytest.mark.parametrize("name", THINKERS)
def test_the_rivals_line_is_not_completed(name):
    view = built("111+-+-++", "11.......", ("m z z z", "h h h h"))
    for seed in range(5):
        assert str(player(name, "qlanet")(view, Random(seed))) != "m 3"


def test_the_general_greedy_takes_a_sure_win_too():
    view = built("000+--+-1", "00.......", ("m z z z", "m m z z"))
    assert str(general.greedy(view, Random(0))) == "m 3"


# ---- strength and the arena ----------------------------------------------------------------------


# `qgames arena --game qlanet --matches 200 --seed 1` gives 88.0 % and 68.5 %. The first 40 of those
# matches are played here, and the bars are lower by more than two standard deviations.


def test_greedy_beats_random():
    assert compete("qlanet", ("greedy", "random"), 40, seed=1).share >= 0.75


def test_search_beats_greedy():
    assert compete("qlanet", ("search", "greedy"), 40, seed=1).share >= 0.5


def test_the_same_seed_gives_the_same_matches():
    one, two = (compete("qlanet", ("greedy", "random"), 4, seed=3) for _ in range(2))
    assert (one.wins, one.draws, one.losses) == (two.wins, two.draws, two.losses)
    assert [len(times) for times in one.times] == [len(times) for times in two.times]


def test_sides_are_swapped_within_a_pair_of_matches():
    """Each seed has two matches, the first player in seat 0 and then in seat 1."""
    matches = []

    def first(view, _rng):
        matches.append((view.seat, str(view.record[0])))
        return view.legal_moves[0]

    BY_GAME["qlanet"] = {**own_players.PLAYERS, "first": first}
    try:
        compete("qlanet", ("first", "random"), 4, seed=3, turn_limit=6)
    finally:
        BY_GAME["qlanet"] = own_players.PLAYERS
    seen = list(dict.fromkeys(matches))
    assert [seat for seat, _ in seen] == [0, 1, 0, 1]
    assert seen[0][1] == seen[1][1] != seen[2][1] == seen[3][1]


@pytest.mark.parametrize(("wins", "losses"), [(170, 30), (120, 80), (200, 0), (0, 7), (1, 1)])
def test_the_interval_is_wilsons(wins, losses):
    exact = binomtest(wins, wins + losses).proportion_ci(method="wilson")
    assert Score(("a", "b"), wins, 0, losses).interval == pytest.approx(exact, abs=1e-4)


def test_a_draw_counts_half():
    assert Score(("a", "b"), 1, 2, 1).share == 0.5


def test_a_row_of_the_table():
    score = Score(("search", "greedy"), 120, 0, 80, ((0.05, 0.06, 0.2), (0.003,)))
    assert row(score) == (
        "search - greedy        120     0     80  60.0 %  53.1 to 66.5  "
        "search 60 (at most 200), greedy 3 (at most 3)"
    )


def test_every_player_meets_every_weaker_one():
    assert pairings("qlanet") == [("greedy", "random"), ("search", "random"), ("search", "greedy")]


def test_no_matches_and_unknown_players_are_refused():
    with pytest.raises(ValueError, match=r"^expected at least 1 match: got 0$"):
        compete("qlanet", ("greedy", "random"), 0)
    with pytest.raises(ValueError, match=r"^unknown computer player for qlanet: .* got 'nobody'$"):
        compete("qlanet", ("nobody", "random"), 1)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_bar_moves_on_a_terminal_only():
    for stream, wanted in (
        (Terminal(), "\r\x1b[K[##..] 1/2 greedy\r\x1b[K[####] 2/2 greedy\r\x1b[K"),
        (io.StringIO(), ""),
    ):
        bar = Progress(2, stream, width=4)
        bar.label = "greedy"
        bar.tick()
        bar.tick()
        bar.clear()
        assert stream.getvalue() == wanted


def test_the_command_prints_the_table(capsys):
    assert main(["arena", "--matches", "2", "--seed", "5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "QLANET: 2 matches a pair, sides swapped, seed 5"
    assert [line[:20].strip() for line in lines[2:]] == [
        "greedy - random",
        "search - random",
        "search - greedy",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--game", "chess"], f"unknown game 'chess': expected one of {', '.join(GAMES)}"),
        (["--matches", "0"], "expected at least 1 match: got 0"),
        (["--seed", "-1"], "expected a seed that is a whole number from 0 up: got -1"),
    ],
)
def test_the_command_refuses_in_one_sentence(capsys, arguments, message):
    assert main(["arena", *arguments]) == 2
    assert capsys.readouterr() == ("", f"error: {message}\n")
