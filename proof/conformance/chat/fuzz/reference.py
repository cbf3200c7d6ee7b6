"""Renders templates with Python's Jinja2, set up as transformers sets it up. One JSON object per line in, one per line out."""

import datetime
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "cases" / "jinja"))

from chat_environment import chat_environment  # noqa: E402

environment = chat_environment(datetime.datetime(2025, 3, 14, 15, 9, 26))

for line in sys.stdin:
    given = json.loads(line)
    try:
        answer = {"text": environment.from_string(given["template"]).render(**given["variables"])}
    except Exception as error:
        answer = {"error": type(error).__name__, "message": str(error)}
    print(json.dumps(answer), flush=True)
