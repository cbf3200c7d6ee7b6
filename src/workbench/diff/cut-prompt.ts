import { control, type Piece, type Source, type TextPiece } from '../../base/text/index.ts'
import { type Conversation, isTurn } from '../../prompt/conversation/conversation.ts'
import type { Prompt } from '../../prompt/format/format.ts'

/** What one turn says in a prompt, with what the format writes inside of it. */
export type Part = {
  /** The same for the same turn in every format. */
  key: string
  /** Who speaks, as the conversation has it; `text` where nobody does. */
  role: string
  pieces: readonly TextPiece[]
  text: string
}

/** A prompt as turns and what a format writes between them: `joints[i]` stands before `parts[i]`, and the last one at the end. */
export type CutPrompt = { parts: readonly Part[]; joints: readonly string[]; text: string }

/** Cuts a prompt where the conversation's own text begins and ends, so that two formats can be laid side by side. */
export function cutPrompt(prompt: Prompt, conversation: Conversation): CutPrompt {
  const whose = speakersOf(conversation)
  const parts: { key: string; role: string; pieces: TextPiece[] }[] = []
  const joints: string[] = []
  let between: TextPiece[] = []
  for (const piece of textPieces(prompt)) {
    if (piece.text === '') continue
    const turn = isOwn(piece) ? undefined : whose(piece.source)
    const last = parts.at(-1)
    if (turn === undefined) between.push(piece)
    else if (last?.key === turn.key) {
      last.pieces.push(...between, piece)
      between = []
    } else {
      joints.push(textIn(between))
      between = []
      parts.push({ ...turn, pieces: [piece] })
    }
  }
  joints.push(textIn(between))
  const named = withOrdinals(parts).map((part) => ({ ...part, text: textIn(part.pieces) }))
  return { parts: named, joints, text: textIn(textPieces(prompt)) }
}

/** What the format wrote, the name of a role among it. */
function isOwn({ control: isControl, source }: TextPiece): boolean {
  return isControl || source.by === 'format' || source.by === 'tokenizer'
}

/** A chat for a server as text: the role before each message. Token ids are shown by their numbers. */
function textPieces(prompt: Prompt): TextPiece[] {
  const asText = (piece: Piece): TextPiece[] => {
    if ('text' in piece) return [piece]
    return 'ids' in piece ? [control(`<${piece.ids.join(' ')}>`, piece.source)] : [control('<image>', piece.source)]
  }
  if (prompt.kind === 'completion') return prompt.pieces.flatMap(asText)
  const from: Source = { by: 'format', path: 'role' }
  return prompt.messages.flatMap(({ role, content, extra }) => [
    control(`[${role}] `, from),
    ...content.flatMap(asText),
    control(extra === undefined ? '\n' : ` ${JSON.stringify(extra)}\n`, from),
  ])
}

type Speaker = { key: string; role: string }

/** Finds the turn that a source belongs to: by the message it is part of, or by the text that the turn is made of. */
function speakersOf(conversation: Conversation): (source: Source) => Speaker | undefined {
  const bySource = new Map<string, Speaker>()
  const byPath: { path: string; speaker: Speaker }[] = []
  const turns = conversation.kind === 'dialogue' ? conversation.sections.flatMap(({ items }) => items) : []
  for (const [number, item] of turns.entries()) {
    const speaker = { key: `turn ${number}`, role: isTurn(item) ? item.role.toLowerCase() : 'text' }
    byPath.push({ path: item.path, speaker })
    for (const { source } of isTurn(item) ? [...(item.content ?? []), ...(item.reasoning ?? [])] : item.loose) {
      if (!bySource.has(keyOf(source))) bySource.set(keyOf(source), speaker)
    }
  }
  return (source) => {
    if (source.by === 'tool') return { key: 'tools', role: 'tools' }
    const inside = byPath.find(({ path }) => path !== '' && (source.path === path || source.path.startsWith(`${path}.`)))
    return bySource.get(keyOf(source)) ?? inside?.speaker ?? { key: keyOf(source), role: 'text' }
  }
}

function keyOf({ by, path, example }: Source): string {
  return `${by} ${path} ${example ?? ''}`
}

/** A turn that is written in several places has a key for each. */
function withOrdinals<Keyed extends { key: string }>(parts: readonly Keyed[]): Keyed[] {
  const seen = new Map<string, number>()
  return parts.map((part) => {
    const count = seen.get(part.key) ?? 0
    seen.set(part.key, count + 1)
    return count === 0 ? part : { ...part, key: `${part.key} again ${count}` }
  })
}

function textIn(pieces: readonly TextPiece[]): string {
  return pieces.reduce((whole, { text }) => whole + text, '')
}
