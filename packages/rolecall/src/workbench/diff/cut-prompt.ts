import { type Conversation, isTurn } from '@rolecall/core/internal/conversation'
import type { Prompt } from '@rolecall/core/internal/format'
import { control, type Piece, type Source, type TextPiece } from '@rolecall/core/internal/text'

/** The text of a turn in a prompt, including what the format writes inside it. */
export type Part = {
  /** Identifies the turn across formats. */
  key: string
  /** The role in the conversation; `text` if there is none. */
  role: string
  /** What the conversation says there, before a format writes it; the key where it says nothing. */
  words: string
  pieces: readonly TextPiece[]
  text: string
}

/** A prompt as turns and the format's text between them: `joints[i]` precedes `parts[i]`, and the last one ends the prompt. */
export type CutPrompt = { parts: readonly Part[]; joints: readonly string[]; text: string }

/** Splits a prompt into conversation text and format text, so that two formats can be aligned. */
export function cutPrompt(prompt: Prompt, conversation: Conversation): CutPrompt {
  const whose = speakersOf(conversation)
  const parts: (Speaker & { pieces: TextPiece[] })[] = []
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

/** Whether the format wrote this, including role names. */
function isOwn({ control: isControl, source }: TextPiece): boolean {
  return isControl || source.by === 'format' || source.by === 'tokenizer'
}

/** A prompt as text pieces: chat messages with their role, token ids as numbers. */
function textPieces(prompt: Prompt): TextPiece[] {
  const asText = (piece: Piece): TextPiece[] => {
    if ('text' in piece) return [piece]
    return 'ids' in piece ? [control(`<${piece.ids.join(' ')}>`, piece.source)] : [control(`<${piece.media.kind}>`, piece.source)]
  }
  if (prompt.kind === 'completion') return prompt.pieces.flatMap(asText)
  const from: Source = { by: 'format', path: 'role' }
  return prompt.messages.flatMap(({ role, content, extra }) => [
    control(`[${role}] `, from),
    ...content.flatMap(asText),
    control(extra === undefined ? '\n' : ` ${JSON.stringify(extra)}\n`, from),
  ])
}

type Speaker = Pick<Part, 'key' | 'role' | 'words'>

/** Maps a source to its turn, by message or by template text. */
function speakersOf(conversation: Conversation): (source: Source) => Speaker | undefined {
  const bySource = new Map<string, Speaker>()
  const byPath: { path: string; speaker: Speaker }[] = []
  const turns = conversation.kind === 'dialogue' ? conversation.sections.flatMap(({ items }) => items) : []
  for (const [number, item] of turns.entries()) {
    const said = isTurn(item) ? [...(item.content ?? []), ...(item.reasoning ?? [])] : item.loose
    const words = said.map((piece) => ('text' in piece ? piece.text : '')).join('')
    const speaker = { key: `turn ${number}`, role: isTurn(item) ? item.role.toLowerCase() : 'text', words }
    byPath.push({ path: item.path, speaker })
    for (const { source } of said) {
      if (!bySource.has(keyOf(source))) bySource.set(keyOf(source), speaker)
    }
  }
  return (source) => {
    if (source.by === 'tool') return { key: 'tools', role: 'tools', words: 'tools' }
    const inside = byPath.find(({ path }) => path !== '' && (source.path === path || source.path.startsWith(`${path}.`)))
    return bySource.get(keyOf(source)) ?? inside?.speaker ?? { key: keyOf(source), role: 'text', words: keyOf(source) }
  }
}

function keyOf({ by, path, example }: Source): string {
  return `${by} ${path} ${example ?? ''}`
}

/** Numbers the keys of a turn that is written several times. */
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
