import type { Prompt } from '@rolecall/core/internal/format'
import { type Piece, plain } from '@rolecall/core/internal/text'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { decodeTokens } from '@rolecall/core/internal/tokenizer'
import { showPieces } from '../render/show-pieces.ts'
import { colors, noteLabel, printable, type TerminalLine, terminalWidth } from '../terminal.ts'

export type ShowPromptOptions = { turn?: number; tokenizer?: Tokenizer | undefined }

/** The exact prompt of a turn, coloured by source; control text is between ⟦ and ⟧. */
export function showPrompt(prompt: Prompt, { turn, tokenizer }: ShowPromptOptions = {}): string {
  const width = Math.min(terminalWidth(), 120)
  const title = turn === undefined ? 'prompt' : `prompt ${turn + 1}`
  const lines = prompt.kind === 'completion' ? show(prompt.pieces, width, tokenizer) : showMessages(prompt, width)
  const body = lines.map(({ text, continues }) => `${colors.dim(continues ? '┊' : '│')} ${text}`)
  const notes = prompt.notes.map((note) => `   ${noteLabel(note)} ${printable(note.text)}`)
  return [`${colors.dim('╭─')} ${colors.bold(title)}`, ...body, `${colors.dim('╰─')} ${legend}`, ...notes].join('\n')
}

const legend = [
  colors.magenta('■ the format'),
  colors.yellow('■ messages and tools'),
  colors.bold(colors.green('■ the model')),
  colors.dim('⟦ ⟧ control text'),
].join('  ')

function show(pieces: readonly Piece[], width: number, tokenizer?: Tokenizer): TerminalLine[] {
  // Generated text is sent as ids, and shown decoded.
  const readable = pieces.map((piece) =>
    'ids' in piece && piece.source.by === 'model' && tokenizer ? plain(decodeTokens(piece.ids, tokenizer), piece.source) : piece,
  )
  return showPieces(readable, { width: width - 2, showWhitespace: false, isAnswer: (index) => pieces[index]!.source.by === 'model' })
}

function showMessages({ messages }: Prompt & { kind: 'chat' }, width: number): TerminalLine[] {
  return messages.flatMap(({ role, content, extra }) => {
    const calls = extra?.tool_calls
    const more = calls === undefined ? [] : [{ text: colors.dim(printable(JSON.stringify(calls))), continues: false }]
    return [{ text: colors.magenta(`■ ${printable(role)}`), continues: false }, ...show(content, width - 2), ...more]
  })
}
