import { PromptError } from '../../../base/errors/prompt-error.ts'
import { dictGet } from '../../../base/python/index.ts'
import { control, type MediaPiece, type Piece, plain, type Source, type TextPiece } from '../../../base/text/index.ts'
import type { Line } from '../adapt/script.ts'
import { instruction } from './arrange-lines.ts'
import type { InternLM2Layout } from './internlm2-layout.ts'
import type { InternLM2Options } from './internlm2-options-schema.ts'
import { writeCall } from './write-call.ts'

/** The path of the format, and its name. */
export type FormatOrigin = { path: string; name: string }

/** Writes the parts of a turn: its head with role and name, its content with calls, and its end. */
export function lineParts(layout: InternLM2Layout, options: InternLM2Options, { path, name: formatName }: FormatOrigin) {
  const { turn: marks, action } = layout
  const from = (key: string, example?: number): Source => ({
    by: 'format',
    path: `${path}.${key}`,
    example,
  })

  const heads = new Map<string, readonly Piece[]>()

  function head({ role, name, path: place, message, example }: Line): readonly Piece[] {
    if (name === undefined && example === undefined) {
      const known = heads.get(role) ?? [control(`${marks.start}${role}\n`, from('turn.start'))]
      heads.set(role, known)
      return known
    }
    const start = `${marks.start}${role}`
    if (name === undefined) return [control(`${start}\n`, from('turn.start', example))]
    const special = action && toolRoles.has(role) && (name === 'plugin' || name === 'interpreter') ? action[name] : undefined
    if (special !== undefined) return [control(`${start} name=${special}\n`, from('turn.start', example))]
    checkName(name, place)
    const source: Source = { by: message ? 'message' : 'template', path: `${place}.name`, example }
    return [control(`${start} name=`, from('turn.start', example)), plain(name, source), control('\n', from('turn.start', example))]
  }

  function say(turn: Line): readonly Piece[] {
    if (isSimple(turn)) return turn.content
    const { example } = turn
    const isSilent = turn.content === undefined || (turn.message !== undefined && (dictGet(turn.message, 'content') ?? null) === null)
    const hasIds = turn.content?.some((piece) => 'ids' in piece)
    if (action && turn.role === 'system' && turn.name === 'interpreter' && isSilent) return instruction(options, path)
    const said: Piece[] = []
    for (const piece of turn.content ?? []) {
      if ('media' in piece) throw noMedia(piece)
      // Text that had no role is a turn here, so that markers in it are only characters.
      said.push('text' in piece && piece.control ? { ...piece, control: false } : piece)
    }
    if (hasIds) return said
    for (const call of turn.calls ?? []) {
      if (!action) throw noCalls(call.path, formatName)
      const kind = call.code === undefined ? 'plugin' : 'interpreter'
      const source: Source = { by: 'message', path: call.path, example }
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
  /** The rest of a turn's end after the marker that the model has generated. */
  const restOfEnd = (): Piece[] => [control('\n', from('turn.end'))]
  return { head, say, end, restOfEnd }
}

/** The speakers of tool results. Any other name is plain text: naming a speaker like a token does not make it one. */
const toolRoles: ReadonlySet<string> = new Set(['system', 'environment'])

/** A single text, and nothing else that is written or refused. */
function isSimple(turn: Line): turn is Line & { content: readonly [TextPiece] } {
  const { content, name, calls } = turn
  if (content?.length !== 1 || name !== undefined || calls) return false
  const piece = content[0]!
  return 'text' in piece && !piece.control
}

/** Calls come with messages, whether or not the format can describe tools. */
function noCalls(where: string, formatName: string): PromptError {
  return new PromptError('no-tools', {
    where,
    problem: `the format "${formatName}" has no way to describe tools, interpreters or calls`,
    fix: 'leave them out, or use another format',
  })
}

function noMedia({ media: { kind }, source }: MediaPiece): PromptError {
  return new PromptError('no-images', {
    where: source.path,
    problem: `this format takes no ${kind === 'image' || kind === 'file' ? `${kind}s` : kind}`,
    fix: `leave the ${kind} out`,
  })
}

const legalName = /^[A-Za-z0-9_.-]{1,64}$/

/** A name is part of a turn's header, so anything but a plain word could forge one. */
function checkName(name: string, path: string): void {
  if (legalName.test(name)) return
  const [, inner] = /^<\|(plugin|interpreter)\|>$/.exec(name) ?? []
  throw new PromptError('bad-name', {
    where: `${path}.name`,
    problem: `${JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name)} cannot be a name`,
    // Document 004 prints the head of the turn, where the format writes the token.
    fix: inner === undefined ? 'use 1 to 64 letters, digits, _, - and .' : `write "${inner}": the format makes the token of it`,
  })
}
