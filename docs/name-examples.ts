import { type PyValue, stringifyJson } from '../src/python/index.ts'
import { humanEvalProgram } from '../src/score/evaluate/code-tests.ts'
import { evaluateAnswers } from '../src/score/evaluate/evaluate-answers.ts'
import { evaluatorOf } from '../src/score/evaluate/evaluators.ts'
import { postprocessorOf } from '../src/score/postprocess/postprocessors.ts'

/** An answer for each postprocessor, with options where it needs some; what comes out is worked out. */
const answers: Record<string, string | [text: string, options: object]> = {
  general: 'The Eiffel Tower, in Paris.',
  'first-capital': 'is it B or C?',
  'first-capital-multi': 'the answers: AC, not D',
  'last-capital': 'B? No, C.',
  'multiple-select': 'A and C, and A again',
  first_option_postprocess: ['So the answer is (B).', { options: 'ABCD' }],
  last_option_postprocess: ['Not A. It is C.', { options: 'ABCD' }],
  'extract-non-reasoning-content': '<think>1+1…</think>2',
  first_number_postprocess: 'About 3.5 or 4',
  match_answer_pattern: ['ANSWER: C', { answer_pattern: 'ANSWER:\\s*([A-D])' }],
  regex: ['x=1, x=2', { pattern: 'x=(\\d)', take: 'last' }],
  think_pred: ['so: [B]', { re_pattern: '\\[(.*?)\\]' }],
  'specific-xml-tag': ['<answer>42</answer>', { tag: '<answer>' }],
  math_postprocess: 'Hence the final answer is $\\frac12$.',
  math_judement_preprocess: 'Answer: 7',
  math_postprocess_v2: 'so it is \\boxed{\\frac{1}{2}}',
  gsm100: 'The answer is 1,234 apples.',
  gsm100_dataset: '1,234',
  gsm8k: 'He has 3, then 1005.',
  last_number: 'He has 3, then 1,005.',
  gsm8k_dataset: 'He has 2+3.\n#### 1,005',
  mgsm_postprocess: ['Answer: 12', { lang: 'en' }],
  scibench: 'so it is \\boxed{3.2}',
  bbeh_freeform: 'The answer is: **Yes**',
  bbeh_mcq: 'The answer is: (B)',
  'bbh-freeform': 'So the answer is **no**.',
  'bbh-mcq': 'So the answer is (C).',
  strategyqa: 'So the answer is yes.',
  strategyqa_dataset: 'True',
  TheoremQA: 'So the answer is 4.',
  TheoremQA_postprocess_v2: 'Thus the area is 4',
  cmrc: '答案是北京',
  flores: 'Guten Tag\nund mehr',
  lcsts: '1. 一条新闻。',
  ReCoRD: 'Answer: Paris\nmore',
  Xsum: ' A summary. \nmore',
  humaneval_internal_v2_postprocess: '    return 1\n\nprint(2)',
  humaneval_postprocess_v2: '```python\nreturn 1\n```',
  humaneval_postprocess_v3: '```\na\n```\n```\nb\n```',
  generic_llmjudge_postprocess: 'My verdict: B',
}

/** Answers, gold answers, options and rows for each evaluator. */
const judged: Record<string, { answers: PyValue[]; gold: PyValue[]; options?: object; rows?: Record<string, PyValue>[] }> = {
  AccEvaluator: { answers: ['B', 'C'], gold: ['B', 'D'] },
  AccwithDetailsEvaluator: { answers: ['1', 1], gold: ['1', '1'] },
  MGSM_Evaluator: { answers: ['12', '7'], gold: ['12', '8'] },
  BBHEvaluator: { answers: ['So the answer is Yes.', 'no'], gold: ['yes', 'yes'] },
  BBHEvaluator_mcq: { answers: ['A', 'B'], gold: ['A', 'A'] },
  dropOpenAIEvaluator: { answers: ['Answer: 3 yards', 'Answer: 5'], gold: ['3|three', '4'] },
  EMEvaluator: { answers: ['A cat.', 'dog'], gold: [['cat'], ['bird']] },
  LambadaEvaluator: { answers: ['door, then', 'house'], gold: ['door', 'hut'] },
  NQEvaluator: { answers: ['It is Paris', 'Rome'], gold: [['Paris'], ['Bern']] },
  SQuAD20Evaluator: { answers: ['Paris', 'It is Rome'], gold: [['paris'], ['Rome']] },
  TriviaQAEvaluator: { answers: ['It is Paris', 'Rome'], gold: [['Paris'], ['Bern']] },
  SquadEvaluator: { answers: ['the red car', 'a dog'], gold: [['red car'], ['cat']] },
  Gsm8kEvaluator: { answers: ['42', '41'], gold: ['42', '42'] },
  Math401Evaluator: { answers: ['3.1416', '2'], gold: ['3.1415', '3'] },
  MATHEvaluator: { answers: ['\\frac12', '5'], gold: ['\\frac{1}{2}', '6'], options: { version: 'v2' } },
  EDAccEvaluator: {
    answers: ['blu', 'gren'],
    gold: [
      { candidates: ['red', 'blue'], label: 1 },
      { candidates: ['red', 'green'], label: 0 },
    ],
  },
  BleuEvaluator: { answers: ['the cat sat on the mat'], gold: ['the cat sat on a mat'] },
  RougeEvaluator: { answers: ['the cat sat'], gold: ['the cat ran'] },
  ChineseRougeEvaluator: { answers: ['今天天气好'], gold: ['今天天气很好'] },
  MccEvaluator: { answers: ['A', 'B', 'A', 'B'], gold: ['A', 'B', 'B', 'B'] },
  AUCROCEvaluator: {
    answers: [
      [0.2, 0.8],
      [0.7, 0.3],
    ],
    gold: [1, 0],
  },
  CircularEvaluator: { answers: ['A', 'B', 'C', 'D'], gold: ['0--A--ABCD', '0--B--BCDA', '0--C--CDAB', '0--A--DABC'] },
  CircularDatasetEvaluator: {
    answers: ['A', 'B'],
    gold: ['A', 'A'],
    rows: [
      { qid: 1, circular_pattern: ['A', 'B', 'C', 'D'] },
      { qid: 1, circular_pattern: ['B', 'C', 'D', 'A'] },
    ],
  },
  AveragePPLEvaluator: { answers: [1.5, 2.5], gold: [null, null] },
}

/** What jieba gives is written down, so that the page can be made without it; src/node/jieba-words.test.ts compares. */
const byWords: Record<string, string> = {
  general_cn: '`"我来到北京清华大学"` → `"我 来到 北京 清华大学"`',
  'flores-chinese': '`"今天天气很好\\n……"` → `"今天天气 很 好"`',
  JiebaRougeEvaluator: '`["今天天气很好"]` for `["今天天气不错"]` → rouge1 40',
}

/** `answer → what it becomes`, in code marks. */
export function postprocessorExample(name: string): string {
  if (byWords[name]) return byWords[name]
  const given = answers[name]
  if (given === undefined) throw new Error(`docs/name-examples.ts has no answer for ${name}`)
  const [text, options] = typeof given === 'string' ? [given, {}] : given
  const shown = Object.entries(options).map(([key, value]) => `${key}: ${JSON.stringify(value)}, `)
  return `${code(`${shown.join('')}${JSON.stringify(text)}`)} → ${code(JSON.stringify(postprocessorOf({ type: name, ...options }, name)(text)))}`
}

/** Answers and gold answers, and the figures they come to. */
export function evaluatorExample(name: string): string {
  if (byWords[name]) return byWords[name]
  if (name === 'HumanEvalEvaluator')
    return `${code('"return 1"')} runs ${code(humanEvalProgram({ prompt: 'def one():\n', test: '…', entry_point: 'one' }, 'return 1').trim())}`
  if (name === 'GenericLLMEvaluator') return '[below](#a-model-as-the-judge): the judge says `"A"` → `correct: true`'
  if (name === 'BPCEvaluator') return 'a perplexity of `4.5`, 4 tokens, a text of 10 characters → bpc 2.6'
  if (name === 'LMEvaluator') return '[below](#a-model-as-the-judge): the judge says `"Rating: [[8]]"` → 80'
  const given = judged[name]
  if (given === undefined) throw new Error(`docs/name-examples.ts has no answers for ${name}`)
  const { figures } = evaluateAnswers(evaluatorOf({ type: name, ...given.options }, true, name), given.answers, given.gold, given.rows)
  const [[metric, value]] = Object.entries(figures) as [[string, number]]
  return `${code(stringifyJson(given.answers, { ensureAscii: false }))} for ${code(stringifyJson(given.gold, { ensureAscii: false }))} → ${metric} ${Number(value.toFixed(2))}`
}

function code(text: string): string {
  const inTable = text.replaceAll('\n', '\\n').replaceAll('|', '\\|')
  return inTable.includes('`') ? `\`\` ${inTable} \`\`` : `\`${inTable}\``
}
