from ._play import Game as Game, play as play
from ._replay import Replay as Replay, replay as replay
from ._suggest import Suggestion as Suggestion, Suggestions as Suggestions, suggest as suggest
from .measuring._evaluate import Comparison as Comparison, Evaluation as Evaluation, evaluate as evaluate
from .measuring._match import Match as Match, match as match
from .measuring._review import Judgement as Judgement, Review as Review, review as review
from .players.player import Player as Player
from .players.shipped import load_player as load_player
from .players.value import LearnedValue as LearnedValue, load_value as load_value, save_value as save_value
from .players.weights import Weights as Weights, load_weights as load_weights, save_weights as save_weights
from .position import Position as Position
from .recording import Recording as Recording
from .training._average_values import average_values as average_values
from .training._join_values import join_values as join_values
from .training._train import Training as Training, train as train
from .training._train_value import ValueTraining as ValueTraining, train_value as train_value
from .training.settings import (
    TrainingSettings as TrainingSettings,
    ValueTrainingSettings as ValueTrainingSettings,
)
from .variant import Variant as Variant
