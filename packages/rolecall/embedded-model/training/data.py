"""The conversations the model is trained on: an endless, seeded mixture of the generators in this folder."""

from collections.abc import Callable
from random import Random

from agents import agent_dialogue
from conversation import Conversation, render
from dialogues import examples_of_hidden_task, leaning_dialogue, unrelated_questions

MIX: dict[Callable[[Random], Conversation], float] = {
    unrelated_questions: 52,
    examples_of_hidden_task: 14,
    leaning_dialogue: 11,
    agent_dialogue: 23,
}


def conversation(rng: Random) -> Conversation:
    return rng.choices(list(MIX), list(MIX.values()))[0](rng)


def texts(seed: int, count: int) -> list[str]:
    """`count` conversations as text; the same seed gives the same ones."""
    rng = Random(seed)
    return [render(conversation(rng)) for _ in range(count)]


if __name__ == '__main__':  # a look at the data
    for text in texts(seed=1, count=20):
        print(text, end='\n----\n')
