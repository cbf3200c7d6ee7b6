import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-shapes-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Printed = { is: string; columns: { path: string; use: string; note?: string }[]; prompt: string; gold: unknown }

async function init(data: string | readonly object[], flags: readonly string[] = [], name = 'rows') {
  const here = mkdtempSync(join(folder, 'shape-'))
  const file = typeof data === 'string' ? `${name}.csv` : `${name}.jsonl`
  writeFileSync(join(here, file), typeof data === 'string' ? data : data.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const { code, stdout, stderr } = await rolecall(['init', '--yes', '--json', '--data', file, ...flags], here, { ROLECALL_CACHE: 'off' })
  return { code, stderr, here, ...(code === 0 ? { printed: JSON.parse(stdout) as Printed } : {}) }
}

function usesOf({ columns }: Printed): Record<string, string> {
  return Object.fromEntries(columns.map(({ path, use }) => [path, use]))
}

type Shape = {
  name: string
  data: string | readonly object[]
  flags?: readonly string[]
  /** Parts of the first prompt, in order, and what it must not contain. */
  prompt: readonly string[]
  hidden?: readonly string[]
  gold: unknown
  uses?: Record<string, string>
}

const letters = ['A', 'B', 'C', 'D']
const capitals = [
  ['法国的首都是哪里？', '柏林', '巴黎', '罗马', '马德里', 'B'],
  ['意大利的首都是哪里？', '柏林', '巴黎', '罗马', '马德里', 'C'],
]
const sums = [
  { q: '1+1=?', options: ['1', '2', '3', '4'], right: 1 },
  { q: '1+0=?', options: ['1', '2', '3', '4'], right: 0 },
  { q: '2+2=?', options: ['1', '2', '3', '4'], right: 3 },
]

const recognised: Shape[] = [
  {
    name: 'Chinese columns with letters',
    data: `题目,A,B,C,D,答案\n${capitals.map((row) => row.join(',')).join('\n')}\n`,
    prompt: ['法国的首都是哪里？\nA. 柏林\nB. 巴黎\nC. 罗马\nD. 马德里\n请回答正确选项的字母。'],
    gold: 'B',
    uses: { 题目: 'question', A: 'choices', D: 'choices', 答案: 'gold' },
  },
  {
    name: 'a Chinese list of options with the text as answer',
    data: capitals.map(([question, ...rest]) => ({ 题目: question, 选项: rest.slice(0, 4), 正确答案: rest[letters.indexOf(rest[4]!)] })),
    prompt: ['A. 柏林\nB. 巴黎'],
    gold: 'B',
    uses: { 题目: 'question', 选项: 'choices', 正确答案: 'gold' },
  },
  {
    name: 'options in one Chinese text',
    data: capitals.map(([问题, ...rest]) => ({
      编号: 7,
      问题,
      选项: rest
        .slice(0, 4)
        .map((text, at) => `${letters[at]}. ${text}`)
        .join('\n'),
      答案: rest[4],
    })),
    prompt: ['法国的首都是哪里？\nA. 柏林\nB. 巴黎'],
    gold: 'B',
    uses: { 编号: 'id', 选项: 'choices' },
  },
  {
    name: 'Winogrande: option1, option2 and a number from 1',
    data: [
      { qID: 'x', sentence: 'The _ is hot.', option1: 'sun', option2: 'moon', answer: '1' },
      { qID: 'y', sentence: 'The _ is cold.', option1: 'sun', option2: 'moon', answer: '2' },
    ],
    prompt: ['The _ is hot.\nA. sun\nB. moon'],
    gold: 'A',
    uses: { qID: 'id', sentence: 'question', option1: 'choices', answer: 'gold' },
  },
  {
    name: 'GSM8K',
    data: [{ question: '1+1=?', answer: 'One and one.\n1+1=<<1+1=2>>2\n#### 2' }],
    prompt: ['1+1=?'],
    hidden: ['<<1+1'],
    gold: '2',
  },
  {
    name: 'MATH',
    data: [{ problem: 'What is $1+1$?', level: 'Level 1', type: 'Algebra', solution: 'So it is $\\boxed{2}$.' }],
    prompt: ['What is $1+1$?', '\\boxed'],
    gold: '2',
    uses: { problem: 'question', level: 'unused', solution: 'gold' },
  },
  {
    name: 'messages with tools and calls',
    data: [
      {
        messages: [
          { role: 'user', content: 'Time in Rome?' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'a', type: 'function', function: { name: 'get_time', arguments: '{"city":"Rome"}' } }],
          },
        ],
        tools: [
          { type: 'function', function: { name: 'get_time', parameters: { type: 'object', properties: { city: { type: 'string' } } } } },
        ],
      },
    ],
    prompt: ['get_time', 'Time in Rome?'],
    hidden: ['"city":"Rome"'],
    gold: [{ id: 'a', type: 'function', function: { name: 'get_time', arguments: '{"city":"Rome"}' } }],
    uses: { messages: 'chat', tools: 'tools' },
  },
  {
    name: 'messages in another column, and the answer beside them',
    data: [
      {
        input: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: '1+1=?' },
        ],
        ideal: 'two',
      },
    ],
    prompt: ['Be brief.', '1+1=?'],
    hidden: ["'role'", 'two'],
    gold: 'two',
    uses: { input: 'chat', ideal: 'gold' },
  },
  {
    name: 'semicolons between columns',
    data: 'question;answer\nHow many legs has a cat, or a dog?;four\nHow many wings?;none\n',
    prompt: ['How many legs has a cat, or a dog?<'],
    hidden: ['four', ';'],
    gold: 'four',
  },
  {
    name: 'tabs in a .csv file',
    data: 'question\tanswer\nHow many legs, really?\tfour\n',
    prompt: ['How many legs, really?'],
    hidden: ['four'],
    gold: 'four',
  },
  {
    name: 'nested rows',
    data: [{ meta: { source: 'web' }, data: { question: '1+1=?', answer: 'two' } }],
    prompt: ['1+1=?'],
    hidden: ['two', '{'],
    gold: 'two',
    uses: { 'meta.source': 'unused', 'data.question': 'question', 'data.answer': 'gold' },
  },
  {
    name: 'MMLU without a header',
    data: 'What is 1+1?,1,2,3,4,B\n"What, then, is 1+0?",1,2,3,4,A\n',
    prompt: ['What is 1+1?\nA. 1\nB. 2'],
    gold: 'B',
    uses: { question: 'question', A: 'choices', answer: 'gold' },
  },
  {
    name: 'CMMLU: an unnamed index and capitalised columns',
    data: ',Question,A,B,C,D,Answer\n0,1+1等于几？,1,2,3,4,B\n1,1+2等于几？,1,2,3,4,C\n',
    prompt: ['1+1等于几？\nA. 1\nB. 2'],
    gold: 'B',
    uses: { '': 'id', Question: 'question', Answer: 'gold' },
  },
  {
    name: 'MedQA: an object of options, the answer as text and letter',
    data: [{ question: 'Which?', answer: 'Iron', options: { A: 'Zinc', B: 'Iron', C: 'Gold' }, meta_info: 'step1', answer_idx: 'B' }],
    prompt: ['Which?\nA. Zinc\nB. Iron\nC. Gold'],
    gold: 'B',
    uses: { options: 'choices', meta_info: 'unused' },
  },
  {
    name: 'MedMCQA: opa to opd, cop from 0',
    data: [
      {
        id: 'u1',
        question: 'Which?',
        opa: 'Zinc',
        opb: 'Iron',
        opc: 'Gold',
        opd: 'Lead',
        cop: 1,
        choice_type: 'single',
        exp: 'Because.',
        subject_name: 'x',
      },
      {
        id: 'u2',
        question: 'What?',
        opa: 'Zinc',
        opb: 'Iron',
        opc: 'Gold',
        opd: 'Lead',
        cop: 0,
        choice_type: 'single',
        exp: null,
        subject_name: 'x',
      },
    ],
    prompt: ['Which?\nA. Zinc\nB. Iron\nC. Gold\nD. Lead'],
    gold: 'B',
    uses: { id: 'id', opa: 'choices', cop: 'gold', exp: 'unused' },
  },
  {
    name: 'an id first, and an unknown name for the question',
    data: [{ id: 1, frage: 'Wie viele Beine hat eine Katze?', answer: 'vier' }],
    prompt: ['Wie viele Beine'],
    hidden: ['vier'],
    gold: 'vier',
    uses: { id: 'id', frage: 'question' },
  },
  {
    name: 'a list with a number from 0',
    data: sums.map(({ q, options, right }) => ({ question: q, choices: options, answer: right })),
    prompt: ['1+1=?\nA. 1\nB. 2'],
    gold: 'B',
  },
  {
    name: 'a list with an answer that is one of its numbers',
    data: sums.slice(0, 1).map(({ q, options }) => ({ question: q, choices: options, answer: '4' })),
    prompt: ['A. 1'],
    gold: 'D',
  },
  {
    name: 'AQuA: options with their letters',
    data: [{ question: '1+1=?', options: ['A)1', 'B)2', 'C)3'], rationale: 'One and one.', correct: 'B' }],
    prompt: ['1+1=?\nA. 1\nB. 2\nC. 3'],
    gold: 'B',
    uses: { rationale: 'unused', correct: 'gold' },
  },
  {
    name: 'ARC as it is downloaded',
    data: [
      {
        id: 'q1',
        question: {
          stem: '1+1=?',
          choices: [
            { text: 'one', label: 'A' },
            { text: 'two', label: 'B' },
          ],
        },
        answerKey: 'B',
      },
    ],
    prompt: ['1+1=?\nA. one\nB. two'],
    gold: 'B',
  },
  {
    name: 'ARC on Hugging Face, with numbers as labels',
    data: [{ id: 'q1', question: '1+1=?', choices: { text: ['one', 'two'], label: ['1', '2'] }, answerKey: '2' }],
    prompt: ['1+1=?\nA. one\nB. two'],
    gold: 'B',
  },
  {
    name: 'SocialIQA: a context, answerA to answerC, a label from 1',
    data: [
      { context: 'Kai fell.', question: 'How is Kai?', answerA: 'hurt', answerB: 'glad', answerC: 'rich', label: '1' },
      { context: 'Kai won.', question: 'How is Kai?', answerA: 'hurt', answerB: 'glad', answerC: 'rich', label: '3' },
    ],
    prompt: ['Kai fell.\n\nHow is Kai?\nA. hurt\nB. glad\nC. rich'],
    gold: 'A',
  },
  {
    name: 'PIQA: sol1 and sol2',
    data: [
      { goal: 'Open a jar', sol1: 'Twist.', sol2: 'Sing.', label: 0 },
      { goal: 'Boil water', sol1: 'Sing.', sol2: 'Heat it.', label: 1 },
    ],
    prompt: ['Open a jar\nA. Twist.\nB. Sing.'],
    gold: 'A',
  },
  {
    name: 'choices as JSON in CSV',
    data: 'question,choices,answer\n1+1=?,"[""one"", ""two""]",two\n1+0=?,"[""one"", ""two""]",one\n',
    prompt: ['1+1=?\nA. one\nB. two'],
    gold: 'B',
  },
  {
    name: 'choices as a Python list in CSV',
    data: "question,choices,answer\n1+1=?,\"['one', 'two']\",two\n1+0=?,\"['one', 'two']\",one\n",
    prompt: ['1+1=?\nA. one\nB. two'],
    gold: 'B',
  },
  {
    name: 'choices within the question',
    data: [{ question: '1+1=?\nA. 1\nB. 2', answer: 'B' }],
    prompt: ['1+1=?\nA. 1\nB. 2\nAnswer with the letter'],
    gold: 'B',
  },
  {
    name: 'letters that are the whole answer, with --choices none',
    data: [{ question: 'Which letter begins the alphabet?', answer: 'A' }],
    flags: ['--choices', 'none'],
    prompt: ['Which letter'],
    gold: 'A',
  },
  {
    name: 'pipes between columns, options in numbered columns, a number from 1',
    data: 'Question|Option 1|Option 2|Option 3|Correct Option\nWhat is 2+2?|3|4|5|2\nWhat is 1+1?|2|3|4|1\nWhat is 3+3?|7|8|6|3\n',
    prompt: ['What is 2+2?\nA. 3\nB. 4\nC. 5'],
    gold: 'B',
  },
  {
    name: 'sentiment words',
    data: [
      { text: 'Great!', label: 'positive' },
      { text: 'Awful.', label: 'negative' },
    ],
    prompt: ['Great!\nAnswer with one of: negative, positive'],
    gold: 'positive',
  },
  {
    name: 'sentiment numbers with their words',
    data: [
      { sentence: 'Great!', label: 1, idx: 0 },
      { sentence: 'Awful.', label: 0, idx: 1 },
    ],
    flags: ['--labels', 'negative,positive'],
    prompt: ['Great!\nAnswer with one of: negative, positive'],
    gold: 'positive',
  },
  {
    name: 'BoolQ',
    data: [{ question: 'is it true', passage: 'It is.', answer: true }],
    prompt: ['It is.\n\nis it true\nAnswer with one of: No, Yes'],
    gold: 'Yes',
  },
  {
    name: 'numbers',
    data: [{ question: 'How many legs has a cat?', answer: 4 }],
    prompt: ['How many legs'],
    hidden: ['4'],
    gold: '4',
  },
  {
    name: 'questions with tools and calls as JSON text',
    data: [
      {
        query: 'Time in Rome?',
        tools: JSON.stringify([
          { name: 'get_time', description: '', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
        ]),
        answers: JSON.stringify([{ name: 'get_time', arguments: { city: 'Rome' } }]),
      },
    ],
    prompt: ['get_time', 'Time in Rome?'],
    gold: [{ name: 'get_time', arguments: { city: 'Rome' } }],
    uses: { tools: 'tools', answers: 'gold' },
  },
  {
    name: 'a system prompt',
    data: [{ system: 'You are a pirate.', prompt: 'Who are you?', completion: 'Arr.' }],
    prompt: ['You are a pirate.', 'Who are you?'],
    gold: 'Arr.',
  },
  {
    name: 'an object as gold with the path that decides',
    data: [{ question: 'Who?', answer: { value: 'Ada', aliases: ['Ada', 'Lovelace'] } }],
    flags: ['--answer', 'answer.aliases', '--unused', 'answer.value'],
    prompt: ['Who?'],
    gold: ['Ada', 'Lovelace'],
  },
  {
    name: 'a translation with a prompt that decides',
    data: [{ translation: { en: 'cat', de: 'Katze' } }],
    flags: ['--prompt', 'Translate into German: {translation.en}', '--answer', 'translation.de'],
    prompt: ['Translate into German: cat'],
    hidden: ['Katze'],
    gold: 'Katze',
  },
]

describe('init recognises', () => {
  test.each(recognised)('$name', async ({ data, flags, prompt, hidden = [], gold, uses = {} }) => {
    const { code, stderr, printed, here } = await init(data, flags)
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
    let from = 0
    for (const part of prompt) {
      const at = printed!.prompt.indexOf(part, from)
      expect(at < 0 ? printed!.prompt : part).toBe(part)
      from = at
    }
    for (const part of hidden) expect(printed!.prompt).not.toContain(part)
    expect(printed!.gold).toEqual(gold)
    expect(usesOf(printed!)).toMatchObject(uses)
    const run = await rolecall(['run', '--json', '--limit', '1', '--max-out-len', '4'], here, { ROLECALL_CACHE: 'off' })
    expect({ code: run.code, stderr: run.code === 0 ? '' : run.stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(run.stdout)).toMatchObject({ results: [{ rows: 1, failed: 0 }] })
  })
})

type Refused = { name: string; data: string | readonly object[]; flags?: readonly string[]; flag: string; problem: string }

const refused: Refused[] = [
  {
    name: 'object-valued gold',
    data: [{ question: 'Who?', answer: { value: 'Ada', aliases: ['Ada'] } }],
    flag: '--answer',
    problem: 'left over',
  },
  {
    name: 'a gold answer that is a list of objects',
    data: [{ question: 'Who?', answer: [{ span: 'Ada' }] }],
    flag: '--answer',
    problem: 'lists of objects',
  },
  {
    name: 'an unknown column of lists',
    data: [{ question: 'Who?', answer: 'Ada', people: ['Ada', 'Bob'] }],
    flag: '--unused',
    problem: 'lists that are not used',
  },
  {
    name: 'two answers',
    data: [{ question: 'Who?', answer: 'Ada', response: 'Bob' }],
    flag: '--answer',
    problem: 'could be the gold answer as well as',
  },
  {
    name: 'numbers of classes',
    data: [
      { sentence: 'Great!', label: 1 },
      { sentence: 'Bad.', label: 0 },
    ],
    flag: '--labels',
    problem: 'numbers of classes',
  },
  {
    name: 'numbers that count from 0 or 1',
    data: [{ question: '1+1=?', choices: ['one', 'two', 'three'], answer: 1 }],
    flag: '--answer-is',
    problem: 'in 2 ways',
  },
  {
    name: 'several right choices',
    data: [{ question: 'Which?', A: '1', B: '2', C: '3', answer: 'AC' }],
    flag: '--answer',
    problem: 'several choices',
  },
  {
    name: 'an answer that is no choice',
    data: [{ question: 'Which?', A: '1', B: '2', answer: 'E' }],
    flag: '--answer',
    problem: 'none of the choices',
  },
  { name: 'letters without choices', data: [{ question: 'Which?', answer: 'B' }], flag: '--choices', problem: 'no column has the choices' },
  {
    name: 'wrong answers in columns',
    data: [{ question: 'Which?', correct_answer: 'a', distractor1: 'b', distractor2: 'c' }],
    flag: '--unused',
    problem: 'wrong answers',
  },
  {
    name: 'the right choice always in one column',
    data: ['x', 'y', 'z'].map((q) => ({ question: q, option1: `${q}1`, option2: `${q}2`, answer: `${q}1` })),
    flag: '--answer-is',
    problem: 'equals the column "option1"',
  },
  {
    name: 'tests of code',
    data: [{ task_id: 'HumanEval/0', prompt: 'def f():', canonical_solution: 'pass', test: 'assert f()', entry_point: 'f' }],
    flag: '--unused',
    problem: 'tests of code',
  },
  {
    name: 'a text without a question',
    data: [{ document: 'A long story.', summary: 'A story.' }],
    flag: '--prompt',
    problem: 'no column is known to be the question',
  },
  {
    name: 'a pair of sentences',
    data: [{ sentence1: 'A', sentence2: 'B', label: 'same' }],
    flag: '--question',
    problem: 'several columns could be the question',
  },
  { name: 'no answer among unknown columns', data: [{ question: 'Who?', foo: 'Ada' }], flag: '--answer', problem: 'left over: foo' },
  { name: 'only an id and a number', data: [{ id: 3, n: 4 }], flag: '--question', problem: 'no column is known to be the question' },
  {
    name: 'a long text beside the question',
    data: [{ question: 'Who?', answer: 'Ada', notes_of_the_case: 'Ada wrote the first program. '.repeat(9) }],
    flag: '--context',
    problem: 'long texts',
  },
  { name: 'a preference pair', data: [{ prompt: 'Hi', chosen: 'Hello!', rejected: 'Go.' }], flag: '--unused', problem: 'wrong answers' },
  {
    name: 'chats that end in different ways',
    data: [
      { messages: [{ role: 'user', content: 'a' }] },
      {
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: 'b' },
        ],
      },
    ],
    flag: '--answer',
    problem: '1 of 2 chats',
  },
  {
    name: 'a first line that may be a row',
    data: 'Hund,Katze\nMaus,Ratte\n',
    flag: '--header',
    problem: 'may name the columns or be a row',
  },
  { name: 'a first line that is a row', data: 'What is 1+1?,two\nWhat is 1+0?,one\n', flag: '--columns', problem: 'looks like a row' },
  {
    name: 'a column that does not exist',
    data: [{ question: 'Who?', answer: 'Ada' }],
    flags: ['--answer', 'anser'],
    flag: 'answer',
    problem: 'there is no column "anser"',
  },
]

describe('init refuses and names the flag', () => {
  test.each(refused)('$name', async ({ data, flags, flag, problem }) => {
    const { code, stderr } = await init(data, flags)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(problem) })
    expect(stderr).toContain(flag)
  })
})
