import { check } from '../../../base/errors/check.ts'
import { distinctNotes } from '../../../base/errors/note.ts'
import { control, type Piece, type PieceRange } from '../../../base/text/index.ts'
import type { Conversation } from '../../conversation/conversation.ts'
import { adaptConversation } from '../adapt/adapt-conversation.ts'
import type { Turns } from '../adapt/script.ts'
import { answeredBy, type Traits } from '../adapt/traits.ts'
import { markedAnswer } from '../answer.ts'
import type { Ask, Format, NeededToken, Prompt, Stop } from '../format.ts'
import { stopsOfEnd } from '../meta/read-meta-template.ts'
import { type InternLM2Layout, tokensOf } from './internlm2-layout.ts'
import { type InternLM2Options, internlm2OptionsSchema } from './internlm2-options-schema.ts'
import { internlm2PlainChat } from './internlm2-plain-chat.ts'
import { lineWriter, type WrittenTurn } from './write-lines.ts'

type Origin = { name: string; where: string }

/** The formats of the InternLM2 family (document 004): `<|im_start|>role name=…\n…<|im_end|>\n`, calls, and the environment's results. */
export function internlm2Format(layout: InternLM2Layout, given: unknown, { name, where }: Origin): Format {
  const options = check(internlm2OptionsSchema, given ?? {}, `${where}format_options`)
  const path = `${where}format`
  const results = ['environment', 'tool', 'function']
  const traits: Traits = {
    formatName: `the format "${name}"`,
    roles: ['system', 'user', 'assistant', ...results],
    userRole: 'user',
    looseText: 'as-user',
    names: true,
    tools: layout.action !== undefined,
    interpreter: layout.action !== undefined,
    fields: ['tool_calls', 'tool_call_id', 'token_ids', 'token_text'],
    turnsAlone: options.system === undefined,
    rounds: answeredBy('assistant', ['user', ...results]),
    replyRole: 'assistant',
    lastRound: true,
    joinsParts: true,
    readsContent: false,
  }
  const stop = [layout.turn.end, ...layout.eos].map((token): Stop => ({ token, source: { by: 'format', path: `${path}.stop` } }))
  const write = lineWriter(layout, options, { path, name })
  return {
    name,
    kind: 'completion',
    traits,
    markers: tokensOf(layout),
    tokens: neededTokens(layout, options),
    render(conversation, ask) {
      if (conversation.kind === 'text') return renderText(conversation, stop, ask)
      const script = adaptConversation(conversation, ask, traits) as Turns
      const written = write(script, ask)
      const start = ask.want === 'last-round' && written.isContinued ? 'none' : (options.bos ?? 'in-prompt')
      const bos = start === 'in-prompt' ? [control(layout.bos, { by: 'format', path: `${path}.bos` })] : []
      const { pieces, answer } = joinTurns(bos, written.turns, ask)
      return {
        kind: 'completion',
        pieces,
        bos: start,
        stop: script.next?.end ? [...stop, ...stopsOfEnd(script.next.end)] : stop,
        notes: distinctNotes(script.notes),
        ...(answer ? { answer } : {}),
      }
    },
    plainChat: (ask) => internlm2PlainChat(layout, options, ask),
  }
}

/** A string template is the whole prompt, markers included. */
function renderText({ content, notes }: Conversation & { kind: 'text' }, stop: readonly Stop[], { want }: Ask): Prompt {
  const answer = want === 'complete' ? markedAnswer(content) : { start: content.length, end: content.length }
  return { kind: 'completion', pieces: content, bos: 'tokenizer', stop, notes, ...(answer ? { answer } : {}) }
}

function joinTurns(bos: readonly Piece[], turns: readonly WrittenTurn[], { want }: Ask): { pieces: Piece[]; answer?: PieceRange } {
  const pieces: Piece[] = [...bos]
  let found: PieceRange | undefined
  for (const { begin, said, end, isAnswer } of turns) {
    pieces.push(...begin)
    if (isAnswer) found = { start: pieces.length, end: pieces.length + said.length }
    pieces.push(...said, ...end)
  }
  const answer = want === 'complete' ? (markedAnswer(pieces) ?? found) : { start: pieces.length, end: pieces.length }
  return { pieces, ...(answer ? { answer } : {}) }
}

/** Ids that the config declares win over the document's, which apply to the model's own vocabulary. */
function neededTokens(layout: InternLM2Layout, { token_ids: declared = {} }: InternLM2Options): NeededToken[] {
  const { vocabulary, ids = {} } = layout.documented ?? {}
  const tokens = [...new Set([...tokensOf(layout), ...Object.keys(declared)])]
  return tokens.map((token): NeededToken => {
    if (declared[token] !== undefined) return { token, id: declared[token] }
    return ids[token] === undefined || vocabulary === undefined ? { token } : { token, id: ids[token], vocabulary }
  })
}
