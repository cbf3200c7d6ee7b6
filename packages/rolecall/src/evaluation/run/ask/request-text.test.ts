import { expect, test } from 'vitest'
import { control, type Piece, plain } from '../../../../../core/src/base/text/index.ts'
import type { Prompt } from '../../../../../core/src/prompt/format/format.ts'
import { comparedColumns } from './compared-columns.ts'
import { requestsText } from './request-text.ts'

const source = { by: 'format', path: 'x' } as const
const prompt = (more: Partial<Prompt & { kind: 'completion' }>): Prompt => ({
  kind: 'completion',
  pieces: [],
  bos: 'none',
  stop: [],
  notes: [],
  ...more,
})
const asked = (...prompts: Prompt[]) => requestsText([{ kind: 'generate', prompts: prompts.map((one) => ({ prompt: one })), samples: 1 }])

test('prompts with the same text differ if their tokens would', () => {
  const mark = '<|im_end|>'
  const variants = [
    asked(prompt({ pieces: [control(mark, source)] })),
    asked(prompt({ pieces: [plain(mark, source)] })),
    asked(prompt({ pieces: [control(mark, source)], bos: 'tokenizer' })),
    asked(prompt({ pieces: [control(mark, source)], stop: [{ id: 2, source }] })),
    asked(prompt({ pieces: [{ ids: [1, 2], source }, control(mark, source)] })),
    asked(prompt({ pieces: [control(mark, source)] }), prompt({ pieces: [control(mark, source)] })),
    // Text that looks like the key's separator between pieces.
    asked(prompt({ pieces: [plain('c10:<|im_end|>', source)] })),
  ]
  expect(new Set(variants).size).toBe(variants.length)
  expect(asked(prompt({ pieces: [plain('ab', source)] }))).toBe(asked(prompt({ pieces: [plain('a', source), plain('b', source)] })))
})

test('token ids and media are part of the key, at their places', () => {
  const image = (url: string) => ({ media: { kind: 'image' as const, url }, source })
  const pieces: Piece[][] = [
    [{ ids: [1, 2], source }],
    [{ ids: [12], source }],
    [{ ids: [1], source }, plain('a', source)],
    [plain('a', source), { ids: [1], source }],
    [plain('i1;a', source)],
    [image('data:a')],
    [image('data:b')],
    [image('data:a'), plain('a', source)],
    [plain('a', source), image('data:a')],
  ]
  const keys = pieces.map((given) => asked(prompt({ pieces: given })))
  expect(new Set(keys).size).toBe(keys.length)
})

test('stops are part of the key, wherever they come from', () => {
  const stopped = (...ids: number[]) => asked(prompt({ stop: ids.map((id) => ({ id, source })) }))
  const variants = [stopped(), stopped(1), stopped(2), stopped(1, 2), asked(prompt({ stop: [{ text: '\n', source }] }))]
  expect(new Set(variants).size).toBe(variants.length)
  expect(asked(prompt({ stop: [{ id: 1, source: { by: 'template', path: 'y' } }] }))).toBe(stopped(1))
})

test('if answers are compared, the columns that hold them are part of the key', () => {
  const [one, other] = [{ choices: ['A'] }, { choices: ['B'] }].map((row) =>
    requestsText([{ kind: 'score', prompts: [{ prompt: prompt({}) }], compared: comparedColumns(row) }]),
  )
  expect(one).not.toBe(other)
})

test('the second round is part of the key', () => {
  const request = (text: string) =>
    ({ kind: 'generate', prompts: [{ prompt: prompt({ pieces: [plain(text, source)] }) }], samples: 1 }) as const
  expect(requestsText([request('a'), request('b')])).not.toBe(requestsText([request('a'), request('c')]))
})
