import { type ChecksOf, checkOptionsOf, isList, isObject, isString } from '../../base/errors/check-options.ts'
import { distinctNotes, type Note } from '../../base/errors/note.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Piece, TextPiece } from '../../base/text/index.ts'
import type { NeededToken, Prompt } from '../format/format.ts'
import { checkTokens } from './check-tokens.ts'
import { protectionOf } from './protected-tokens.ts'
import { RunMemo } from './run-memo.ts'
import type { Tokenizer } from './tokenizer.ts'

/** One token: its id, the characters it covers in the joined text, and the pieces they belong to. */
export type Token = {
  id: number
  /** Start and end in the text of the whole prompt (UTF-16 units). */
  span: readonly [start: number, end: number]
  /** First and last piece it touches; undefined for tokens that the tokenizer added. */
  pieces?: readonly [first: number, last: number]
  /** Only some bytes of a character: several tokens share its span. */
  partial?: true
}

/** A prompt as token ids, each with the text and the piece it comes from, and notes. */
export type Tokenized = { ids: number[]; tokens: Token[]; notes: readonly Note[] }

type BosOwner = 'in-prompt' | 'tokenizer' | 'none'

/** The constraints on a prompt's ids, and the owner of the first token. */
export type TokenizeOptions = {
  /** Turn markers of the prompt's format: data must not become them, whatever their flags in the tokenizer. */
  markers?: readonly string[]
  /** The tokens that the prompt's format needs (`format.tokens`): one that is missing or has another id is an error. */
  tokens?: readonly NeededToken[] | undefined
  /** Who writes BOS. By default the tokenizer does, unless the prompt starts with it. */
  bos?: BosOwner
  /** Encoded runs, cached between prompts: examples repeat. */
  memo?: RunMemo
}

const optionChecks = { markers: isList, tokens: isList, bos: isString, memo: isObject } satisfies ChecksOf<TokenizeOptions>

/**
 * The ids of a prompt: those of the model's own tokenizer for the whole text, except that text from data never becomes a control token.
 * Control tokens are recognised only in the format's text; everything between two of them is one run, whatever the origins of its parts.
 */
export function tokenize(prompt: Prompt & { kind: 'completion' }, tokenizer: Tokenizer, options: TokenizeOptions = {}): Tokenized {
  checkOptionsOf(options, optionChecks, 'tokenize › options')
  if (options.tokens) checkTokens(options.tokens, tokenizer)
  const protection = protectionOf(tokenizer, options.markers ?? [])
  const memo = options.memo ?? new RunMemo()
  const tokens: Token[] = []
  const notes: Note[] = []
  for (const part of partsOf(prompt.pieces, protection)) {
    if ('ids' in part) for (const id of part.ids) tokens.push({ id, span: [part.start, part.end], pieces: [part.piece, part.lastPiece] })
    else encodeRun(part, tokens, tokenizer, protection.isProtected, memo)
  }
  const wrapped = withPrefix(tokens, prompt, tokenizer) ?? withBos(tokens, tokenizer, options.bos ?? prompt.bos, notes)
  return { ids: wrapped.map(({ id }) => id), tokens: wrapped, notes: distinctNotes(notes) }
}

type Run = {
  text: string
  start: number
  edges: readonly Edge[]
  /** The last edge that is not behind its start. */
  firstEdge: number
  isFirst: boolean
}
/** Where a piece starts in the text of the whole prompt. */
type Edge = { at: number; piece: number }
type Ids = { ids: readonly number[]; start: number; end: number; piece: number; lastPiece: number; lstrip: boolean; rstrip: boolean }

/** Control tokens and given ids, and the runs between them. */
function partsOf(pieces: readonly Piece[], { split }: ReturnType<typeof protectionOf>): (Run | Ids)[] {
  const found = [...idsIn(pieces, split)]
  const text = pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')
  const edges = edgesOf(pieces)
  const parts: (Run | Ids)[] = []
  let last = 0
  let edge = 0
  for (const ids of [...found, undefined]) {
    const previous = parts.at(-1)
    const end = ids?.start ?? text.length
    const run = text.slice(last, end)
    // A token that strips white space takes it from its neighbours.
    const trimmedStart = previous && 'ids' in previous && previous.rstrip ? run.length - run.trimStart().length : 0
    const kept = ids?.lstrip ? run.slice(trimmedStart).trimEnd() : run.slice(trimmedStart)
    if (kept !== '') {
      const start = last + trimmedStart
      while (edge + 1 < edges.length && edges[edge + 1]!.at <= start) edge++
      parts.push({ text: kept, start, edges, firstEdge: edge, isFirst: parts.length === 0 })
    }
    if (ids) parts.push(ids)
    last = ids?.end ?? last
  }
  return parts
}

function edgesOf(pieces: readonly Piece[]): Edge[] {
  let at = 0
  return pieces.flatMap((piece, index) => {
    if (!('text' in piece) || piece.text === '') return []
    const edge = { at, piece: index }
    at += piece.text.length
    return [edge]
  })
}

/** Control tokens are found in chunks of adjacent control text, never across a border to other text. */
function* idsIn(pieces: readonly Piece[], split: ReturnType<typeof protectionOf>['split']): Generator<Ids> {
  let offset = 0
  let chunk: { text: string; start: number; pieces: { at: number; piece: number }[] } | undefined
  const flush = function* (): Generator<Ids> {
    const current = chunk
    chunk = undefined
    if (!current) return
    for (const { start, end, token } of split(current.text)) {
      if (!token) continue
      const piece = current.pieces.findLast(({ at }) => at <= start)!.piece
      const lastPiece = current.pieces.findLast(({ at }) => at < end)!.piece
      yield {
        ids: [token.id],
        start: current.start + start,
        end: current.start + end,
        piece,
        lastPiece,
        lstrip: token.lstrip,
        rstrip: token.rstrip,
      }
    }
  }
  for (const [index, piece] of pieces.entries()) {
    if (isControl(piece)) {
      chunk ??= { text: '', start: offset, pieces: [] }
      chunk.pieces.push({ at: chunk.text.length, piece: index })
      chunk.text += piece.text
    } else if (!('text' in piece) || piece.text !== '') yield* flush()
    if ('ids' in piece) yield { ids: piece.ids, start: offset, end: offset, piece: index, lastPiece: index, lstrip: false, rstrip: false }
    if ('text' in piece) offset += piece.text.length
  }
  yield* flush()
}

function isControl(piece: Piece): piece is TextPiece {
  return 'text' in piece && piece.control
}

function encodeRun(run: Run, tokens: Token[], tokenizer: Tokenizer, isProtected: (id: number) => boolean, memo: RunMemo): void {
  const encoded = memo.encode(tokenizer, run.text, run.isFirst, isProtected)
  let edge = run.firstEdge
  for (const [index, id] of encoded.ids.entries()) {
    const start = run.start + encoded.starts[index]!
    const end = run.start + encoded.ends[index]!
    while (edge + 1 < run.edges.length && run.edges[edge + 1]!.at <= start) edge++
    let last = edge
    while (last + 1 < run.edges.length && run.edges[last + 1]!.at < end) last++
    const token: Token = { id, span: [start, end], pieces: [run.edges[edge]!.piece, run.edges[last]!.piece] }
    tokens.push(encoded.partial.has(index) ? { ...token, partial: true } : token)
  }
}

/** BOS or EOS before a text that needs a first token and would have none. */
function withPrefix(tokens: readonly Token[], { needsPrefix }: { needsPrefix?: true }, tokenizer: Tokenizer): Token[] | undefined {
  const { bos, eos, before } = tokenizer
  const id = bos ?? eos
  if (!needsPrefix || before.length > 0 || id === undefined || tokens[0]?.id === id) return undefined
  return [{ id, span: [0, 0] }, ...tokens]
}

/** BOS has one owner: never twice, never silently missing. */
function withBos(tokens: readonly Token[], tokenizer: Tokenizer, owner: BosOwner, notes: Note[]): Token[] {
  const { bos } = tokenizer
  const starts = bos !== undefined && tokens[0]?.id === bos
  if (starts && tokens[1]?.id === bos) {
    throw new PromptError('double-bos', {
      where: 'the prompt',
      problem: `it starts with ${tokenizer.tokenOf(bos) ?? bos} twice`,
      fix: 'write it once',
    })
  }
  if (owner === 'none') return [...tokens]
  if (owner === 'in-prompt') {
    if (starts || bos === undefined) return [...tokens]
    throw new PromptError('missing-bos', {
      where: 'the prompt',
      problem: `it should start with ${tokenizer.tokenOf(bos) ?? bos} but does not`,
      fix: "write it in the format, or let the tokenizer add it (bos: 'tokenizer'), or do without (bos: 'none')",
    })
  }
  if (!starts) {
    // Where BOS is EOS, as in GPT-2, models are not trained to start with it.
    if (bos !== undefined && bos !== tokenizer.eos && !tokenizer.before.includes(bos)) {
      notes.push({
        code: 'no-bos',
        text: `the prompt lacks ${tokenizer.tokenOf(bos) ?? bos}, with which texts of this vocabulary start`,
      })
    }
    return [...tokenizer.before.map((id): Token => ({ id, span: [0, 0] })), ...tokens]
  }
  if (tokenizer.before.length > 0) {
    notes.push({
      code: 'bos-in-prompt',
      text: `the prompt starts with ${tokenizer.tokenOf(bos) ?? bos} itself, so the tokenizer does not add it again`,
    })
  }
  return [...tokens]
}
