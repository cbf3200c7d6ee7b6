import type { MessageHeads } from '../syntax.ts'
import type { ToolChecker } from '../tool-checker.ts'
import type { Reading, Steps } from './reading.ts'
import { endsEarly, finishCall, markAhead, refuse, startCall, startReasoning } from './transitions.ts'

/** The head of a message, up to its body. */
export function* readHead(r: Reading): Steps {
  const messages = r.syntax.syntax.messages!
  for (;;) {
    if (r.isEmpty && r.isEnded) {
      if (r.isHeadCertain) r.report('the reply ends in the head of a message', r.position)
      else becomeText(r)
      r.state = 'over'
      return
    }
    const { at, marker } = r.places.head.find(r.text, r.at, r.isFinal)
    if (at > r.at) {
      const head = r.head + r.text.slice(r.at, at)
      // What cannot be a head is read as text, marks included.
      if (!r.isHeadCertain && !mayBeHead(head, messages, r.tools)) return becomeText(r)
      if (!r.isHeadCertain && r.head === '') r.blockFrom = r.position
      r.head = head
      r.at = at
    }
    if (marker === undefined) {
      if (!r.isEnded) yield
      continue
    }
    const { kind } = marker.meaning
    if (kind === 'body' && (r.isHeadCertain || isWholeHead(r.head, messages, r.tools))) {
      startMessage(r, messages)
      r.at += marker.text.length
      return
    }
    if (kind !== 'channel') {
      // Something else is where the body should be: what was read was not a head.
      if (!r.isHeadCertain) return becomeText(r)
      r.report('a message has no body', r.position)
      r.state = 'text'
      return
    }
    r.isHeadCertain = true
    r.head += marker.text
    r.at += marker.text.length
  }
}

/** What precedes the first message may be the reply's own text. */
function becomeText(r: Reading): void {
  r.sayHeld(r.head, r.blockFrom)
  r.head = ''
  r.state = 'text'
}

function mayBeHead(head: string, { recipient, readers }: MessageHeads, tools: ToolChecker | undefined): boolean {
  let rest = head.trimStart()
  // Where nothing precedes the recipient, only a known one can be distinguished from text.
  if (recipient === undefined) return [...readers, ...(tools?.names ?? [])].some((name) => name.startsWith(rest))
  if (rest.length < role.length && role.startsWith(rest)) return true
  if (rest.startsWith(role)) rest = rest.slice(role.length).trimStart()
  if (recipient.startsWith(rest)) return true
  // A bracket may begin a mark of text, which must be found however the reply is cut.
  return rest.startsWith(recipient) && /^[^\s<]+(?:\s+[^\s<]{0,20})?$/.test(rest.slice(recipient.length))
}

/** What may be a head is one if it names its recipient in full. */
function isWholeHead(head: string, { recipient, readers }: MessageHeads, tools: ToolChecker | undefined): boolean {
  return recipient !== undefined || readers.includes(head.trim()) || tools?.has(head.trim()) === true
}

const role = 'assistant'

/** Whom a message is for. */
function readMessageHead(head: string, messages: MessageHeads): { recipient: string | undefined; channel: string | undefined } {
  const { recipient, channel } = messages
  const channelAt = channel === undefined ? -1 : head.lastIndexOf(channel)
  const at = recipient === undefined ? -1 : head.indexOf(recipient)
  const to = recipient === undefined ? head.trim() : at < 0 ? undefined : /^[^\s<]+/.exec(head.slice(at + recipient.length))?.[0]
  return {
    recipient: to === '' ? undefined : to,
    channel: channelAt < 0 ? undefined : /^\s*([\w-]+)/.exec(head.slice(channelAt + channel!.length))?.[1],
  }
}

function startMessage(r: Reading, messages: MessageHeads): void {
  const { thought, message } = r.syntax
  const { recipient, channel } = readMessageHead(r.head, messages)
  r.head = ''
  r.closePart()
  const isTool = recipient !== undefined && !messages.readers.includes(recipient) && !messages.thoughts.includes(recipient)
  r.isSaid = !isTool
  r.isAtStart = false
  if (isTool && message) {
    const { prefix = '' } = messages
    r.block = message
    r.isInList = false
    r.hasCalls = false
    startCall(r)
    r.call.setName(recipient.startsWith(prefix) ? recipient.slice(prefix.length) : recipient)
    r.state = 'message'
  } else if (messages.thoughts.includes(recipient ?? channel ?? '')) startReasoning(r, thought)
  else {
    r.state = 'text'
    r.skipsSpace = isTool
  }
}

/** The arguments of a message to a tool. */
export function* readMessageCall(r: Reading): Steps {
  const mark = yield* markAhead(r, () => r.passSpace())
  if (mark === 'end of reply') refuse(r, 'truncated', endsEarly)
  else if (mark !== undefined) {
    // A message to a tool without arguments.
    r.call.addArguments('{}')
    r.found = { name: r.call.name!, arguments: {}, argumentsText: '{}' }
    r.foundLength = r.rawLength
    finishCall(r, false)
    r.state = 'text'
  } else if (r.text[r.at] === '{') r.state = 'object'
  else refuse(r, 'malformed', "expected '{'", true)
}
