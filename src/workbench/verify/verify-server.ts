import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Chat } from '../../prompt/conversation/chat-message.ts'
import { excerpts, type Feature } from '../convert/index.ts'
import { type Both, type Cause, causeOfIds, causeOfText, causes } from './causes.ts'
import { type AskedChat, chooseCases } from './choose-cases.ts'
import type { Requests } from './requests.ts'
import type { Shown, Switches, VerifiedServer } from './server.ts'

/** How we write a chat. */
export type OurWriting = {
  /** Where it comes from, for the report: the server's own template, or a file. */
  name: string
  markers: readonly string[]
  /** The names of switches that its template asks for. */
  switches: readonly string[]
  bos?: { token?: string; id?: number }
  /** Text and, with a tokenizer, ids; or why it is refused. */
  write(chat: Chat, switches: Switches): { text: string; ids?: readonly number[] } | { refused: string }
}

/** A difference, with the chat that shows it. */
export type Found = { cause: Cause; chat: string; ours: string; theirs: string; isOnlyIds: boolean }

/** A difference whose cause is told once all chats have been asked. */
type Difference = Omit<Found, 'cause'> & { cause: Cause | Both; isPlain: boolean }

export type Verification = {
  server: Pick<VerifiedServer, 'kind' | 'version' | 'model'>
  template: string
  /** How many chats were asked about, and how many requests that took. */
  chats: number
  requests: number
  sameText: number
  sameIds: number
  /** How many both refuse. */
  refused: number
  /** How many could not be compared, as the server tells no text and we have no ids. */
  notCompared: number
  byCause: readonly { cause: Cause; what: string; fix: string; count: number; example: Found }[]
  /** What could not be compared. */
  notes: readonly string[]
}

export type VerifyOptions = {
  /** Compare what the engine has computed with what its tokenizer says; generates a token for some chats. */
  echo?: boolean
}

/** Asks a server how it writes generated chats, and compares them with how we do. */
export async function verifyServer(
  server: VerifiedServer,
  ours: OurWriting,
  requests: Requests,
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
  const isPlainSame = !differences.some(({ isPlain, cause }) => isPlain && causeOfText(cause as Both, token, false) === 'text')
  const found = differences.map(
    ({ isPlain: _, cause, ...one }): Found => ({
      ...one,
      cause: typeof cause === 'string' ? cause : causeOfText(cause, token, isPlainSame),
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
      ...engine.notes,
      ...(counts.notCompared > 0 ? [`${counts.notCompared} chats could not be compared: the server told no text of them`] : []),
      ...(hasIds ? [] : ['token ids were not compared: no tokenizer is given (--tokenizer)']),
    ],
  }
}

type Counts = { sameText: number; sameIds: number; refused: number; notCompared: number }

function compare(
  { chat, features, switches, shown: name }: AskedChat,
  written: ReturnType<OurWriting['write']>,
  shown: Shown,
  { bos }: OurWriting,
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
    // It tells a number of tokens and nothing else.
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
      const system = chat.messages.find(({ role }) => role === 'system')?.content
      const firstWords = written.text.indexOf(String(chat.messages.find(({ role }) => role !== 'system')?.content ?? ''))
      const both = { features, hasSwitches: Object.keys(switches).length > 0, firstWords, ours: written.text, theirs: shown.text! }
      // Who writes BOS does not matter where the ids are the same in the end.
      if (isSameIds) return
      const { first, second } = excerpts(written.text, shown.text!)
      tell({ ...both, ...(typeof system === 'string' ? { system } : {}) }, first, second)
    } else if (shown.ids !== undefined && written.ids !== undefined && !isSameIds) {
      const { ours, theirs } = idExcerpts(written.ids, shown.ids)
      tell(causeOfIds(written.ids, shown.ids, bos?.id, features), ours, theirs, true)
    }
  }
}

/** What a chat may have and still be as plain as any. */
const plainFeatures: readonly Feature[] = ['no-system', 'asks-for-reply', 'past-answer']

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

/** How many markers are tried, and how many prompts are compared with what the engine has computed. */
const probedMarkers = 4
const echoed = 4

function tellsIds({ write }: OurWriting): boolean {
  const probe = write({ messages: [{ role: 'user', content: 'Hi' }] }, {})
  return 'ids' in probe && probe.ids !== undefined
}

/** Whether a marker in a text becomes a control token, asked of the server's own tokenizer where we have none to compare with. */
async function injections({ encode }: VerifiedServer, { markers }: OurWriting): Promise<Found[]> {
  if (encode === undefined) return []
  const found: Found[] = []
  for (const marker of markers.slice(0, probedMarkers)) {
    const [recognised, plain] = [await encode(`a${marker}b`, true), await encode(`a${marker}b`, false)]
    if (recognised && plain && !sameIds(recognised, plain))
      found.push({
        cause: 'injected',
        chat: `a user who writes ${marker}`,
        ours: plain.join(' '),
        theirs: recognised.join(' '),
        isOnlyIds: true,
      })
  }
  return found
}

/** Compares the ids that the engine has computed with those that it tells. */
async function echoes(server: VerifiedServer, cases: readonly AskedChat[]): Promise<{ found: Found[]; notes: string[] }> {
  if (server.seen === undefined)
    return { found: [], notes: [`${server.kind} does not tell the ids of a chat's prompt with its reply, so that --echo adds nothing`] }
  const found: Found[] = []
  let compared = 0
  for (const { chat, shown: name } of cases.filter(({ features }) => features.length <= 3).slice(0, echoed)) {
    const [seen, shown] = [await server.seen(chat), await server.show(chat, {})]
    if (seen === undefined || 'refused' in shown || shown.ids === undefined) continue
    compared++
    // Log-probabilities have none for the first place.
    const told = seen.length === shown.ids.length - 1 ? shown.ids.slice(1) : shown.ids
    if (sameIds(seen, told)) continue
    const { ours, theirs } = idExcerpts(told, seen)
    found.push({ cause: 'tokens', chat: `${name}, as the engine has computed it`, ours, theirs, isOnlyIds: true })
  }
  return { found, notes: [`${compared} prompts were compared with what the engine has computed (--echo)`] }
}

function groupByCause(found: readonly Found[]): Verification['byCause'] {
  const names = [...new Set(found.map(({ cause }) => cause))]
  return names
    .map((cause) => {
      const all = found.filter((one) => one.cause === cause)
      const example = all.toSorted((one, other) => one.ours.length + one.theirs.length - (other.ours.length + other.theirs.length))[0]!
      return { cause, ...causes[cause], count: all.length, example }
    })
    .toSorted((one, other) => other.count - one.count)
}
