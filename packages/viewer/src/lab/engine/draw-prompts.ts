import type { ChatMessage } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import { coreNotes, PromptError } from '@rolecall/core/internal/errors'
import { endOfFormat, formatWriter, modelSpans, nextTurn, traitsOf, type WriteChat } from '@rolecall/core/internal/masks'
import { type Model, type ModelPrompt, renderPrompt } from '@rolecall/core/internal/model'
import type { PyValue } from '@rolecall/core/internal/python'
import { lookAlikes, missingMarkers } from '@rolecall/core/internal/tokenizer'
import { writtenOf } from '../../template/trace.ts'
import { modelAnyway } from './columns.ts'
import type { ColumnQuestion, Conversation, Drawn, DrawnPrompt, Next, Section, ShownNote } from './contract.ts'
import { markDifferences } from './differences.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { problemOf } from './problem-of.ts'
import { sectionsOf } from './sections.ts'
import { type Placed, plainText, stretchesOf, stretchOf } from './stretches.ts'
import { countsOf, withTokens } from './token-parts.ts'

/** The prompt of each column, with what differs from the first one marked. */
export async function drawPrompts(columns: readonly ColumnQuestion[], said: Conversation): Promise<Drawn[]> {
  const drawn: Drawn[] = []
  for (const column of columns) drawn.push(await drawColumn(column, said))
  return compared(drawn)
}

export function compared(drawn: readonly Drawn[]): Drawn[] {
  const [first] = drawn
  if (drawn.length < 2 || first === undefined || 'problem' in first) return [...drawn]
  return drawn.map((one, index) =>
    index === 0 || 'problem' in one
      ? one
      : { prompt: { ...one.prompt, sections: markDifferences(one.prompt.sections, first.prompt.sections) } },
  )
}

async function drawColumn(column: ColumnQuestion, said: Conversation): Promise<Drawn> {
  try {
    const { model, without } = await modelAnyway(column)
    const prompt = promptOf(model, column, said)
    const notes = without === undefined ? [] : [{ code: 'no-tokens', severity: 'warning', text: without.message } satisfies ShownNote]
    const drawn = drawPrompt(model, prompt, { chat: said, variables: column.variables })
    return { prompt: { ...drawn, notes: [...notes, ...drawn.notes] } }
  } catch (error) {
    return { problem: problemOf(error) }
  }
}

/** The prompt as the library renders it: what is shown is what programs get. */
export function promptOf(model: Model, { variables }: Pick<ColumnQuestion, 'variables'>, said: Conversation): ModelPrompt {
  const { messages, tools, want, date } = said
  return renderPrompt(model, messages, {
    ...(tools.length === 0 ? {} : { tools }),
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
    ...(date === undefined ? {} : { clock: new Date(date) }),
    want,
  })
}

type Around = { chat?: Conversation; variables?: Readonly<Record<string, unknown>>; labels?: readonly string[] }

/** A rendered prompt, ready to be shown. */
export function drawPrompt(model: Model, prompt: ModelPrompt, { chat, variables = {}, labels }: Around): DrawnPrompt {
  const { format } = model
  const { rendered } = prompt
  const extra = lookAlikes(rendered, format.markers)
  const shared = {
    kind: prompt.kind,
    text: prompt.text,
    stops: prompt.stop.texts,
    variables: format.variables ?? [],
    ...(format.template === undefined ? {} : { template: format.template }),
    ...(labels === undefined ? {} : { labels }),
  }
  if (rendered.kind === 'chat') {
    const sections = rendered.messages.map(
      ({ role, content }, index): Section => ({
        key: index,
        stretches: [{ text: `${role}: `, by: 'format', path: 'role', isMarker: true }, ...content.map((piece) => stretchOf(piece, false))],
      }),
    )
    const placed = sections.flatMap(({ stretches }) => stretches.map((stretch): Placed => ({ ...stretch, at: 0 })))
    const counts = countsOf(placed, undefined, estimateTokens)
    return { ...shared, sections, counts, ...sizesOf(counts, false), notes: [...prompt.notes, ...extra].map(shownNote) }
  }
  const tokenized = model.tokenizer === undefined ? undefined : prompt.tokens()
  const placed = stretchesOf(rendered).map((stretch) => withHarmless(stretch, format.markers))
  const tokens = tokenized?.tokens
  const counts = countsOf(placed, tokens, estimateTokens)
  const generation =
    chat === undefined ? plainText(rendered.pieces).length : generationStart(model, chat, variables, plainText(rendered.pieces))
  const trained = chat === undefined ? [] : trainedRanges(model, chat, plainText(rendered.pieces))
  const cuts = { stops: prompt.stop.texts, written: writtenOf(plainText(rendered.pieces)), generation }
  const stretches = withTrained(tokens === undefined ? placed : withTokens(placed, tokens), trained)
  const notes = [...prompt.notes, ...extra, ...(tokenized?.notes ?? []), ...missing(model)]
  return {
    ...shared,
    sections: sectionsOf(stretches, cuts),
    counts,
    ...sizesOf(counts, tokens !== undefined, model.tokenizer?.name),
    ...(tokenized === undefined ? {} : { ids: tokenized.ids }),
    notes: notes.map(shownNote),
    ...(chat === undefined ? {} : { next: nextOf(model, chat, variables) }),
  }
}

function missing({ format, tokenizer }: Model): readonly Note[] {
  return tokenizer === undefined ? [] : missingMarkers(format.markers, tokenizer)
}

function sizesOf(counts: DrawnPrompt['counts'], isExact: boolean, by?: string): Pick<DrawnPrompt, 'characters' | 'tokens'> {
  const sums = Object.values(counts)
  return {
    characters: sums.reduce((sum, { characters }) => sum + characters, 0),
    tokens: { count: sums.reduce((sum, { tokens }) => sum + tokens, 0), isExact, ...(by === undefined ? {} : { by }) },
  }
}

function shownNote({ code, text, where }: Note): ShownNote {
  const row = (coreNotes as Readonly<Record<string, { severity: string; isLoss?: boolean; isStep?: boolean; zh: string }>>)[code]
  const severity =
    row?.isLoss === true || row?.severity === 'error' ? 'error' : row?.severity === 'warning' || row?.isStep === true ? 'warning' : 'info'
  return { code, text, severity, ...(row === undefined ? {} : { zh: row.zh }), ...(where === undefined ? {} : { where }) }
}

/** Text of messages that looks like markers of the format: it stays ordinary characters. */
function withHarmless(stretch: Placed, markers: readonly string[]): Placed {
  if (stretch.isMarker || stretch.by === 'format') return stretch
  const wanted = markers.map((marker) => marker.trim()).filter((marker) => marker.length > 2 && stretch.text.includes(marker))
  const found = wanted.flatMap((marker) =>
    [...stretch.text.matchAll(new RegExp(marker.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'g'))].map(({ index }): [number, number] => [
      index,
      index + marker.length,
    ]),
  )
  const harmless = found
    .toSorted((one, other) => one[0] - other[0] || other[1] - one[1])
    .filter(([start], index, all) => !all.slice(0, index).some(([, end]) => start < end))
  return harmless.length === 0 ? stretch : { ...stretch, harmless }
}

/** Where the generation prompt begins: behind what the same chat has without it. */
function generationStart(model: Model, chat: Conversation, variables: Around['variables'], text: string): number {
  if (chat.want !== 'generate') return text.length
  try {
    const whole = plainText(promptOf(model, { variables: variables ?? {} }, { ...chat, want: 'complete' }).pieces)
    return text.startsWith(whole) ? whole.length : text.length
  } catch {
    return text.length
  }
}

/** What a model is trained on in this chat: nothing where that cannot be determined. */
function trainedRanges({ format }: Model, { messages, tools }: Conversation, text: string): (readonly [number, number])[] {
  if (!messages.some(({ role }) => role === 'assistant')) return []
  try {
    const chat = { messages, ...(tools.length === 0 ? {} : { tools: tools as readonly PyValue[] }) }
    const found = modelSpans(chat, format)
    // The last turn, or dates and variables, may be written otherwise there.
    return found.spans.filter(([start, end]) => found.text.slice(0, end) === text.slice(0, end) && start < end)
  } catch {
    return []
  }
}

function withTrained(stretches: readonly Placed[], ranges: readonly (readonly [number, number])[]): Placed[] {
  if (ranges.length === 0) return [...stretches]
  return stretches.map((stretch) => {
    const { at, text } = stretch
    const trained = ranges.flatMap(([start, end]): [number, number][] => {
      const [from, to] = [Math.max(0, start - at), Math.min(text.length, end - at)]
      return from < to ? [[from, to]] : []
    })
    return trained.length === 0 ? stretch : { ...stretch, trained }
  })
}

const answer = 'qzAnswer'
const again = 'qzAgain'

/** What the format appends when the model has answered and the user speaks again, or why it rewrites what was sent. */
function nextOf(model: Model, { messages, tools }: Conversation, variables: Around['variables']): Next {
  const { format } = model
  const reply: ChatMessage = { role: 'assistant', content: answer }
  const given = tools.length === 0 ? undefined : (tools as readonly PyValue[])
  try {
    const write = formatWriter(format, given, { variables: variables as Readonly<Record<string, PyValue>> }) as WriteChat<ChatMessage>
    const chat = { earlier: messages, reply, next: [{ role: 'user', content: again }] }
    const turn = nextTurn(chat, traitsOf(reply), write, endOfFormat(format))
    if (!turn.isAppended) return { rewrites: turn.stage, ...(turn.at === undefined ? {} : { at: turn.at }) }
    return { text: `${turn.stop ?? ''}${plainText(turn.pieces).replace(again, '…')}` }
  } catch (error) {
    return { rewrites: error instanceof PromptError ? error.problem : 'error' }
  }
}
