import { expect, test } from 'vitest'
import type { Turn } from '../../../../../core/src/prompt/conversation/conversation.ts'
import { compilePair } from './plan-requests.ts'
import { planPreview } from './row-prompts.ts'
import { readTurnWithCalls } from './turn-with-calls.ts'

const plan = planPreview(
  compilePair(
    { abbr: 'm', type: 'openai', path: 'm', format: 'chatml', reply_syntax: 'hermes' },
    {
      abbr: 'd',
      infer_cfg: { prompt_template: { template: '{q}' }, inferencer: { type: 'ChatInferencer' } },
      reader_cfg: { input_columns: ['q'] },
      rows: [{ q: 'a' }],
    },
    { model: 'm', dataset: 'd' },
  ),
  {},
)

const source = { by: 'template', path: 't' } as const
const call = (name: string, id?: string) => ({ name, arguments: {}, source, path: 'c', ...(id === undefined ? {} : { id }) })
const says = (...names: string[]) => names.map((name) => `<tool_call>{"name": "${name}", "arguments": {}}</tool_call>`).join('\n')
const result: Turn = { role: 'tool', content: [], path: 'r' }

function read(calls: readonly ReturnType<typeof call>[], text: string, results: readonly Turn[] = [result]) {
  const { prompt } = plan.write({ row: { q: 'a' }, examples: [], mode: 'gen' })
  const written: Turn = { role: 'assistant', content: [], path: 'w', calls: [...calls] }
  return readTurnWithCalls(plan, { row: { q: 'a' }, prompt, written, results }, { text })
}

const idsOf = (read: { turn: Turn } | { problem: string }) =>
  'turn' in read ? read.turn.calls?.map(({ name, id }) => [name, id]) : read.problem

test('calls get the ids of the reference calls of their names, in any order', () => {
  expect(idsOf(read([call('now', 'x1'), call('later', 'x2')], says('later', 'now')))).toEqual([
    ['later', 'x2'],
    ['now', 'x1'],
  ])
  expect(idsOf(read([call('now', 'x1'), call('now', 'x2')], says('now', 'now')))).toEqual([
    ['now', 'x1'],
    ['now', 'x2'],
  ])
})

test('where the reference call has no id, one is made from its place', () => {
  expect(idsOf(read([call('now'), call('later', 'x2')], says('now', 'later')))).toEqual([
    ['now', 'made00001'],
    ['later', 'x2'],
  ])
  expect(idsOf(read([call('now', 'x1'), call('later')], says('now', 'later')))).toEqual([
    ['now', 'x1'],
    ['later', 'made00002'],
  ])
})

test('other calls than those with results end the conversation', () => {
  expect(idsOf(read([call('now', 'x1')], says('later')))).toBe('later was called, and what follows are results of now')
  expect(idsOf(read([call('now', 'x1')], says('now', 'now')))).toBe('now, now was called, and what follows are results of now')
  expect(idsOf(read([call('now'), call('later')], 'No.'))).toBe('nothing was called, and what follows are results of now, later')
})

test('without results any calls are taken, with ids of their own', () => {
  expect(idsOf(read([call('now', 'x1')], says('later', 'later'), []))).toEqual([
    ['later', 'made00001'],
    ['later', 'made00002'],
  ])
})
