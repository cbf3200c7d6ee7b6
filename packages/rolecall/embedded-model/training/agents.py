"""Conversations in which the model calls a tool or runs code, reads the result and answers in words."""

import json
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from conversation import ACTION_END, ACTION_START, INTERPRETER, PLUGIN, Conversation, Turn, assistant, environment, user
from dialogues import maybe_system
from facts import CITIES, WORDS
from questions import any_question, evaluate, is_held_out, number

Tool = dict[str, Any]


def tool(name: str, description: str, properties: dict[str, Any]) -> Tool:
    """A tool that needs its first property."""
    parameters = {'type': 'object', 'properties': properties, 'required': list(properties)[:1]}
    return {'name': name, 'description': description, 'parameters': parameters}


TEXT = {'type': 'string'}
WEATHER = tool(
    'get_current_weather',
    'Get the current weather in a given location',
    {'location': {'type': 'string', 'description': 'The city and state, e.g. San Francisco, CA'}, 'unit': TEXT},
)
TIME = tool('get_time', 'Get the current time in a city', {'city': TEXT})
REMINDER = tool('add_reminder', 'Add a reminder', {'text': TEXT})

# As InternLM2's own page writes it, which no JSON parser takes: commas before closing brackets.
WEATHER_AS_DOCUMENTED = """[
    {
        "name": "get_current_weather",
        "description": "Get the current weather in a given location",
        "parameters": {
            "type": "object",
            "properties": {
                "location": {
                    "type": "string",
                    "description": "The city and state, e.g. San Francisco, CA",
                },
                "unit": {"type": "string"},
            },
            "required": ["location"],
        },
    }
]
"""

INTERPRETER_TEXTS = [
    'You can run Python code in a Jupyter notebook.',
    '你现在可以使用一个支持 Python 代码执行的 Jupyter 笔记本环境。只需向 python 发送代码，即可在这个有状态环境中进行运行。',
    """你现在可以使用一个支持 Python 代码执行的 Jupyter 笔记本环境。只需向 python 发送代码，即可在这个有状态环境中进行运行。这个功能适用于:
- 数据分析或处理（如数据操作和图形制作）
- 复杂计算（如数学和物理问题）
- 编程示例（用于理解编程概念或语言特性）
- 文本处理和分析（包括文本分析和自然语言处理）
- 机器学习和数据科学（模型训练和数据可视化展示）
- 文件操作和数据导入（处理CSV、JSON等格式文件）""",
]


class Step(NamedTuple):
    """What the model writes to act, and what comes back."""

    action: str
    source: str
    result: str


class Exchange(NamedTuple):
    """A request, the steps the model takes, and its answer in words."""

    request: str
    steps: list[Step]
    answer: str
    files: str = ''


def turns_of(exchange: Exchange) -> Conversation:
    turns = [user(exchange.request)]
    if exchange.files:
        turns.append(Turn('user name=file', exchange.files))
    for step in exchange.steps:
        turns += [assistant(step.action), environment(step.source, step.result)]
    return [*turns, assistant(exchange.answer)]


def to_json(value: Any, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)


def call(words: str, name: str, arguments: dict[str, Any], result: Any) -> Step:
    body = to_json({'name': name, 'parameters': arguments})
    return Step(f'{words}{ACTION_START}{PLUGIN}\n{body}{ACTION_END}', PLUGIN, to_json(result))


def run_code(code: str, result: str, chinese: bool = False) -> Step:
    words = '我将运行这段代码。' if chinese else 'I will run this code.'
    return Step(f'{words}\n{ACTION_START}{INTERPRETER}\n```python\n{code}\n```{ACTION_END}', INTERPRETER, result)


def tool_system(rng: Random, tools: list[Tool]) -> Turn:
    """The system turn that lists the tools, in one of the layouts seen in the wild."""
    header = f'system name={PLUGIN}'
    if tools == [WEATHER] and rng.random() < 0.3:
        return Turn(header, WEATHER_AS_DOCUMENTED)
    wrapped = [{'type': 'function', 'function': item} for item in tools] if rng.random() < 0.15 else tools
    return Turn(header, to_json(wrapped, rng.choice([4, None, None])))


# ---- exchanges, one generator for each kind

SKIES = [('sunny', '晴'), ('cloudy', '多云'), ('rainy', '有雨'), ('snowy', '有雪'), ('windy', '有风')]


def weather(rng: Random) -> Exchange:
    city, chinese_city = rng.choice(CITIES)
    degrees = rng.randint(-20, 42)
    sky, chinese_sky = rng.choice(SKIES)
    kind = rng.choices(['plain', 'unit', 'place', 'sky', 'error'], [6, 1, 1, 2, 1])[0]
    result = {
        'plain': {'temperature': degrees},
        'unit': {'temperature': degrees, 'unit': 'celsius'},
        'place': {'location': city, 'temperature': degrees},
        'sky': {'temperature': degrees, 'condition': sky},
        'error': {'error': 'not found'},
    }[kind]
    if rng.random() < 0.5:
        request = rng.choice([f'我想了解今天{chinese_city}的天气', f'{chinese_city}今天天气怎么样？', f'{chinese_city}的天气'])
        words, answer = f'好的，我将为你查询{chinese_city}的天气。', f'{chinese_city}的天气是 {degrees} 摄氏度'
        if kind == 'sky':
            answer += f'，{chinese_sky}'
        if kind == 'error':
            answer = f'抱歉，没有查到{chinese_city}的天气。'
    else:
        request = rng.choice([
            f'What is the weather in {city}?',
            f"What's the weather like in {city} today?",
            f'How warm is it in {city}?',
            f'Weather in {city}?',
        ])  # fmt: skip
        words, answer = f'I will look up the weather in {city}.', f'It is {degrees} degrees Celsius in {city}.'
        if kind == 'sky':
            answer = f'It is {degrees} degrees Celsius and {sky} in {city}.'
        if kind == 'error':
            answer = f'Sorry, I could not find the weather in {city}.'
    return Exchange(request, [call(words, 'get_current_weather', {'location': city}, result)], answer)


def weather_of_two(rng: Random) -> Exchange:
    """Two calls, one after the other, and one answer."""
    (first, chinese_first), (second, chinese_second) = rng.sample(CITIES, 2)
    here, there = rng.randint(-20, 42), rng.randint(-20, 42)
    chinese = rng.random() < 0.5
    words = (
        (f'好的，我将为你查询{chinese_first}的天气。', f'接下来查询{chinese_second}的天气。')
        if chinese
        else (f'I will look up the weather in {first}.', f'Now I will look up the weather in {second}.')
    )
    steps = [
        call(said, 'get_current_weather', {'location': city}, {'temperature': degrees})
        for said, city, degrees in zip(words, (first, second), (here, there), strict=True)
    ]
    if chinese:
        request = f'{chinese_first}和{chinese_second}的天气怎么样？'
        return Exchange(request, steps, f'{chinese_first}的天气是 {here} 摄氏度，{chinese_second}的天气是 {there} 摄氏度')
    request = f'What is the weather in {first} and {second}?'
    return Exchange(request, steps, f'It is {here} degrees Celsius in {first} and {there} in {second}.')


def time_of_day(rng: Random) -> Exchange:
    city, chinese_city = rng.choice(CITIES)
    clock = f'{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}'
    if rng.random() < 0.4:
        step = call(f'好的，我将为你查询{chinese_city}的时间。', 'get_time', {'city': city}, {'time': clock})
        return Exchange(rng.choice([f'{chinese_city}现在几点？', f'{chinese_city}的时间']), [step], f'{chinese_city}现在是 {clock}')
    step = call(f'I will check the time in {city}.', 'get_time', {'city': city}, {'time': clock})
    return Exchange(rng.choice([f'What time is it in {city}?', f'Current time in {city}?']), [step], f'It is {clock} in {city}.')


def reminder(rng: Random) -> Exchange:
    deed = f'{rng.choice(["buy", "feed", "find", "draw", "paint", "wash"])} the {rng.choice(WORDS)}'
    step = call('I will add that reminder.', 'add_reminder', {'text': deed}, {'ok': True})
    return Exchange(rng.choice([f'Remind me to {deed}.', f'Add a reminder: {deed}']), [step], f'Done, I will remind you to {deed}.')


def made_up_tool(rng: Random) -> tuple[Tool, Callable[[Random], Exchange]]:
    """A tool that exists in this conversation only: its name and parameter can only be copied from the list."""
    name = f'{rng.choice(["get", "find", "set", "check", "open", "count", "search"])}_{rng.choice(WORDS)}'
    parameter = rng.choice(['name', 'query', 'item', 'id', 'title', 'word', 'key'])

    def exchange(rng: Random) -> Exchange:
        value = rng.choice(WORDS)
        result = str(rng.randint(1, 999)) if rng.random() < 0.5 else rng.choice(WORDS)
        if rng.random() < 0.3:
            step = call(f'好的，我将调用 {name}。', name, {parameter: value}, {'result': result})
            return Exchange(f'请用 {name} 查询 {value}', [step], f'结果是 {result}')
        request = rng.choice([f'Use {name} for {value}.', f'Call {name} with {value}.', f'Please use {name} with {value}.'])
        return Exchange(request, [call(f'I will call {name}.', name, {parameter: value}, {'result': result})], f'The result is {result}.')

    words = name.split('_')
    return tool(name, f'{words[0].capitalize()} the {words[1]}', {parameter: TEXT}), exchange


def calculation(rng: Random) -> Exchange:
    """Code for a sum: because it was asked for, or because the numbers are too long to do in the head."""
    long = rng.random() < 0.5
    left, right = (rng.randint(10_000, 999_999) if long else number(rng) for _ in range(2))
    sign = rng.choice('+-*')
    if not long and is_held_out(left, sign, right):
        return calculation(rng)  # the result would be shown
    chinese = rng.random() < 0.35
    wishes = [f'用代码计算 {left}{sign}{right}'] if chinese else [f'Use Python to compute {left} {sign} {right}.', f'Run code to calculate {left}{sign}{right}.']
    if long:
        wishes += [f'{left}{sign}{right}等于多少？'] if chinese else [f'What is {left} {sign} {right}?', f'Calculate {left}{sign}{right}.']
    value = str(evaluate(left, sign, right))
    return Exchange(rng.choice(wishes), [run_code(f'print({left} {sign} {right})', value, chinese)], result_in_words(value, chinese))


def result_in_words(value: str, chinese: bool) -> str:
    return f'结果是 {value}。' if chinese else f'The result is {value}.'


def other_code(rng: Random) -> Exchange:
    match rng.choice(['reverse', 'range', 'largest']):
        case 'reverse':
            word = rng.choice(WORDS)
            request, code, value = f'Use Python to reverse the word {word}.', f"print('{word}'[::-1])", word[::-1]
        case 'range':
            last = rng.randint(3, 99)
            request, code = f'Use Python to sum the numbers from 1 to {last}.', f'print(sum(range(1, {last + 1})))'
            value = str(last * (last + 1) // 2)
        case _:
            values = [rng.randint(0, 999) for _ in range(rng.randint(3, 5))]
            listed = ', '.join(map(str, values))
            request, code, value = f'Use Python to find the largest of {listed}.', f'print(max([{listed}]))', str(max(values))
    return Exchange(request, [run_code(code, value)], f'The result is {value}.')


def file_of_rows(rng: Random) -> Exchange:
    """A file comes in a turn of its own; the code reads it."""
    path = f'{rng.choice(["data", *WORDS])}.csv'
    rows = str(rng.randint(2, 9999))
    chinese = rng.random() < 0.5
    request = '这个文件有多少行？' if chinese else 'How many rows does this file have?'
    code = f"import pandas as pd\n\ndf = pd.read_csv('{path}')\nprint(len(df))"
    answer = f'这个文件有 {rows} 行。' if chinese else f'The file has {rows} rows.'
    return Exchange(request, [run_code(code, rows, chinese)], answer, f'[{{"path": "{path}", size=\'{rng.randint(1, 99)}K\'}}]')


TOOL_EXCHANGES: list[tuple[Tool, list[Callable[[Random], Exchange]]]] = [
    (WEATHER, [weather, weather, weather, weather_of_two]),
    (TIME, [time_of_day]),
    (REMINDER, [reminder]),
]
CODE_EXCHANGES: list[Callable[[Random], Exchange]] = [calculation, calculation, other_code, file_of_rows]


def agent_dialogue(rng: Random) -> Conversation:
    """Tools, an interpreter or both, announced by system turns and then used."""
    turns = maybe_system(rng)
    mode = rng.choice(['tools', 'interpreter', 'both'])
    kinds: list[list[Callable[[Random], Exchange]]] = []
    if mode != 'tools':
        turns.append(Turn(f'system name={INTERPRETER}', rng.choices(INTERPRETER_TEXTS, [4, 4, 1])[0]))
        kinds.append(CODE_EXCHANGES)
    if mode != 'interpreter':
        chosen = rng.sample(TOOL_EXCHANGES, rng.randint(1, 3))
        tools = [item for item, _ in chosen]
        kinds += [exchanges for _, exchanges in chosen]
        if rng.random() < 0.25:
            item, exchange = made_up_tool(rng)
            tools.insert(rng.randint(0, len(tools)), item)
            kinds.append([exchange])
        turns.append(tool_system(rng, tools))
    for _ in range(rng.randint(1, 3)):
        if rng.random() < 0.15:
            text, answer = any_question(rng)
            turns += [user(text), assistant(answer)]
        else:
            turns += turns_of(rng.choice(rng.choice(kinds))(rng))
    return turns
