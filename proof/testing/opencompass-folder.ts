/**
 * A folder like those of OpenCompass users: the ten default configs by name, with the classes, evaluators,
 * postprocessors, columns and retrievers they use, and `data` in OpenCompass's layout. Texts and rows are made up.
 */
const imports = `
from opencompass.openicl.icl_prompt_template import PromptTemplate
from opencompass.openicl.icl_retriever import ZeroRetriever, FixKRetriever
from opencompass.openicl.icl_inferencer import GenInferencer
from opencompass.openicl.icl_evaluator import AccEvaluator, AccwithDetailsEvaluator
from opencompass.utils.text_postprocessors import first_option_postprocess, first_capital_postprocess, match_answer_pattern
`
const base = (file: string, name: string) => `from mmengine.config import read_base

with read_base():
    from .${file} import ${name}_datasets  # noqa: F401, F403
`
const choices = 'A) {A}\\nB) {B}\\nC) {C}\\nD) {D}'

const configs: Record<string, string> = {
  'mmlu/mmlu_gen.py': base('mmlu_made_gen_1', 'mmlu'),
  'mmlu/mmlu_all_sets.py': "mmlu_all_sets = ['college_biology', 'astronomy']\n",
  'mmlu/mmlu_made_gen_1.py': `${imports}
from mmengine.config import read_base
from opencompass.datasets import MMLUDataset

with read_base():
    from .mmlu_all_sets import mmlu_all_sets

QUERY = """
Choose, and end with 'ANSWER: LETTER'.

{input}

${choices.replaceAll('\\n', '\n')}
""".strip()

mmlu_datasets = []
for name in mmlu_all_sets:
    mmlu_datasets.append(dict(
        abbr=f'lukaemon_mmlu_{name}', type=MMLUDataset, path='opencompass/mmlu', name=name,
        reader_cfg=dict(input_columns=['input', 'A', 'B', 'C', 'D'], output_column='target', train_split='dev'),
        infer_cfg=dict(
            prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role='HUMAN', prompt=QUERY)])),
            retriever=dict(type=ZeroRetriever), inferencer=dict(type=GenInferencer)),
        eval_cfg=dict(evaluator=dict(type=AccEvaluator),
            pred_postprocessor=dict(type=match_answer_pattern, answer_pattern=r'(?i)ANSWER\\s*:\\s*([A-D])'))))
`,
  'gsm8k/gsm8k_gen.py': base('gsm8k_gen_1', 'gsm8k'),
  'gsm8k/gsm8k_gen_1.py': `${imports}
from opencompass.datasets import GSM8KDataset, gsm8k_postprocess, gsm8k_dataset_postprocess, Gsm8kEvaluator

gsm8k_datasets = [dict(
    abbr='gsm8k', type=GSM8KDataset, path='opencompass/gsm8k',
    reader_cfg=dict(input_columns=['question'], output_column='answer'),
    infer_cfg=dict(
        prompt_template=dict(type=PromptTemplate, template=dict(round=[
            dict(role='HUMAN', prompt='Question: Two and two?\\nAnswer:'), dict(role='BOT', prompt='The answer is 4\\n'),
            dict(role='HUMAN', prompt='Question: {question}\\nAnswer:')])),
        retriever=dict(type=ZeroRetriever), inferencer=dict(type=GenInferencer)),
    eval_cfg=dict(evaluator=dict(type=Gsm8kEvaluator), pred_postprocessor=dict(type=gsm8k_postprocess),
        dataset_postprocessor=dict(type=gsm8k_dataset_postprocess)))]
`,
  'ceval/ceval_gen.py': base('ceval_gen_1', 'ceval'),
  'ceval/ceval_gen_1.py': `${imports}
from opencompass.datasets import CEvalDataset

ceval_subjects = {'logic': ['Logic', '逻辑学', 'Humanities']}
ceval_datasets = []
for _split in ['val']:
    for _name in list(ceval_subjects.keys()):
        _ch_name = ceval_subjects[_name][1]
        ceval_datasets.append(dict(
            type=CEvalDataset, path='opencompass/ceval-exam', name=_name,
            abbr='ceval-' + _name if _split == 'val' else 'ceval-test-' + _name,
            reader_cfg=dict(input_columns=['question', 'A', 'B', 'C', 'D'], output_column='answer', train_split='dev', test_split=_split),
            infer_cfg=dict(
                ice_template=dict(type=PromptTemplate, template=dict(begin='</E>', round=[
                    dict(role='HUMAN', prompt=f'{_ch_name}：{{question}}\\nA. {{A}}\\nB. {{B}}\\nC. {{C}}\\nD. {{D}}\\n答案: '),
                    dict(role='BOT', prompt='{answer}')]), ice_token='</E>'),
                retriever=dict(type=FixKRetriever, fix_id_list=[0, 1]), inferencer=dict(type=GenInferencer)),
            eval_cfg=dict(evaluator=dict(type=AccEvaluator), pred_postprocessor=dict(type=first_capital_postprocess))))

del _split, _name, _ch_name
`,
  'cmmlu/cmmlu_gen.py': base('cmmlu_gen_1', 'cmmlu'),
  'cmmlu/cmmlu_gen_1.py': `${imports}
from opencompass.datasets import CMMLUDataset

cmmlu_datasets = [dict(
    type=CMMLUDataset, path='opencompass/cmmlu', name='anatomy', abbr='cmmlu-anatomy',
    reader_cfg=dict(input_columns=['question', 'A', 'B', 'C', 'D'], output_column='answer', train_split='dev', test_split='test'),
    infer_cfg=dict(
        prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role='HUMAN', prompt='{question}\\n${choices}')])),
        retriever=dict(type=ZeroRetriever), inferencer=dict(type=GenInferencer)),
    eval_cfg=dict(evaluator=dict(type=AccEvaluator),
        pred_postprocessor=dict(type=match_answer_pattern, answer_pattern=r'(?i)答案\\s*:\\s*[\\W]*([A-D])[\\W]*')))]
`,
  'hellaswag/hellaswag_gen.py': base('hellaswag_10shot_gen_1', 'hellaswag'),
  'hellaswag/hellaswag_10shot_gen_1.py': `${imports}
from opencompass.datasets import HellaswagDatasetwithICE

hellaswag_datasets = [dict(
    abbr='hellaswag', type=HellaswagDatasetwithICE, path='opencompass/hellaswag_ice',
    reader_cfg=dict(input_columns=['ctx', 'A', 'B', 'C', 'D'], output_column='label', train_split='train', test_split='val'),
    infer_cfg=dict(
        ice_template=dict(type=PromptTemplate, template=dict(round=[
            dict(role='HUMAN', prompt='{ctx}\\n${choices}'), dict(role='BOT', prompt='{label}\\n')])),
        prompt_template=dict(type=PromptTemplate, template=dict(begin='</E>', round=[
            dict(role='HUMAN', prompt='{ctx}\\n${choices}'), dict(role='BOT', prompt='{label}\\n')]), ice_token='</E>'),
        retriever=dict(type=FixKRetriever, fix_id_list=list(range(2))), inferencer=dict(type=GenInferencer)),
    eval_cfg=dict(evaluator=dict(type=AccwithDetailsEvaluator), pred_role='BOT',
        pred_postprocessor=dict(type=first_option_postprocess, options='ABCD'),
        dataset_postprocessor=dict(type=first_option_postprocess, options='ABCD')))]
`,
  'winogrande/winogrande_gen.py': base('winogrande_5shot_gen_1', 'winogrande'),
  'winogrande/winogrande_5shot_gen_1.py': `${imports}
from opencompass.datasets import WinograndeDatasetV3

winogrande_datasets = [dict(
    abbr='winogrande', type=WinograndeDatasetV3, path='opencompass/winogrande',
    reader_cfg=dict(input_columns=['prompt', 'only_option1', 'only_option2'], output_column='answer', train_split='train_xs', test_split='dev'),
    infer_cfg=dict(
        ice_template=dict(type=PromptTemplate, template=dict(round=[
            dict(role='HUMAN', prompt='{prompt}\\nA. {only_option1}\\nB. {only_option2}'), dict(role='BOT', prompt='{answer}')])),
        prompt_template=dict(type=PromptTemplate, template=dict(begin='</E>', round=[
            dict(role='HUMAN', prompt='{prompt}\\nA. {only_option1}\\nB. {only_option2}'), dict(role='BOT', prompt='{answer}')]), ice_token='</E>'),
        retriever=dict(type=FixKRetriever, fix_id_list=[0]), inferencer=dict(type=GenInferencer)),
    eval_cfg=dict(evaluator=dict(type=AccwithDetailsEvaluator), pred_role='BOT',
        pred_postprocessor=dict(type=first_option_postprocess, options='AB')))]
`,
  'bbh/bbh_gen.py': base('bbh_gen_1', 'bbh'),
  'bbh/lib_prompt/snarks.txt': 'Q: Which is meant?\nA: So the answer is (B).',
  'bbh/lib_prompt/navigate.txt': 'Q: Back again?\nA: So the answer is yes.',
  'bbh/bbh_gen_1.py': `${imports}
import os
from opencompass.datasets import BBHDataset, BBHEvaluator, bbh_mcq_postprocess, BBHEvaluator_mcq

bbh_reader_cfg = dict(input_columns=['input'], output_column='target')
bbh_datasets = []
for _name in ['snarks', 'navigate']:
    with open(os.path.join(os.path.dirname(__file__), 'lib_prompt', f'{_name}.txt'), 'r') as f:
        _hint = f.read()
    bbh_infer_cfg = dict(
        prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role='HUMAN', prompt=f'{_hint}\\n\\nQ: {{input}}\\nA: ')])),
        retriever=dict(type=ZeroRetriever), inferencer=dict(type=GenInferencer, max_out_len=512))
    if _name == 'snarks':
        bbh_eval_cfg = dict(evaluator=dict(type=BBHEvaluator_mcq), pred_role='BOT',
            pred_postprocessor=dict(type=bbh_mcq_postprocess), dataset_postprocessor=dict(type=bbh_mcq_postprocess))
    else:
        bbh_eval_cfg = dict(evaluator=dict(type=BBHEvaluator), pred_role='BOT')
    bbh_datasets.append(dict(type=BBHDataset, path='opencompass/bbh', name=_name, abbr='bbh-' + _name,
        reader_cfg=bbh_reader_cfg, infer_cfg=bbh_infer_cfg.copy(), eval_cfg=bbh_eval_cfg.copy()))
`,
  'humaneval/humaneval_gen.py': base('humaneval_gen_1', 'humaneval'),
  'humaneval/humaneval_gen_1.py': `${imports}
from opencompass.datasets import HumanevalDataset, HumanEvalEvaluator, humaneval_postprocess_v2

humaneval_datasets = [dict(
    abbr='openai_humaneval', type=HumanevalDataset, path='opencompass/humaneval',
    reader_cfg=dict(input_columns=['prompt'], output_column='task_id', train_split='test'),
    infer_cfg=dict(
        prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role='HUMAN', prompt='Complete:\\n{prompt}')])),
        retriever=dict(type=ZeroRetriever), inferencer=dict(type=GenInferencer, max_out_len=512)),
    eval_cfg=dict(evaluator=dict(type=HumanEvalEvaluator), pred_role='BOT', k=[1, 10, 100],
        pred_postprocessor=dict(type=humaneval_postprocess_v2)))]
`,
  'math/math_gen.py': base('math_gen_1', 'math'),
  'math/math_gen_1.py': `${imports}
from opencompass.datasets import MATHDataset
from opencompass.evaluator import MATHVerifyEvaluator

math_datasets = [dict(
    type=MATHDataset, abbr='math', path='opencompass/math',
    reader_cfg=dict(input_columns=['problem'], output_column='solution'),
    infer_cfg=dict(
        prompt_template=dict(type=PromptTemplate, template=dict(round=[
            dict(role='HUMAN', prompt='Problem:\\nHalf of $\\\\frac{{8}}{{2}}$?\\nSolution:'), dict(role='BOT', prompt='$\\\\boxed{{2}}$\\n'),
            dict(role='HUMAN', prompt='Problem:\\n{problem}\\nSolution:\\n')])),
        retriever=dict(type=ZeroRetriever), inferencer=dict(type=GenInferencer)),
    eval_cfg=dict(evaluator=dict(type=MATHVerifyEvaluator)))]
`,
  'triviaqa/triviaqa_gen.py': base('triviaqa_wiki_1shot_gen_1', 'triviaqa'),
  'triviaqa/triviaqa_wiki_1shot_gen_1.py': `${imports}
from opencompass.datasets import TriviaQADatasetV2, TriviaQAEvaluator

triviaqa_datasets = []
for k in [1]:
    triviaqa_datasets.append(dict(
        type=TriviaQADatasetV2, abbr=f'triviaqa_wiki_{k}shot', path='opencompass/trivia_qa',
        reader_cfg=dict(input_columns=['question'], output_column='answer', train_split='train', test_split='validation'),
        infer_cfg=dict(
            ice_template=dict(type=PromptTemplate, template=dict(round=[
                dict(role='HUMAN', prompt='Q: {question}?'), dict(role='BOT', prompt='A: {answer}.\\n')])),
            prompt_template=dict(type=PromptTemplate, template=dict(begin='</E>', round=[
                dict(role='HUMAN', prompt='Q: {question}?'), dict(role='BOT', prompt='A:')]), ice_token='</E>'),
            retriever=dict(type=FixKRetriever, fix_id_list=list(range(k))),
            inferencer=dict(type=GenInferencer, max_out_len=50)),
        eval_cfg=dict(evaluator=dict(type=TriviaQAEvaluator), pred_role='BOT')))
`,
}

const lines = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const swag = (what: string, gold: number) => ({ query: `Baking: ${what}`, choices: ['eats', 'flies', 'sleeps', 'sings'], gold })
const winogrande = (sentence: string, answer: string) => ({ sentence, option1: 'cup', option2: 'jug', answer })
const program = (name: string, sign: string) => ({
  task_id: `Made/${name}`,
  prompt: `def ${name}(a, b):\n    """Calculate."""\n`,
  entry_point: name,
  canonical_solution: `    return a ${sign} b\n`,
  test: `def check(candidate):\n    assert candidate(6, 3) == 6 ${sign} 3\n`,
})

const data: Record<string, string> = {
  'mmlu/dev/college_biology_dev.csv': 'Shown?,a,b,c,d,A\n',
  'mmlu/test/college_biology_test.csv': 'What is a leaf?,green,b,c,d,A\nWhat is a root?,a,brown,c,d,B\n',
  'mmlu/dev/astronomy_dev.csv': 'Shown?,a,b,c,d,A\n',
  'mmlu/test/astronomy_test.csv': 'What is the moon?,a,b,c,near,D\n',
  'gsm8k/train.jsonl': lines({ question: 'q', answer: '#### 1' }),
  'gsm8k/test.jsonl': lines({ question: 'Ten and five?', answer: '10+5\n#### 15' }, { question: 'Six times two?', answer: '#### 12' }),
  'ceval/formal_ceval/dev/logic_dev.csv': 'id,question,A,B,C,D,answer,explanation\n0,甲,1,2,3,4,A,x\n1,乙,1,2,3,4,B,x\n',
  'ceval/formal_ceval/val/logic_val.csv': 'id,question,A,B,C,D,answer\n0,真,1,2,3,4,C\n1,假,1,2,3,4,D\n',
  'ceval/formal_ceval/test/logic_test.csv': 'id,question,A,B,C,D\n0,丙,1,2,3,4\n',
  'cmmlu/dev/anatomy.csv': ',Question,A,B,C,D,Answer\n0,骨,1,2,3,4,A\n',
  'cmmlu/test/anatomy.csv': ',Question,A,B,C,D,Answer\n0,心,1,2,3,4,B\n1,肺,1,2,3,4,C\n',
  'hellaswag/hellaswag_train_sampled25.jsonl': lines(swag('She stirs and', 0), swag('He stirs and', 1)),
  'hellaswag/hellaswag.jsonl': lines(swag('The cat', 2), swag('The bird', 3)),
  'winogrande/train_xs.jsonl': lines(winogrande('The _ is small.', '1')),
  'winogrande/dev.jsonl': lines(winogrande('The _ holds milk.', '2'), winogrande('The _ holds tea.', '1')),
  'BBH/data/snarks.json': JSON.stringify({
    examples: [
      { input: 'Snark one', target: '(A)' },
      { input: 'Snark two', target: '(B)' },
    ],
  }),
  'BBH/data/navigate.json': JSON.stringify({
    examples: [
      { input: 'Walk one', target: 'Yes' },
      { input: 'Walk two', target: 'No' },
    ],
  }),
  'humaneval/human-eval-v2-20210705.jsonl': lines(program('add', '+'), program('subtract', '-')),
  'math/math.json': JSON.stringify({
    1: { problem: 'Halve one.', solution: 'It is $\\boxed{\\frac{1}{2}}$.' },
    2: { problem: 'Double one.', solution: '$\\boxed{2}$' },
  }),
  'triviaqa/triviaqa-train.jsonl': lines({ question: 'Which fruit is yellow', answer: ['banana'] }),
  'triviaqa/triviaqa-validation.jsonl': lines(
    { question: 'Which animal barks', answer: ['dog', 'a dog'] },
    { question: 'Which animal purrs', answer: ['cat'] },
  ),
}

/** The names of the configs, as `--datasets` takes them. */
export const openCompassConfigs = Object.keys(configs).flatMap((path) => /\/(\w+_gen)\.py$/.exec(path)?.[1] ?? [])

/** The files of the folder. */
export const openCompassFolder: Record<string, string> = {
  ...Object.fromEntries(Object.entries(configs).map(([path, text]) => [`opencompass/configs/datasets/${path}`, text])),
  ...Object.fromEntries(Object.entries(data).map(([path, text]) => [`data/${path}`, text])),
}
