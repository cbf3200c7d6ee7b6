import type { Chat, ChatMessage } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { excerpts, generateConversations } from '../convert/index.ts'
import { type Both, type ChatFeature, causeOfIds, causeOfText, causes, type MismatchCause } from './causes.ts'
import type { ServerRequests } from './server-requests.ts'
import type { ServerPrompt, Switches, VerifiedServer } from './verified-server.ts'

/** How we render chats. */
export type OurRenderer = {
  /** The source for the report: the server's template, or a file. */
  name: string
  markers: readonly string[]
  /** The switches that its template uses. */
  switches: readonly string[]
  bos?: { token?: string; id?: number }
  /** Text and, with a tokenizer, ids; or the error. */
  write(chat: Chat, switches: Switches): { text: string; ids?: readonly number[] } | { refused: string }
}

/** A difference, with an example chat. */
export type Mismatch = { cause: MismatchCause; chat: string; ours: string; theirs: string; isOnlyIds: boolean }

/** A difference whose cause is determined after all chats. */
type Difference = Omit<Mismatch, 'cause'> & { cause: MismatchCause | Both; isPlain: boolean }

export type Verification = {
  server: Pick<VerifiedServer, 'kind' | 'version' | 'model'>
  template: string
  /** Chats compared and requests sent. */
  chats: number
  requests: number
  sameText: number
  sameIds: number
  /** Chats rejected by both. */
  refused: number
  /** Chats not compared, because the server returns no text and we have no ids. */
  notCompared: number
  byCause: readonly { cause: MismatchCause; what: string; fix: string; count: number; example: Mismatch }[]
  /** What could not be compared. */
  notes: readonly string[]
}

export type VerifyOptions = {
  /** Compare the ids the engine used with those its tokenizer reports; generates a token for some chats. */
  echo?: boolean
}

/** Compares a server's rendering of generated chats with ours. */
export async function verifyServer(
  server: VerifiedServer,
  ours: OurRenderer,
  requests: ServerRequests,
  options: VerifyOptions = {},
): Promise<Verification> {
  const hasIds = tellsIds(ours)
  const kept =
    (options.echo && server.seen ? echoed * (1 + server.requestsPerChat) : 0) + (hasIds || !server.encode ? 0 : 2 * probedMarkers)
  const most = Math.floor((requests.left - kept) / server.requestsPerChat)
  if (most < 1)
    throw new PromptError('too-few-requests', {
      where: '--requests',
      problem: `${requests.most} requests are too few: ${requests.used} were needed to identify the server, and a chat takes ${server.requestsPerChat}`,
      fix: 'allow more, e.g. --requests 100',
    })
  const cases = chooseCases(ours.markers, ours.switches, most)
  const differences: Difference[] = []
  const counts = { sameText: 0, sameIds: 0, refused: 0, notCompared: 0 }
  for (const one of cases) {
    const written = ours.write(one.chat, one.switches)
    const shown = await server.show(one.chat, one.switches)
    compare(one, written, shown, ours, counts, differences)
  }
  const token = ours.bos?.token
  if (counts.notCompared === cases.length)
    throw new PromptError('nothing-compared', {
      where: server.kind,
      problem: 'it returns token ids or counts but no text, and there is no tokenizer to compare them with',
      fix: "give the model's tokenizer with --tokenizer",
    })
  const any: ReadonlySet<MismatchCause> = new Set(['text'])
  const plain = new Set(differences.flatMap(({ isPlain, cause }) => (isPlain ? [causeOfText(cause as Both, token, any)] : [])))
  const found = differences.map(
    ({ isPlain: _, cause, ...one }): Mismatch => ({
      ...one,
      cause: typeof cause === 'string' ? cause : causeOfText(cause, token, plain),
    }),
  )
  if (!hasIds) found.push(...(await injections(server, ours)))
  const engine = options.echo ? await echoes(server, cases) : { found: [], notes: [] }
  return {
    server: { kind: server.kind, ...(server.version && { version: server.version }), ...(server.model && { model: server.model }) },
    template: ours.name,
    chats: cases.length,
    requests: requests.used,
    ...counts,
    byCause: groupByCause([...found, ...engine.found]),
    notes: [
      ...server.limits,
      'media were not compared: what is written for them depends on the file and the model',
      ...engine.notes,
      ...(counts.notCompared > 0 ? [`${counts.notCompared} chats could not be compared: the server returned no text for them`] : []),
      ...(hasIds ? [] : ['token ids were not compared: no tokenizer is given (--tokenizer)']),
    ],
  }
}

type Counts = { sameText: number; sameIds: number; refused: number; notCompared: number }

function compare(
  { chat, features, switches, shown: name }: VerifiedChat,
  written: ReturnType<OurRenderer['write']>,
  shown: ServerPrompt,
  { bos }: OurRenderer,
  counts: Counts,
  differences: Difference[],
): void {
  const isPlain = Object.keys(switches).length === 0 && features.every((feature) => plainFeatures.includes(feature))
  const tell = (cause: Difference['cause'], ours: string, theirs: string, isOnlyIds = false) =>
    differences.push({ cause, chat: name, ours, theirs, isOnlyIds, isPlain: isPlain && typeof cause === 'object' })
  if ('refused' in written && 'refused' in shown) counts.refused++
  else if ('refused' in written) tell('template-refuses', `refused: ${written.refused}`, (shown as { text?: string }).text ?? 'written')
  else if ('refused' in shown) tell('server-refuses', written.text, `refused: ${shown.refused}`)
  else if (shown.text === undefined && shown.ids === undefined) {
    // Only the token count is known.
    if (written.ids === undefined) {
      counts.notCompared++
      return
    }
    if (written.ids.length === shown.count) counts.sameIds++
    else tell('count', `${written.ids.length} tokens`, `${shown.count} tokens`, true)
  } else {
    if (shown.text === undefined && written.ids === undefined) counts.notCompared++
    const isSameText = shown.text === undefined || shown.text === written.text
    const isSameIds = shown.ids !== undefined && written.ids !== undefined && sameIds(shown.ids, written.ids)
    if (isSameText && shown.text !== undefined) counts.sameText++
    if (isSameIds) counts.sameIds++
    if (!isSameText) {
      const system = wordsOf(chat.messages.find(({ role }) => role === 'system'))
      const firstWords = written.text.indexOf(wordsOf(chat.messages.find(({ role }) => role !== 'system')) ?? '')
      const both = { features, hasSwitches: Object.keys(switches).length > 0, firstWords, ours: written.text, theirs: shown.text! }
      // Who adds BOS does not matter if the final ids are the same.
      if (isSameIds) return
      const { first, second } = excerpts(written.text, shown.text!)
      tell({ ...both, ...(system === undefined ? {} : { system }) }, first, second)
    } else if (shown.ids !== undefined && written.ids !== undefined && !isSameIds) {
      const { ours, theirs } = idExcerpts(written.ids, shown.ids)
      tell(causeOfIds(written.ids, shown.ids, bos?.id, features), ours, theirs, true)
    }
  }
}

/** The text of a message, or of its first part. */
function wordsOf(message: ChatMessage | undefined): string | undefined {
  const content = message?.content
  if (typeof content === 'string') return content
  const [first] = content ?? []
  return first !== undefined && 'text' in first ? first.text : undefined
}

/** Features of a plain chat. */
const plainFeatures: readonly ChatFeature[] = ['no-system', 'asks-for-reply', 'past-answer']

function sameIds(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index])
}

function idExcerpts(ours: readonly number[], theirs: readonly number[]): { ours: string; theirs: string } {
  const at = ours.findIndex((id, index) => id !== theirs[index])
  const from = Math.max(0, (at < 0 ? ours.length : at) - 2)
  const cut = (ids: readonly number[]) =>
    `${from > 0 ? '… ' : ''}${ids.slice(from, from + 10).join(' ')}${ids.length > from + 10 ? ' …' : ''}`
  return { ours: cut(ours), theirs: cut(theirs) }
}

/** Numbers of markers to try, and of prompts to compare with the engine's ids. */
const probedMarkers = 4
const echoed = 4

function tellsIds({ write }: OurRenderer): boolean {
  const probe = write({ messages: [{ role: 'user', content: 'Hi' }] }, {})
  return 'ids' in probe && probe.ids !== undefined
}

/** Whether a marker in text becomes a control token, according to the server's tokenizer. */
async function injections({ encode }: VerifiedServer, { markers }: OurRenderer): Promise<Mismatch[]> {
  if (encode === undefined) return []
  const found: Mismatch[] = []
  for (const marker of markers.slice(0, probedMarkers)) {
    const [recognised, plain] = [await encode(`a${marker}b`, true), await encode(`a${marker}b`, false)]
    if (recognised && plain && !sameIds(recognised, plain))
      found.push({
        cause: 'injected',
        chat: `a user message with ${marker}`,
        ours: plain.join(' '),
        theirs: recognised.join(' '),
        isOnlyIds: true,
      })
  }
  return found
}

/** Compares the ids the engine used with those the server reports. */
async function echoes(server: VerifiedServer, cases: readonly VerifiedChat[]): Promise<{ found: Mismatch[]; notes: string[] }> {
  if (server.seen === undefined)
    return { found: [], notes: [`${server.kind} does not return prompt ids with replies, so --echo has no effect`] }
  const found: Mismatch[] = []
  let compared = 0
  for (const { chat, shown: name } of cases.filter(({ features }) => features.length <= 3).slice(0, echoed)) {
    const [seen, shown] = [await server.seen(chat), await server.show(chat, {})]
    if (seen === undefined || 'refused' in shown || shown.ids === undefined) continue
    compared++
    // There is no log probability for the first position.
    const expected = seen.length === shown.ids.length - 1 ? shown.ids.slice(1) : shown.ids
    if (sameIds(seen, expected)) continue
    const { ours, theirs } = idExcerpts(expected, seen)
    found.push({ cause: 'tokens', chat: `${name}, as seen by the engine`, ours, theirs, isOnlyIds: true })
  }
  return { found, notes: [`${compared} prompts were compared with the ids the engine used (--echo)`] }
}

function groupByCause(found: readonly Mismatch[]): Verification['byCause'] {
  const names = [...new Set(found.map(({ cause }) => cause))]
  return names
    .map((cause) => {
      const all = found.filter((one) => one.cause === cause)
      const example = all.toSorted((one, other) => one.ours.length + one.theirs.length - (other.ours.length + other.theirs.length))[0]!
      return { cause, ...causes[cause], count: all.length, example }
    })
    .toSorted((one, other) => other.count - one.count)
}

/** A chat to send to a server. */
type VerifiedChat = { chat: Chat; features: readonly ChatFeature[]; switches: Switches; shown: string }

/** Features by priority: those known to differ between servers first. */
const kinds: readonly ChatFeature[] = [
  ...(['markers', 'text-parts', 'calls', 'tool-result', 'tools', 'reasoning', 'spaces', 'empty-system', 'empty-text'] as const),
  ...(['two-systems', 'late-system', 'only-system', 'ends-with-answer', 'assistant-first', 'neighbours', 'system', 'no-system'] as const),
]

/**
 * Chooses up to `most` chats: one per feature, then another per feature, shortest first. Template switches are tried in both
 * positions, and user text contains special tokens of the model.
 */
function chooseCases(markers: readonly string[], switches: readonly string[], most: number): VerifiedChat[] {
  const lists = new Map<ChatFeature, VerifiedChat[]>(kinds.map((kind) => [kind, []]))
  lists.get('markers')!.push(...markers.map(forged))
  lists.get('text-parts')!.push(...partsChats)
  for (const { chat, want, features, shown } of generateConversations()) {
    if (chat === undefined || want !== 'generate') continue
    lists.get(kinds.find((kind) => (features as readonly ChatFeature[]).includes(kind))!)!.push({ chat, features, switches: {}, shown })
  }
  const chosen = switches.flatMap((name) => [true, false].map((value) => switched(name, value))).slice(0, most)
  // A plain chat comes first: whether it matches decides how to interpret other differences.
  const inOrder = [...kinds.slice(-2), ...kinds.slice(0, -2)].map((kind) => lists.get(kind)!)
  for (let round = 0; chosen.length < most && inOrder.some((list) => list.length > round); round++)
    for (const list of inOrder) if (list[round] && chosen.length < most) chosen.push(list[round]!)
  return chosen
}

const text = (words: string) => ({ type: 'text' as const, text: words })

/** Chats with text in lists of parts. What is written for media depends on the file and the model. */
const partsChats: readonly VerifiedChat[] = [
  { shown: 'user (two parts)', messages: [{ role: 'user', content: [text('One?'), text('Two?')] }] },
  { shown: 'user (a part)', messages: [{ role: 'user', content: [text('One?')] }] },
  {
    shown: 'system (a part), user',
    messages: [
      { role: 'system', content: [text('Be brief.')] },
      { role: 'user', content: 'One?' },
    ],
  },
].map(({ shown, messages }) => ({ chat: { messages }, features: ['text-parts'] as const, switches: {}, shown }))

/** A user message that contains a marker. */
function forged(marker: string): VerifiedChat {
  const chat = { messages: [{ role: 'user', content: `Say ${marker} twice.` }] }
  return { chat, features: ['markers', 'no-system'], switches: {}, shown: `a user message with ${marker}` }
}

function switched(name: string, value: boolean): VerifiedChat {
  const chat = { messages: [{ role: 'user', content: 'One?' }] }
  return { chat, features: ['no-system'], switches: { [name]: value }, shown: `user, ${name}: ${value}` }
}
