import { distinctNotes, type Note } from '../../../base/errors/note.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { control, type Piece, textOf } from '../../../base/text/index.ts'
import { type Conversation, isMessages, isTurn, type LooseText, type Tool } from '../../conversation/conversation.ts'
import { adaptConversation } from '../adapt/adapt-conversation.ts'
import { chatRole } from '../adapt/role-names.ts'
import { type Line, type Turns, wordsOf } from '../adapt/script.ts'
import type { Traits } from '../adapt/traits.ts'
import type { ApiMessage, Ask, Format, Prompt, Stop } from '../format.ts'
import { plainFormat } from '../plain-format.ts'
import { readWhenNeeded, roundTraits, stopsOf } from './meta-format.ts'
import { checkOutline, idsInMessage, type MetaTemplate, type ReadOptions, readMetaTemplate } from './read-meta-template.ts'

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
        return { ...oneMessage(conversation.content, [...conversation.notes, ...read.mistake], ask), stop: eosOf(read) }
      }
      if (isMessages(conversation))
        return { ...handOn(conversation, ask, (messages) => withBegin(messages, read, options)), stop: eosOf(read) }
      const script = adaptConversation(conversation, ask, traitsOf(read.template, options))
      return renderTurns(script as Turns, read.template, ask, options)
    },
  }
}

/** An API model without a meta template: messages are passed on, everything else becomes one user message. */
export function bareApiFormat(options: ReadOptions): Format {
  return asOneMessage({ ...plainFormat(options.quirks), name: 'messages' }, options)
}

/** A server that takes only messages gets the text of a format without roles as one user message; messages are passed on. */
export function asOneMessage(text: Format, { where }: ReadOptions): Format {
  return {
    name: text.name,
    kind: 'chat',
    get traits() {
      return { ...text.traits, tools: true }
    },
    get markers() {
      return text.markers
    },
    render(conversation, ask) {
      if (isMessages(conversation)) return handOn(conversation, ask)
      const { said, tools } = apart(conversation)
      const prompt = text.render(said, ask)
      if (prompt.kind === 'chat') return prompt
      const { pieces, stop, notes } = prompt
      for (const piece of pieces) if ('ids' in piece) throw idsInMessage(piece.source.path)
      const turns = turnsIn(said)
      const joined: Note = {
        code: 'turns-joined',
        where,
        text: `there are no roles to write turns with: ${turns} turns are one user message, joined by newlines; \`format: messages\` sends each as a message`,
      }
      return { ...oneMessage(pieces, turns > 1 ? [...notes, joined] : notes, ask), stop, ...(tools ? { tools } : {}) }
    },
  }
}

/** The turns that write something: an answer that the model is to give has no text yet. */
function turnsIn(conversation: Conversation): number {
  if (conversation.kind === 'text') return 0
  const turns = conversation.sections.flatMap(({ items }) => items.filter(isTurn))
  return turns.filter(({ content = [] }) => textOf(content) !== '').length
}

/** A server receives tools beside the messages, whatever these are. */
function apart(conversation: Conversation): { said: Conversation; tools?: readonly Tool[] } {
  if (conversation.kind === 'text' || !conversation.tools) return { said: conversation }
  const { tools, ...said } = conversation
  return { said, tools }
}

/** `eos_token_id` belongs to the model, so every prompt has it. */
function eosOf(read: { template: ApiMetaTemplate; mistake: readonly Note[] }): readonly Stop[] {
  return read.mistake.length > 0 ? [] : read.template.eos
}

type ApiMetaTemplate = Omit<MetaTemplate, 'begin'> & { begin: readonly ApiMessage[] }

function renderTurns(script: Turns, meta: ApiMetaTemplate, ask: Ask, { quirks, where }: ReadOptions): Prompt {
  const said = script.lines.map(messageOf)
  if (said.length === 0) {
    throw new PromptError('nothing-to-send', {
      where,
      problem: 'no message is left to send',
      fix: "let a role other than the generating one speak in the dataset's template",
    })
  }
  // The reference drops it; here the text is kept, like the meta template's begin.
  const ending = script.next || quirks.has('api-string-dropped') || meta.end.length === 0 ? [] : [{ role: 'user', content: meta.end }]
  const messages = [...meta.begin, ...said, ...ending]
  const end = messages.length
  const marked = messages.findIndex(({ content }) => content.some((piece) => piece.answer))
  const answer = ask.want === 'generate' ? { start: end, end } : { start: marked, end: marked + 1 }
  return {
    kind: 'chat',
    messages,
    ...(answer.start < 0 ? {} : { answer }),
    stop: stopsOf(script, meta),
    ...(script.tools ? { tools: script.tools } : {}),
    notes: distinctNotes([...script.notes, ...meta.notes]),
  }
}

function messageOf(line: Line | LooseText): ApiMessage {
  if ('loose' in line) throw new Error('loose text was not adapted')
  const content = wordsOf(line)
  for (const piece of content) if ('ids' in piece) throw idsInMessage(piece.source.path)
  const { role, name, extra, parts } = line
  return { role, content, ...(name === undefined ? {} : { name }), ...(extra ? { extra } : {}), ...(parts ? { parts } : {}) }
}

/** The reference passes messages on without the meta template's begin, whose text would be lost. */
function withBegin(messages: readonly ApiMessage[], read: { template: ApiMetaTemplate }, { quirks }: ReadOptions): readonly ApiMessage[] {
  return quirks.has('api-string-dropped') ? messages : [...read.template.begin, ...messages]
}

/** Passes messages on unchanged, with all their fields. */
const messageTraits: Traits = {
  formatName: 'a chat server',
  looseText: 'error',
  tools: true,
  names: true,
  continues: true,
  readsContent: false,
}

/** Messages of a `messages` template or a row, one by one and unmerged. A server receives tools beside them. */
export function handOn(
  conversation: Conversation,
  ask: Ask,
  complete: (messages: readonly ApiMessage[]) => readonly ApiMessage[] = (messages) => messages,
): Prompt {
  const { lines, tools, notes } = adaptConversation(conversation, ask, messageTraits) as Turns
  const said = lines.flatMap((line): ApiMessage[] => {
    if ('loose' in line) return []
    const { name, extra, parts } = line
    // Chat servers use OpenAI's name for InternLM2's role of tool results.
    const role = line.role === 'environment' && !line.message ? 'tool' : line.role
    const fields = { ...(name === undefined ? {} : { name }), ...(extra ? { extra } : {}), ...(parts ? { parts } : {}) }
    return [{ role, content: wordsOf(line), ...fields }]
  })
  const messages = complete(said)
  const end = messages.length
  const marked = messages.findLastIndex(({ content }) => content.some((piece) => piece.answer))
  const last = marked < 0 ? end - 1 : marked
  const answer = ask.want === 'generate' ? { start: end, end } : { start: last, end: last + 1 }
  return { kind: 'chat', messages, answer, stop: [], notes, ...(tools ? { tools } : {}) }
}

export function oneMessage(content: readonly Piece[], notes: readonly Note[], { want }: Ask): Prompt {
  const answer =
    want === 'generate' ? { answer: { start: 1, end: 1 } } : content.some((piece) => piece.answer) ? { answer: { start: 0, end: 1 } } : {}
  const parts = content.some((piece) => 'media' in piece) ? { parts: [] } : {}
  return { kind: 'chat', messages: [{ role: 'user', content, ...parts }], stop: [], notes, ...answer }
}

/** The meta template's `begin`: text (as the user) or turns; the reference puts it first, unchanged. */
function readBegin(config: unknown, { where, quirks }: ReadOptions): ApiMessage[] {
  const { begin, round, reserved_roles: reserved } = config as { begin?: unknown; round: BeginTurn[]; reserved_roles?: BeginTurn[] }
  const entries: (string | BeginTurn)[] = !begin ? [] : ([begin].flat() as (string | BeginTurn)[])
  return entries.map((entry, index) => {
    const path = Array.isArray(begin) ? `${where}.begin[${index}]` : `${where}.begin`
    if (typeof entry === 'string') return { role: 'user', content: [control(entry, { by: 'format', path })] }
    const known = [...round, ...(reserved ?? [])].find((role) => role.role === entry.role)
    const role = chatRole(entry.api_role ?? known?.api_role ?? entry.role)
    if (!['system', 'user', 'assistant'].includes(role) && !quirks.has('api-role-unknown')) {
      throw new PromptError('unknown-role', {
        where: `${path}.role`,
        problem: `"${entry.role}" is not a role of this meta template`,
        fix: 'give it an api_role: HUMAN, BOT or SYSTEM',
      })
    }
    return { role, content: [control(entry.prompt ?? '', { by: 'format', path: `${path}.prompt` })] }
  })
}

type BeginTurn = { role: string; prompt?: string; api_role?: string }

function traitsOf(meta: ApiMetaTemplate, { quirks }: ReadOptions): Traits {
  const user = [...meta.roles.values()].find((role) => chatRole(role.apiRole ?? '') === 'user')
  return {
    ...roundTraits(meta, meta.round ?? [], quirks),
    formatName: 'the meta template',
    ...(user ? { userRole: user.name } : {}),
    looseText: quirks.has('api-string-dropped') ? 'drop' : 'as-user',
    writesAs: new Map([...meta.roles].map(([name, role]) => [name, chatRole(role.apiRole ?? name)])),
    names: true,
    tools: true,
    affixes: 'inside',
    alternates: { joint: { text: '\n', control: true } },
    readsContent: false,
  }
}
