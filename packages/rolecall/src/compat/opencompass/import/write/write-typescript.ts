import type { EntryComments } from '@rolecall/core/internal/python'
import type { ImportedConfig } from '../import-config.ts'

const width = 120

/** Writes a config in TypeScript as a person would: short objects on one line, long texts split at line ends. */
export function writeTypeScript(config: object, remarks: ImportedConfig['remarks'], from: string): string {
  // Datasets share parts, which are formatted once per depth.
  const written = new Map<object, Map<number, string>>()
  const remarked = new Map<object, boolean>()
  return `import { defineConfig } from 'rolecall'\n\n// Imported from ${oneLine(from)}.\nexport default defineConfig(${write(config, 0, 'export default defineConfig()'.length)})\n`

  /** `used` is the number of characters before and after the value on its line. */
  function write(value: unknown, depth: number, used: number): string {
    if (typeof value === 'string') return writeText(value, depth, used)
    if (typeof value !== 'object' || value === null) return scalar(value)
    if (depth > 0 && !hasRemarks(value)) {
      const line = inlineWithin(value, width - used - depth * 2)
      if (line !== undefined) return line
    }
    const known = written.get(value)?.get(depth)
    if (known !== undefined) return known
    const text = writeLines(value, depth)
    written.set(value, (written.get(value) ?? new Map()).set(depth, text))
    return text
  }

  function writeLines(value: object, depth: number): string {
    const isList = Array.isArray(value)
    const entries: [string | number, unknown][] = isList ? [...value.entries()] : Object.entries(value)
    if (entries.length === 0) return isList ? '[]' : '{}'
    const marks = remarks.get(value)
    const indent = '  '.repeat(depth + 1)
    const lines = entries.flatMap(([key, item]) => {
      const name = isList ? '' : `${keyOf(String(key))}: `
      const { before = [], behind } = marks?.get(key) ?? ({} as Partial<EntryComments>)
      const text = `${indent}${name}${write(item, depth + 1, name.length + 1)},`
      return [...before.map((comment) => `${indent}// ${oneLine(comment)}`), behind === undefined ? text : `${text} // ${oneLine(behind)}`]
    })
    const [open, close] = isList ? ['[', ']'] : ['{', '}']
    return `${open}\n${lines.join('\n')}\n${'  '.repeat(depth)}${close}`
  }

  function hasRemarks(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return false
    const known = remarked.get(value)
    if (known !== undefined) return known
    const found = remarks.has(value) || Object.values(value).some(hasRemarks)
    remarked.set(value, found)
    return found
  }
}

function writeText(text: string, depth: number, used: number): string {
  const whole = quote(text)
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  if (lines.length < 2 || whole.length + used + depth * 2 <= width) return whole
  const indent = '  '.repeat(depth + 1)
  return `\n${indent}${lines.map(quote).join(` +\n${indent}`)}`
}

/** A value on one line; undefined if it is too long, which is detected without formatting all of it. */
function inlineWithin(value: unknown, room: number): string | undefined {
  if (room < 0) return undefined
  if (typeof value === 'string') return value.length > room ? undefined : within(quote(value), room)
  if (typeof value !== 'object' || value === null) return within(scalar(value), room)
  const isList = Array.isArray(value)
  const keys = Object.keys(value)
  if (keys.length === 0) return isList ? '[]' : '{}'
  const [open, close] = isList ? ['[', ']'] : ['{ ', ' }']
  let line = open
  for (const [index, key] of keys.entries()) {
    const name = `${index === 0 ? '' : ', '}${isList ? '' : `${keyOf(key)}: `}`
    const item = inlineWithin((value as Record<string, unknown>)[key], room - line.length - name.length - close.length)
    if (item === undefined) return undefined
    line += name + item
  }
  return within(line + close, room)
}

function within(text: string, room: number): string | undefined {
  return text.length <= room ? text : undefined
}

/** Numbers that JavaScript has and JSON lacks: NaN and the infinities. */
function scalar(value: unknown): string {
  return typeof value === 'number'
    ? Object.is(value, -0)
      ? '-0'
      : String(value).replace('Infinity', 'Number.POSITIVE_INFINITY').replace('-Number.POSITIVE', 'Number.NEGATIVE')
    : String(value)
}

function keyOf(key: string): string {
  return key === '__proto__' ? `['__proto__']` : /^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key)
}

function quote(text: string): string {
  if (/^[ !#-&(-[\]-~]*$/.test(text)) return `'${text}'`
  const body = JSON.stringify(text)
    .slice(1, -1)
    .replace(
      /[\u007f-\u009f\u2028\u2029\ufeff\u200b-\u200f\u202a-\u202e]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
  const inner = body.replaceAll('\\"', '"')
  return inner.includes("'") && !inner.includes('"') ? `"${inner}"` : `'${inner.replaceAll("'", "\\'")}'`
}

/** A comment must not end before its line does. */
function oneLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, ' ')
}
