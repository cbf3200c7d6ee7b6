"""The chat format the model is trained in, and nothing else: InternLM2's.

A conversation is a list of turns; a turn is a header (`user`, `system name=<|plugin|>`, ...) and a text.
"""

from typing import NamedTuple

BEGIN_OF_TEXT = '<s>'
TURN_START = '<|im_start|>'
TURN_END = '<|im_end|>'
ACTION_START = '<|action_start|>'
ACTION_END = '<|action_end|>'
INTERPRETER = '<|interpreter|>'
PLUGIN = '<|plugin|>'

# The order is the ids: 0 <unk>, 1 <s>, ... 8 <|im_start|>.
SPECIAL_TOKENS = ['<unk>', BEGIN_OF_TEXT, '</s>', PLUGIN, INTERPRETER, ACTION_END, ACTION_START, TURN_END, TURN_START]


class Turn(NamedTuple):
    header: str
    text: str


Conversation = list[Turn]


def system(text: str) -> Turn:
    return Turn('system', text)


def user(text: str) -> Turn:
    return Turn('user', text)


def assistant(text: str) -> Turn:
    return Turn('assistant', text)


def environment(source: str, text: str) -> Turn:
    """What a tool (`PLUGIN`) or the interpreter (`INTERPRETER`) answered."""
    return Turn(f'environment name={source}', text)


def render(turns: Conversation) -> str:
    """The text of a whole conversation, as the model sees it in training."""
    return BEGIN_OF_TEXT + ''.join(f'{TURN_START}{header}\n{text}{TURN_END}\n' for header, text in turns)


def prompt(turns: Conversation) -> str:
    """A conversation up to where the assistant speaks."""
    return f'{render(turns)}{TURN_START}assistant\n'
