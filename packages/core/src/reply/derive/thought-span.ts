import type { MarkPair } from '../syntax.ts'
import { callsProbe, textCallProbe, textProbe, thoughtCallProbe, thoughtProbe, words } from './probes.ts'
import { firstMark, groups, lastMark, marksIn, sameLength, samePrefix, textBetween } from './template-marks.ts'
import type { ProbeWriter } from './write-probe.ts'

/** What a template writes around a model's turn: its header, its thoughts, its text. */
export type TurnFrame = {
  /** The text between the user's words and the model's. */
  header: string
  span: MarkPair | undefined
  /** Marks around the text that mean nothing. */
  ignored: string[]
  /** The mark that closes the text before calls; it carries no meaning. */
  textClose: string
  /** What ends the turn. */
  tail: string
}

const thinks = /think|thought|reason|analysis/iu

/** Reads a turn's frame from how the template writes text, with and without a thought. */
export function readTurn(writer: ProbeWriter): TurnFrame | undefined {
  const plain = textBetween(writer.write(textProbe)?.complete, words.question, words.text)
  const earlier = textBetween(writer.history(textProbe), words.question, words.text)
  if (plain === undefined && earlier === undefined) return undefined
  const shown = [plain, earlier].filter((one) => one !== undefined).sort((a, b) => a.length - b.length)[0]!
  const complete = writer.write(textProbe)?.complete ?? ''
  const after = complete.slice(complete.indexOf(words.text) + words.text.length)
  const thought = readThought(writer, shown)
  const { close: textClose, tail } = readAfterText(writer, after)
  if (thought) return { ...thought, textClose, tail }
  const whole = headerOf(shown, writer.asked(false))
  const header = withoutOpening(writer, whole)
  const span = spanInPrompt(writer, header)
  if (span) readThoughtInContent(writer, span)
  const opening = shown.slice(header.length)
  const ignored = header === whole ? marksOnly(opening, span ? [span.open, span.close] : []) : [opening.trimStart()]
  return { header, span, ignored, textClose, tail }
}

function readThought(writer: ProbeWriter, plain: string): Omit<TurnFrame, 'textClose' | 'tail'> | undefined {
  for (const field of ['reasoning_content', 'reasoning', 'thinking', 'blocks'] as const) {
    if (field === 'blocks' && !writer.mentions('thinking')) continue
    writer.habits.thoughtField = field
    const complete = [thoughtProbe, thoughtCallProbe]
      .map((probe) => writer.write(probe)?.complete)
      .find((one) => one?.includes(words.thought))
    const before = textBetween(complete, words.question, words.thought)
    // A template that knows no blocks writes them as data.
    if (complete === undefined || before === undefined || /["']thinking["']/u.test(before)) continue
    const opened = openedOnlyInPrompt(writer, before, plain)
    const header = opened === '' ? headerBefore(before, plain) : before
    const open = opened === '' ? before.slice(header.length).trim() : opened
    if (open === '') continue
    const afterText = textBetween(writer.write(thoughtProbe)?.complete, words.thought, words.text)
    const callText = writer.write(thoughtCallProbe)?.complete
    const afterCall = callText?.includes(words.thought) ? callText.slice(callText.indexOf(words.thought) + words.thought.length) : undefined
    const rest = afterText ?? afterCall ?? ''
    const same = afterText !== undefined && afterCall !== undefined ? samePrefix(afterText, afterCall) : undefined
    const close = closeOf(rest, same, open)
    if (close === undefined) continue
    const behind = (text: string | undefined) => (text?.includes(close) ? text.slice(text.indexOf(close) + close.length) : '')
    // What follows every thought is one mark, and what then opens the text is another.
    const always = behind(same).trim()
    const left = behind(afterText).trim()
    const marks = [...marksOnly(always), ...marksOnly(left.startsWith(always) ? left.slice(always.length) : left)]
    return { header, span: { open, close }, ignored: [...marks, ...marksOnly(plain.slice(header.length), [open, close, ...marks])] }
  }
  writer.habits.thoughtField = 'reasoning_content'
  return undefined
}

/** What a prompt opens a thought with, where the message is written without it, as if the thought were text. */
function openedOnlyInPrompt(writer: ProbeWriter, before: string, plain: string): string {
  const header = before.trim()
  const asked = writer.asked(false) ?? writer.asked(true) ?? ''
  const at = asked.lastIndexOf(header)
  if (thinks.test(header) || at < 0 || !plain.trim().startsWith(header)) return ''
  const opened = asked.slice(at + header.length).trim()
  // Two marks are a thought that the prompt has closed again.
  return marksIn(opened).length > 1 || /[<[]\//u.test(opened) ? '' : opened
}

/** If the words of a message directly follow the mark that opens a thought, the message must contain the thought. */
function readThoughtInContent(writer: ProbeWriter, { open, close }: MarkPair): void {
  const before = textBetween(writer.write(textProbe)?.complete, words.question, words.text)
  if (before === undefined || before.lastIndexOf(open) < 0 || before.lastIndexOf(close) > before.lastIndexOf(open)) return
  writer.habits.thoughtField = 'content'
  writer.habits.thoughtClose = `\n${close}\n\n`
}

/** The text before the mark of a thought, which is the last mark if text follows that mark as well. */
function headerBefore(before: string, plain: string): string {
  const header = headerOf(samePrefix(before, plain))
  if (before.slice(header.length).trim() !== '') return header
  return marksIn(before).length < 2 ? header : before.slice(0, before.lastIndexOf(lastMark(before)))
}

/** The end of a thought: what always follows it, or the first mark after it. */
function closeOf(rest: string, same: string | undefined, open: string): string | undefined {
  const always = same?.trim()
  const counterpart = /^<([^/<>|]+)>$/u.exec(open)?.[1]
  if (counterpart !== undefined && rest.includes(`</${counterpart}>`)) return `</${counterpart}>`
  if (always === undefined || always === '') return marksIn(rest)[0]?.text
  const first = firstMark(always)
  return first?.at === 0 ? first.text : always
}

/** The header without the marks that open a thought or the text. */
function headerOf(before: string, asked = ''): string {
  const first = marksIn(before).find(({ text }) => thinks.test(text))
  const header = first ? before.slice(0, first.at) : before
  const prompt = asked.slice(asked.indexOf(words.question) + words.question.length)
  const same = header.slice(0, sameLength(header, prompt))
  return same.trim() !== '' && withoutSpace(same) === withoutSpace(prompt) ? same : header
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/gu, '')
}

/** The header without the mark that opens both words and calls, `>>>`, which also separates two calls. */
function withoutOpening(writer: ProbeWriter, header: string): string {
  const two = writer.write(callsProbe)?.complete ?? ''
  const at = two.lastIndexOf(words.tools[1])
  const gap = two.slice(two.lastIndexOf('}', at) + 1, at).trim()
  const isOpening = gap !== '' && header.trimEnd().endsWith(gap) && marksIn(gap).length === 0
  return isOpening ? header.trimEnd().slice(0, -gap.length) : header
}

/** A template that shows no thoughts may still open one where the model speaks, or know how to cut one out. */
function spanInPrompt(writer: ProbeWriter, header: string): MarkPair | undefined {
  const asked = writer.asked(false) ?? writer.asked(true) ?? ''
  const at = asked.lastIndexOf(header)
  const opened = marksIn(at < 0 ? asked.slice(-60) : asked.slice(at + header.length)).filter(({ text }) => thinks.test(text))
  const open = opened.find(({ text }) => !/^<\/|^\[\//u.test(text))?.text
  const close = opened.find(({ text }) => text !== open)?.text
  if (open !== undefined) return { open, close: close ?? counterpartOf(open) }
  return close === undefined ? undefined : { open: close.replace('/', ''), close }
}

export function counterpartOf(open: string): string {
  if (open.startsWith('[')) return `[/${open.slice(1)}`
  if (/START/u.test(open)) return open.replace('START', 'END')
  return `</${open.slice(1)}`
}

/** The marks beside the text, with the words that belong to them. */
function marksOnly(text: string, others: readonly string[] = []): string[] {
  return groups(text).flatMap((one) => {
    const left = others.reduce((rest, other) => rest.replace(other, ''), one)
    return left !== '' && marksIn(left).length > 0 ? [left] : []
  })
}

/**
 * Distinguishes the mark that closes text from the one that ends the turn: `</response>`, then `<|im_end|>`. A mark that also follows text
 * before a call cannot be the end.
 */
function readAfterText(writer: ProbeWriter, after: string): { close: string; tail: string } {
  const [alpha] = words.tools
  const between = textBetween(writer.write(textCallProbe)?.complete, words.text, alpha)
  const close = between === undefined ? '' : samePrefix(after, between).trim()
  const tail = after.trim()
  return close === '' || tail === close ? { close: '', tail } : { close, tail: tail.slice(close.length).trim() }
}
