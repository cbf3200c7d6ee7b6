import type { InternLM2Options } from '../../config/internlm2-options-schema.ts'
import type { Turn } from '../../conversation/conversation.ts'
import type { Note } from '../../note.ts'
import { PromptError } from '../../prompt-error.ts'
import { dictGet } from '../../python/index.ts'
import { control, type Piece, plain, type Source, type TextPiece } from '../../text/index.ts'
import { instruction, noTools } from './arrange-turns.ts'
import { checkName } from './check-name.ts'
import type { InternLM2Layout } from './layout.ts'
import { writeCall } from './write-call.ts'

/** Where the format is written, and what it is called. */
export type FormatOrigin = { path: string; name: string }

/** Writes the parts of a turn: its head with role and name, what is said, calls included, and its end. */
export function turnParts(layout: InternLM2Layout, options: InternLM2Options, { path, name: formatName }: FormatOrigin) {
  const { turn: marks, action } = layout
  const from = (key: string, example?: number): Source => ({
    by: 'format',
    path: `${path}.${key}`,
    ...(example === undefined ? {} : { example }),
  })

  const heads = new Map<string, readonly Piece[]>()

  function head({ role, name, path: place, message }: Turn, example?: number): readonly Piece[] {
    if (name === undefined && example === undefined) {
      const known = heads.get(role) ?? [control(`${marks.start}${role}\n`, from('turn.start'))]
      heads.set(role, known)
      return known
    }
    const start = `${marks.start}${role}`
    if (name === undefined) return [control(`${start}\n`, from('turn.start', example))]
    const special = action && (name === 'plugin' || name === 'interpreter') ? action[name] : undefined
    if (special !== undefined) return [control(`${start} name=${special}\n`, from('turn.start', example))]
    checkName(name, place)
    const source: Source = { by: message ? 'message' : 'template', path: `${place}.name`, ...(example === undefined ? {} : { example }) }
    return [control(`${start} name=`, from('turn.start', example)), plain(name, source), control('\n', from('turn.start', example))]
  }

  function say(turn: Turn, example: number | undefined, notes: Note[]): readonly Piece[] {
    if (isSimple(turn)) return turn.content
    const isSilent = turn.content === undefined || (turn.message !== undefined && (dictGet(turn.message, 'content') ?? null) === null)
    const hasIds = turn.content?.some((piece) => 'ids' in piece)
    if (action && turn.role === 'system' && turn.name === 'interpreter' && isSilent) return instruction(options, path)
    if (turn.content === undefined && !turn.calls)
      notes.push({ code: 'empty-turn', where: turn.path, text: `role "${turn.role}" speaks here, and the dataset gives it no prompt` })
    noteUnused(turn, notes)
    const said: Piece[] = []
    for (const piece of turn.content ?? []) {
      if ('image' in piece) throw noImages(piece.source.path)
      // Text that had no role is a turn here, so that markers in it are only characters.
      said.push('text' in piece && piece.control ? { ...piece, control: false } : piece)
    }
    if (hasIds) return said
    for (const call of turn.calls ?? []) {
      if (!action) throw noTools(call.path, { name: formatName })
      const kind = call.code === undefined ? 'plugin' : 'interpreter'
      const source: Source = { by: 'message', path: call.path, ...(example === undefined ? {} : { example }) }
      const newline =
        options.end_newlines?.includes(kind === 'plugin' ? 'plugin-call' : 'code-call') && call.after === undefined ? '\n' : ''
      said.push(
        control(`${action.start}${action[kind]}\n`, from('action.start', example)),
        plain(writeCall(call, options.call_key ?? 'parameters'), source),
        control(`${action.end}${newline}`, from('action.end', example)),
      )
      if (call.after !== undefined) said.push(plain(call.after, { ...source, path: `${call.path}.after` }))
    }
    return said
  }

  const plainEnd: readonly Piece[] = [control(`${marks.end}\n`, from('turn.end'))]
  const end = (example?: number): readonly Piece[] =>
    example === undefined ? plainEnd : [control(`${marks.end}\n`, from('turn.end', example))]
  /** What is left of the end of a turn whose marker the model has generated itself. */
  const restOfEnd = (): Piece[] => [control('\n', from('turn.end'))]
  return { head, say, end, restOfEnd }
}

/** One stretch of words, and nothing else that is written, noted or refused. */
function isSimple(turn: Turn): turn is Turn & { content: readonly [TextPiece] } {
  const { content, name, calls, extra, reasoning } = turn
  if (content?.length !== 1 || name !== undefined || calls || extra || reasoning) return false
  const piece = content[0]!
  return 'text' in piece && !piece.control
}

const usedFields = new Set(['tool_calls', 'tool_call_id', 'reasoning_content', 'token_ids', 'token_text'])

/** Nothing is left out without a word. */
function noteUnused({ extra = {}, reasoning, path }: Turn, notes: Note[]): void {
  const unused = Object.keys(extra).filter((key) => !usedFields.has(key))
  if (reasoning?.length) unused.push('reasoning_content')
  if (unused.length === 0) return
  notes.push({ code: 'message-fields-unused', where: path, text: `this format has no place for ${unused.join(', ')} of the message` })
}

function noImages(where: string): PromptError {
  return new PromptError('no-images', { where, problem: 'this format takes no images', fix: 'leave the image out' })
}
