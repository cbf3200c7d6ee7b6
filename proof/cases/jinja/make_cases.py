"""Writes cases/jinja/*.json: what Python's Jinja2 makes of the templates in inputs.py. See README.md."""

import datetime
import json
import pathlib
import re
import warnings

import jinja2

import inputs
from chat_environment import chat_environment

warnings.simplefilter("ignore")

ENVIRONMENT = chat_environment(datetime.datetime.fromisoformat(inputs.NOW))

# What Python shows by an address or in the order of a set is another thing in every run.
CHANGING = re.compile(r" at 0x|<[\w.]+ object|<bound method|<built-in|<function|<jinja2")


def render(template, context):
    try:
        return {"expected": ENVIRONMENT.from_string(template).render(**context)}
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error)}


def line_of(case):
    return json.dumps(case, ensure_ascii=False)


def main():
    folder = pathlib.Path(__file__).parent
    left_out = {template for templates in inputs.LEFT_OUT.values() for template in templates}
    total = 0
    skipped = []
    for topic, (about, make) in inputs.TOPICS.items():
        lines = []
        seen = set()
        for template, own in make():
            key = (template, json.dumps(own))
            if key in seen or template in left_out:
                continue
            seen.add(key)
            context = json.loads(json.dumps({**inputs.CONTEXT, **own}))
            answer = render(template, context)
            if CHANGING.search(answer.get("expected", "") + answer.get("message", "")):
                skipped.append(template)
                continue
            lines.append(line_of({"template": template, **({"context": own} if own else {}), **answer}))
        body = ",\n    ".join(lines)
        (folder / f"{topic}.json").write_text(f'{{\n  "about": {json.dumps(about)},\n  "cases": [\n    {body}\n  ]\n}}\n', encoding="utf-8")
        total += len(lines)
        print(f"{topic}: {len(lines)}")
    shared = {"jinja2": jinja2.__version__, "now": inputs.NOW, "variables": inputs.CONTEXT}
    (folder / "shared" / "context.json").write_text(json.dumps(shared, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    print(f"{total} cases; left out, since Python shows addresses: {skipped}")


if __name__ == "__main__":
    main()
