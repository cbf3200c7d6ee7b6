import type { Block, MarkPair } from '../syntax.ts'
import { firstMark, groups, marksIn, samePrefix, sameSuffix } from './template-marks.ts'

/** How calls are written; `rest` follows the last call, and `ignored` are meaningless marks between calls. */
export type CallShape = { blocks: Block[]; sections: MarkPair[]; ignored: string[]; rest: string }

/** What a block holds, without its marks. */
export type Body = Omit<Block, 'open' | 'close'>

/** All calls in one block: `open` precedes them, `after` follows them. */
export function framed(open: string, after: string, body: Body): CallShape {
  if (open === '') return { blocks: [{ open: [], ...body }, ...behindWords(body)], sections: [], ignored: [], rest: after }
  const close = closeIn(after, open)
  const block: Block = { open: [open], ...(close === undefined ? {} : { close }), ...body }
  return { blocks: [block], sections: [], ignored: [], rest: close === undefined ? after : afterOf(after, close) }
}

/** Calls without a mark may follow words: there they are recognized by the names of tools. */
function behindWords({ python, json }: Body): Block[] {
  if (python) return [{ open: ['['], tentative: true, python: { ...python, list: 'opened' } }]
  return json ? [{ open: [json.list ? '[' : '{'], tentative: true, json: { ...json, opened: true } }] : []
}

/** The end of a block: the first mark after it, unless that only ends the turn, or the first word there. */
function closeIn(after: string, open: string): string | undefined {
  const text = after.trim()
  const first = marksIn(text)[0]
  if (first?.at === 0) return closes(first.text, marksIn(open).at(-1)?.text) ? first.text : undefined
  const word = groups(first ? text.slice(0, first.at) : text)[0]
  // A bracket would close what is inside.
  return word === undefined || /^[\]})]/u.test(word) ? undefined : word
}

/** Whether a mark looks like the end of what another one opens. */
function closes(mark: string, open: string | undefined): boolean {
  if (open === undefined) return false
  const words = (text: string) =>
    text
      .toLowerCase()
      .split(/[^a-z]+/u)
      .filter((word) => word.length > 2 && !opening.has(word))
  return words(mark).some((word) => words(open).includes(word))
}

const opening = new Set(['start', 'begin', 'end', 'prefix', 'suffix', 'open', 'close'])

/** A block for each call: the text between two calls separates its marks from those around all calls. */
export function between(before: string, middle: string | undefined, after: string, body: Body): CallShape | undefined {
  if (middle === undefined) {
    const open = before.trim()
    return open === '' && body.json
      ? { blocks: [{ open: [], ...body }, ...behindWords(body)], sections: [], ignored: [], rest: after }
      : open === ''
        ? undefined
        : framed(open, after, body)
  }
  const { open, close, ignored } = betweenCalls(before, middle, after)
  if (open === '') return undefined
  const outer = before.slice(0, before.lastIndexOf(open)).trim()
  const left = close === '' ? after : afterOf(after, close)
  const needsClose = body.tagged !== undefined
  if (close === '' && needsClose) return undefined
  const opens = groups(open)
  const closings = groups(close)
  const sections: MarkPair[] = []
  // Wrappers around each call: `<tool_call>\n<function=`, `</function>\n</tool_call>`.
  const isNested = opens.length > 1 && opens.length === closings.length && !open.includes('"')
  if (isNested)
    for (let index = 0; index < opens.length - 1; index++)
      sections.push({ open: opens[index]!, close: closings[closings.length - 1 - index]! })
  const block: Block = {
    open: [isNested ? opens.at(-1)! : open],
    ...(close === '' ? {} : { close: isNested ? closings[0]! : close }),
    ...body,
  }
  const outerClose = outer === '' ? undefined : firstMark(left)?.text
  if (outer !== '') sections.push({ open: outer, close: outerClose ?? outer })
  return { blocks: [block], sections, ignored, rest: outerClose === undefined ? left : afterOf(left, outerClose) }
}

/** The marks that open and close each of two calls, and what else is between them. */
function betweenCalls(before: string, middle: string, after: string): { open: string; close: string; ignored: string[] } {
  // What follows both calls closes them; what then opens the second must have opened the first.
  const closing = samePrefix(middle, after)
  const opening = middle.slice(closing.length).trim()
  if (opening !== '' && before.trimEnd().endsWith(opening)) return { open: opening, close: closing.trim(), ignored: [] }
  const open = sameSuffix(before, middle).trim()
  const gap = open === '' ? middle : middle.slice(0, middle.lastIndexOf(open))
  const close = samePrefix(gap, after).trim()
  const left = afterOf(gap, close).trim()
  return { open, close, ignored: marksIn(left).length > 0 ? [left] : [] }
}

/** Frames of numbered calls, `<call n="1">`: the text before the number, and between it and the name. */
export function counted(before: string, middle: string | undefined): { before: string; middle: string; nameAfter: string } | undefined {
  const [first, second] = [before, middle ?? ''].map((text) => /^(.*?)(\d+)(\D*)$/su.exec(text))
  if (!first || !second || Number(second[2]) !== Number(first[2]) + 1 || first[3] !== second[3]) return undefined
  const nameAfter = first[3]!.trim()
  return nameAfter === '' ? undefined : { before: first[1]!, middle: second[1]!, nameAfter }
}

/** The text after a mark; all of it if the mark is absent. */
export function afterOf(text: string, mark: string): string {
  const at = text.indexOf(mark)
  return at < 0 ? text : text.slice(at + mark.length)
}
