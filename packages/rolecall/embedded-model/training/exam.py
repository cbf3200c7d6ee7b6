"""Writes the questions that the model card's figures come from: exam.jsonl, one per line, the same on every run.

    python exam.py

Each line has the task, the conversation up to the question, the right answer, and for multiple choice the labels.
`evaluate.ts` asks them of the exported model.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from agents import (
    REMINDER,
    TIME,
    WEATHER,
    Exchange,
    calculation,
    made_up_tool,
    time_of_day,
    tool_system,
    turns_of,
    weather,
    weather_of_two,
)
from conversation import INTERPRETER, Conversation, Turn, assistant, system, user
from dialogues import more_capitals, remembered_name, running_sum
from questions import (
    Question,
    basic_sum,
    capital,
    chinese_capital,
    chinese_choice,
    chinese_opposite,
    choice,
    hidden_task,
    measured_word,
    opposite,
    story,
    two_digit_product,
    unseen_sum,
    word_operation,
)

Row = dict[str, object]
FILE = Path(__file__).parent / 'exam.jsonl'


def row(task: str, turns: Conversation, answer: str, labels: list[str] | None = None) -> Row:
    return {'task': task, 'turns': turns, 'answer': answer} | ({'labels': labels} if labels else {})


def single(task: str, count: int, ask: Callable[[Random], Question], labels: list[str] | None = None) -> Iterator[Row]:
    rng = Random(f'exam {task}')
    for _ in range(count):
        text, answer = ask(rng)
        yield row(task, [user(text)], answer, labels)


def with_examples(shots: int, count: int) -> Iterator[Row]:
    task = f'hidden task, {shots} examples'
    rng = Random(f'exam {task}')
    for _ in range(count):
        one_more = hidden_task(rng, measured_word)
        turns = [turn for text, answer in (one_more() for _ in range(shots)) for turn in (user(text), assistant(answer))]
        text, answer = one_more()
        yield row(task, [*turns, user(text)], answer)


def last_turn(task: str, count: int, make: Callable[[Random], Conversation]) -> Iterator[Row]:
    """Asks for the last turn of a conversation."""
    rng = Random(f'exam {task}')
    for _ in range(count):
        turns = make(rng)
        yield row(task, turns[:-1], turns[-1].text)


CHINESE_SYSTEM = system('你是书生浦语2，一个无害的人工智能助手')


def tool_call(exchange: Callable[[Random], Exchange]) -> Callable[[Random], Conversation]:
    """A conversation that ends with the call of a tool."""

    def make(rng: Random) -> Conversation:
        tools = [WEATHER, TIME, REMINDER][: rng.randint(2, 3)]
        return [CHINESE_SYSTEM, tool_system(rng, tools), *turns_of(exchange(rng))[:2]]

    return make


def made_up_call(rng: Random) -> Conversation:
    item, exchange = made_up_tool(rng)
    return [CHINESE_SYSTEM, tool_system(rng, [WEATHER, item]), *turns_of(exchange(rng))[:2]]


def tool_answer(rng: Random) -> Conversation:
    """A conversation that ends with the answer after one or two results of tools."""
    exchange = rng.choice([weather, weather_of_two, time_of_day])
    return [CHINESE_SYSTEM, tool_system(rng, [WEATHER, TIME]), *turns_of(exchange(rng))]


def interpreter(rng: Random, until: int) -> Conversation:
    notebook = Turn(f'system name={INTERPRETER}', 'You can run Python code in a Jupyter notebook.')
    return [notebook, *turns_of(calculation(rng))[:until]]


def rows() -> Iterator[Row]:
    letters = ['A', 'B', 'C', 'D']
    yield from single('sums', 300, basic_sum)
    yield from single('sums of 3 digits, none seen in training', 200, lambda rng: unseen_sum(rng, 3))
    yield from single('sums of 4 digits, none seen in training', 200, lambda rng: unseen_sum(rng, 4))
    yield from single('products of 2 digits and 1', 150, two_digit_product)
    yield from single('sums in words, English and Chinese', 200, story)
    yield from single('capitals', 150, capital)
    yield from single('opposites', 150, opposite)
    yield from single('word operations', 150, lambda rng: word_operation(rng, measured_word))
    yield from single('capitals and opposites in Chinese', 150, lambda rng: rng.choice([chinese_capital, chinese_opposite])(rng))
    yield from single('multiple choice', 200, choice, letters)
    yield from single('multiple choice in Chinese', 100, chinese_choice, letters)
    for shots in (0, 1, 2, 3, 5, 30):
        yield from with_examples(shots, 50 if shots == 30 else 150)
    yield from last_turn('a sum that goes on from turn to turn', 100, running_sum)
    yield from last_turn('capitals asked for as “and Japan?”', 100, more_capitals)
    yield from last_turn('a name from an earlier turn', 100, remembered_name)
    yield from last_turn('tool call: weather', 100, tool_call(weather))
    yield from last_turn('tool call: a made-up tool', 100, made_up_call)
    yield from last_turn('answer in words after a tool’s result', 100, tool_answer)
    yield from last_turn('code for a sum', 100, lambda rng: interpreter(rng, 2))
    yield from last_turn('answer in words after the code’s output', 100, lambda rng: interpreter(rng, 4))


if __name__ == '__main__':
    with FILE.open('w', encoding='utf-8') as file:
        for line in rows():
            file.write(json.dumps(line, ensure_ascii=False) + '\n')
