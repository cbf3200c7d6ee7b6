"""Rollouts with a tool over vLLM's protocols: a renderer without an engine, and an engine that takes token ids.

rolecall serve --render-only --format internlm2 --port 8100    (messages to ids, ids to messages)
rolecall serve --port 8101                                     (or vLLM: anything with /inference/v1/generate)
python3 rollouts.py http://127.0.0.1:8100 http://127.0.0.1:8101
"""

import json
import sys
import urllib.request

renderer, engine = sys.argv[1:3]
parameters = {"type": "object", "properties": {"location": {"type": "string"}}}
tools = [{"type": "function", "function": {"name": "get_current_weather", "parameters": parameters}}]


def post(address, body):
    request = urllib.request.Request(address, json.dumps(body).encode(), {"content-type": "application/json"})
    return json.load(urllib.request.urlopen(request))


def rollout(city, temperature):
    chat = {"messages": [{"role": "user", "content": f"What's the weather like in {city}?"}], "tools": tools, "temperature": 0}
    ids, mask = [], []
    for turn in range(4):
        rendered = post(f"{renderer}/v1/chat/completions/render", {**chat, "max_tokens": 64})
        assert rendered["token_ids"][: len(ids)] == ids  # what was sent and sampled stays
        prompt = rendered["token_ids"]
        generated = post(f"{engine}/inference/v1/generate", {**rendered, "model": None})
        reply = generated["choices"][0]["token_ids"]
        mask += [0] * (len(prompt) - len(mask)) + [1] * len(reply)
        ids = prompt + reply
        choice = post(f"{renderer}/v1/chat/completions/derender", {"generate_response": {**generated, "model": None}, "chat_request": chat})["choices"][0]
        chat["messages"].append(choice["message"])
        calls = choice["message"].get("tool_calls", [])
        if not calls:
            return {"input_ids": ids, "labels": [id if one else -100 for id, one in zip(ids, mask)]}
        chat["messages"] += [{"role": "tool", "tool_call_id": call["id"], "content": str(temperature)} for call in calls]
        chat["previous"] = {"token_ids": prompt, "completion_token_ids": reply}


for city, temperature in {"Paris": 18, "London": 14}.items():
    print(json.dumps(rollout(city, temperature)))
