"""Questions with one right answer, one small generator for each kind of task."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple
from zlib import crc32

from facts import (
    CHINESE_ITEMS,
    CHINESE_NAMES,
    CHINESE_OPPOSITES,
    COUNTRIES,
    ITEMS,
    MORE_WORDS,
    NAMES,
    OPPOSITES,
    WORDS,
)


class Question(NamedTuple):
    text: str
    answer: str


def number(rng: Random, longest: int = 4) -> int:
    """A number of 1 to `longest` digits, short ones more often."""
    digits = rng.choices(range(1, longest + 1), [3, 5, 3, 3, 2][:longest])[0]
    return rng.randint(0 if digits == 1 else 10 ** (digits - 1), 10**digits - 1)


def is_held_out(left: int, sign: str, right: int) -> bool:
    """Whether a sum is kept out of training: one in twenty of those with two numbers of three digits or more."""
    return min(left, right) >= 100 and sign != '*' and crc32(f'{left}{sign}{right}'.encode()) % 20 == 0


def evaluate(left: int, sign: str, right: int) -> int:
    return {'+': left + right, '-': left - right, '*': left * right}[sign]


SIGN_NAMES = {'+': 'plus', '-': 'minus', '*': 'times'}
CHINESE_SIGN_NAMES = {'+': '加', '-': '减', '*': '乘'}


def ask_for_sum(rng: Random, left: int, sign: str, right: int) -> str:
    return rng.choice([
        f'{left}{sign}{right}=?',
        f'{left} {sign} {right} = ?',
        f'What is {left} {sign} {right}?',
        f'What is {left}{sign}{right}?',
        f'Calculate {left} {sign} {right}.',
        f'{left} {SIGN_NAMES[sign]} {right}?',
        f'Compute: {left}{sign}{right}',
        f'计算 {left}{sign}{right}',
        f'{left}{sign}{right}等于多少？',
    ])  # fmt: skip


def ask_for_sum_freely(rng: Random, left: int, sign: str, right: int) -> str:
    """Further ways to ask, which the figures on the model card leave out to stay comparable."""
    return rng.choice([
        f'{left}{sign}{right}',
        f'{left} {sign} {right}',
        f'{left}{sign}{right}=',
        f'{left} {sign} {right} =',
        f'What is {left} {SIGN_NAMES[sign]} {right}?',
        f'How much is {left} {sign} {right}?',
        f'Please calculate {left}{sign}{right}.',
        f'请计算 {left}{sign}{right}',
        f'{left}{CHINESE_SIGN_NAMES[sign]}{right}等于多少？',
        f'{left} {sign} {right} 是多少？',
    ])  # fmt: skip


def basic_sum(rng: Random) -> Question:
    """Sums and differences of 1 to 3 digits and products up to 12 × 12: the task of the first figure on the card."""
    sign = rng.choices('+-*', [4, 4, 3])[0]
    if sign == '*':
        left, right = rng.randint(0, 12), rng.randint(0, 12)
    else:
        left, right = number(rng, 3), number(rng, 3)
    if sign == '-' and right > left:
        left, right = right, left
    return Question(ask_for_sum(rng, left, sign, right), str(evaluate(left, sign, right)))


def operands(rng: Random) -> tuple[int, str, int]:
    """The sums that training draws from: longer numbers, negative differences, products of two digits and one."""
    sign = rng.choices('+-*', [5, 5, 3])[0]
    if sign == '*':
        if rng.random() < 0.6:
            return rng.randint(0, 12), sign, rng.randint(0, 12)
        pair = [rng.randint(10, 99), rng.randint(2, 9)]
        rng.shuffle(pair)
        return pair[0], sign, pair[1]
    left, right = number(rng), number(rng)
    if rng.random() < 0.3:  # equally long numbers are the hard ones
        digits = rng.choice([3, 4])
        left, right = (rng.randint(10 ** (digits - 1), 10**digits - 1) for _ in range(2))
    if sign == '-' and right > left and rng.random() < 0.85:
        left, right = right, left
    return left, sign, right


def training_sum(rng: Random) -> Question:
    left, sign, right = operands(rng)
    while is_held_out(left, sign, right):
        left, sign, right = operands(rng)
    ask = ask_for_sum if rng.random() < 0.7 else ask_for_sum_freely
    return Question(ask(rng, left, sign, right), str(evaluate(left, sign, right)))


def unseen_sum(rng: Random, digits: int) -> Question:
    """A sum or difference of two numbers of so many digits that training never showed."""
    low, high = 10 ** (digits - 1), 10**digits - 1
    while True:
        left, right = rng.randint(low, high), rng.randint(low, high)
        sign = rng.choice('+-')
        if sign == '-' and right > left:
            left, right = right, left
        if is_held_out(left, sign, right):
            return Question(ask_for_sum(rng, left, sign, right), str(evaluate(left, sign, right)))


def two_digit_product(rng: Random) -> Question:
    left, right = rng.randint(10, 99), rng.randint(2, 9)
    return Question(ask_for_sum(rng, left, '*', right), str(left * right))


def story(rng: Random) -> Question:
    """A sum in words."""
    first, second = rng.randint(2, 99), rng.randint(2, 99)
    gains = rng.random() < 0.5
    if not gains and second > first:
        first, second = second, first
    answer = str(first + second if gains else first - second)
    if rng.random() < 0.4:
        name, item = rng.choice(CHINESE_NAMES), rng.choice(CHINESE_ITEMS)
        change = rng.choice(['又买了', '又得到']) if gains else rng.choice(['送出', '用掉'])
        return Question(f'{name}有 {first} {item}，{change} {second} {item[0]}，现在有多少{item}？', answer)
    name, item = rng.choice(NAMES), rng.choice(ITEMS)
    change = rng.choice(['buys', 'finds', 'gets']) if gains else rng.choice(['sells', 'loses', 'gives away'])
    tail = ' more' if gains else ''
    return Question(f'{name} has {first} {item} and {change} {second}{tail}. How many {item} does {name} have now?', answer)


def capital(rng: Random) -> Question:
    country, city, _, _ = rng.choice(COUNTRIES)
    return Question(
        rng.choice([f'What is the capital of {country}?', f'Capital of {country}?', f'The capital of {country} is']), city
    )


def chinese_capital(rng: Random) -> Question:
    _, _, country, city = rng.choice(COUNTRIES)
    return Question(rng.choice([f'{country}的首都是哪里？', f'{country}的首都是', f'{country}的首都是什么？']), city)


def opposite(rng: Random) -> Question:
    pair = list(rng.choice(OPPOSITES))
    rng.shuffle(pair)
    return Question(rng.choice([f'What is the opposite of {pair[0]}?', f'Opposite of {pair[0]}?']), pair[1])


def chinese_opposite(rng: Random) -> Question:
    pair = list(rng.choice(CHINESE_OPPOSITES))
    rng.shuffle(pair)
    return Question(rng.choice([f'“{pair[0]}”的反义词是什么？', f'{pair[0]}的反义词是什么？', f'{pair[0]}的反义词']), pair[1])


def any_word(rng: Random) -> str:
    return rng.choice(WORDS if rng.random() < 0.55 else MORE_WORDS)


WORD_OPERATIONS: dict[str, Callable[[str], str]] = {
    'reverse': lambda word: word[::-1],
    'upper': str.upper,
    'first': lambda word: word[0],
    'last': lambda word: word[-1],
    'length': lambda word: str(len(word)),
    'plural': lambda word: f'{word}s',
}

WORD_QUESTIONS: dict[str, list[str]] = {
    'reverse': ['Reverse the word {}.', 'Spell {} backwards.'],
    'upper': ['Write {} in capital letters.', 'Uppercase {}.'],
    'first': ['What is the first letter of {}?'],
    'last': ['What is the last letter of {}?'],
    'length': ['How many letters are in {}?'],
    'plural': ['What is the plural of {}?'],
}


def word_operation(rng: Random, pick_word: Callable[[Random], str] = any_word) -> Question:
    word, operation = pick_word(rng), rng.choice(list(WORD_OPERATIONS))
    return Question(rng.choice(WORD_QUESTIONS[operation]).format(word), WORD_OPERATIONS[operation](word))


def measured_word(rng: Random) -> str:
    return rng.choice(WORDS)


def hidden_task(rng: Random, pick_word: Callable[[Random], str] = any_word) -> Callable[[], Question]:
    """A task that only its examples reveal: each call gives one more of the same."""
    operation = rng.choice(['reverse', 'upper', 'first', 'last', 'length', 'double', 'next'])

    def one_more() -> Question:
        if operation == 'next':
            value = rng.randint(10, 99)
            return Question(str(value), str(value + 1))
        word = pick_word(rng)
        return Question(word, word + word if operation == 'double' else WORD_OPERATIONS[operation](word))

    return one_more


def options(rng: Random, kind: str) -> tuple[str, list[str], str]:
    """A question for four options, the options, and the right one."""
    if kind in ('largest', 'smallest'):
        values = rng.sample(range(200), 4)
        right = max(values) if kind == 'largest' else min(values)
        return f'Which number is the {kind}?', [str(value) for value in values], str(right)
    if kind == 'sum':
        left, right = rng.randint(0, 50), rng.randint(0, 50)
        values = {left + right}
        while len(values) < 4:
            values.add(max(0, left + right + rng.randint(-10, 10)))
        ask = rng.choice([f'What is {left} + {right}?', f'{left}+{right}=?'])
        return ask, shuffled(rng, [str(value) for value in sorted(values)]), str(left + right)
    if kind == 'capital':
        country, right, _, _ = rng.choice(COUNTRIES)
        others = [city for _, city, _, _ in COUNTRIES if city != right]
        return f'What is the capital of {country}?', shuffled(rng, [*rng.sample(others, 3), right]), right
    word, right = rng.choice(OPPOSITES)
    others = [other for _, other in OPPOSITES if other != right]
    return f'What is the opposite of {word}?', shuffled(rng, [*rng.sample(others, 3), right]), right


def chinese_options(rng: Random, kind: str) -> tuple[str, list[str], str]:
    if kind in ('largest', 'smallest'):
        _, values, right = options(rng, kind)
        return f'下面哪个数最{"大" if kind == "largest" else "小"}？', values, right
    if kind == 'sum':
        ask, values, right = options(rng, kind)
        left_side = ask.removeprefix('What is ').rstrip('=?')
        return f'{left_side}等于多少？', values, right
    pairs = [(country, city) for _, _, country, city in COUNTRIES] if kind == 'capital' else CHINESE_OPPOSITES
    asked, right = rng.choice(pairs)
    others = [other for _, other in pairs if other != right]
    ask = f'{asked}的首都是哪里？' if kind == 'capital' else f'{asked}的反义词是什么？'
    return ask, shuffled(rng, [*rng.sample(others, 3), right]), right


def shuffled(rng: Random, values: list[str]) -> list[str]:
    return rng.sample(values, len(values))


CHOICE_KINDS = ['largest', 'smallest', 'capital', 'sum', 'opposite']


def choice(rng: Random) -> Question:
    """Multiple choice, answered by a letter."""
    ask, values, right = options(rng, rng.choice(CHOICE_KINDS))
    before, after = rng.choice(['', 'Question: ', 'Q: ']), rng.choice(['\nAnswer: ', '\nAnswer:', ''])
    return lettered(ask, values, right, before, after)


def chinese_choice(rng: Random) -> Question:
    ask, values, right = chinese_options(rng, rng.choice(CHOICE_KINDS))
    before, after = rng.choice(['', '问题：']), rng.choice(['\n答案：', '\n答案: ', ''])
    return lettered(ask, values, right, before, after)


def lettered(ask: str, values: list[str], right: str, before: str, after: str) -> Question:
    lines = '\n'.join(f'{letter}. {value}' for letter, value in zip('ABCD', values, strict=True))
    return Question(f'{before}{ask}\n{lines}{after}', 'ABCD'[values.index(right)])


TRAINING_MIX: dict[Callable[[Random], Question], float] = {
    training_sum: 45,
    story: 6,
    capital: 8,
    chinese_capital: 4,
    opposite: 5,
    chinese_opposite: 2,
    word_operation: 10,
    choice: 15,
    chinese_choice: 5,
}


def any_question(rng: Random) -> Question:
    return rng.choices(list(TRAINING_MIX), list(TRAINING_MIX.values()))[0](rng)
