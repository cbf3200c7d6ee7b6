import type { MarkPair } from '../syntax.ts'
import type { CallShape } from './call-frame.ts'
import { readJson } from './json-shape.ts'
import { readNamed, readPython, readQuoted } from './named-shape.ts'
import { callProbe, callsProbe, type Probe, words } from './probes.ts'
import { readTagged } from './tagged-shape.ts'
import { lastMark } from './template-marks.ts'
import type { TurnFrame } from './thought-span.ts'
import type { ProbeWriter } from './write-probe.ts'

const [alpha, beta] = words.tools
const [valueOne] = words.values

/** Derives from one call, and from two, how a template writes calls; undefined if it writes none, or in an unknown way. */
export function readCallShape(writer: ProbeWriter, { header, span, tail, ignored, textClose }: TurnFrame): CallShape | undefined {
  const silent = [...ignored, textClose].filter((mark) => mark !== '')
  const replyOf = (probe: Probe) => withoutTail(withoutMarks(withoutThought(writtenBehind(writer, probe, header), span), silent), tail)
  let one = replyOf(callProbe)
  if (one !== undefined && !one.includes(alpha)) {
    writer.habits.idsHoldNames = true
    one = replyOf(callProbe)
  }
  if (!one?.includes(alpha) || !one.includes(valueOne)) return undefined
  const two = replyOf(callsProbe)
  const both = two?.includes(alpha) && two.includes(beta) ? two : undefined
  const shape =
    readJson(writer, one, both) ??
    readNamed(writer, one, both) ??
    readPython(writer, one) ??
    readQuoted(one, both) ??
    readTagged(writer, one, both)
  return shape && holdsWords(shape) ? undefined : shape
}

/** A mark that contains words of the message is not a mark. */
function holdsWords({ blocks, sections }: CallShape): boolean {
  const written = JSON.stringify([blocks, sections])
  return [...words.tools, ...words.keys, ...words.values].some((word) => written.includes(word))
}

/** What the model would have written after the header. */
function writtenBehind(writer: ProbeWriter, probe: Probe, header: string): string | undefined {
  const written = writer.write(probe)
  if (written === undefined) return undefined
  const { complete, prompt, reply } = written
  // The turn of another role, with a header that only resembles the model's.
  if (prompt.endsWith(words.question)) return reply
  const from = complete.indexOf(words.question) + words.question.length
  const tail = complete.startsWith(header, from) ? header : lastMark(header)
  const at = complete.indexOf(tail, from)
  return complete.slice(at < 0 ? from : at + tail.length)
}

/** Without marks around the text, which some templates write even if there is no text. */
function withoutMarks(reply: string | undefined, marks: readonly string[]): string | undefined {
  const mark = marks.find((one) => reply?.trimStart().startsWith(one))
  return mark === undefined ? reply : withoutMarks(reply!.trimStart().slice(mark.length), marks)
}

/** Without what ends every turn, so that what is left belongs to the calls. */
function withoutTail(reply: string | undefined, tail: string): string | undefined {
  const text = reply?.trimEnd()
  return tail !== '' && text?.endsWith(tail) ? text.slice(0, text.length - tail.length) : reply
}

/** Without the empty thought that some templates write before a call. */
function withoutThought(reply: string | undefined, span: MarkPair | undefined): string | undefined {
  if (reply === undefined || span === undefined) return reply
  let rest = reply.trimStart()
  if (rest.startsWith(span.open)) rest = rest.slice(span.open.length).trimStart()
  return rest.startsWith(span.close) ? rest.slice(span.close.length) : reply
}
