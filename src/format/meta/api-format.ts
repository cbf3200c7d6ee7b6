import { adaptConversation } from '../../adapt/adapt-conversation.ts'
import { mergeNeighbours } from '../../adapt/merge-neighbours.ts'
import type { Traits } from '../../adapt/traits.ts'
import { type Conversation, isMessages, isTurn } from '../../conversation/conversation.ts'
import { distinctNotes, type Note } from '../../note.ts'
import { PromptError } from '../../prompt-error.ts'
import { control, type Piece } from '../../text/index.ts'
import type { ApiMessage, Ask, Format, Prompt, Stop } from '../format.ts'
import { plainFormat } from '../plain.ts'
import { readWhenNeeded } from './meta-format.ts'
import { checkOutline, idsInMessage, type MetaTemplate, type ReadOptions, readMetaTemplate, stopsOfEnd } from './read-meta-template.ts'
import { type Speech, speakDialogue } from './speak.ts'

/** A meta template of an API model (document 001): conversations become messages. */
export function apiFormat(config: unknown, options: ReadOptions): Format {
  checkOutline(config, options)
  const read = readWhenNeeded(() => ({ ...readMetaTemplate(config, options), begin: readBegin(config, options) }), options)
  return {
    name: 'the meta template',
    kind: 'chat',
    get traits() {
      return traitsOf(read.template, options)
    },
    markers: [],
    render(conversation, ask) {
      if (conversation.kind === 'text') {
        return { ...oneMessage(conversation.content, [...conversation.notes, ...read.mistake], ask), stop: stopsOf(read) }
      }
      if (isMessages(conversation))
        return { ...handOn(conversation, ask, (messages) => withBegin(messages, read, options)), stop: stopsOf(read) }
      return renderDialogue(
        adaptConversation(conversation, traitsOf(read.template, options), 'the meta template'),
        read.template,
        ask,
        options,
      )
    },
  }
}

/** An API model without a meta template: messages are handed on, everything else is one user message. */
export function bareApiFormat(options: ReadOptions): Format {
  const text = plainFormat(options.quirks)
  return {
    ...text,
    name: 'messages',
    kind: 'chat',
    render(conversation, ask) {
      if (isMessages(conversation)) return handOn(conversation, ask)
      const prompt = text.render(conversation, ask)
      if (prompt.kind === 'chat') return prompt
      return oneMessage(prompt.pieces, prompt.notes, ask)
    },
  }
}

/** What `eos_token_id` names belongs to the model, whatever is asked. */
function stopsOf(read: { template: ApiMetaTemplate; mistake: readonly Note[] }): readonly Stop[] {
  return read.mistake.length > 0 ? [] : read.template.eos
}

type ApiMetaTemplate = Omit<MetaTemplate, 'begin'> & { begin: readonly ApiMessage[] }

function renderDialogue(conversation: Conversation, meta: ApiMetaTemplate, ask: Ask, { quirks, where }: ReadOptions): Prompt {
  if (conversation.kind === 'text') throw new Error('a text has no dialogue')
  const { speeches, notes } = speakDialogue(conversation, { ...meta, begin: [] }, ask, quirks)
  const last = speeches.at(-1)
  const isCut = last?.kind === 'cut'
  const stop = isCut ? [...meta.eos, ...stopsOfEnd(last.end)] : meta.stop
  const said = mergeNeighbours(speeches.flatMap((speech) => messageOf(speech)))
  if (said.length === 0) {
    throw new PromptError('nothing-to-send', {
      where,
      problem: 'no message is left to send',
      fix: "let a role other than the generating one speak in the dataset's template",
    })
  }
  // Left out by the reference; the text is kept as the meta template's begin is.
  const ending = isCut || quirks.has('api-string-dropped') || meta.end.length === 0 ? [] : [{ role: 'user', content: meta.end }]
  const messages = [...meta.begin, ...said, ...ending]
  const end = messages.length
  const marked = messages.findIndex(({ content }) => content.some((piece) => piece.answer))
  const answer = ask.want === 'generate' ? { start: end, end } : { start: marked, end: marked + 1 }
  return {
    kind: 'chat',
    messages,
    ...(answer.start < 0 ? {} : { answer }),
    stop,
    notes: distinctNotes([...conversation.notes, ...notes]),
  }
}

function messageOf(speech: Speech): ApiMessage[] {
  if (speech.kind === 'cut') return []
  if (speech.kind === 'text') throw new Error('loose text was not adapted')
  const content = [...speech.begin, ...speech.content, ...speech.end]
  for (const piece of content) if ('ids' in piece) throw idsInMessage(piece.source.path)
  const { name } = speech.turn ?? {}
  return [{ role: messageRole(speech.role.apiRole!), content, ...(name === undefined ? {} : { name }) }]
}

/** OpenCompass's names for the roles of messages. */
export function messageRole(apiRole: string): string {
  return messageRoleNames.get(apiRole) ?? apiRole
}

const messageRoleNames: ReadonlyMap<string, string> = new Map([
  ['HUMAN', 'user'],
  ['BOT', 'assistant'],
  ['SYSTEM', 'system'],
])

/** The reference hands messages on without the meta template's begin, whose text would be lost. */
function withBegin(messages: readonly ApiMessage[], read: { template: ApiMetaTemplate }, { quirks }: ReadOptions): readonly ApiMessage[] {
  return quirks.has('api-string-dropped') ? messages : [...read.template.begin, ...messages]
}

/** Messages of a `messages` template or a row, one by one and unmerged. */
export function handOn(
  { sections, notes }: Conversation & { kind: 'dialogue' },
  { want }: Ask,
  complete: (messages: readonly ApiMessage[]) => readonly ApiMessage[] = (messages) => messages,
): Prompt {
  const turns = sections.flatMap((section) => section.items.filter(isTurn))
  const said = turns.map(({ role, content = [], name, extra, asParts }, index): ApiMessage => {
    const isAnswer = want === 'complete' && index === turns.length - 1
    const words = isAnswer ? content.map((piece) => ({ ...piece, answer: true as const })) : content
    return { role, content: words, ...(name === undefined ? {} : { name }), ...(extra ? { extra } : {}), ...(asParts ? { asParts } : {}) }
  })
  const messages = complete(said)
  const end = messages.length
  const marked = messages.findLastIndex(({ content }) => content.some((piece) => piece.answer))
  const last = marked < 0 ? end - 1 : marked
  return { kind: 'chat', messages, answer: want === 'generate' ? { start: end, end } : { start: last, end: last + 1 }, stop: [], notes }
}

export function oneMessage(content: readonly Piece[], notes: readonly Note[], { want }: Ask): Prompt {
  const answer =
    want === 'generate' ? { answer: { start: 1, end: 1 } } : content.some((piece) => piece.answer) ? { answer: { start: 0, end: 1 } } : {}
  return { kind: 'chat', messages: [{ role: 'user', content }], stop: [], notes, ...answer }
}

/** The meta template's `begin`: text (said by the user) or turns; the reference puts it first, as it is. */
function readBegin(config: unknown, { where, quirks }: ReadOptions): ApiMessage[] {
  const { begin, round, reserved_roles: reserved } = config as { begin?: unknown; round: BeginTurn[]; reserved_roles?: BeginTurn[] }
  const entries: (string | BeginTurn)[] = !begin ? [] : ([begin].flat() as (string | BeginTurn)[])
  return entries.map((entry, index) => {
    const path = Array.isArray(begin) ? `${where}.begin[${index}]` : `${where}.begin`
    if (typeof entry === 'string') return { role: 'user', content: [control(entry, { by: 'format', path })] }
    const known = [...round, ...(reserved ?? [])].find((role) => role.role === entry.role)
    const role = messageRole(entry.api_role ?? known?.api_role ?? entry.role)
    if (!['system', 'user', 'assistant'].includes(role) && !quirks.has('api-role-unknown')) {
      throw new PromptError('unknown-role', {
        where: `${path}.role`,
        problem: `"${entry.role}" is no role of this meta template`,
        fix: 'give it an api_role: HUMAN, BOT or SYSTEM',
      })
    }
    return { role, content: [control(entry.prompt ?? '', { by: 'format', path: `${path}.prompt` })] }
  })
}

type BeginTurn = { role: string; prompt?: string; api_role?: string }

function traitsOf(meta: ApiMetaTemplate, { quirks }: ReadOptions): Traits {
  const user = [...meta.roles.values()].find((role) => messageRole(role.apiRole ?? '') === 'user')
  return {
    roles: [...meta.roles.keys()],
    ...(user ? { userRole: user.name } : {}),
    looseText: quirks.has('api-string-dropped') ? 'drop' : 'as-user',
    readsContent: false,
  }
}
