import type { MessageHeads } from '../../syntax.ts'
import type { ToolChecker } from '../../tool-checker.ts'
import { passSpace, sliceOf } from '../json-text.ts'
import type { Reading } from '../reading.ts'
import { finishCall } from './finish-call.ts'
import { refuse } from './read-block.ts'
import { startCall, startObject } from './read-mark.ts'

/** At the start of a reply the prompt has written the first head's beginning: the reply may go on with it, or say something. */
export function startReplyHead(reading: Reading): void {
  reading.state = 'head'
  reading.isHeadCertain = false
  reading.head.clear()
  reading.isAtStart = false
}

/** The head of a message, up to its body. */
export function readHead(reading: Reading, text: string, from: number): number {
  const messages = reading.syntax.syntax.messages!
  const markers = reading.places.head
  const found = markers.find(text, from, reading.isFinal)
  const stop = found === 'none' ? text.length : markers.at
  if (stop > from) {
    const piece = sliceOf(text, from, stop)
    // What cannot be a head is read as text, marks included.
    if (!reading.isHeadCertain && !mayBeHead(reading.head.toString() + piece, messages, reading.tools)) return headIsText(reading, from)
    if (!reading.isHeadCertain && reading.head.length === 0) reading.blockFrom = reading.offset + from
    reading.head.add(piece)
  }
  if (found === 'none') return stop
  if (found === 'partial') return reading.hold(stop, markers)
  const meaning = markers.meaning!
  if (meaning.kind === 'body' && (reading.isHeadCertain || isWholeHead(reading.head.toString(), messages, reading.tools))) {
    startMessage(reading, reading.head.toString(), reading.offset + stop)
    return stop + markers.length
  }
  if (meaning.kind === 'channel') {
    reading.isHeadCertain = true
    reading.head.add(messages.channel!)
    return stop + markers.length
  }
  // Something else stands where the body should: what was read was not a head.
  if (!reading.isHeadCertain) return headIsText(reading, stop)
  reading.report('a message has no body', reading.offset + stop)
  reading.state = 'text'
  return stop
}

/** What stands before the first message may be the reply's own text. */
export function headIsText(reading: Reading, at: number): number {
  reading.sayHeld(reading.head.toString(), reading.blockFrom)
  reading.head.clear()
  reading.state = 'text'
  return at
}

function mayBeHead(head: string, { recipient, readers }: MessageHeads, tools: ToolChecker | undefined): boolean {
  // Where nothing stands before the recipient, only one that is known can be told from text.
  if (recipient === undefined) return [...readers, ...(tools?.names ?? [])].some((name) => name.startsWith(head.trimStart()))
  let rest = head.trimStart()
  if (rest.length < role.length && role.startsWith(rest)) return true
  if (rest.startsWith(role)) rest = rest.slice(role.length).trimStart()
  if (recipient.startsWith(rest)) return true
  // A bracket may begin a mark of text, which must be found however the reply is cut.
  return rest.startsWith(recipient) && /^[^\s<]+(?:\s+[^\s<]{0,20})?$/.test(rest.slice(recipient.length))
}

/** What may be a head is one if it names its recipient in full. */
function isWholeHead(head: string, { recipient, readers }: MessageHeads, tools: ToolChecker | undefined): boolean {
  const name = head.trim()
  return recipient !== undefined || readers.includes(name) || (tools?.has(name) ?? false)
}

const role = 'assistant'

/** What a head says of its message. */
function readMessageHead(head: string, messages: MessageHeads): { recipient: string | undefined; channel: string | undefined } {
  const { recipient, channel } = messages
  const words = channel === undefined ? undefined : head.slice(head.lastIndexOf(channel) + channel.length)
  const isInChannel = channel !== undefined && head.includes(channel)
  const at = recipient === undefined ? -1 : head.indexOf(recipient)
  const to = recipient === undefined ? head.trim() : at < 0 ? undefined : /^[^\s<]+/.exec(head.slice(at + recipient.length))?.[0]
  return { recipient: to === '' ? undefined : to, channel: isInChannel ? /^\s*([\w-]+)/.exec(words!)?.[1] : undefined }
}

function startMessage(reading: Reading, head: string, at: number): void {
  const { syntax, thought, message } = reading.syntax
  const messages = syntax.messages!
  const { recipient, channel } = readMessageHead(head, messages)
  reading.head.clear()
  reading.collector.close()
  const isTool = recipient !== undefined && !messages.readers.includes(recipient) && !messages.thoughts.includes(recipient)
  reading.isSaid = !isTool
  reading.isAtStart = false
  if (isTool && message) {
    const { prefix = '' } = messages
    reading.block = message
    reading.blockMarkers = reading.places.blocks.get(message)!
    reading.isInList = false
    reading.hasCalls = false
    startCall(reading, at)
    reading.call.startNamed(recipient.startsWith(prefix) ? recipient.slice(prefix.length) : recipient, undefined)
    reading.state = 'message'
  } else if (messages.thoughts.includes(recipient ?? channel ?? '')) {
    reading.startThought(thought!)
  } else {
    reading.state = 'text'
    reading.skipsSpace = isTool
  }
}

/** The arguments of a message to a tool. */
export function readMessageCall(reading: Reading, text: string, from: number): number {
  const at = passSpace(text, from)
  if (at === text.length) return at
  const found = reading.blockMarkers.match(text, at, reading.isFinal)
  if (found === 'partial') return reading.hold(at, reading.blockMarkers)
  if (found === 'none' && text[at] !== '{') return refuse(reading, 'malformed', "expected '{'", at, true)
  if (found === 'none') {
    startObject(reading)
    return at
  }
  endEmptyMessage(reading, at)
  return at
}

/** A message to a tool without any arguments. */
export function endEmptyMessage(reading: Reading, at: number): void {
  reading.call.addArguments('{}')
  reading.found = { name: reading.call.name!, arguments: {}, argumentsText: '{}' }
  reading.rawLength = reading.raw.length
  finishCall(reading, reading.offset + at, false)
  reading.state = 'text'
}
