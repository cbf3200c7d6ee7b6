import type { ChatMessage } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { commonEnd, cutEnd, cutStart } from './cut.ts'
import { deriveTools } from './derive-tools.ts'
import type { Layout, Opening, SystemLayout, Trim, TurnMarkers } from './format-layout.ts'
import type { Want, Write } from './write-conversation.ts'

/** Probe words: unlike any template text, and none contains another. */
const word = (index: number) => `qz${String.fromCharCode(65 + index)}qz`

type Probes = { write: Write; gaps(roles: readonly string[], want?: Want): string[] | undefined }

/**
 * Derives what a format writes around messages from small chats. The result is the closest plain layout; comparing prompts shows whether
 * it is exact.
 */
export function deriveLayout(write: Write, name: string, { completes = true }: { completes?: boolean } = {}): Layout {
  const probes: Probes = { write, gaps: (roles, want = 'generate') => gapsOf(write, roles, want) }
  const { gaps } = probes
  const asked = gaps(['user'])
  if (asked === undefined) throw notPlain(name, "it does not write the user's text unchanged")
  if (writesLastWords(write)) return lastWords(probes, name)
  const { user, assistant, complete } = completes ? turnsOf(probes, name) : openTurnsOf(probes, name)
  const ends = completes ? endsByPosition(probes, { user, assistant }, complete) : undefined
  const tool = toolTurn(probes, user, assistant)
  const absent = openingFrom(asked[0]!, gaps(['assistant'])?.[0], user, assistant)
  const system = systemOf(probes, { user, assistant }, absent)
  const systemTurn = system === undefined ? undefined : lateSystem(probes, { user, assistant })
  const reply = cutStart(asked[1]!, user.end) ?? asked[1]!
  const answered = completes ? gaps(['user', 'assistant'])?.[2] : undefined
  const turns = { user, assistant, ...(tool && { tool }), ...(systemTurn && { system: systemTurn }) }
  return {
    name,
    writes: 'all',
    turns,
    ...(ends && { ends }),
    absent,
    ...(system && { system }),
    reply,
    ...(reply !== '' && answered === assistant.end && { noReplyAfterAnswer: true as const }),
    complete,
    neighbours: neighboursOf(probes, { user, assistant }),
    assistantFirst: gaps(['assistant', 'user']) !== undefined,
    trims: trimsOf(write, [...(system ? ['system'] : []), 'user', 'assistant', ...(tool ? ['tool'] : [])]),
    ...reasoningOf(write),
    calls: callsOf(write),
    tools: deriveTools(write),
  }
}

/** The text before, between and after the words of a chat; undefined if it is rejected or the words are not all there, once and in order. */
function gapsOf(write: Write, roles: readonly string[], want: Want): string[] | undefined {
  const text = write({ messages: said(roles) }, want)
  if (text === undefined) return undefined
  const gaps: string[] = []
  let at = 0
  for (const index of roles.keys()) {
    const found = text.indexOf(word(index), at)
    if (found < 0 || found !== text.lastIndexOf(word(index))) return undefined
    gaps.push(text.slice(at, found))
    at = found + word(index).length
  }
  return [...gaps, text.slice(at)]
}

function said(roles: readonly string[]): ChatMessage[] {
  return roles.map((role, index) => ({ role, content: word(index) }))
}

function writesLastWords(write: Write): boolean {
  const roles = ['user', 'assistant', 'user']
  return write({ messages: said(roles) }, 'generate') === word(2)
}

function lastWords({ gaps, write }: Probes, name: string): Layout {
  const nothing = { begin: '', end: '' }
  const joint = gaps(['user', 'user'])?.[1]
  const system = write({ messages: said(['system', 'user']) }, 'generate')
  return {
    name,
    writes: 'last-words',
    turns: { user: nothing, assistant: nothing },
    absent: { text: '', withRole: true },
    ...(system === word(1) ? { system: { place: 'start', before: '', after: '', withRole: true, alone: true, joint: '' } as const } : {}),
    reply: '',
    complete: '',
    neighbours: joint === undefined ? 'separate' : { joint },
    assistantFirst: true,
    trims: {},
    calls: callsOf(write),
    tools: deriveTools(write),
  }
}

/** The turns of user and assistant: the end of a complete chat separates the end of a turn from the start of the next. */
function turnsOf(probes: Probes, name: string): { user: TurnMarkers; assistant: TurnMarkers; complete: string } {
  const { gaps } = probes
  const first = gaps(['user'], 'complete')
  const second = gaps(['user', 'assistant'], 'complete')
  const third = gaps(['user', 'assistant', 'user'])
  if (first === undefined || second === undefined || third === undefined)
    throw notPlain(name, 'it does not write user and assistant text unchanged')
  const [toAssistant, toUser] = [third[1]!, third[2]!]
  const [afterUser, afterAssistant] = [first[1]!, second[2]!]
  // Nothing after the last words: turns have no end, or the last one is left open.
  const open = afterUser + afterAssistant === '' && !first[0]!.endsWith(toUser) ? openTurnsOf(probes, name) : undefined
  if (open !== undefined && open.user.begin !== '' && open.assistant.begin !== '') return open
  for (let length = 0; length <= Math.min(afterUser.length, afterAssistant.length); length++) {
    const complete = afterUser.slice(afterUser.length - length)
    if (!afterAssistant.endsWith(complete)) break
    const ends = { user: cutEnd(afterUser, complete)!, assistant: cutEnd(afterAssistant, complete)! }
    if (!toAssistant.startsWith(ends.user) || !toUser.startsWith(ends.assistant)) continue
    return {
      user: { begin: toUser.slice(ends.assistant.length), end: ends.user },
      assistant: { begin: toAssistant.slice(ends.user.length), end: ends.assistant },
      complete,
    }
  }
  // Some formats end the last turn differently: use the start of the first turn.
  const begin = commonEnd(first[0]!, toUser)
  const end = toAssistant.startsWith(afterUser) ? afterUser : ''
  return {
    user: { begin, end },
    assistant: { begin: toAssistant.slice(end.length), end: cutEnd(toUser, begin)! },
    complete: '',
  }
}

/** The same for a format that never writes complete chats: the start of a chat shows how a turn starts. */
function openTurnsOf({ gaps }: Probes, name: string): { user: TurnMarkers; assistant: TurnMarkers; complete: string } {
  const chat = gaps(['user', 'assistant', 'user'])
  const answer = gaps(['assistant', 'user'])
  if (chat === undefined) throw notPlain(name, 'it does not write user and assistant text unchanged')
  const user = commonEnd(chat[0]!, chat[2]!)
  const assistant = answer === undefined ? '' : commonEnd(answer[0]!, chat[1]!)
  return {
    user: { begin: user, end: cutEnd(chat[1]!, assistant)! },
    assistant: { begin: assistant, end: cutEnd(chat[2]!, user)! },
    complete: '',
  }
}

/** Message ends that depend on position, from chats that start with the user and with the assistant. */
function endsByPosition({ gaps }: Probes, turns: { user: TurnMarkers; assistant: TurnMarkers }, complete: string): string[] | undefined {
  const alternating = (first: 'user' | 'assistant', length: number) =>
    Array.from({ length }, (_, index) => ((index % 2 === 0) === (first === 'user') ? 'user' : 'assistant') as 'user' | 'assistant')
  const endAt = (first: 'user' | 'assistant', index: number) => {
    const last = gaps(alternating(first, index + 1), 'complete')?.at(-1)
    return last === undefined ? undefined : cutEnd(last, complete)
  }
  const seen = (['user', 'assistant'] as const).map((first) => Array.from({ length: 6 }, (_, index) => endAt(first, index)))
  const byRole = seen.every((ends, side) =>
    ends.every((end, index) => end === undefined || end === turns[alternating(side === 0 ? 'user' : 'assistant', 6)[index]!].end),
  )
  if (byRole) return undefined
  const [first, second] = seen
  // If the last turn is left open, complete chats do not show it.
  if (first![0] !== turns.user.end) return undefined
  for (const period of [1, 2, 3]) {
    const ends = first!.slice(0, period)
    const repeats = (found: readonly (string | undefined)[]) =>
      found.every((end, index) => end === undefined || end === ends[index % period])
    if (ends.every((end) => end !== undefined) && repeats(first!) && repeats(second!)) return ends as string[]
  }
  return undefined
}

function toolTurn({ gaps }: Probes, user: TurnMarkers, assistant: TurnMarkers): TurnMarkers | undefined {
  const found = gaps(['user', 'assistant', 'tool', 'user'])
  if (found === undefined) return undefined
  const begin = cutStart(found[2]!, assistant.end)
  const end = cutEnd(found[3]!, user.begin)
  return begin === undefined || end === undefined ? undefined : { begin, end }
}

/** Splits the text before the first message into an opening and the start of the turn. */
function openingFrom(beforeUser: string, beforeAssistant: string | undefined, user: TurnMarkers, assistant: TurnMarkers): Opening {
  const text = cutEnd(beforeUser, user.begin)
  const agrees = beforeAssistant === undefined || cutEnd(beforeAssistant, assistant.begin) === text
  return text !== undefined && (agrees || beforeAssistant !== beforeUser) ? { text, withRole: true } : { text: beforeUser, withRole: false }
}

function systemOf(
  probes: Probes,
  { user, assistant }: { user: TurnMarkers; assistant: TurnMarkers },
  absent: Opening,
): SystemLayout | undefined {
  const { gaps, write } = probes
  const found = gaps(['system', 'user'])
  if (found === undefined) return undefined
  const [before, between] = [found[0]!, found[1]!]
  const { text: after, withRole } = openingFrom(between, gaps(['system', 'assistant'])?.[1], user, assistant)
  const late = lateSystem(probes, { user, assistant })
  const isTurn = late !== undefined && withRole && after === late.end && before.endsWith(late.begin)
  const empty = emptySystem(write, { before, after, withRole }, absent, user)
  const joint = gaps(['system', 'system', 'user'])?.[1]
  return {
    place: isTurn ? 'anywhere' : 'start',
    before,
    after,
    withRole,
    alone: gaps(['system']) !== undefined,
    ...(empty && { empty }),
    ...(!isTurn && late !== undefined && joint === after + late.begin
      ? { onlyFirst: true as const }
      : joint === undefined
        ? {}
        : { joint }),
  }
}

/** The turn of a later system message; undefined if it is rejected or not a regular turn. */
function lateSystem({ gaps }: Probes, { user, assistant }: { user: TurnMarkers; assistant: TurnMarkers }): TurnMarkers | undefined {
  const late = gaps(['user', 'system', 'user'])
  const afterAnswer = gaps(['user', 'assistant', 'system', 'user'])
  const begin = late && cutStart(late[1]!, user.end)
  const end = late && cutEnd(late[2]!, user.begin)
  if (begin === undefined || end === undefined) return undefined
  return afterAnswer === undefined || afterAnswer[2] === assistant.end + begin ? { begin, end } : undefined
}

/** The opening for an empty system message, if it is not just its markup around nothing. */
function emptySystem(
  write: Write,
  { before, after, withRole }: Pick<SystemLayout, 'before' | 'after' | 'withRole'>,
  absent: Opening,
  user: TurnMarkers,
): Opening | undefined {
  const text = write(
    {
      messages: [
        { role: 'system', content: '' },
        { role: 'user', content: word(0) },
      ],
    },
    'generate',
  )
  const at = text?.indexOf(word(0)) ?? -1
  if (text === undefined || at < 0) return undefined
  const start = text.slice(0, at)
  if (start === before + after + (withRole ? user.begin : '')) return undefined
  if (start === absent.text + (absent.withRole ? user.begin : '')) return absent
  const rest = cutEnd(start, user.begin)
  return rest === undefined ? { text: start, withRole: false } : { text: rest, withRole: true }
}

function neighboursOf({ gaps }: Probes, { user, assistant }: { user: TurnMarkers; assistant: TurnMarkers }): Layout['neighbours'] {
  const users = gaps(['user', 'user'])
  const answers = gaps(['user', 'assistant', 'assistant', 'user'])
  if (users === undefined) return 'refused'
  const joint = users[1]!
  if (joint === user.end + user.begin && (answers === undefined || answers[2] === assistant.end + assistant.begin)) return 'separate'
  return answers === undefined || answers[2] === joint ? { joint } : 'separate'
}

const padding = ' \n '

/** Whether whitespace around the text of a role is stripped. */
function trimsOf(write: Write, roles: readonly string[]): Record<string, Trim> {
  const chats: Readonly<Record<string, readonly string[]>> = {
    system: ['system', 'user'],
    user: ['user'],
    assistant: ['user', 'assistant', 'user'],
    tool: ['user', 'assistant', 'tool', 'user'],
  }
  return Object.fromEntries(
    roles.flatMap((role): [string, Trim][] => {
      const chat = said(chats[role]!)
      const place = chat.findIndex((message) => message.role === role)
      const texts = (content: string) =>
        write({ messages: chat.map((message, index) => (index === place ? { ...message, content } : message)) }, 'generate')
      const padded = texts(padding + word(place) + padding)
      if (padded === undefined || padded === texts(word(place))) return padded === undefined ? [] : [[role, 'both']]
      const [before, after] = padded.split(word(place))
      const keeps = (start: string, end: string) =>
        padded === texts(word(place))!.replace(word(place), () => start + word(place) + end) && before !== undefined && after !== undefined
      if (keeps('', padding)) return [[role, 'start']]
      return keeps(padding, '') ? [[role, 'end']] : []
    }),
  )
}

/** Whether reasoning is stripped from earlier replies. */
function reasoningOf(write: Write): Pick<Layout, 'stripsReasoning'> {
  const chat = (answer: string) =>
    write(
      {
        messages: [
          { role: 'user', content: word(0) },
          { role: 'assistant', content: answer },
          { role: 'user', content: word(2) },
        ],
      },
      'generate',
    )
  const thought = chat(`<think>\n${word(4)}\n</think>\n\n ${word(1)} `)
  if (thought === undefined || thought.includes(word(4))) return {}
  if (thought === chat(` ${word(1)} `)) return { stripsReasoning: 'newlines' }
  return thought === chat(word(1)) ? { stripsReasoning: 'spaces' } : {}
}

function callsOf(write: Write): Layout['calls'] {
  const call = { id: 'call00001', type: 'function', function: { name: 'qzCalled', arguments: { qzKey: 'qzValue' } } } as const
  const messages: ChatMessage[] = [
    { role: 'user', content: word(0) },
    { role: 'assistant', content: word(1), tool_calls: [call] },
  ]
  const text = write({ messages }, 'complete')
  return text === undefined ? 'refused' : text.includes('qzCalled') ? 'written' : 'left-out'
}

function notPlain(name: string, problem: string): PromptError {
  return new PromptError('not-plain', {
    where: name,
    problem: `${problem}, so it is not a plain conversation`,
    fix: 'convert supports formats that write text around messages; `rolecall list formats PATH` shows what this one does',
  })
}
