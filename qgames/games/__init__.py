"""The games, by key. Adding one touches its own files and one line here."""

from qgames.core import Game
from qgames.games.qlanet import Qlanet
from qgames.games.quantum_checkers import QuantumCheckers
from qgames.games.quantum_tictactoe import QuantumTicTacToe
from qgames.games.qubits_wars import QubitsWars

GAMES: dict[str, type[Game]] = {
    game.key: game for game in (Qlanet, QuantumTicTacToe, QuantumCheckers, QubitsWars)
}
