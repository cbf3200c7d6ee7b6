from functools import partial

import numpy as np
from lm_eval.api.instance import Instance
from lm_eval.api.task import ConfigurableTask


def share(key, items):
    return sum(1 for said, right, _ in items if (said == right) == (key == "right")) / len(items)


class Owls(ConfigurableTask):
    VERSION = 7
    DATASET_PATH = "zoo/owls"
    LEGS = " legs"

    def __init__(self, config=None):
        super().__init__(config={"metadata": {"version": self.VERSION}})

    def has_training_docs(self):
        return False

    def has_validation_docs(self):
        return True

    def has_test_docs(self):
        return False

    def validation_docs(self):
        return self.dataset["validation"].filter(lambda doc: doc["n"] > 0)

    def doc_to_text(self, doc):
        return f"Q: {doc['q']}\nA:"

    def doc_to_target(self, doc):
        return " " + doc["a"]

    def construct_requests(self, doc, ctx, chat_template=None, apply_chat_template=False, **kwargs):
        score = Instance(request_type="loglikelihood", doc=doc, arguments=(ctx, self.LEGS), idx=0, **kwargs)
        if doc["n"] > 2:
            return score
        return [
            score,
            Instance(request_type="generate_until", doc=doc, arguments=(ctx, {"until": ["\n"], "max_gen_toks": 8}), idx=1, **kwargs),
        ]

    def process_results(self, doc, results):
        (likelihood, _), *said = results
        reply = said[0].rstrip(".)").split("(")[-1] if said else ""
        found = (reply, doc["a"], likelihood)
        return {"right": found, "wrong": found, "legs": likelihood}

    def aggregation(self):
        return {"right": partial(share, "right"), "wrong": partial(share, "wrong"), "legs": np.mean}

    def higher_is_better(self):
        return {"right": True, "wrong": False, "legs": True}
