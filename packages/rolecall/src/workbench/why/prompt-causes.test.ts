import { expect, test } from 'vitest'
import { promptCauses } from './prompt-causes.ts'
import { renderedTurns } from './rendered-turns.ts'
import type { WhyRow, WhySide, WhyTurn } from './why-row.ts'

type Prompt = string | readonly WhyTurn[]

function causes(
  first: Prompt,
  second: Prompt,
  more: { choices?: readonly [string[], string[]]; shots?: readonly [number, number]; endpoint?: 'chat' } = {},
): string[] {
  const row = (prompt: Prompt, index: 0 | 1): WhyRow => ({ id: 0, keys: {}, isExtracted: false, prompt, choices: more.choices?.[index] })
  const side = (index: 0 | 1): WhySide => ({
    name: '',
    model: '',
    dataset: '',
    metric: '',
    count: 1,
    row: () => row(index === 0 ? first : second, index),
    setup: {
      harness: '',
      rows: {},
      prompt: more.shots ? { shots: more.shots[index] } : {},
      sampling: {},
      scoring: {},
      endpoint: more.endpoint,
    },
  })
  return promptCauses(row(first, 0), row(second, 1), [side(0), side(1)]).map(({ cause }) => cause)
}

const user = (content: string): WhyTurn => ({ role: 'user', content })
const bot = (content: string): WhyTurn => ({ role: 'assistant', content })
const system = (content: string): WhyTurn => ({ role: 'system', content })
const question = 'Question: What is 2 + 2?\nA. 3\nB. 4\nAnswer:'
const shots = ['Question: What is 1 + 1?\nA. 2\nB. 3\nAnswer: A', 'Question: What is 3 + 3?\nA. 5\nB. 6\nAnswer: B']
const rendered = `<|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n`
const turns = [user('Question: What is 1 + 1?\nAnswer:'), bot('2'), user('Question: What is 3 + 3?\nAnswer:'), bot('6')]

const cases: [string, Prompt, Prompt, string[], Parameters<typeof causes>[2]?][] = [
  ['the same', question, question, []],
  ['a text for a chat endpoint is a user message', question, [user(question)], [], { endpoint: 'chat' }],
  ['text in a chat template', question, rendered, ['chat template']],
  ['plain text and messages', question, [user(question)], ['chat template']],
  ['a rendered template and messages', rendered, [user(question)], ['endpoint']],
  ['BOS twice', `<s>${question}`, `<s><s>${question}`, ['BOS']],
  ['BOS of ChatGLM before a rendered template', rendered, `[gMASK]<sop>${rendered}`, ['BOS']],
  ['BOS that other models end with', question, `<|endoftext|>${question}`, ['BOS']],
  ['spaces inside a turn of a rendered template', rendered, rendered.replace('\nAnswer:', '\n\nAnswer: '), ['whitespace']],
  ['spaces between the turns of a rendered template', rendered, rendered.replace('<|im_end|>\n', '<|im_end|>'), ['chat template']],
  ['examples cut inside a line', [...shots, question].join('\n\n'), [...shots, question].join('\n\n').slice(38), ['truncation']],
  ['a system prompt in a rendered template', rendered, `<|im_start|>system\nBe careful.<|im_end|>\n${rendered}`, ['system prompt']],
  [
    'another system prompt of Llama 2',
    `<s>[INST] <<SYS>>\nBe careful.\n<</SYS>>\n\n${question} [/INST]`,
    `<s>[INST] <<SYS>>\nBe quick.\n<</SYS>>\n\n${question} [/INST]`,
    ['system prompt'],
  ],
  ['examples in a rendered template', rendered, rendered.replace(question, [...shots, question].join('\n\n')), ['shots']],
  ['a start of the reply after a rendered template', rendered, `${rendered}<think>\n\n</think>\n\n`, ['answer prefix']],
  ['InternLM markup', question, `<|User|>:${question}<eoh>\n<|Bot|>:`, ['chat template']],
  ['names of roles around the prompt', question, `USER: ${question} ASSISTANT:`, ['chat template']],
  [
    'a system message with another role',
    [system('Hi'), user(question)],
    [{ role: 'developer', content: 'Hi' }, user(question)],
    ['system prompt'],
  ],
  ['the system prompt in the message of the user', [system('Hi.'), user(question)], [user(`Hi.\n\n${question}`)], ['system prompt']],
  ['a message that starts the reply', [user(question)], [user(question), bot('The answer is')], ['answer prefix']],
  ['a sentence after the question of a user', [user(question)], [user(`${question}\nThink step by step.`)], ['instruction']],
  ['a prompt cut from the right', question, question.slice(0, -3), ['truncation']],
  [
    'a prompt without its middle',
    `Read ${'long text '.repeat(30)}. ${question}`,
    `Read ${'long text '.repeat(9)}. ${question}`,
    ['truncation'],
  ],
  ['a prompt cut from the left', [...shots, question].join('\n\n'), [...shots, question].join('\n\n').slice(60), ['truncation']],
  ['a system prompt', [user(question)], [system('Be careful.'), user(question)], ['system prompt']],
  ['examples in the system prompt', [user(question)], [system(shots.join('\n\n')), user(question)], ['shots']],
  ['examples before the question', question, [...shots, question].join('\n\n'), ['shots']],
  ['fewer examples', [...shots, question].join('\n\n'), [shots[0], question].join('\n\n'), ['shots'], { shots: [2, 1] }],
  ['examples in another order', [...shots, question].join('\n\n'), [shots[1], shots[0], question].join('\n\n'), ['shot order']],
  ['examples as turns', [user(question)], [...turns, user(question)], ['shots']],
  ['turns in another order', [...turns, user(question)], [...turns.slice(2), ...turns.slice(0, 2), user(question)], ['shot order']],
  [
    'examples in one turn or in several',
    [user(`${turns.map(({ content }) => content).join(' ')}\n\n${question}`)],
    [...turns, user(question)],
    ['shot layout'],
  ],
  ['whitespace at the end', question, `${question} `, ['whitespace']],
  [
    'choices in another order',
    question,
    'Question: What is 2 + 2?\nA. 4\nB. 3\nAnswer:',
    ['choice order'],
    {
      choices: [
        ['3', '4'],
        ['4', '3'],
      ],
    },
  ],
  ['labels of choices', question, 'Question: What is 2 + 2?\n(A) 3\n(B) 4\nAnswer:', ['choice labels']],
  ['bullets instead of labels', question, 'Question: What is 2 + 2?\n- 3\n- 4\nAnswer:', ['choice labels']],
  ['an answer prefix', question, `${question.slice(0, -'Answer:'.length)}The answer is`, ['answer prefix']],
  ['an instruction', question, `Choose the right option.\n\n${question}`, ['instruction']],
  ['two causes', [user(question)], [system('Be careful.'), user(`${question} `)], ['system prompt', 'whitespace']],
]

test.each(cases)('%s', (_, first, second, expected, more) => {
  expect(causes(first, second, more)).toEqual(expected)
  expect(
    causes(second, first, {
      ...more,
      choices: more?.choices && [more.choices[1], more.choices[0]],
      shots: more?.shots && [more.shots[1], more.shots[0]],
    }),
  ).toEqual(expected)
})

test('images: others, in another order, elsewhere in the text', () => {
  const seen = (content: string, ...images: string[]): WhyTurn[] => [{ role: 'user', content, images }]
  expect(causes(seen('\uFFFC\uFFFCQ', 'a', 'b'), seen('\uFFFC\uFFFCQ', 'a', 'b'))).toEqual([])
  expect(causes(seen('\uFFFC\uFFFCQ', 'a', 'b'), seen('\uFFFC\uFFFCQ', 'b', 'a'))).toEqual(['image order'])
  expect(causes(seen('\uFFFCQ', 'a'), seen('Q\uFFFC', 'a'))).toEqual(['image order'])
  expect(causes(seen('\uFFFCQ', 'a'), seen('\uFFFCQ', 'b'))).toEqual(['images'])
  expect(causes(seen('\uFFFCQ', 'a'), [user('Q')])).toEqual(['images'])
  expect(causes(seen('\uFFFCQ', 'a'), [system('S'), ...seen('\uFFFCQ', 'b')])).toEqual(['images', 'system prompt'])
})

test('roles of rendered turns are texts, whatever their names', () => {
  expect(renderedTurns('<|im_start|>constructor\nHi<|im_end|>\n')!.turns).toEqual([{ role: 'constructor', content: 'Hi' }])
  expect(renderedTurns('<s>[INST] Hi [/INST]')!.turns).toEqual([{ role: 'user', content: 'Hi ' }])
})

test('another row of the dataset, told by its hash: a question with words in front of it is revised, not framed', () => {
  const row = (question: string, hash?: string): WhyRow => ({
    id: 0,
    keys: hash === undefined ? {} : { doc_hash: hash },
    isExtracted: false,
    question,
    prompt: `Q: ${question}`,
  })
  const side: WhySide = {
    name: '',
    model: '',
    dataset: '',
    metric: '',
    count: 1,
    row: () => row(''),
    setup: { harness: '', rows: {}, prompt: {}, sampling: {}, scoring: {} },
  }
  const found = (first: WhyRow, second: WhyRow) => promptCauses(first, second, [side, side]).map(({ cause }) => cause)
  expect(found(row('What is 2?', 'a'), row('Tell me: What is 2?', 'b'))).toEqual(['dataset revision'])
  expect(found(row('What is 2?'), row('Tell me: What is 2?'))).toEqual(['instruction'])
})
