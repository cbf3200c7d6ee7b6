import { expect, test } from 'vitest'
import { compilePrompt, type Row } from '../../packages/rolecall/src/datasets.ts'
import { promptText, textOf } from '../../packages/rolecall/src/formats.ts'
import type { DatasetConfig, ModelConfig } from '../../packages/rolecall/src/index.ts'

// Bugs found in reviews, as reported.

const lm: ModelConfig = {
  meta_template: {
    round: [
      { role: 'HUMAN', begin: 'H:', end: '\n' },
      { role: 'BOT', begin: 'B:', end: '\n', generate: true },
    ],
  },
}
const api: ModelConfig = {
  meta_template: {
    round: [
      { role: 'HUMAN', api_role: 'HUMAN' },
      { role: 'BOT', api_role: 'BOT', generate: true },
    ],
  },
}

type Template = Extract<NonNullable<DatasetConfig['infer_cfg']['prompt_template']>, { template: unknown }>['template']

function ask(model: ModelConfig, template: Template, row: Row, mode: 'gen' | 'ppl' = 'gen', more: Partial<DatasetConfig> = {}) {
  return compilePrompt(model, { infer_cfg: { prompt_template: { template } }, ...more }).render({ row, mode }).prompt
}

test('text without a role that is blank in the first row is kept in the next', () => {
  const template = { begin: '{hint}', round: [{ role: 'HUMAN', prompt: '{q}' }] }
  const prepared = compilePrompt(api, { infer_cfg: { prompt_template: { template } } }).prepare({ mode: 'gen' })
  prepared.text({ hint: '', q: '1' })
  expect(prepared.text({ hint: 'Use fingers.', q: '2' })).toContain('Use fingers.')
  expect(prepared.text({ hint: ' ', q: '2' })).toBe('[{"role":"user","content":"2"}]')
})

test('tokens inside braces are tokens', () => {
  const render = (template: string, more: object, row: Row) =>
    promptText(compilePrompt({}, { infer_cfg: { prompt_template: { template, ...more } } }).render({ row, mode: 'ppl' }).prompt)
  expect(render('\\boxed{</ans>}', { column_token_map: { ans: '</ans>' } }, { ans: '42' })).toBe('\\boxed{42}')
  expect(render('{"shots": "</E>"} {q}', { ice_token: '</E>' }, { q: 'x' })).toBe('{"shots": ""} x')
})

test('a turn with a fallback role takes that role’s place, unless that role speaks next', () => {
  const turns = (...items: object[]) => ({ round: items }) as Template
  const asker = { role: 'ASKER', fallback_role: 'HUMAN', prompt: '{q}' }
  expect(promptText(ask(lm, turns(asker, { role: 'BOT', prompt: '' }), { q: 'q' }))).toBe('H:q\nB:')
  expect(promptText(ask(lm, turns(asker, { role: 'HUMAN', prompt: 'x' }), { q: 'q' }))).toBe('H:q\nH:x\nB:')
})

test('without a format, an empty answer stays empty and does not become the question', () => {
  const template = {
    round: [
      { role: 'HUMAN', prompt: '{q}' },
      { role: 'BOT', prompt: '{a}' },
    ],
  } as Template
  const prompt = ask({}, template, { q: 'question', a: '' }, 'ppl', { reader_cfg: { output_column: 'a' } })
  if (prompt.kind !== 'completion') throw new Error('a completion was expected')
  expect(textOf(prompt.pieces.slice(prompt.answer!.start, prompt.answer!.end))).toBe('')
})

test('compat keeps the text of a reserved role in the round of a language model', () => {
  const model = { meta_template: { ...lm.meta_template, reserved_roles: [{ role: 'SYSTEM', begin: 'S:', end: '\n' }] } } as ModelConfig
  const template = {
    round: [
      { role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Solve.' },
      { role: 'HUMAN', prompt: '{q}' },
    ],
  } as Template
  expect(promptText(ask(model, template, { q: 'q' }, 'gen', { compat: 'opencompass' }))).toBe('S:Solve.\nH:q\nB:')
})

test('examples after the last message are kept', () => {
  const dataset: DatasetConfig = {
    reader_cfg: { output_column: 'a' },
    infer_cfg: {
      ice_template: {
        messages: [
          { role: 'user', content: '{q}' },
          { role: 'assistant', content: '{a}' },
        ],
      },
      prompt_template: { messages: [{ role: 'user', content: '{q}' }, '</E>'] },
    },
  }
  const { prompt } = compilePrompt(lm, dataset).render({ row: { q: 'q', a: '1' }, examples: [{ q: 'e', a: '2' }], mode: 'gen' })
  expect(promptText(prompt)).toBe('H:q\nH:e\nB:2\nB:')
})

test('stops: an id after white space, and the end set by the dataset', () => {
  const model: ModelConfig = {
    meta_template: {
      round: [
        { role: 'HUMAN', end: '\n' },
        { role: 'BOT', end: ['\n', 2], generate: true },
      ],
    },
  }
  const stops = (...turn: object[]) =>
    ask(model, { round: [{ role: 'HUMAN', prompt: 'x' }, ...turn] } as Template, {}).stop.map((stop) =>
      'id' in stop ? stop.id : 'text' in stop ? stop.text : stop.token,
    )
  expect(stops()).toEqual([2])
  expect(stops({ role: 'BOT', prompt: '', end: '<eob>\n' })).toEqual(['<eob>'])
})

test('unknown fields are also noted in messages', () => {
  const dataset: DatasetConfig = {
    reader_cfg: { output_column: 'a' },
    infer_cfg: { prompt_template: { messages: [{ role: 'user', content: '{typo}' }] } },
  }
  const codes = compilePrompt({}, dataset)
    .render({ row: { a: '' }, mode: 'gen' })
    .prompt.notes.map(({ code }) => code)
  expect(codes).toContain('unknown-field')
})

test('a chat template that trims content trims it in every row', () => {
  const model = { chat_template: '{% for m in messages %}<{{ m.role }}>{{ m.content | trim }}{% endfor %}' }
  const maker = compilePrompt(model, { infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{q}' }] } } } })
  for (const q of ['one ', ' two', 'three']) {
    expect(promptText(maker.prepare({ mode: 'gen' }).prompt({ q }))).toBe(`<user>${q.trim()}`)
  }
})
