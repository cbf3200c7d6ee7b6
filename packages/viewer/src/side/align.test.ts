import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attempt } from '../../../core/src/base/errors/attempt.ts'
import type { Piece, Source } from '../../../core/src/base/text/piece.ts'
import { compilePrompt } from '../../../core/src/prompt/compile/compile-prompt.ts'
import { compileFormat } from '../../../core/src/prompt/format/compile-format.ts'
import type { Prompt } from '../../../core/src/prompt/format/format.ts'
import { presets } from '../../../core/src/prompt/format/presets/index.ts'
import { convertFormat } from '../../../rolecall/src/workbench/convert/convert-format.ts'
import { alignPrompts, areIdentical, isEmpty } from './align.ts'
import { identityText } from './identity-text.ts'
import { textOf, unionOf } from './match-texts.ts'
import { turnsOf } from './turns.ts'

const round = [
  { role: 'HUMAN', prompt: '{question}' },
  { role: 'BOT', prompt: '{answer}' },
]
const dataset = {
  infer_cfg: { prompt_template: { template: { begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Solve.' }], round } } },
}

function promptIn(model: Parameters<typeof compilePrompt>[0], question = '1+1=?'): Prompt {
  return compilePrompt(model, dataset).render({ row: { question, answer: '2' }, mode: 'ppl' }).prompt
}

/** The texts of the lines, and of what is marked. */
function shownOf(...prompts: readonly Prompt[]) {
  const turns = prompts.map((prompt) => turnsOf(prompt))
  const { lines, only } = alignPrompts(turns)
  return {
    lines: lines.map((line) => line.map((cell) => (isEmpty(cell) ? undefined : textOf(cell)))),
    only: only.map((ranges, side) => ranges.map(([start, end]) => textOf(turns[side]!).slice(start, end))),
  }
}

/** Nothing is marked, no cell is empty, and no text is lost. */
function expectNoDifference(...prompts: readonly Prompt[]): void {
  const { lines, only } = shownOf(...prompts)
  expect(only.flat()).toEqual([])
  for (const line of lines) expect(new Set(line).size).toBe(1)
  const whole = textOf(turnsOf(prompts[0]!))
  for (const side of prompts.keys()) expect(lines.map((line) => line[side]).join('')).toBe(whole)
  expect(areIdentical(prompts)).toBe(true)
}

const chatml =
  "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>' + '\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"

describe('equal prompts', () => {
  test('of a preset and of the same model’s chat template have no difference', () => {
    expectNoDifference(promptIn({ format: 'chatml' }), promptIn({ chat_template: chatml }))
  })

  test('of every preset and of its conversion into a chat template have none', () => {
    const compared = Object.keys(presets).filter((format) => {
      const converted = attempt(() => convertFormat(compileFormat({ format }, new Set()), 'jinja', { approximate: true }))
      const prompts = converted && [promptIn({ format }), promptIn({ chat_template: converted.output })]
      if (!prompts || textOf(turnsOf(prompts[0]!)) !== textOf(turnsOf(prompts[1]!))) return false
      expectNoDifference(...prompts)
      return true
    })
    expect(compared.length).toBeGreaterThan(Object.keys(presets).length / 2)
  })

  test('have none wherever two or three formats end their pieces and turns, and whoever wrote them', () => {
    const parts = ['<|im_end|>', '<s>', '\n', ' ', 'user', '一', '1+1=?', 'Solve.', '😀']
    const text = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((some) => some.join(''))
    const cuts = fc.array(
      fc.record({
        length: fc.nat(6),
        by: fc.constantFrom<Source['by'][]>('format', 'field', 'message', 'template'),
        turn: fc.option(fc.nat(3), { nil: undefined }),
      }),
    )
    fc.assert(
      fc.property(text, fc.array(cuts, { minLength: 2, maxLength: 3 }), (whole, sides) =>
        expectNoDifference(...sides.map((side) => split(whole, side))),
      ),
    )
  })
})

function split(text: string, cuts: readonly { length: number; by: Source['by']; turn: number | undefined }[]): Prompt {
  let at = 0
  const pieces = [...cuts, { length: text.length, by: 'format' as const, turn: undefined }].map(({ length, by, turn }): Piece => {
    const part = text.slice(at, at + length)
    at += part.length
    return { text: part, control: by === 'format', source: { by, path: by }, ...(turn === undefined ? {} : { turn }) }
  })
  return { kind: 'completion', pieces, bos: 'none', notes: [], stop: [] }
}

test('equal turns are aligned, whatever surrounds them, in any number of formats', () => {
  const { lines, only } = shownOf(promptIn({ format: 'chatml' }), promptIn({ format: 'messages' }), promptIn({ format: 'internlm2' }))
  expect(lines).toEqual([
    [undefined, undefined, '<s>'],
    ['<|im_start|>system\nSolve.<|im_end|>\n', 'Solve.', '<|im_start|>system\nSolve.<|im_end|>\n'],
    ['<|im_start|>user\n1+1=?<|im_end|>\n', '1+1=?', '<|im_start|>user\n1+1=?<|im_end|>\n'],
    ['<|im_start|>assistant\n2<|im_end|>\n', '2', '<|im_start|>assistant\n2<|im_end|>\n'],
  ])
  expect(only[1]).toEqual([])
})

test('a turn that only one prompt has stands beside an empty cell', () => {
  const without = compilePrompt({ format: 'chatml' }, { infer_cfg: { prompt_template: { template: { round } } } })
  const { prompt } = without.render({ row: { question: '1+1=?', answer: '2' }, mode: 'ppl' })
  expect(shownOf(promptIn({ format: 'chatml' }), prompt)).toMatchObject({
    lines: [
      ['<|im_start|>system\nSolve.<|im_end|>\n', undefined],
      ['<|im_start|>user\n1+1=?<|im_end|>\n', '<|im_start|>user\n1+1=?<|im_end|>\n'],
      ['<|im_start|>assistant\n2<|im_end|>\n', '<|im_start|>assistant\n2<|im_end|>\n'],
    ],
    only: [['<|im_start|>system\nSolve.<|im_end|>\n'], []],
  })
})

test('differences are whole words and markers, and a marker in a row is not one of the format', () => {
  const { only } = shownOf(promptIn({ format: 'chatml' }, '<|im_end|>'), promptIn({ format: 'messages' }, '<|im_end|>'))
  expect(only).toEqual([
    ['<|im_start|>system\n', '<|im_end|>\n<|im_start|>user\n', '<|im_end|>\n<|im_start|>assistant\n', '<|im_end|>\n'],
    [],
  ])
})

test('prompts with other roles, media or token ids are not called identical', () => {
  const source = { by: 'message', path: 'messages[0]' } as const
  const chat = (role: string, url?: string): Prompt => {
    const media: Piece[] = url === undefined ? [] : [{ media: { kind: 'image', url }, source }]
    return { kind: 'chat', messages: [{ role, content: [{ text: 'a', control: false, source }, ...media] }], stop: [], notes: [] }
  }
  expect(areIdentical([chat('user'), chat('user')])).toBe(true)
  expect(areIdentical([chat('user'), chat('system')])).toBe(false)
  expect(areIdentical([chat('user', 'a.png'), chat('user', 'b.png')])).toBe(false)
  expect(areIdentical([chat('user'), split('a', [])])).toBe(false)
})

test('identical prompts are identical token for token only if every model’s own tokenizer says so', () => {
  const side = (ids: readonly number[], isOwn = true) => ({
    model: isOwn ? { tokenizer: { kind: 'embedded' as const } } : {},
    prompt: split('a', []),
    cut: { tokens: ids.map((id) => ({ id, span: [0, 0] as const })) },
  })
  expect(identityText([side([1, 2]), side([1, 2])])).toBe('identical, byte for byte and token for token')
  expect(identityText([side([1, 2]), side([3])])).toBe('identical, byte for byte, but not token for token: 2 and 1 tokens')
  expect(identityText([side([1, 2]), side([1, 2], false)])).toBe('identical, byte for byte')
})

test('ranges of several comparisons are merged', () => {
  expect(
    unionOf([
      [[4, 6]],
      [
        [0, 2],
        [5, 9],
      ],
    ]),
  ).toEqual([
    [0, 2],
    [4, 9],
  ])
})
