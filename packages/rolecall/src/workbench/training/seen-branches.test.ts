import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { wholeTurns } from '@rolecall/core/internal/masks'
import { parseJson } from '@rolecall/core/internal/python'
import { expect, test } from 'vitest'
import { defineModel } from '../../../../core/src/model/define-model.ts'
import { openSession } from '../../../../core/src/model/open-session.ts'
import { compileChat } from '../../../../core/src/prompt/compile/compile-chat.ts'
import { shippedTokenizer } from '../../node/models/load-tokenizer.ts'
import { noCounts } from './export-counts.ts'
import { type ExportOptions, RowExporter } from './export-rows.ts'
import { readRecorded } from './recorded-steps.ts'
import { type SeenNode, type SeenStep, seenBranches, seenTree } from './seen-branches.ts'

const tokenizer = shippedTokenizer()
/** Keeps reasoning only in the last turn, as Qwen3 does. */
const forgetful =
  '{% for m in messages %}<|im_start|>{{ m.role }}\n{% if m.reasoning_content and loop.last %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}'
const { format } = compileChat({ chat_template: forgetful })
const reasoned = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Hello!', reasoning_content: 'Be kind.' },
  { role: 'user', content: 'Bye' },
  { role: 'assistant', content: 'See you.', reasoning_content: 'Be short.' },
]
const textOf = (ids: readonly number[]) => ids.map((id) => new TextDecoder().decode(tokenizer.bytesOf(id))).join('')

function exporter(options: Partial<ExportOptions> = {}): RowExporter {
  return new RowExporter({ format, tokenizer, undecided: 'rows', overlong: 'drop', ...options }, noCounts())
}

test('a chat of two reasoned turns gives two rows: each turn with its own reasoning, behind what its prompt had', () => {
  const rows = exporter().add({ chat: { messages: reasoned }, number: 3 }) as { row: number; ids: number[]; mask: number[] }[]
  expect(rows.map(({ ids, mask }) => textOf(ids.filter((_, index) => mask[index] === 1)))).toEqual([
    '<think>Be kind.</think>Hello!<|im_end|>',
    '<think>Be short.</think>See you.<|im_end|>',
  ])
  expect(textOf(rows[1]?.ids ?? [])).toContain('assistant\nHello!<|im_end|>')
  expect(rows.map(({ row }) => row)).toEqual([3, 3])
  expect(exporter({ undecided: 'drop' }).add({ chat: { messages: reasoned }, number: 0 })).toEqual([])
})

test('a prompt that begins with an earlier one and its reply continues its row; any other begins a row, in which earlier replies are context', () => {
  const steps: SeenStep[] = [
    { promptIds: [1, 2], replyIds: [3, 4], logprobs: [-1, -2] },
    { promptIds: [1, 2, 3, 4, 5], replyIds: [6], logprobs: [-3] },
    { promptIds: [1, 2, 3, 4, 7], replyIds: [8], logprobs: [-4] },
    { promptIds: [1, 2], replyIds: [9] },
  ]
  const branches = seenBranches(steps)
  expect(branches).toMatchObject([
    { ids: [1, 2, 3, 4, 5, 6], mask: [0, 0, 1, 1, 0, 1], logprobs: [0, 0, -1, -2, 0, -3], promptLength: 2, turns: 2 },
    {
      ids: [1, 2, 3, 4, 7, 8],
      mask: [0, 0, 0, 0, 0, 1],
      logprobs: [0, 0, 0, 0, 0, -4],
      promptLength: 5,
      turns: 1,
    },
    { ids: [1, 2, 9], mask: [0, 0, 1], logprobs: undefined },
  ])
  const { nodes, leaves } = seenTree(branches)
  expect(leaves.map((leaf) => pathTo(nodes, leaf).flatMap(({ token_ids }) => token_ids))).toEqual(branches.map(({ ids }) => ids))
  expect(nodes.flatMap(({ token_ids }) => token_ids)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
})

/** The nodes from the root to a leaf. */
function pathTo(nodes: readonly SeenNode[], leaf: number | null): SeenNode[] {
  const node = leaf === null ? undefined : nodes[leaf]
  return node === undefined ? [] : [...pathTo(nodes, node.parent), node]
}

/** The ids of each leaf, and its trained ids. */
function leavesOf(steps: readonly SeenStep[], options: Partial<ExportOptions> = {}): { ids: number[]; trained: number[] }[] {
  const [row] = exporter({ trainer: 'tree', ...options }).addRecorded({ steps, facts: {} }, 0)
  const { nodes, leaves } = row as ReturnType<typeof seenTree>
  return leaves.map((leaf) => {
    const path = pathTo(nodes, leaf)
    const ids = path.flatMap(({ token_ids }) => token_ids)
    return { ids, trained: ids.filter((_, index) => path.flatMap(({ mask }) => mask)[index]) }
  })
}

test('a tree without an overlong branch has the ids of the others', () => {
  const steps: SeenStep[] = [
    { promptIds: [1, 2, 3, 4], replyIds: [9, 9, 9, 9, 9, 9] },
    { promptIds: [1, 7], replyIds: [8] },
    { promptIds: [1, 2, 3, 5], replyIds: [6] },
  ]
  expect(leavesOf(steps, { maxLength: 8 }).map(({ ids }) => ids)).toEqual([
    [1, 7, 8],
    [1, 2, 3, 5, 6],
  ])
})

test('ids that only a later branch sampled are trained in its path of a tree', () => {
  const steps: SeenStep[] = [
    { promptIds: [1, 2, 3, 4], replyIds: [5] },
    { promptIds: [1, 2], replyIds: [3, 4] },
  ]
  expect(leavesOf(steps)).toEqual([
    { ids: [1, 2, 3, 4, 5], trained: [5] },
    { ids: [1, 2, 3, 4], trained: [3, 4] },
  ])
})

test('every trained id of a session was sampled, whether it was written by the session or recorded request by request', () => {
  const session = openSession(defineModel({ chatTemplate: forgetful, tokenizer }), { rewrites: 'fork' })
  const end = tokenizer.idOf('<|im_end|>') ?? Number.NaN
  const steps = ['<think>A</think>One', '<think>B</think>Two', 'Three'].map((text, index) => {
    const { ids } = session.prompt({ role: 'user', content: `Say ${index} 🦉` })
    const replyIds = [...tokenizer.encodeRun(text, false, () => false).ids, end]
    session.reply(replyIds)
    return { prompt_ids: ids, completion_ids: replyIds }
  })
  const recorded = readRecorded({ steps, reward: 0.5 }, 'row 0', { format, tokenizer })
  const rows = session.rows()
  expect(seenBranches(recorded?.steps ?? [])).toMatchObject(rows.map(({ ids, mask, promptLength }) => ({ ids, mask, promptLength })))
  expect(recorded?.facts).toMatchObject({ reward: 0.5 })
})

test.each([
  ['trl', ['input_ids', 'labels']],
  ['axolotl', ['input_ids', 'attention_mask', 'labels']],
  ['llama-factory', ['input_ids', 'attention_mask', 'labels']],
  ['trl-grpo', ['prompt_ids', 'completion_ids', 'logprobs', 'env_mask', 'reward']],
  ['verl', ['prompt_ids', 'response_ids', 'response_mask', 'response_logprobs', 'reward_score', 'num_turns', 'metrics']],
  ['prime-rl', ['token_ids', 'mask', 'logprobs', 'temperatures', 'env_name']],
  ['tree', ['row', 'nodes', 'leaves', 'reward']],
] as const)('rows for %s have its columns', (trainer, columns) => {
  const steps = [{ promptIds: [1, 2], replyIds: [3], logprobs: [-1] }]
  const [row] = exporter({ trainer }).addRecorded({ steps, facts: { reward: 1 } }, 0)
  expect(Object.keys(row ?? {})).toEqual(columns)
})

test('a trainer that needs log-probabilities gets no row without them, and a reward that has no column is counted', () => {
  const steps = [{ promptIds: [1, 2], replyIds: [3] }]
  expect(() => exporter({ trainer: 'prime-rl' }).addRecorded({ steps, facts: {} }, 0)).toThrow('needs the log-probability')
  const one = exporter({ trainer: 'axolotl' })
  one.addRecorded({ steps, facts: { reward: 1 } }, 0)
  expect(one.counts.notes).toEqual({ 'the reward is left out: axolotl has no column for it': 1 })
})

test.each([
  ['ids of another tokenizer', { prompt_ids: [1], completion_ids: [99_999_999] }, 'is no id of the tokenizer'],
  ['negative ids', { prompt_ids: [-1], completion_ids: [1] }, 'row 0'],
  ['too few log-probabilities', { prompt_ids: [1], completion_ids: [1, 2], logprobs: [-1] }, '1 log-probabilities for 2 ids'],
  ['no ids of the reply', { prompt_ids: [1] }, 'there are no ids of the prompt, or none of the reply'],
  ['a reward that is no number', { prompt_ids: [1], completion_ids: [1], reward: 'good' }, 'reward'],
  ['messages of a server', { steps: [{ prompt: { kind: 'chat', messages: [] }, reply: { text: 'a' } }] }, 'only the server knows'],
])('%s are refused', (_, row, problem) => {
  expect(() => readRecorded(row, 'row 0', { format, tokenizer })).toThrow(problem)
})

test.each([
  ['texts', ['a', 'b']],
  ['requests of messages', [{ prompt: { kind: 'chat', messages: [] }, reply: { text: 'a' } }]],
])('a conversation with a column of steps that are %s is a conversation', (_, steps) => {
  expect(readRecorded({ messages: [{ role: 'user', content: 'Hi' }], steps }, 'row 0', { format, tokenizer })).toBeUndefined()
  const ids = { prompt_ids: [1], completion_ids: [2] }
  expect(readRecorded({ messages: [{ role: 'user', content: 'Hi' }], steps: [ids] }, 'row 0', { format, tokenizer })?.steps).toMatchObject([
    { promptIds: [1] },
  ])
})

test('a recorded row may have no reward, and numbers that JSON does not have where nothing is read', () => {
  const text =
    '{"prompt_ids": [1], "completion_ids": [2], "logprobs": [-1.0], "reward": null, "temperature": null, "env_name": null, "advantage": NaN}'
  const recorded = readRecorded(parseJson(text) as Row, 'row 0', { format, tokenizer })
  expect(recorded).toEqual({ steps: [{ promptIds: [1], replyIds: [2], logprobs: [-1] }], facts: {} })
})

test.each(['"reward": NaN', '"logprobs": [-Infinity]', '"temperature": Infinity'])('a recorded row with %s is refused', (field) => {
  const row = parseJson(`{"prompt_ids": [1], "completion_ids": [2], ${field}}`) as Row
  expect(() => readRecorded(row, 'row 0', { format, tokenizer })).toThrow(PromptError)
})

test.each([
  ['--train content', { train: 'content' }],
  ['--turns last', { turns: 'last' }],
  ['--no-reasoning', { reasoning: false }],
  ['--no-calls', { calls: false }],
] as const)('%s is refused for recorded ids', (flag, policy) => {
  const chat = { steps: [{ promptIds: [1], replyIds: [2] }], facts: {} }
  expect(() => exporter({ policy }).addRecorded(chat, 0)).toThrow(flag)
  expect(exporter({ policy: wholeTurns }).addRecorded(chat, 0)).toHaveLength(1)
})

test('weights that rows of a trainer, or rows as the model saw them, cannot have are counted', () => {
  const weighted = (messages: typeof reasoned) => ({ messages: messages.map((message) => ({ ...message, weight: 0.5 })) })
  const plain = exporter({ trainer: 'trl' })
  plain.add({ chat: weighted(reasoned.slice(0, 2)), number: 0 })
  expect(plain.counts.notes).toEqual({ 'the weights of messages are left out: trl has no column for them': 1 })
  const seen = exporter()
  seen.add({ chat: weighted(reasoned), number: 0 })
  expect(seen.counts.notes).toEqual({ 'the weights of messages are left out: rows as the model saw them have none': 1 })
})

test('a conversation with undecided turns that was cut is counted as cut', () => {
  const more = [
    ...reasoned,
    { role: 'user', content: 'More? '.repeat(50) },
    { role: 'assistant', content: 'No.', reasoning_content: 'Stop.' },
  ]
  const one = exporter({ overlong: 'cut', maxLength: 80 })
  expect(one.add({ chat: { messages: more }, number: 0 })).toHaveLength(2)
  expect(one.counts.cut).toEqual({ conversations: 1, messages: 2 })
})

test('ten thousand forks of one prompt take time in proportion to their ids', () => {
  const start = Array.from({ length: 100 }, (_, index) => index)
  const steps = Array.from({ length: 10_000 }, (_, index): SeenStep => ({ promptIds: [...start, index], replyIds: [1] }))
  const before = process.cpuUsage().user
  expect(seenBranches(steps)).toHaveLength(10_000)
  // Half a second of the processor; wall time says more about what runs beside it.
  expect((process.cpuUsage().user - before) / 1000).toBeLessThan(20_000)
})
