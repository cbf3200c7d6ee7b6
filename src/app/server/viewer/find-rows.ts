import { createContext, Script } from 'node:vm'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { Records } from '../../node/runs/records/records.ts'
import { jsonTexts } from './json-texts.ts'
import type { DatasetRows } from './viewed-rows.ts'
import { othersTurn, rowsAtOnce } from './yield-to-event-loop.ts'

/** What is looked for: a text in any case, or a regular expression. */
export type Wanted = { text: string; isPattern: boolean }

/** A search that takes longer is given up: a pattern may try without end. */
const mostMilliseconds = 10_000

/** How long a pattern is tried at most. */
export type FindOptions = { mostMilliseconds?: number }

/** The places of the rows that have a text, or match a pattern, in what was asked, answered or expected. */
export async function findRows(
  records: Records,
  rows: DatasetRows | undefined,
  { text, isPattern }: Wanted,
  { mostMilliseconds: most = mostMilliseconds }: FindOptions = {},
): Promise<number[]> {
  const matches = isPattern ? patternMatcher(text, most) : textMatcher(text)
  const ids = new Set<number>()
  // Rows that cannot be read are not looked through; what was answered is.
  try {
    for await (const { first, lines } of rows?.chunks() ?? []) {
      for (let from = 0; from < lines.length; from += rowsAtOnce) {
        for (const index of matches(lines.slice(from, from + rowsAtOnce), askedTexts)) ids.add(first + from + index)
        await othersTurn()
      }
    }
  } catch (error) {
    if (error instanceof PromptError && error.code === 'bad-pattern') throw error
  }
  const places: number[] = []
  for (let from = 0; from < records.count; from += rowsAtOnce) {
    const lines: string[] = []
    for (let place = from; place < Math.min(from + rowsAtOnce, records.count); place++) lines.push(records.line(place))
    const found = new Set(matches(lines, answerTexts))
    for (const index of lines.keys()) if (found.has(index) || ids.has(records.outline(from + index).id)) places.push(from + index)
    await othersTurn()
  }
  return places
}

/** Which of these lines match, by the texts that are read in each. */
type Matcher = (lines: readonly string[], textsOf: (line: string) => string[]) => number[]

/** Lines are looked through as they are written; only those that may have the text are read. */
function textMatcher(text: string): Matcher {
  const wanted = text.toLowerCase()
  const written = new RegExp(
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    'iu',
  )
  // Python's JSON has other letters than ASCII's as numbers.
  const isAscii = /^[\x20-\x7e]*$/.test(text)
  const mayHave = (line: string) => written.test(line) || (!isAscii && line.includes('\\u'))
  return (lines, textsOf) =>
    [...lines.keys()].filter((index) => {
      const line = lines[index]!
      return mayHave(line) && textsOf(line).some((one) => one.toLowerCase().includes(wanted))
    })
}

/** A pattern is tried where it can be stopped. */
function patternMatcher(pattern: string, most: number): Matcher {
  try {
    new RegExp(pattern, 'iu')
  } catch (error) {
    throw badPattern((error as Error).message, 'correct it, or search for it as text')
  }
  const context = createContext({ pattern, texts: [] as string[][] })
  // Names of the context are looked up slowly: once each.
  const script = new Script(`(() => {
    const wanted = new RegExp(pattern, 'iu')
    const [all, found] = [texts, []]
    for (let index = 0; index < all.length; index++) if (all[index].some((text) => wanted.test(text))) found.push(index)
    return found
  })()`)
  const until = Date.now() + most
  return (lines, textsOf) => {
    context.texts = lines.map(textsOf)
    try {
      return Array.from(script.runInContext(context, { timeout: Math.max(1, until - Date.now()) }) as number[])
    } catch {
      throw badPattern(`it was tried for ${most / 1000} s`, 'write one that needs fewer tries')
    }
  }
}

function badPattern(problem: string, fix: string): PromptError {
  return new PromptError('bad-pattern', { where: 'the regular expression', problem, fix })
}

function askedTexts(line: string): string[] {
  return jsonTexts(line) ?? [line]
}

const searched: ReadonlySet<string> = new Set(['id', 'prediction', 'gold', 'error'])

function answerTexts(line: string): string[] {
  return jsonTexts(line, (name) => searched.has(name)) ?? []
}
