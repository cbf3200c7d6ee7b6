import { createContext, Script } from 'node:vm'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Records } from '../../node/runs/records/records.ts'
import { rowsPerSlice, yieldToEventLoop } from './for-each-record.ts'
import type { TextField } from './grid/filter-terms.ts'
import { jsonTexts } from './json-texts.ts'
import type { ViewedRows } from './viewed-rows.ts'

/** A search for a text, ignoring case, or for a regular expression; everywhere, or only in questions or replies. */
export type RowQuery = { text: string; isPattern: boolean; field?: TextField }

/** Milliseconds that a regular expression may take for a slice of rows: it may backtrack exponentially, and nothing else is answered meanwhile. */
const defaultTimeout = 2000

/** The places of the matching rows, and whether their inputs could be searched, too. Prompts are searched if the run recorded them. */
export type FoundRows = { places: number[]; hasInputs: boolean }

/** Finds rows whose input, answer, reasoning, tool calls, recorded prompts or gold answer match. `signal`: the page was left. */
export async function findRows(
  records: Records,
  rows: ViewedRows | undefined,
  { text, isPattern, field = 'any' }: RowQuery,
  { timeout = defaultTimeout, signal }: { timeout?: number; signal?: AbortSignal } = {},
): Promise<FoundRows> {
  const matches = isPattern ? patternMatcher(text, timeout) : textMatcher(text)
  const nextSlice = async () => {
    await yieldToEventLoop()
    signal?.throwIfAborted()
  }
  const ids = new Set<number>()
  const isOfInputs = field !== 'reply'
  let hasInputs = rows !== undefined || !isOfInputs
  // If the dataset cannot be read, answers are still searched.
  try {
    for await (const { first, lines } of (isOfInputs ? rows?.chunks() : undefined) ?? []) {
      for (let from = 0; from < lines.length; from += rowsPerSlice) {
        for (const index of matches(lines.slice(from, from + rowsPerSlice), inputTexts)) ids.add(first + from + index)
        await nextSlice()
      }
    }
  } catch (error) {
    if (signal?.aborted || (error instanceof PromptError && error.code === 'bad-pattern')) throw error
    hasInputs = false
  }
  const places: number[] = []
  const textsOf = field === 'any' ? answerTexts : field === 'reply' ? replyTexts : () => []
  for (let from = 0; from < records.count; from += rowsPerSlice) {
    const lines: string[] = []
    for (let place = from; place < Math.min(from + rowsPerSlice, records.count); place++) lines.push(records.line(place))
    const found = new Set(matches(lines, textsOf))
    for (const index of lines.keys()) if (found.has(index) || ids.has(records.outline(from + index).id)) places.push(from + index)
    await nextSlice()
  }
  return { places, hasInputs }
}

/** The indices of the matching lines; `textsOf` extracts the texts of a line. */
type Matcher = (lines: readonly string[], textsOf: (line: string) => string[]) => number[]

/** Lines are searched for the first characters of a long text: regular expressions have a maximum size. */
const mostFirst = 1000

/** Patterns beyond this may be larger than the engine takes, which it says only when it searches. */
const longestPattern = 5000

/** Searches raw lines first, and parses only those that may match. */
function textMatcher(text: string): Matcher {
  const wanted = text.toLowerCase()
  const written = new RegExp(
    JSON.stringify([...text].slice(0, mostFirst).join(''))
      .slice(1, -1)
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    'iu',
  )
  // Python's JSON escapes non-ASCII characters.
  const isAscii = /^[\x20-\x7e]*$/.test(text)
  const mayHave = (line: string) => written.test(line) || (!isAscii && line.includes('\\u'))
  return (lines, textsOf) =>
    [...lines.keys()].filter((index) => {
      const line = lines[index]!
      return mayHave(line) && textsOf(line).some((one) => one.toLowerCase().includes(wanted))
    })
}

/** Runs the pattern in a context with a timeout. */
function patternMatcher(pattern: string, timeout: number): Matcher {
  if (pattern.length > longestPattern)
    throw badPattern(`${pattern.length} characters; the limit is ${longestPattern}`, 'shorten it, or search for it as text')
  try {
    new RegExp(pattern, 'iu')
  } catch (error) {
    throw badPattern((error as Error).message, 'correct it, or search for it as text')
  }
  const context = createContext({ pattern, texts: [] as string[][] })
  // Lookups in the context are slow, hence the local variables.
  const script = new Script(`(() => {
    const wanted = new RegExp(pattern, 'iu')
    const [all, found] = [texts, []]
    for (let index = 0; index < all.length; index++) if (all[index].some((text) => wanted.test(text))) found.push(index)
    return found
  })()`)
  return (lines, textsOf) => {
    context.texts = lines.map(textsOf)
    try {
      return Array.from(script.runInContext(context, { timeout }) as number[])
    } catch {
      throw badPattern(`timed out after ${timeout / 1000} s`, 'use a pattern with less backtracking')
    }
  }
}

function badPattern(problem: string, fix: string): PromptError {
  return new PromptError('bad-pattern', { where: 'the regular expression', problem, fix })
}

function inputTexts(line: string): string[] {
  return jsonTexts(line) ?? [line]
}

const searched: ReadonlySet<string> = new Set(['id', 'prediction', 'reasoning', 'calls', 'prompts', 'gold', 'error'])

function answerTexts(line: string): string[] {
  return jsonTexts(line, (name) => searched.has(name)) ?? []
}

const ofReply: ReadonlySet<string> = new Set(['prediction', 'reasoning', 'calls'])

function replyTexts(line: string): string[] {
  return jsonTexts(line, (name) => ofReply.has(name)) ?? []
}
