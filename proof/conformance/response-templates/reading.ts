import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  dictEntries,
  dictGet,
  isDict,
  isList,
  type PyDict,
  PyFloat,
  type PyValue,
  parseJson,
} from '../../../packages/core/src/base/python/index.ts'
import {
  type ExactEvent,
  type ExactResponse,
  parseExactResponse,
  ResponseParser,
} from '../../../packages/core/src/reply/response-template/index.ts'

export type ResponseInput = { template: PyDict; reply: string; prefix: PyValue | undefined; tools: PyValue | undefined }

/** A value in which all that Python distinguishes differs: `1` and `1.0`, the order of keys. */
export function exact(value: unknown): unknown {
  if (value instanceof PyFloat) return `float ${value.value}`
  if (typeof value === 'bigint' || Number.isInteger(value)) return `int ${value}`
  if (typeof value === 'number') return `float ${value}`
  if (isList(value)) return value.map(exact)
  if (!isDict(value)) return value
  const entries = dictEntries(value)
  const [first] = entries
  if (entries.length === 1 && first?.[0] === '$float')
    return `float ${{ nan: Number.NaN, inf: Infinity, '-inf': -Infinity }[String(first[1])]}`
  return { object: entries.map(([key, item]) => [key, exact(item)]) }
}

export type Streamed = { events: ExactEvent[][]; response: ExactResponse }

export function stream({ template, prefix, tools }: ResponseInput, chunks: readonly string[]): Streamed {
  const parser = new ResponseParser(template, optionsOf(prefix, tools))
  const events = chunks.map((chunk) => parser.feed(chunk))
  const response = parser.finish()
  return { events: [[...parser.initialEvents], ...events, [...parser.finalEvents]], response }
}

export function whole({ template, reply, prefix, tools }: ResponseInput, compat = false): ExactResponse {
  return parseExactResponse(reply, template, { ...optionsOf(prefix, tools), compat })
}

function optionsOf(prefix: PyValue | undefined, tools: PyValue | undefined) {
  return { prefix: prefix as string, ...(tools === undefined ? {} : { tools }) }
}

/** Events without how they were cut: adjacent chunks of a region are one. */
export function joined(events: readonly PyValue[]): PyValue[] {
  const all: { [key: string]: PyValue }[] = []
  for (const event of events as readonly PyDict[]) {
    const copy = Object.fromEntries(dictEntries(event).filter(([key]) => key !== 'problem'))
    const last = all.at(-1)
    if (copy.type === 'region_chunk' && last?.type === 'region_chunk') last.text = `${String(last.text)}${String(copy.text)}`
    else all.push(copy)
  }
  return all
}

const folders = new Map<string, Map<string, PyDict>>()

/** Vectors name a template of their folder, or hold their own. */
export function templateOf(folder: string, id: PyValue | undefined): PyDict {
  if (isDict(id)) return id
  let templates = folders.get(folder)
  if (templates === undefined) {
    const lines = readFileSync(join(folder, 'templates.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
    const entries = lines.map((line) => parseJson(line) as PyDict)
    templates = new Map(entries.map((entry) => [dictGet(entry, 'id') as string, dictGet(entry, 'template') as PyDict]))
    folders.set(folder, templates)
  }
  const template = templates.get(id as string)
  if (template === undefined) throw new Error(`there is no template ${String(id)} in ${folder}`)
  return template
}
