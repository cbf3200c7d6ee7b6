import { gzipSync } from 'node:zlib'
import { type Cell, writeParquet } from './write-parquet.ts'

/** Generated files of a benchmark in their published layout, by preset name and by the layout's question file. */
export type MadeFiles = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string | Uint8Array>>>>>>

type Question = { question: string; choices: readonly [string, string, string, string]; answer: number }

/** Questions whose options contain text that is easily mistaken for a letter. */
const asked: readonly Question[] = [
  { question: 'How large is the charge, with "5 V"?', choices: ['0.1 C', '0.01 C', '1 C', '2 C'], answer: 1 },
  { question: 'Which of them is true, in your opinion?', choices: ['It is red', 'It is blue', 'It is round', 'Both A and C'], answer: 3 },
  { question: 'Which does an orange have?', choices: ['Vitamin C', 'Vitamin A', 'C. difficile', 'B cells'], answer: 0 },
  { question: 'Which comes next: A, B, ...?', choices: ['A cat', 'An AI', 'The letter', 'I do not know'], answer: 2 },
]
const shown: Question = { question: 'What is one and one?', choices: ['1', '2', '3', '4'], answer: 1 }

const letterOf = ({ answer }: Question) => 'ABCD'[answer]!
const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const quoted = (cells: readonly (string | number)[]) => `${cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(',')}\n`
const parquet = (rows: readonly object[]) => writeParquet(rows as readonly Record<string, Cell>[])

const lettered = (one: Question) => {
  const [A, B, C, D] = one.choices
  return { question: one.question, A, B, C, D, answer: letterOf(one) }
}
const cells = (one: Question) => [one.question, ...one.choices, letterOf(one)]
const withChoices = (one: Question) => ({ question: one.question, subject: 'logic', choices: one.choices, answer: one.answer })

function mmlu() {
  const csv = (root: string) => ({
    [`${root}test/logic_test.csv`]: asked.map((one) => quoted(cells(one))).join(''),
    [`${root}dev/logic_dev.csv`]: quoted(cells(shown)),
  })
  return {
    'test/{subject}_test.csv': csv(''),
    'data/test/{subject}_test.csv': csv('data/'),
    '{subject}/test-*.parquet': {
      'logic/test-00000-of-00001.parquet': parquet(asked.map(withChoices)),
      'logic/dev-00000-of-00001.parquet': parquet([withChoices(shown)]),
    },
    'test/{subject}.jsonl': { 'test/logic.jsonl': lines(asked.map(lettered)), 'dev/logic.jsonl': lines([lettered(shown)]) },
  }
}

function ceval() {
  const row = (one: Question, id: number) => ({ id, ...lettered(one), explanation: '' })
  const csv = (root: string) => ({
    [`${root}val/logic_val.csv`]: `id,question,A,B,C,D,answer\n${asked.map((one, id) => quoted([id, ...cells(one)])).join('')}`,
    [`${root}dev/logic_dev.csv`]: `id,question,A,B,C,D,answer,explanation\n${quoted([0, ...cells(shown), 'so it is'])}`,
  })
  return {
    'val/{subject}_val.csv': csv(''),
    'formal_ceval/val/{subject}_val.csv': csv('formal_ceval/'),
    '{subject}/val-*.parquet': {
      'logic/val-00000-of-00001.parquet': parquet(asked.map(row)),
      'logic/dev-00000-of-00001.parquet': parquet([row(shown, 0)]),
    },
    'val/{subject}.jsonl': { 'val/logic.jsonl': lines(asked.map(row)), 'dev/logic.jsonl': lines([row(shown, 0)]) },
  }
}

function cmmlu() {
  const row = (one: Question) => {
    const { question: Question, answer: Answer, ...choices } = lettered(one)
    return { Question, ...choices, Answer }
  }
  const csv = (rows: readonly Question[]) => `,Question,A,B,C,D,Answer\n${rows.map((one, id) => quoted([id, ...cells(one)])).join('')}`
  return {
    'test/{subject}.csv': { 'test/logical.csv': csv(asked), 'dev/logical.csv': csv([shown]) },
    'data/test/{subject}.csv': { 'data/test/logical.csv': csv(asked), 'data/dev/logical.csv': csv([shown]) },
    '{subject}/test-*.parquet': {
      'logical/test-00000-of-00001.parquet': parquet(asked.map(row)),
      'logical/dev-00000-of-00001.parquet': parquet([row(shown)]),
    },
    '{subject}/test/*.parquet': {
      'logical/test/0000.parquet': parquet(asked.map(row)),
      'logical/dev/0000.parquet': parquet([row(shown)]),
    },
    'test/{subject}.jsonl': { 'test/logical.jsonl': lines(asked.map(lettered)), 'dev/logical.jsonl': lines([lettered(shown)]) },
  }
}

function arc(set: string, short: string) {
  const labels = ['A', 'B', 'C', 'D']
  const row = (one: Question, id: number) => ({
    id: `Mercury_${id}`,
    question: { stem: one.question, choices: one.choices.map((text, at) => ({ text, label: labels[at]! })) },
    answerKey: letterOf(one),
  })
  const flat = (one: Question, id: number) => ({
    id: `Mercury_${id}`,
    question: one.question,
    choices: { text: one.choices, label: labels },
    answerKey: letterOf(one),
  })
  const published = (root: string) => ({
    [`${root}ARC-${set}-Test.jsonl`]: lines(asked.map(row)),
    [`${root}ARC-${set}-Train.jsonl`]: lines([row(shown, 9)]),
  })
  return {
    [`ARC-${set}/ARC-${set}-Test.jsonl`]: published(`ARC-${set}/`),
    [`ARC-${set}-Test.jsonl`]: published(''),
    [`ARC-${set}/test-*.parquet`]: {
      [`ARC-${set}/test-00000-of-00001.parquet`]: parquet(asked.map(flat)),
      [`ARC-${set}/train-00000-of-00001.parquet`]: parquet([flat(shown, 9)]),
    },
    [`ARC-${short}/ARC-${set}-Dev.jsonl`]: { [`ARC-${short}/ARC-${set}-Dev.jsonl`]: lines(asked.map(row)) },
  }
}

function hellaswag() {
  const row = (one: Question, ind: number) => ({ ind, ctx: one.question, endings: one.choices, label: one.answer })
  const flat = (one: Question, ind: number) => ({ ind, ctx: one.question, endings: one.choices, label: String(one.answer) })
  const published = (root: string) => ({
    [`${root}hellaswag_val.jsonl`]: lines(asked.map(row)),
    [`${root}hellaswag_train.jsonl`]: lines([row(shown, 9)]),
  })
  return {
    'hellaswag_val.jsonl': published(''),
    'data/hellaswag_val.jsonl': published('data/'),
    'data/validation-*.parquet': {
      'data/validation-00000-of-00001.parquet': parquet(asked.map(flat)),
      'data/train-00000-of-00001.parquet': parquet([flat(shown, 9)]),
    },
    'hellaswag.jsonl': {
      'hellaswag.jsonl': lines(asked.map((one, ind) => ({ ind, query: one.question, choices: one.choices, gold: one.answer }))),
    },
  }
}

function gsm8k() {
  const test = [
    { question: 'Janet has 16 eggs and eats 7. How many dollars for the rest, at $2?', answer: '16 - 7 = <<16-7=9>>9.\n#### 18' },
    { question: 'How many seconds are 16 minutes and 45 seconds?', answer: '16 * 60 = 960.\n#### 1,005' },
    { question: 'It was 4 degrees and fell by 7. How cold is it?', answer: '4 - 7\n#### -3' },
  ]
  const train = [{ question: 'What is 1 + 1?', answer: 'One and one.\n#### 2' }]
  const published = (root: string) => ({ [`${root}test.jsonl`]: lines(test), [`${root}train.jsonl`]: lines(train) })
  return {
    'test.jsonl': published(''),
    'grade_school_math/data/test.jsonl': published('grade_school_math/data/'),
    'main/test-*.parquet': {
      'main/test-00000-of-00001.parquet': parquet(test),
      'main/train-00000-of-00001.parquet': parquet(train),
    },
  }
}

function bbh() {
  const tasks: Readonly<Record<string, readonly { input: string; target: string }[]>> = {
    snarks: [
      { input: 'Which is sarcastic?\nOptions:\n(A) What a fine day\n(B) What a day', target: '(A)' },
      { input: 'Which statement is it?\nOptions:\n(A) He is kind\n(B) How kind he is', target: '(B)' },
      { input: 'And which here?\nOptions:\n(A) I am so glad\n(B) I am glad', target: '(A)' },
    ],
    navigate: [
      { input: 'Take 2 steps. Turn around. Take 2 steps. Are you back?', target: 'Yes' },
      { input: 'Take 2 steps. Take 3 steps. Are you back?', target: 'No' },
      { input: 'Turn left. Turn right. Are you back?', target: 'Yes' },
    ],
    object_counting: [
      { input: 'I have a cat and two dogs. How many animals?', target: '3' },
      { input: 'I have five pens and six cups. How many objects?', target: '11' },
      { input: 'I have an egg. How many eggs?', target: '1' },
    ],
    word_sorting: [
      { input: 'Sort: cat bird apple', target: 'apple bird cat' },
      { input: 'Sort: no yes answer', target: 'answer no yes' },
      { input: 'Sort: b a', target: 'a b' },
    ],
    dyck_languages: [
      { input: 'Complete: ( [', target: '] )' },
      { input: 'Complete: { < (', target: ') > }' },
      { input: 'Complete: [ [', target: '] ]' },
    ],
  }
  const each = (
    file: (task: string) => string,
    content: (rows: readonly object[]) => string | Uint8Array,
    hint?: (task: string) => string,
  ) =>
    Object.fromEntries(
      Object.entries(tasks).flatMap(([task, rows]) => [
        [file(task), content(rows)],
        ...(hint
          ? [
              [
                hint(task),
                `BIG-bench canary GUID 1\n-----\nDo it.\n\nQ: ${rows[0]!.input}?\nA: Let's think step by step.\nSo the answer is ${rows[0]!.target}.\n`,
              ],
            ]
          : []),
      ]),
    )
  const json = (rows: readonly object[]) => JSON.stringify({ canary: 'x', examples: rows })
  return {
    'bbh/{subject}.json': each(
      (task) => `bbh/${task}.json`,
      json,
      (task) => `cot-prompts/${task}.txt`,
    ),
    'data/{subject}.json': each(
      (task) => `data/${task}.json`,
      json,
      (task) => `lib_prompt/${task}.txt`,
    ),
    '{subject}/test-*.parquet': each((task) => `${task}/test-00000-of-00001.parquet`, parquet),
    '{subject}.json': each((task) => `${task}.json`, json),
  }
}

function humaneval() {
  const rows = [
    {
      task_id: 'HumanEval/0',
      prompt: 'def add(x, y):\n    """ Add two numbers.\n    >>> add(1, 2)\n    3\n    """\n',
      canonical_solution: '    total = x + y\n    return total\n',
      test: 'def check(candidate):\n    assert candidate(1, 2) == 3\n',
      entry_point: 'add',
    },
  ]
  return {
    '{HumanEval,human-eval-v2-20210705,humaneval}.jsonl': { 'HumanEval.jsonl': lines(rows) },
    'HumanEval.jsonl.gz': { 'HumanEval.jsonl.gz': gzipSync(lines(rows)) },
    'data/HumanEval.jsonl.gz': { 'data/HumanEval.jsonl.gz': gzipSync(lines(rows)) },
    'openai_humaneval/test-*.parquet': { 'openai_humaneval/test-00000-of-00001.parquet': parquet(rows) },
  }
}

const chats = [
  ['What is one and one?', 'It is two.'],
  ['Name a bird.', 'A robin.\nOr a wren.'],
] as const

export const madeFiles: MadeFiles = {
  mmlu: mmlu(),
  ceval: ceval(),
  cmmlu: cmmlu(),
  arc_c: arc('Challenge', 'c'),
  arc_e: arc('Easy', 'e'),
  hellaswag: hellaswag(),
  gsm8k: gsm8k(),
  bbh: bbh(),
  humaneval: humaneval(),
  sharegpt: {
    '*.{jsonl,json,parquet}': {
      'chats.json': JSON.stringify(
        chats.map(([question, answer]) => ({
          conversations: [
            { from: 'human', value: question },
            { from: 'gpt', value: answer },
          ],
        })),
      ),
    },
  },
  messages: {
    '*.{jsonl,json,parquet}': {
      'chats.jsonl': lines(
        chats.map(([question, answer]) => ({
          messages: [
            { role: 'user', content: question },
            { role: 'assistant', content: answer },
          ],
        })),
      ),
    },
  },
}
