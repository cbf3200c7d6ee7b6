import type { Block, Span } from '../../parse/syntax.ts'
import { groups, marksIn, samePrefix, sameSuffix } from './marks.ts'

/** How calls are written; `rest` is what follows the last of them. */
export type CallShape = { blocks: Block[]; sections: Span[]; rest: string }

/** What a block holds, without its marks. */
export type Body = Omit<Block, 'open' | 'close'>

/** All calls in one block: `open` before them, `after` behind. */
export function framed(open: string, after: string, body: Body): CallShape {
  const anywhere: Block[] = body.python ? [{ open: ['['], tentative: true, python: { ...body.python, list: 'opened' } }] : []
  if (open === '') return { blocks: [{ open: [], ...body }, ...anywhere], sections: [], rest: after }
  const marks = marksIn(after)
  const first = after.trimStart()
  const counterpart = marksIn(open).at(-1)?.text
  // What closes is the first mark behind, unless nothing but the end of the turn follows.
  const close = marks[0] && first.startsWith(marks[0].text) && closes(marks[0].text, counterpart) ? marks[0].text : undefined
  const block: Block = { open: [open], ...(close === undefined ? {} : { close }), ...body }
  return { blocks: [block], sections: [], rest: close === undefined ? after : afterOf(after, close) }
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

/** A block for each call: what two calls have between them tells its marks from those around all calls. */
export function between(before: string, middle: string | undefined, after: string, body: Body): CallShape | undefined {
  if (middle === undefined) {
    const open = before.trim()
    return open === '' && body.json
      ? { blocks: [{ open: [], ...body }], sections: [], rest: after }
      : open === ''
        ? undefined
        : framed(open, after, body)
  }
  const open = sameSuffix(before, middle).trim()
  if (open === '') return undefined
  const outer = before.slice(0, before.lastIndexOf(open)).trim()
  const gap = middle.slice(0, middle.lastIndexOf(open))
  const close = commonClose(gap, after)
  const left = close === '' ? after : afterOf(after, close)
  const needsClose = body.tagged !== undefined
  if (close === '' && needsClose) return undefined
  const opens = groups(open)
  const closings = groups(close)
  const sections: Span[] = []
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
  const outerClose = outer === '' ? undefined : marksIn(left)[0]?.text
  if (outer !== '') sections.push({ open: outer, close: outerClose ?? outer })
  return { blocks: [block], sections, rest: outerClose === undefined ? left : afterOf(left, outerClose) }
}

/** What stands behind each call: behind the first of two, and behind the last. */
function commonClose(gap: string, after: string): string {
  const same = samePrefix(gap, after).trim()
  return same
}

/** What stands behind a mark; all of it where there is none. */
export function afterOf(text: string, mark: string): string {
  const at = text.indexOf(mark)
  return at < 0 ? text : text.slice(at + mark.length)
}
