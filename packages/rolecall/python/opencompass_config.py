"""What OpenCompass itself makes of a config: its rows, its prompts and its scores, for `rolecall compare --opencompass`.

Runs in worker.py, in the user's own Python. The config is read by mmengine, and every class is that of the checkout.
"""
import copy
import inspect
import os
import tempfile

from mmengine.config import Config
from opencompass.registry import ICL_EVALUATORS, ICL_PROMPT_TEMPLATES, ICL_RETRIEVERS, LOAD_DATASET, TEXT_POSTPROCESSORS

_configs, _datasets = {}, {}

try:
    import datasets as _library

    _library.disable_progress_bars()
except ImportError:
    pass


def datasets(config):
    """The names of the datasets of a config, as its summary has them, and the inferencer of each."""
    return [{'abbr': entry.get('abbr') or '', 'inferencer': name_of(entry['infer_cfg']['inferencer']['type'])} for entry in entries(config)]


def entries(config):
    if config not in _configs:
        _configs[config] = Config.fromfile(config, format_python_code=False)
    return _configs[config]['datasets']


def name_of(kind):
    return kind.rsplit('.', 1)[-1] if isinstance(kind, str) else getattr(kind, '__name__', None) or str(kind).rsplit('.', 1)[-1]


def built(config, number):
    if (config, number) not in _datasets:
        _datasets.clear()
        settings = copy.deepcopy(entries(config)[number])
        for key in ('infer_cfg', 'eval_cfg'):
            settings.pop(key, None)
        _datasets[config, number] = LOAD_DATASET.build(settings)
    return _datasets[config, number]


def rows(config, number, most):
    """The rows of the test split as prompts are made from them, and how many there are."""
    test = built(config, number).test
    return {'count': len(test), 'rows': [dict(test[place]) for place in range(min(most, len(test)))]}


def prompts(config, number, count):
    """The text of each prompt for a model without a meta template: one for a row, or one for each label."""
    from opencompass.models.base import LMTemplateParser

    infer = entries(config)[number]['infer_cfg']
    ice_template, prompt_template = (
        ICL_PROMPT_TEMPLATES.build(copy.deepcopy(infer[key])) if key in infer else None for key in ('ice_template', 'prompt_template')
    )
    retriever = ICL_RETRIEVERS.build({**copy.deepcopy(infer['retriever']), 'dataset': built(config, number)})
    inferencer, parser = name_of(infer['inferencer']['type']), LMTemplateParser()
    templates = {'ice_template': ice_template, 'prompt_template': prompt_template}
    found = []
    for place, indices in enumerate(retriever.retrieve()[:count]):
        examples = retriever.generate_ice(indices, ice_template=ice_template)
        if inferencer == 'GenInferencer':
            prompt = retriever.generate_prompt_for_generate_task(place, examples, gen_field_replace_token='', **templates)
            found.append([['', parser.parse_template(prompt, mode='gen')]])
        elif inferencer == 'PPLInferencer':
            labels = infer['inferencer'].get('labels') or retriever.get_labels(**templates)
            asked = [retriever.generate_label_prompt(place, examples, label, **templates) for label in labels]
            found.append([[str(label), parser.parse_template(prompt, mode='ppl')] for label, prompt in zip(labels, asked)])
        else:
            return None
    return found


def scores(config, number, predictions):
    """The metrics of given predictions for the first rows, as the evaluation task computes them."""
    entry = entries(config)[number]
    scoring, column = entry['eval_cfg'], entry['reader_cfg'].get('output_column')
    test = built(config, number).test
    test = test.select(range(len(predictions))) if hasattr(test, 'select') else test[: len(predictions)]
    if 'dataset_postprocessor' in scoring:
        clean = function_of(scoring['dataset_postprocessor'])
        test = test.map(lambda row: {column: clean(row[column])})
    if 'pred_postprocessor' in scoring:
        clean = function_of(scoring['pred_postprocessor'])
        predictions = [clean(each) for each in predictions]
    references = [row[column] for row in test] if column else None
    settings = copy.deepcopy(dict(scoring['evaluator']))
    kind = settings.pop('type')
    kind = ICL_EVALUATORS.get(kind) if isinstance(kind, str) else kind
    whole = {'predictions': predictions, 'references': references}
    takes = inspect.signature(kind).parameters
    evaluator = kind(**settings, **(whole if set(whole) <= set(takes) else {}))
    evaluator._out_dir = os.path.join(tempfile.gettempdir(), 'rolecall-compare')
    whole.update(test_set=test, origin_prompt=[None] * len(predictions))
    given = {name: whole[name] for name in inspect.signature(evaluator.score).parameters if name in whole}
    result = evaluator.evaluate(1, 1, copy.deepcopy(test), **given)
    return {name: float(value) for name, value in result.items() if isinstance(value, (int, float)) and not isinstance(value, bool)}


def function_of(config):
    settings = copy.deepcopy(dict(config)) if not isinstance(config, str) else {'type': config}
    kind = settings.pop('type')
    run = TEXT_POSTPROCESSORS.get(kind) if isinstance(kind, str) else kind
    return lambda value: run(value, **settings)
