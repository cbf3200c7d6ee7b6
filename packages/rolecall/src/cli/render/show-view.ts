import type { Note } from '@rolecall/core/internal/errors'
import type { ApiMessage, Prompt, Stop } from '@rolecall/core/internal/format'
import { stringifyJson } from '@rolecall/core/internal/python'
import { isMarker, type Origin, originMeaning, originOf, type Piece, textOf } from '@rolecall/core/internal/text'
import stringWidth from 'string-width'
import { titleOf } from '../../evaluation/run/ask/row-prompts.ts'
import { modelText } from '../../evaluation/run/record/pair-name.ts'
import type { ScreenBlock } from '../screen/blocks.ts'
import { joinWhole, shorten, wrap } from '../screen/fit-text.ts'
import { colors, printable, type TerminalLine } from '../terminal.ts'
import { originPaint, showPieces } from './show-pieces.ts'
import type { View } from './view.ts'

export type ShowViewOptions = { width: number; showWhitespace: boolean; full: boolean; mostLines?: number }

/** Wider prompts are hard to read. */
const widestPrompt = 120

/** A prompt with its details, and further lines about it. Its notes are not part of it: those of several prompts are often the same. */
export function viewBlock(view: View, options: Omit<ShowViewOptions, 'width'>, more: readonly string[] = []): ScreenBlock {
  return {
    kind: 'drawn',
    draw(columns) {
      const width = Math.min(columns, widestPrompt)
      const { prompt } = view.rendered
      const body =
        prompt.kind === 'completion' ? showCompletion(prompt, { ...options, width }) : showMessages(prompt, { ...options, width })
      const folded = options.full ? body : fold(body, options.mostLines)
      const bodyLines = folded.map(({ text, continues }) => `${colors.dim(continues ? '┊' : '│')} ${text}`)
      return [heading(view, width), ...bodyLines, colors.dim('╰─'), ...indented([...account(view), ...more], width)]
    },
  }
}

/** Lines below a prompt. */
export function indented(lines: readonly string[], width: number): string[] {
  const indent = '   '
  return lines.flatMap((line) => wrap(line, width - indent.length)).map((line) => indent + line)
}

/** The notes of prompts. */
export function notesOfViews(views: readonly View[]): Note[] {
  return views.flatMap(({ rendered }) => rendered.prompt.notes)
}

/** The line above a prompt: dataset, row, model, mode, label. */
export function heading(view: View, width: number): string {
  const { model, format, dataset, row, mode, label, compat } = view
  const title = titleOf(view)
  const names = [
    dataset,
    row === undefined ? undefined : `row ${row}`,
    modelText({ model, format }),
    dataset === undefined ? (mode === 'gen' ? 'generative' : 'complete') : mode,
    label === undefined ? title : `label ${title}`,
    compat === undefined ? undefined : `compat ${compat}`,
  ]
  const line = shorten(printable(names.filter((name) => name !== undefined).join(' · ')), width - 4)
  return `${colors.dim('╭─')} ${colors.bold(line)} ${colors.dim('─'.repeat(Math.max(0, width - stringWidth(line) - 4)))}`
}

function showCompletion({ pieces, answer }: Prompt & { kind: 'completion' }, { width, showWhitespace }: ShowViewOptions): TerminalLine[] {
  const isAnswer = (index: number) => answer !== undefined && index >= answer.start && index < answer.end
  return showPieces(pieces, { width: width - 2, showWhitespace, isAnswer })
}

function showMessages(
  { messages, answer, tools = [] }: Prompt & { kind: 'chat' },
  { width, showWhitespace }: ShowViewOptions,
): TerminalLine[] {
  const toolLines = tools.map(({ schema }) => ({ text: `  ${printable(stringifyJson(schema, { ensureAscii: false }))}`, continues: false }))
  const messageLines = messages.flatMap((message: ApiMessage, index) => {
    const isAnswer = answerIn(message, answer !== undefined && index >= answer.start && index < answer.end)
    const name = printable(message.name === undefined ? '' : ` (${message.name})`)
    const lines = showPieces(message.content, { width: width - 4, showWhitespace, isAnswer })
    const content = lines.length > 0 ? lines : [{ text: colors.dim('(empty)'), continues: false }]
    return [
      { text: colors.magenta(`■ ${printable(message.role)}${name}`), continues: false },
      ...content.map(({ text, continues }) => ({ text: `  ${text}`, continues })),
      ...Object.entries(message.extra ?? {}).map(([key, value]) => ({
        text: `  ${colors.dim(`${printable(key)}: ${printable(stringifyJson(value, { ensureAscii: false }))}`)}`,
        continues: false,
      })),
    ]
  })
  return toolLines.length === 0 ? messageLines : [{ text: colors.magenta('■ tools'), continues: false }, ...toolLines, ...messageLines]
}

/** The pieces of a message that are the answer: all, unless some are marked. */
function answerIn({ content }: ApiMessage, hasAnswer: boolean): (index: number) => boolean {
  const marked = content.some((piece) => piece.answer)
  return (index) => hasAnswer && (!marked || content[index]?.answer === true)
}

const foldAbove = 40

/** The start and the end of a prompt that is longer than this. */
function fold(lines: readonly TerminalLine[], most = foldAbove): readonly TerminalLine[] {
  if (lines.length <= most) return lines
  const keptLines = most === foldAbove ? 16 : Math.max(2, Math.floor((most - 1) / 2))
  const hidden = lines.length - 2 * keptLines
  const note = { text: colors.dim(`⋮ ${hidden} lines more; --full shows them`), continues: false }
  return [...lines.slice(0, keptLines), note, ...lines.slice(-keptLines)]
}

/** Details of the prompt: size, examples, where generation starts, stops, notes. */
function account({ rendered: { prompt }, examples, mode }: View): string[] {
  const pieces = piecesOf(prompt)
  const size = [`${count([...textOf(pieces)].length, 'character')}`, count(pieces.length, 'piece')]
  if (prompt.kind === 'chat') size.push(count(prompt.messages.length, 'message'))
  if (prompt.kind === 'chat' && prompt.tools) size.push(count(prompt.tools.length, 'tool'))
  if (examples && examples.used + examples.dropped > 0)
    size.push(`${count(examples.used, 'example')}${examples.dropped > 0 ? ` (${examples.dropped} dropped)` : ''}`)
  return [size.join(', '), ...startOf(prompt, mode), ...stopsOf(prompt.stop)]
}

function piecesOf(prompt: Prompt): readonly Piece[] {
  return prompt.kind === 'completion' ? prompt.pieces : prompt.messages.flatMap(({ content }) => content)
}

function startOf(prompt: Prompt, mode: 'gen' | 'ppl'): string[] {
  if (mode === 'ppl') {
    if (!prompt.answer) return ['the answer could not be separated from the question']
    const { start, end } = prompt.answer
    const text =
      prompt.kind === 'completion'
        ? textOf(prompt.pieces.slice(start, end))
        : textOf(prompt.messages.slice(start, end).flatMap(({ content }) => content))
    const ids = prompt.kind === 'completion' ? prompt.pieces.slice(start, end).flatMap((piece) => ('ids' in piece ? piece.ids : [])) : []
    return [ids.length > 0 ? `the answer is token ${ids.join(', ')}` : `the answer is ${quote(text)}`]
  }
  if (prompt.kind === 'chat') return ["generation starts with the assistant's next message"]
  const last = prompt.pieces.findLast((piece) => !('text' in piece) || piece.text !== '')
  return [
    last === undefined
      ? 'the prompt is empty'
      : `generation starts after ${'text' in last ? quote(last.text.slice(-40)) : 'token ids'}, from ${printable(last.source.path)}`,
  ]
}

function stopsOf(stops: readonly Stop[]): string[] {
  if (stops.length === 0) return []
  const sources = new Map<string, string>()
  for (const stop of stops) {
    const name = 'id' in stop ? `token ${stop.id}` : 'token' in stop ? `token ${quote(stop.token)}` : quote(stop.text)
    sources.set(name, sources.has(name) ? `${sources.get(name)}, ${stop.source.path}` : stop.source.path)
  }
  return [`stops: ${[...sources].map(([name, source]) => `${name} ${colors.dim(`(${source})`)}`).join(', ')}`]
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function quote(text: string): string {
  return printable(JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text))
}

/** The meaning of the colours and brackets that occur. */
export function legendBlock(views: readonly View[], brackets = 'control text'): ScreenBlock {
  const origins = new Set<Origin>()
  let hasMarkers = false
  for (const { rendered } of views) {
    const { prompt } = rendered
    const inAnswer = (index: number) => prompt.answer !== undefined && index >= prompt.answer.start && index < prompt.answer.end
    if (prompt.kind === 'completion') {
      for (const [index, piece] of prompt.pieces.entries()) origins.add(originOf(piece, inAnswer(index)))
      hasMarkers ||= prompt.pieces.some(isMarker)
    } else {
      origins.add('format')
      for (const [index, message] of prompt.messages.entries()) {
        const isAnswer = answerIn(message, inAnswer(index))
        for (const [number, piece] of message.content.entries()) origins.add(originOf(piece, isAnswer(number)))
      }
    }
  }
  const known = (Object.keys(originPaint) as Origin[]).filter((origin) => origins.has(origin))
  const entries = known.map((origin) => originPaint[origin](`■ ${originMeaning[origin]}`))
  const parts = [...entries, ...(hasMarkers ? [colors.dim(`⟦ ⟧ ${brackets}`)] : [])]
  return { kind: 'drawn', draw: (width) => joinWhole(parts, '  ', width) }
}
