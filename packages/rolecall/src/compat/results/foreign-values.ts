import { limits, PromptError } from '@rolecall/core/internal/errors'
import type { PyValue } from '@rolecall/core/internal/python'
import { imageMark } from '../../evaluation/run/record/pair-setup.ts'
import type { ChatTurn } from './foreign-result.ts'

export type JsonFields = Readonly<Record<string, unknown>>

/** The fields of an object; none for anything else. */
export function fieldsOf(value: unknown): JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonFields) : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'boolean' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** The value at a path of keys; undefined if there is none. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => fieldsOf(found)[key], value)
}

/** Parses JSON of a harness; `file` is named if it is damaged. */
export function parseForeignJson(text: string, file: string): unknown {
  try {
    return parsePythonJson(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const start = `${text.slice(0, 80).replaceAll(/\s+/g, ' ')}${text.length > 80 ? '…' : ''}`
    throw new PromptError('damaged-results', {
      where: file,
      problem: `it is cut off or damaged: ${error.message}, in the part that starts with ${start}`,
      fix: 'copy or write the file again, or remove the damaged part',
    })
  }
}

/** Parses JSON; undefined if it is none. */
export function tryJson(text: string): unknown {
  try {
    return parsePythonJson(text)
  } catch {
    return undefined
  }
}

/** JSON as Python writes it: NaN and infinities become null. */
function parsePythonJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const plain = text.replace(/"(?:[^"\\]|\\.)*"|\bNaN\b|-?\bInfinity\b/g, (found) => (found.startsWith('"') ? found : 'null'))
    if (plain === text) throw error
    return JSON.parse(plain)
  }
}

/** The lines of a text in chunks, without empty ones. */
export function* linesOf(chunks: Iterable<string>): Generator<string> {
  for (const { text } of numberedLines(chunks)) yield text
}

/** Stands for a line that is longer than a string may be. */
export const longLine = `(a line of more than ${limits.lineBytes.toLocaleString('en-US')} characters)`

/**
 * The lines of a text in chunks with their numbers, from 1; empty ones are counted and left out. Of a line that is too long, `longLine` is
 * left.
 */
export function* numberedLines(chunks: Iterable<string>, longest: number = limits.lineBytes): Generator<{ number: number; text: string }> {
  let [rest, number] = ['', 0]
  for (const chunk of chunks) {
    const lines = chunk.split('\n')
    // A line may be longer than many chunks: its parts are joined once.
    lines[0] = rest === longLine || rest.length + lines[0]!.length > longest ? longLine : rest + lines[0]!
    rest = lines.pop()!
    for (const text of lines) {
      number++
      if (text.trim() !== '') yield { number, text }
    }
  }
  if (rest.trim() !== '') yield { number: number + 1, text: rest }
}

/** Facts without absent values: undefined, null and empty texts say nothing. */
export function knownFacts(facts: Readonly<Record<string, unknown>>): Record<string, PyValue> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== null && value !== '')) as Record<
    string,
    PyValue
  >
}

/** What identifies a row, as texts. */
export function rowKeys(keys: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(knownFacts(keys)).map(([name, value]) => [name, textOf(value) ?? JSON.stringify(value)]))
}

/** The text of message content: a text, or the text parts of a list. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => textOf(part) ?? textOf(valueAt(part, 'text')) ?? '')
    .join('')
}

/** A message as a turn: its text with a placeholder for each image, and what identifies these. */
export function chatTurn(role: string, content: unknown): ChatTurn {
  const images = listOf(content).flatMap((part) => imageOf(part) ?? [])
  if (images.length === 0) return { role, content: contentText(content) }
  const text = listOf(content).map((part) => (imageOf(part) === undefined ? contentText([part]) : imageMark))
  return { role, content: text.join(''), images }
}

/** What identifies an image part: its address or file, or the size and the last digits of its data. */
function imageOf(part: unknown): string | undefined {
  const { type, image, image_url, url } = fieldsOf(part)
  if (!String(type ?? '').includes('image')) return undefined
  const source = textOf(image) ?? textOf(image_url) ?? textOf(valueAt(image_url, 'url')) ?? textOf(url) ?? JSON.stringify(part)
  return source.length <= 300 ? source : `${source.slice(0, 40)}…${source.length}…${source.slice(-200)}`
}

/** The reasoning parts of message content. */
export function reasoningParts(content: unknown): { text: string; isFromText: boolean } | undefined {
  const parts = listOf(content).filter((part) => valueAt(part, 'type') === 'reasoning')
  if (parts.length === 0) return undefined
  return {
    text: parts.map((part) => textOf(valueAt(part, 'reasoning')) ?? '').join('\n'),
    // Inspect names the field of the response otherwise.
    isFromText: parts.some((part) => valueAt(part, 'internal') === 'think'),
  }
}
