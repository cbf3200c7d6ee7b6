import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../proof/testing/sampling.ts'
import { compilePrompt, type Row } from '../../../../rolecall/src/datasets.ts'
import type { DatasetConfig, ModelConfig } from '../../../../rolecall/src/index.ts'
import { ByteSink } from '../../base/text/byte-sink.ts'
import { bodyOf } from '../format/flatten.ts'

const roles = {
  round: [
    { role: 'HUMAN', begin: '<|im_start|>user\n', end: '<|im_end|>\n' },
    { role: 'BOT', begin: '<|im_start|>assistant\n', end: '<|im_end|>\n', generate: true },
  ],
  reserved_roles: [{ role: 'SYSTEM', begin: '<|im_start|>system\n', end: '<|im_end|>\n' }],
}
const thinking = {
  begin: '你好{question}',
  round: [roles.round[0]!, { role: 'THOUGHTS', begin: 'T:', prompt: 'about {question} {nothing}' }, roles.round[1]!],
  end: 'bye',
}
const api = {
  round: [
    { role: 'HUMAN', api_role: 'HUMAN' as const },
    { role: 'BOT', api_role: 'BOT' as const, generate: true },
  ],
}
const models: Record<string, ModelConfig> = {
  chatml: { meta_template: roles },
  'default prompts': { meta_template: { ...thinking, reserved_roles: roles.reserved_roles } },
  'no meta template': {},
  'token ids': {
    meta_template: { reserved_roles: roles.reserved_roles, round: [{ role: 'HUMAN', begin: [1, 'U:'], end: '\n' }, roles.round[1]!] },
  },
  api: { meta_template: api },
  'api without meta template': { is_api: true },
}

const ask = (answer: string) => [
  { role: 'HUMAN', prompt: 'Q: {question} ({hint}{extra})\nA:' },
  { role: 'BOT', prompt: answer },
]
const reader = { input_columns: ['question', 'hint'], output_column: 'answer' }
const begin = [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Solve "all".' }, '</E>']
const fewShot = (
  template: DatasetConfig['infer_cfg']['prompt_template'],
  ice: DatasetConfig['infer_cfg']['ice_template'],
): DatasetConfig => ({
  reader_cfg: reader,
  infer_cfg: { prompt_template: template, ice_template: ice, retriever: { type: 'FixKRetriever' } },
})
const datasets: Record<string, DatasetConfig> = {
  strings: fewShot(
    { template: '</E>{question}{extra}{hint} => {answer}', ice_token: '</E>' },
    { template: '{question} {hint} => {answer}' },
  ),
  dialogues: fewShot({ template: { begin, round: ask('{answer}') }, ice_token: '</E>' }, { template: { round: ask('{answer}!') } }),
  'turns of fields only': fewShot(
    {
      template: {
        begin,
        round: [
          { role: 'HUMAN', prompt: '{question}' },
          { role: 'HUMAN', prompt: '{hint}' },
          { role: 'BOT', prompt: '{answer}' },
        ],
      },
      ice_token: '</E>',
    },
    {
      template: {
        round: [
          { role: 'HUMAN', prompt: '{question}' },
          { role: 'BOT', prompt: '{answer}' },
        ],
      },
    },
  ),
  'labels of dialogues': fewShot(
    { template: { x: { begin: ['</E>'], round: ask('x') }, y: { begin: ['</E>'], round: ask('y') } }, ice_token: '</E>' },
    { template: { x: { round: ask('x') }, y: { round: [{ role: 'BOT', prompt: 'y' }] } } },
  ),
  'labels of strings': fewShot(
    { template: { x: '</E>{question} x', y: '</E>{question} y' }, ice_token: '</E>' },
    { template: { x: '{question}-x', y: '{question}-y' } },
  ),
  messages: fewShot(
    {
      messages: [
        { role: 'system', content: 'S' },
        '</E>',
        { role: 'user', content: '{question}' },
        { role: 'assistant', content: '{answer}' },
      ],
    },
    {
      messages: [
        { role: 'user', content: '{question}' },
        { role: 'assistant', content: '{answer}' },
      ],
    },
  ),
}

const value = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '{hint}',
    '{question}',
    '</E>',
    '<|im_end|>',
    '"\\',
    'a\nb',
    '\u0000',
    '\ud83d',
    '\ude00',
    '😀',
    '中文',
    '$&',
    'plain ascii text that is long enough to be looked at four bytes at a time',
  ),
  fc.string({ maxLength: 60 }),
  fc.integer(),
  fc.constant(null),
)
const row: fc.Arbitrary<Row> = fc
  .record({ question: value, hint: value, answer: fc.constantFrom('x', 'y'), extra: value }, { requiredKeys: ['question', 'answer'] })
  .chain((made) => fc.constantFrom<Row>(made, new Map(Object.entries(made))))

describe('a prepared prompt equals the rendered one', () => {
  for (const [modelName, model] of Object.entries(models)) {
    for (const [datasetName, dataset] of Object.entries(datasets)) {
      for (const mode of ['gen', 'ppl'] as const) {
        test(`${datasetName} for ${modelName}, ${mode}`, () => {
          const maker = compilePrompt(model, dataset)
          const label = maker.labels ? { label: 'y' } : {}
          const rows = fc.tuple(
            fc.array(row, { minLength: 1, maxLength: 5 }),
            fc.array(row, { minLength: 3, maxLength: 3 }),
            fc.constantFrom('none', 'same', 'own'),
          )
          fc.assert(
            fc.property(rows, ([asked, pool, which]) => {
              const prepared = maker.prepare({ mode, ...label })
              const fixed = pool.slice(0, 2)
              for (const [index, one] of asked.entries()) {
                const examples = which === 'none' ? [] : which === 'same' ? fixed : [pool[index % 3]!, pool[(index + 1) % 3]!]
                const { prompt } = maker.render({ row: one, examples, mode, ...label })
                // Notes may concern an example, and are then those of the first one.
                expect({ ...prepared.prompt(one, examples), notes: [] }).toEqual({ ...prompt, notes: [] })
                const both = prepared.both(one, examples)
                expect({ ...both.prompt, notes: [] }).toEqual({ ...prompt, notes: [] })
                // Token ids have no text.
                if (prompt.kind === 'completion' && prompt.pieces.some((piece) => 'ids' in piece)) {
                  expect(() => prepared.text(one, examples)).toThrow('token ids')
                  continue
                }
                const sink = new ByteSink(8)
                sink.writeText('>')
                prepared.write(one, sink, examples)
                expect(prepared.text(one, examples)).toBe(bodyOf(prompt))
                expect([undefined, bodyOf(prompt)]).toContain(both.text)
                expect(sink.written()).toEqual(new TextEncoder().encode(`>${bodyOf(prompt)}`))
              }
            }),
            { numRuns: propertyRuns(60) },
          )
        })
      }
    }
  }
})

test('messages are written as the JSON that a server gets', () => {
  const prepared = compilePrompt(
    { meta_template: api },
    { infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{q}' }] } } } },
  ).prepare({ mode: 'gen' })
  expect(JSON.parse(prepared.text({ q: 'say "hi"\n' }))).toEqual([{ role: 'user', content: 'say "hi"\n' }])
  // Half a pair may belong to its neighbour.
  const texts = ['say "hi"\n', 'half \ud83d'].map((q) => prepared.both({ q }).text)
  expect(texts).toEqual([prepared.text({ q: 'say "hi"\n' }), undefined])
})

test.each(['chatml', 'plain'])('a row with media after one without is written with them: %s', (format) => {
  const content = [
    { type: 'text', text: '{q}' },
    { type: 'image_url', image_url: { url: '{image}' } },
  ]
  const maker = compilePrompt({ format }, { infer_cfg: { prompt_template: { messages: [{ role: 'user', content }] } } })
  const { prompt } = maker.prepare({ mode: 'gen' })
  const media = (image: string[]) => {
    const written = prompt({ q: 'a', image })
    return written.kind === 'completion' ? written.pieces.filter((piece) => 'media' in piece).length : undefined
  }
  expect([media([]), media(['a.png', 'b.png'])]).toEqual([0, 2])
})
