import { PromptError } from '@rolecall/core/internal/errors'
import { CsvReader } from '../../python/library/csv-reader.ts'
import type { PromptfooFields } from './promptfoo-host.ts'

/** The tests of a CSV file: a column is a variable, `__expected` and `__expected2` are assertions in one line. */
export function testsOfCsv(text: string, where: string): PromptfooFields[] {
  const reader = new CsvReader(',')
  const records = [...reader.read(text.replace(/^\uFEFF/, '')), ...reader.end()]
  const [header, ...rows] = records
  const names = header?.fields.map((name) => name.trim()) ?? []
  return rows.map(({ fields, line }) => {
    if (fields.length > names.length)
      throw new PromptError('bad-row', {
        where: `${where}:${line}`,
        problem: `it has ${fields.length} fields, and the first line names ${names.length} columns`,
        fix: 'put quotes around a field with a comma',
      })
    return testOfRow(Object.fromEntries(names.map((name, index) => [name, fields[index] ?? ''])))
  })
}

function testOfRow(row: Readonly<Record<string, string>>): PromptfooFields {
  const vars: Record<string, string> = {}
  const metadata: Record<string, string> = {}
  const options: Record<string, string> = {}
  const test: Record<string, unknown> = { vars, options, metadata }
  const expected: string[] = []
  const thresholds = new Map<number, number>()
  for (const [name, value] of Object.entries(row)) {
    const [, number] = /^__config:__expected(\d*):threshold$/.exec(name) ?? []
    if (number !== undefined) {
      if (value.trim() !== '') thresholds.set(number === '' ? 0 : Number(number) - 1, numberIn(name, value))
    } else if (name.startsWith('__expected')) {
      if (value.trim() !== '') expected.push(value.trim())
    } else if (name === '__prefix' || name === '__suffix') options[name.slice(2)] = value
    else if (name === '__description') test.description = value
    else if (name === '__threshold') {
      if (value.trim() !== '') test.threshold = numberIn(name, value)
    } else if (name.startsWith('__metadata:')) metadata[name.slice('__metadata:'.length)] = value
    else if (name === '__providerOutput') test.providerOutput = value
    else if (name !== '__metric') vars[name] = value
  }
  test.assert = expected.map((one, index) => {
    const assertion = assertionOfText(one)
    const threshold = thresholds.get(index)
    return threshold === undefined ? assertion : { ...assertion, threshold }
  })
  return test
}

const lists = ['contains-all', 'contains-any', 'icontains-all', 'icontains-any']
const graded = ['similar', 'levenshtein', 'rouge-n', 'latency', 'cost', 'starts-with', 'answer-relevance', 'context-recall']

/**
 * An assertion in one line, as in a column `__expected`.
 *
 * @example assertionOfText('icontains: Rome') // => { type: 'icontains', value: 'Rome' }
 */
export function assertionOfText(text: string): PromptfooFields {
  const [, script] = /^(?:javascript|fn|eval):([\s\S]*)$/.exec(text) ?? []
  if (script !== undefined) return { type: 'javascript', value: script.trim() }
  if (/^file:\/\/.+\.[cm]?[jt]s(?::\w+)?$/.test(text)) return { type: 'javascript', value: text }
  const [, rubric] = /^(?:grade|llm-rubric):([\s\S]*)$/.exec(text) ?? []
  if (rubric !== undefined) return { type: 'llm-rubric', value: rubric }
  const [, python] = /^(?:python:|(?=file:\/\/.+\.py))([\s\S]*)$/.exec(text) ?? []
  if (python !== undefined) return { type: 'python', value: python.trim() }
  const [, type, threshold, value] = /^((?:not-)?[a-z][a-z-]*)(?:\((\d+(?:\.\d+)?)\))?(?::([\s\S]*))?$/.exec(text) ?? []
  const plain = type?.replace(/^not-/, '') ?? ''
  if (type === undefined || !knownTypes.has(plain)) return { type: 'equals', value: text }
  if (lists.includes(plain)) return { type, value: value === undefined ? undefined : commaSeparated(value) }
  if (graded.includes(plain)) return { type, value: value?.trim(), threshold: threshold === undefined ? 0.75 : Number(threshold) }
  return { type, value: plain.endsWith('-json') ? value : value?.trim() }
}

/** What a line of a column may begin with; anything else is the expected output itself. */
const knownTypes = new Set([
  ...lists,
  ...graded,
  ...[
    'equals',
    'contains',
    'icontains',
    'regex',
    'is-json',
    'contains-json',
    'is-xml',
    'contains-xml',
    'is-html',
    'is-sql',
    'contains-sql',
  ],
  ...['word-count', 'factuality', 'model-graded-closedqa', 'model-graded-factuality', 'g-eval', 'is-refusal', 'moderation', 'select-best'],
  ...['is-valid-openai-tools-call', 'is-valid-openai-function-call', 'is-valid-function-call', 'webhook', 'perplexity', 'perplexity-score'],
  ...['context-relevance', 'context-faithfulness', 'conversation-relevance', 'classifier', 'bleu', 'meteor', 'gleu', 'ruby', 'guardrails'],
])

/** `a, "b, c"` as a, and b, c. */
export function commaSeparated(text: string): string[] {
  return [...text.matchAll(/\s*(?:"((?:[^"\\]|\\.|"")*)"|([^,]*))\s*(?:,|$)/g)].flatMap(([all, quoted, plain]) =>
    all === '' ? [] : [quoted === undefined ? (plain ?? '').trim() : quoted.replaceAll(/\\"|""/g, '"')],
  )
}

/** What is no number would let every answer pass. */
function numberIn(column: string, value: string): number {
  const number = Number(value)
  if (Number.isFinite(number)) return number
  throw new PromptError('bad-row', {
    where: column,
    problem: `${JSON.stringify(value)} is not a number`,
    fix: 'write a number, such as 0.8',
  })
}
