import { describe, expect, test } from 'vitest'
import { compilePrompt } from '../../../../../core/src/prompt/compile/compile-prompt.ts'
import type { DatasetConfig } from '../../config/config-schema.ts'
import { checkColumns } from './check-columns.ts'
import { compilePair, planRequests } from './plan-requests.ts'
import { startRow } from './start-row.ts'

const asked = [{ question: 'x', answer: '1' }]
const dataset = (template: unknown, more: object = {}): DatasetConfig =>
  ({ abbr: 'd', infer_cfg: { prompt_template: { template } }, ...more }) as DatasetConfig
const refused =
  (template: unknown, more?: object, rows: object = { asked }) =>
  () =>
    checkColumns(dataset(template, more), rows as Parameters<typeof checkColumns>[1])

describe('a field that no row has', () => {
  test('is an error that suggests the nearest column, in any template', () => {
    const problem = 'no row has a column "qestion" (they have: question, answer). Did you mean {question}?'
    expect(refused('{qestion}')).toThrow(`d › infer_cfg.prompt_template.template: ${problem}`)
    expect(refused({ round: [{ role: 'HUMAN', prompt: '{qestion}' }] })).toThrow(
      `d › infer_cfg.prompt_template.template.round[0].prompt: ${problem}`,
    )
    expect(refused({ A: '{qestion}', B: 'x' })).toThrow(`d › infer_cfg.prompt_template.template.A: ${problem}`)
    const messages = { infer_cfg: { prompt_template: { messages: [{ role: 'user', content: '{qestion}' }] } } }
    expect(refused('', messages)).toThrow(`d › infer_cfg.prompt_template.messages[0].content: ${problem}`)
  })

  test('is kept if no column is similar, as in document 002, with a note', () => {
    const text = 'no row has a column "anything" (they have: question, answer): {anything} is sent as it is'
    const { notes } = checkColumns(dataset('{anything} {question}'), { asked })
    expect(notes).toEqual([{ code: 'unknown-field', where: 'd › infer_cfg.prompt_template.template', text }])
  })

  test('is not reported if the braces are text: TeX, JSON, code, names in double braces', () => {
    for (const text of ['\\boxed{LETTER}', '{"question": 1}', '{}', '{{A}}', '```\nlet {a} = b\n```', 'x^{n}', '$' + '{HOME}'])
      expect(refused(`{question}\n${text}`)).not.toThrow()
  })

  test('is reported in nested braces, too, also for a judge; within a code block it is text', () => {
    const texts = (template: string, more?: object) => checkColumns(dataset(template, more), { asked }).notes.map(({ text }) => text)
    const unknown = 'no row has a column "subject" (they have: question, answer): '
    expect(texts('{question} {{subject}}')).toEqual([`${unknown}{{subject}} is sent as it is`])
    expect(texts('{question} {"about": {subject}}')).toEqual([`${unknown}{subject} is sent as it is`])
    expect(texts('{question}\n```\nlet {subject} = b\n```')).toEqual([])
    expect(texts('{question} \\mathbf{{X}}')).toEqual([])
    const evaluator = { type: 'GenericLLMEvaluator', judge_cfg: {}, prompt_template: { template: '{prediction} {{subject}}' } }
    expect(texts('{question}', { eval_cfg: { evaluator } })).toEqual([`${unknown}{{subject}} is sent as it is`])
  })

  test('in double braces, as in other template languages, is reported even if it is a column', () => {
    const { notes } = checkColumns(dataset('{{question}}'), { asked })
    expect(notes).toEqual([
      {
        code: 'double-braces',
        where: 'd › infer_cfg.prompt_template.template',
        text: '{{question}} is filled within its outer braces, which are sent: write {question}',
      },
    ])
  })

  test('is not reported under compat, or if fields are not filled', () => {
    expect(refused('{qestion}', { compat: 'opencompass' })).not.toThrow()
    const messages = [{ role: 'user', content: '{qestion}' }]
    expect(refused('', { infer_cfg: { prompt_template: { messages, format_variables: false } } })).not.toThrow()
  })

  test('is not reported if some of the first rows have it', () => {
    expect(refused('{hint}', {}, { asked: [...asked, { question: 'y', hint: 'z' }] })).not.toThrow()
  })

  test('is looked up in the example pool if that is separate', () => {
    const ice = { infer_cfg: { ice_template: { template: '</E>{question}{whyy}', ice_token: '</E>' } } }
    expect(refused('', ice, { asked: [{ question: 'x', whyy: 'y' }], examples: [{ question: 'x', why: '1' }] })).toThrow(
      'no row has a column "whyy"',
    )
  })
})

test('an output column may exist only in the example pool', () => {
  const reader_cfg = { input_columns: ['question'], output_column: 'answer' }
  expect(refused('{question}{answer}', { reader_cfg }, { asked: [{ question: 'x' }], examples: asked })).not.toThrow()
  expect(refused('{question}', { reader_cfg }, { asked: [{ question: 'x' }] })).toThrow(
    'd › reader_cfg.output_column: no row has a column "answer"',
  )
})

describe('a field that one row lacks', () => {
  const begin = (given: DatasetConfig, row: object, examples: object[] = []) => {
    const planned = compilePair({ format: 'plain' }, given, { model: 'm', dataset: 'd' })
    return startRow(planRequests(planned, { columns: new Set(['question', 'answer', 'hint']) }), {
      row: row as never,
      examples: examples as never,
    })
  }

  test('is an error of that row', () => {
    expect(() => begin(dataset('{question} {hint}'), asked[0]!)).toThrow(
      'd › infer_cfg.prompt_template.template: the row has no column "hint" (it has: question, answer). Give every row a "hint", if need be an empty one.',
    )
  })

  test('is an error of the rows that show it as an example', () => {
    const given = dataset('', {
      infer_cfg: {
        ice_template: { template: '{question}', ice_token: undefined },
        prompt_template: { template: '</E>{question}', ice_token: '</E>' },
      },
    })
    expect(() => begin(given, asked[0]!, [asked[0]!, { answer: '1' }])).toThrow('example 1 has no column "question"')
  })

  test('is not reported if it is masked, under compat, or text', () => {
    const reader_cfg = { output_column: 'gold' }
    expect(() => begin(dataset('{question} {gold}', { reader_cfg }), asked[0]!)).not.toThrow()
    expect(() => begin(dataset('{hint}', { compat: 'opencompass' }), asked[0]!)).not.toThrow()
    expect(() => begin(dataset('\\boxed{LETTER}'), asked[0]!)).not.toThrow()
  })

  test('stays unchanged if a program renders a row directly', () => {
    const { prompt } = compilePrompt({ format: 'plain' }, dataset('{hint}')).render({ row: asked[0]!, mode: 'gen' })
    expect(JSON.stringify(prompt)).toContain('{hint}')
  })
})
