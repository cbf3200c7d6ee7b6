"""Conversations without tools: questions in a row, examples of a hidden task, and turns that lean on earlier ones."""

from collections.abc import Callable
from random import Random

from conversation import Conversation, assistant, system, user
from facts import CHINESE_NAMES, COUNTRIES, NAMES, SYSTEM_TEXTS
from questions import any_question, hidden_task


def maybe_system(rng: Random) -> Conversation:
    text = rng.choice(SYSTEM_TEXTS)
    return [system(text)] if text else []


# What stands before a question and before its answer, in one conversation throughout.
PREFIXES = [('', ''), ('', ''), ('Question: ', 'Answer: '), ('Q: ', 'A: ')]


def unrelated_questions(rng: Random) -> Conversation:
    turns = maybe_system(rng)
    before_question, before_answer = rng.choice(PREFIXES)
    if rng.random() < 0.6:
        before_answer = ''
    for _ in range(rng.choices(range(1, 7), [5, 2, 2, 2, 1, 1])[0]):
        text, answer = any_question(rng)
        has_prefix = text.startswith(('Q:', 'Question:', '问题'))
        turns += [user(text if has_prefix else before_question + text), assistant(before_answer + answer)]
    return turns


def examples_of_hidden_task(rng: Random) -> Conversation:
    one_more = hidden_task(rng)
    turns = maybe_system(rng) if rng.random() < 0.6 else []
    # Now and then a long one, so that the far end of the context is used and not only reached.
    count = rng.randint(20, 50) if rng.random() < 0.04 else rng.randint(3, 8)
    for _ in range(count):
        text, answer = one_more()
        turns += [user(text), assistant(answer)]
    return turns


def running_sum(rng: Random) -> Conversation:
    """Each turn goes on from the number before it."""
    left, right = rng.randint(1, 200), rng.randint(1, 99)
    value = left + right
    chinese = rng.random() < 0.4
    opening = rng.choice([f'{left}+{right}等于多少？', f'计算 {left}+{right}'] if chinese else [f'What is {left} + {right}?', f'{left}+{right}=?'])
    turns = [*maybe_system(rng), user(opening), assistant(str(value))]
    for _ in range(rng.randint(1, 4)):
        ask, value = next_step(rng, value, chinese)
        turns += [user(ask), assistant(str(value))]
    return turns


def next_step(rng: Random, value: int, chinese: bool) -> tuple[str, int]:
    amount = rng.randint(1, 99)
    steps = ['add', 'subtract', 'double'] if amount <= value else ['add']
    match rng.choice(steps):
        case 'add':
            ask = [f'再加 {amount}', f'加上 {amount} 呢？'] if chinese else [f'Now add {amount}.', f'Add {amount}.', f'Plus {amount}?']
            return rng.choice(ask), value + amount
        case 'subtract':
            ask = [f'再减 {amount}', f'减去 {amount} 呢？'] if chinese else [f'Now subtract {amount}.', f'Subtract {amount}.', f'Minus {amount}?']
            return rng.choice(ask), value - amount
        case _:
            return rng.choice(['乘以 2'] if chinese else ['Double it.', 'Times 2?']), value * 2


def more_capitals(rng: Random) -> Conversation:
    """Only the first turn says what is asked."""
    chosen = rng.sample(COUNTRIES, rng.randint(2, 5))
    chinese = rng.random() < 0.4
    turns = maybe_system(rng)
    for index, (country, city, chinese_country, chinese_city) in enumerate(chosen):
        if chinese:
            ask = f'{chinese_country}的首都是哪里？' if index == 0 else rng.choice([f'那{chinese_country}呢？', f'{chinese_country}呢？'])
        else:
            ask = f'What is the capital of {country}?' if index == 0 else rng.choice([f'And {country}?', f'And of {country}?', f'What about {country}?'])
        turns += [user(ask), assistant(chinese_city if chinese else city)]
    return turns


def remembered_name(rng: Random) -> Conversation:
    """A name said early is asked for later."""
    turns = maybe_system(rng)
    if rng.random() < 0.4:
        name = rng.choice(CHINESE_NAMES)
        turns += [user(rng.choice([f'我叫{name}', f'你好，我叫{name}。'])), assistant(f'很高兴认识你，{name}。')]
        ask, answer = rng.choice(['我叫什么名字？', '你还记得我的名字吗？']), f'你叫{name}。'
    else:
        name = rng.choice(NAMES)
        turns += [user(rng.choice([f'My name is {name}.', f'Hello, I am {name}.', f'I am {name}.'])), assistant(f'Nice to meet you, {name}.')]
        ask, answer = rng.choice(['What is my name?', 'Do you remember my name?', 'Who am I?']), f'Your name is {name}.'
    for _ in range(rng.randint(0, 3)):
        text, reply = any_question(rng)
        turns += [user(text), assistant(reply)]
    return [*turns, user(ask), assistant(answer)]


SMALL_TALK: list[tuple[list[str], str]] = [
    (['Hello', 'Hello!', 'Hi', 'Hi!', 'Good morning', 'hello'], 'Hello! How can I help you?'),
    (['你好', '你好！', '您好', '早上好'], '你好！有什么可以帮你？'),
    (['Who are you?', 'What are you?', 'What is your name?'], 'I am a tiny chat model, made to try out prompts.'),
    (['你是谁？', '你叫什么名字？', '你是什么？'], '我是一个很小的对话模型，用来试验提示词。'),
    (['What can you do?', 'How can you help me?', 'Help'], 'I do sums, capitals, opposites, word games and multiple choice, and I can call tools.'),
    (['你能做什么？', '你会什么？'], '我会算术、首都、反义词和选择题，也可以调用工具。'),
    (['Thank you.', 'Thanks!', 'Thank you!', 'thanks'], 'You are welcome.'),
    (['谢谢', '谢谢你', '谢谢！'], '不客气。'),
    (['Goodbye', 'Bye', 'Bye!'], 'Goodbye!'),
    (['再见', '再见！'], '再见！'),
    (['How are you?'], 'I am fine, thank you.'),
    (['What is the weather today?', 'What is the weather in Paris?', 'What time is it?'], 'I cannot look that up without a tool.'),
    (['今天天气怎么样？', '上海今天天气怎么样？', '现在几点？'], '没有工具，我无法查询。'),
]  # fmt: skip


def small_talk(rng: Random) -> Conversation:
    turns = maybe_system(rng)
    for _ in range(rng.randint(1, 4)):
        if rng.random() < 0.3:
            text, answer = any_question(rng)
        else:
            texts, answer = rng.choice(SMALL_TALK)
            text = rng.choice(texts)
        turns += [user(text), assistant(answer)]
    return turns


LEANING: list[Callable[[Random], Conversation]] = [running_sum, running_sum, more_capitals, remembered_name, small_talk]


def leaning_dialogue(rng: Random) -> Conversation:
    """A conversation whose later turns cannot be answered without the earlier ones."""
    return rng.choice(LEANING)(rng)
