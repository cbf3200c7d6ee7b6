import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compileTemplate, TemplateError } from '../../../packages/core/src/base/jinja/index.ts'
import { dictEntries, dictGet, type PyDict, type PyValue, parseJson } from '../../../packages/core/src/base/python/index.ts'
import { textOf } from '../../../packages/core/src/base/text/index.ts'

type Answer = { text: string } | { error: string; message: string }
type Case = { template: string; variables: Readonly<Record<string, PyValue>>; expected: Answer }

const readText = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
/** Numbers keep what Python distinguishes: 1.0 is not an int, and no digit of a long one is lost. */
const read = (name: string) => parseJson(readText(name)) as PyDict

const shared = read('shared/context.json')
const clock = new Date(dictGet(shared, 'now') as string)
const ownWords = JSON.parse(readText('shared/own-words.json')) as { errors: Record<string, { error?: string; message: string }> }

function readCases(name: string): Case[] {
  return (dictGet(read(name), 'cases') as PyDict[]).map((given) => {
    const own = (dictGet(given, 'context') ?? {}) as PyDict
    const text = dictGet(given, 'expected')
    const template = dictGet(given, 'template') as string
    const error = { error: dictGet(given, 'error') as string, message: dictGet(given, 'message') as string, ...ownWords.errors[template] }
    return {
      template,
      variables: Object.fromEntries([...dictEntries(dictGet(shared, 'variables') as PyDict), ...dictEntries(own)]),
      expected: text === undefined ? error : { text: text as string },
    }
  })
}

function attempt(render: () => string): Answer {
  try {
    return { text: render() }
  } catch (error) {
    if (error instanceof TemplateError) return { error: error.type, message: error.reason }
    throw error
  }
}

function isSame(a: Answer, b: Answer): boolean {
  if ('text' in a) return 'text' in b && a.text === b.text
  return 'error' in b && a.error === b.error && a.message === b.message
}

function differences(cases: readonly Case[], render: (given: Case) => string): object[] {
  return cases.flatMap((given) => {
    const ours = attempt(() => render(given))
    return isSame(ours, given.expected) ? [] : [{ template: given.template, expected: given.expected, ours }]
  })
}

const topics = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.json'))

describe.each(topics)('%s is what Python’s Jinja2 gives', (name) => {
  const cases = readCases(name)

  test('as text', () => {
    expect(differences(cases, ({ template, variables }) => compileTemplate(template).render(variables, { clock }))).toEqual([])
  })

  test('as pieces that know who wrote them', () => {
    const pieces = ({ template, variables }: Case) =>
      compileTemplate(template).renderPieces(variables, (path) => ({ by: 'message', path }), { clock }).pieces
    expect(differences(cases, (given) => textOf(pieces(given)))).toEqual([])
  })
})

test('own words are only for errors of the cases', () => {
  const failing = new Set(topics.flatMap(readCases).flatMap(({ template, expected }) => ('error' in expected ? [template] : [])))
  expect(Object.keys(ownWords.errors).filter((template) => !failing.has(template))).toEqual([])
})
