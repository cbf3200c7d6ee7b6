/** A config folder as large as OpenCompass's and in its style: file contents by path. The texts are made up. */
export function configTree(count = 620): Map<string, string> {
  const files = new Map<string, string>()
  const add = (path: string, text: string) => files.set(`opencompass/configs/${path}.py`, text)
  const sets: string[] = []
  for (let index = 0; index < count; index++) {
    const name = `set${index}`
    const kind = (['gen', 'gen', 'gen', 'ppl', 'judge', 'subjects', 'depths', 'subjects_ppl', 'gen', 'judge'] as const)[index % 10]!
    const hash = (index * 7919 + 65537).toString(16).padStart(6, '0')
    add(`datasets/${name}/${name}_${kind}_${hash}`, datasets(kind, name))
    add(`datasets/${name}/${name}_gen`, alias(`.${name}_${kind}_${hash}`, `${name}_datasets`))
    if (index % 10 < 7) add(`datasets/${name}/${name}_rawprompt_${hash}`, datasets('judge', name))
    sets.push(`${name}.${name}_${kind}_${hash}`)
  }
  for (let index = 0; index < (count * 50) / 62; index++) add(`models/family${index % 40}/hf_model${index}`, models(index))
  for (let index = 0; index < count / 10; index++) add(`summarizers/groups/group${index}`, groups(index))
  for (let index = 0; index < count / 10; index++) {
    const chosen = Array.from({ length: 25 }, (_, at) => sets[(index * 37 + at * 23) % sets.length]!)
    add(`datasets/collections/chat_${index}`, collection(chosen, '..'))
    files.set(`examples/eval_${index}.py`, evaluation(chosen, index))
  }
  return files
}

const imports = `from opencompass.openicl.icl_prompt_template import PromptTemplate
from opencompass.openicl.icl_retriever import ZeroRetriever, FixKRetriever
from opencompass.openicl.icl_inferencer import GenInferencer, PPLInferencer
from opencompass.openicl.icl_evaluator import AccEvaluator
from opencompass.evaluator import GenericLLMEvaluator
from opencompass.datasets import MadeUpDataset, made_up_postprocess
`

const question = '{question}\\nA. {A}\\nB. {B}\\nC. {C}\\nD. {D}'

function datasets(kind: 'gen' | 'ppl' | 'judge' | 'subjects' | 'subjects_ppl' | 'depths', name: string): string {
  const reader = `${name}_reader_cfg = dict(input_columns=['question', 'A', 'B', 'C', 'D'], output_column='answer', train_split='dev')\n`
  const entry = (abbr: string, indent = '') =>
    `${indent}dict(abbr=${abbr}, type=MadeUpDataset, path='data/${name}', reader_cfg=${name}_reader_cfg, infer_cfg=${name}_infer_cfg, eval_cfg=${name}_eval_cfg)`
  const evaluation = `${name}_eval_cfg = dict(evaluator=dict(type=AccEvaluator), pred_postprocessor=dict(type=made_up_postprocess, options='ABCD'))\n`
  switch (kind) {
    case 'gen':
      return `${imports}\n${reader}
${name}_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(round=[dict(role='HUMAN', prompt='Answer the question.\\n${question}\\nAnswer: '), dict(role='BOT', prompt='{answer}\\n')]),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=512),
)
${evaluation}
${name}_datasets = [${entry(`'${name}'`)}]
`
    case 'ppl':
      return `${imports}\n${reader}
${name}_infer_cfg = dict(
    prompt_template=dict(type=PromptTemplate, template={
        answer: dict(round=[dict(role='HUMAN', prompt='${question}'), dict(role='BOT', prompt=f'Answer: {answer}')])
        for answer in ['A', 'B', 'C', 'D']
    }),
    retriever=dict(type=ZeroRetriever), inferencer=dict(type=PPLInferencer))
${evaluation}
${name}_datasets = [${entry(`'${name}'`)}]
`
    case 'judge':
      return `${imports}
GRADER_TEMPLATE = """
${Array.from({ length: 8 }, (_, at) => `    ${at + 1}. A rule for those who grade: look at the answer, not at the way to it, and do not answer the question yourself.`).join('\n')}

    <Question Begin>: {question}\\n<Question End>\\n\\n
    <Answer Begin>: \\n{prediction}\\n<Answer End>\\n\\n
""".strip()
${reader}
${name}_infer_cfg = dict(
    prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role='HUMAN', prompt='{question}\\nPut the answer into \\\\boxed{}.')])),
    retriever=dict(type=ZeroRetriever), inferencer=dict(type=GenInferencer))
${name}_eval_cfg = dict(evaluator=dict(type=GenericLLMEvaluator, prompt_template=dict(type=PromptTemplate, template=dict(
    begin=[dict(role='SYSTEM', fallback_role='HUMAN', prompt="You judge the models' outputs.")],
    round=[dict(role='HUMAN', prompt=GRADER_TEMPLATE)])), judge_cfg=dict()))
${name}_datasets = []
for _name in ['a', 'b', 'c', 'd', 'e', 'f']:
    ${name}_datasets.append(
${entry(`f'${name}_{_name}'`, '        ')})
del _name
`
    case 'subjects':
    case 'subjects_ppl':
      return `${imports}\n${reader}
${name}_all_sets = [
${Array.from({ length: 57 }, (_, at) => `    'a_subject_of_${name}_number_${at}',`).join('\n')}
]
${name}_datasets = []
for _name in ${name}_all_sets:
    _hint = f'There is a single choice question about {_name.replace("_", " ")}. Answer the question by replying A, B, C or D.'
    ${name}_infer_cfg = dict(
        ice_template=dict(type=PromptTemplate, template=${
          kind === 'subjects'
            ? `dict(round=[
            dict(role='HUMAN', prompt=f'{_hint}\\n${question.replaceAll(/\{(\w+)\}/g, '{{$1}}')}\\nAnswer: '),
            dict(role='BOT', prompt='{answer}\\n')])`
            : `{
            answer: dict(begin='</E>', round=[
                dict(role='HUMAN', prompt=f'{_hint}\\n${question.replaceAll(/\{(\w+)\}/g, '{{$1}}')}\\nAnswer: '),
                dict(role='BOT', prompt=answer)]) for answer in ['A', 'B', 'C', 'D']}, ice_token='</E>'`
        }),
        retriever=dict(type=FixKRetriever, fix_id_list=[0, 1, 2, 3, 4]),
        inferencer=dict(type=${kind === 'subjects' ? 'GenInferencer' : 'PPLInferencer'}))
    ${evaluation.trim()}
    ${name}_datasets.append(
${entry(`f'${name}_{_name}'`, '        ')})
del _name, _hint
`
    case 'depths':
      return `${imports}import math

def logistic(x, L=100, x0=50, k=0.1):
    return round(L / (1 + math.exp(-k * (x - x0))), 3)

def linear(start, end, num):
    if num == 1:
        return [start]
    elif num < 1:
        raise ValueError('num must be at least 1.')
    step = (end - start) / (num - 1)
    return [start + step * i for i in range(num)]

${reader}
${name}_infer_cfg = dict(
    prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role='HUMAN', prompt='{prompt}'), dict(role='BOT', prompt='{answer}\\n')])),
    retriever=dict(type=ZeroRetriever), inferencer=dict(type=GenInferencer))
${evaluation}
${name}_datasets = []
for original_context_length in list(range(1000, 9000, 1000)):
    for depth_percent in [logistic(x) for x in linear(0, 100, 20)]:
        ${name}_datasets.append({
            'abbr': f'Length{original_context_length}Depth{int(depth_percent)}_${name}', 'type': MadeUpDataset, 'path': 'data/${name}',
            'length': original_context_length, 'depth': int(depth_percent), 'file_list': ['a.jsonl'], 'reader_cfg': ${name}_reader_cfg,
            'infer_cfg': ${name}_infer_cfg, 'eval_cfg': ${name}_eval_cfg})
`
    default:
      return kind satisfies never
  }
}

function alias(module: string, name: string): string {
  return `from mmengine.config import read_base\n\nwith read_base():\n    from ${module} import ${name}  # noqa: F401, F403\n`
}

function collection(sets: readonly string[], up: string): string {
  const lines = sets.map((set) => `    from ${up}${set} import ${set.split('.')[0]}_datasets`)
  return `from mmengine.config import read_base\n\nwith read_base():\n${lines.join('\n')}\n\ndatasets = sum((v for k, v in locals().items() if k.endswith('_datasets')), [])\n`
}

function evaluation(sets: readonly string[], index: number): string {
  return `${collection(sets, 'opencompass.configs.datasets.').replace(
    '\n\ndatasets',
    `
    from opencompass.configs.models.family${index % 40}.hf_model${index} import models as my_model
    from opencompass.configs.summarizers.groups.group${index} import group${index}_summary_groups

datasets`,
  )}
models = sum([v for k, v in locals().items() if k.endswith('_model')], [])
for item in datasets:
    item['infer_cfg']['inferencer']['max_out_len'] = 4096
    if 'judge_cfg' in item['eval_cfg']['evaluator']:
        item['eval_cfg']['evaluator']['judge_cfg'] = dict()
summarizer = dict(summary_groups=sum([v for k, v in locals().items() if k.endswith('_summary_groups')], []))
work_dir = './outputs/eval_${index}'
`
}

function models(index: number): string {
  return `from opencompass.models import HuggingFaceCausalLM

_meta_template = dict(
    round=[
        dict(role='HUMAN', begin='<|User|>:', end='\\n'),
        dict(role='BOT', begin='<|Bot|>:', end='<eoa>\\n', generate=True),
    ],
    eos_token_id=${100_000 + index},
)

models = [
    dict(
        type=HuggingFaceCausalLM,
        abbr='model-${index}-hf',
        path='made-up/model-${index}',
        tokenizer_kwargs=dict(padding_side='left', truncation_side='left', trust_remote_code=True),
        max_out_len=100,
        max_seq_len=2048,
        batch_size=8,
        meta_template=_meta_template,
        model_kwargs=dict(trust_remote_code=True, device_map='auto'),
        run_cfg=dict(num_gpus=${1 + (index % 8)}, num_procs=1),
    )
]
`
}

function groups(index: number): string {
  return `group${index}_summary_groups = []
_sets = {${Array.from({ length: 12 }, (_, at) => `'kind${at}': ['a', 'b', 'c']`).join(', ')}}
for _kind in _sets:
    group${index}_summary_groups.append({'name': f'group${index}_{_kind}', 'subsets': [f'set${index}_{name}' for name in _sets[_kind]]})
`
}
