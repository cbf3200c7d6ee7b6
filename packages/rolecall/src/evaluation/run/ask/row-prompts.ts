import { inferencerName, type RenderedPrompt } from '@rolecall/core/internal/compile'
import type { Row } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { isList, type PyValue, pyStr, stringifyJson } from '@rolecall/core/internal/python'
import type { ReplyCall } from '@rolecall/core/internal/reply'
import { callsOf, type RecordedCall } from '@rolecall/core/internal/reply'
import { lookAlikes } from '@rolecall/core/internal/tokenizer'
import type { DatasetConfig } from '../../config/config-schema.ts'
import { ownExample, type QuestionColumns } from '../../dataset/same-question.ts'
import { generate } from './generate.ts'
import type { Inferencer, Request, RequestPlan, RequestPrompt, RowQuestion } from './inferencer.ts'
import { inferencers } from './inferencers.ts'
import { type CompiledPair, type PlanOptions, planRequests } from './plan-requests.ts'
import type { CallSource } from './read-calls.ts'
import { comparePerplexity, onlyPerplexity } from './score-labels.ts'
import { allRequests, driveRequests, fitRow, isChained, standInAnswer, startRow } from './start-row.ts'

/** A preview of one prompt of a row: everything that `render` and the viewer show comes from it. */
export type RowPrompt = {
  /** Whether it ends before the answer, or includes it. */
  mode: 'gen' | 'ppl'
  rendered: RenderedPrompt
  /** Examples used and dropped. */
  examples: { used: number; dropped: number }
} & Pick<RequestPrompt, 'label' | 'round' | 'isNormalizer'>

/** The part of a record that determines its prompts. */
export type RecordedAnswer = RecordedReplies & { examples: RowPrompt['examples'] }

/** Plans previews of the prompts that `run` would send, or of those in another mode. */
export function planPreview(planned: CompiledPair, options: Pick<PlanOptions, 'tokenizer' | 'columns'>, mode?: 'gen' | 'ppl'): RequestPlan {
  if (mode === undefined || mode === planned.inferencer.mode) return planRequests(planned, { ...options, isPreview: true })
  const plan = planRequests({ ...planned, inferencer: generate }, { ...options, isPreview: true })
  return mode === 'gen' ? plan : { ...plan, inferencer: inWhole(planned) }
}

/** The same plan in the other mode: prompts that leave the answer to the model, or complete ones. */
export function withMode(plan: RequestPlan, mode: 'gen' | 'ppl'): RequestPlan {
  return { ...plan, inferencer: mode === 'gen' ? generate : inWhole(plan) }
}

/** Complete prompts: one for each label, or one. */
function inWhole({ maker }: Pick<CompiledPair, 'maker'>): Inferencer {
  return maker.mapsLabels ? comparePerplexity : onlyPerplexity
}

/**
 * The prompts of a row with all notes about them. If one depends on an answer, the answer in the row replaces it, and a note says so.
 */
export function rowPrompts(plan: RequestPlan, question: RowQuestion, label?: string): RowPrompt[] {
  const fitted = fitRow(plan, startRow(plan, question))
  const { examples } = fitted
  const overlap = overlapNotes(question.row, question.examples.slice(0, examples.used), plan.dataset.reader_cfg)
  const shown = promptsOf(plan, allRequests(plan, fitted), examples, (alike, before) => [
    ...fitted.notes.filter(({ code }) => !alike.some((note) => note.code === code)),
    ...overlap,
    ...alike,
    ...standInNotes(before),
  ])
  return label === undefined ? shown : ofLabel(shown, label)
}

/** The prompts of a row as they were sent, according to its record: with the same examples, after the recorded answers. */
export function recordedPrompts(plan: RequestPlan, { row, examples }: RowQuestion, record: RecordedAnswer): RowPrompt[] {
  const used = { row, examples: examples.slice(0, record.examples.used) }
  return promptsOf(plan, replayRecord(plan, used, record), record.examples, () => [])
}

function promptsOf(
  { maker, model }: RequestPlan,
  requests: readonly Request[],
  examples: RowPrompt['examples'],
  notesOf: (alike: readonly Note[], before: readonly Request[]) => readonly Note[],
): RowPrompt[] {
  return requests.flatMap(({ kind, prompts: asked }, number) =>
    asked.map(({ prompt, conversation, label, round, isNormalizer }): RowPrompt => {
      const notes = [...prompt.notes, ...notesOf(lookAlikes(prompt, maker.format.markers, model.marker_policy), requests.slice(0, number))]
      return {
        mode: kind === 'generate' ? 'gen' : 'ppl',
        label,
        round,
        isNormalizer,
        // A normalizer has no conversation.
        rendered: { conversation: conversation ?? { kind: 'text', content: [], notes: [] }, prompt: { ...prompt, notes } },
        examples,
      }
    }),
  )
}

/** A title that distinguishes a prompt from the others of its row; undefined if it is the only one. */
export function titleOf({ label, round, isNormalizer }: Pick<RowPrompt, 'label' | 'round' | 'isNormalizer'>): string | undefined {
  if (round !== undefined) return `round ${round}`
  if (label === undefined) return undefined
  return isNormalizer ? `${label} after normalizing_str` : label
}

/** The mode of `run`; generation for unknown inferencers. */
export function modeOf({ infer_cfg: { inferencer } }: DatasetConfig): 'gen' | 'ppl' {
  return inferencers[inferencerName(inferencer)]?.mode ?? 'gen'
}

function standInNotes(before: readonly Request[]): Note[] {
  return before.filter(isChained).flatMap(({ prompts: [asked], standIn }, index, all): Note[] => {
    // The last one notes it for all.
    if (index < all.length - 1 && standIn !== '') return []
    const rounds = index === 0 || standIn === '' ? `round ${asked!.round}` : `rounds 1 to ${asked!.round}`
    const shown = standIn === '' ? `without an answer in ${rounds}, as none is written` : `with the expected answer of ${rounds}`
    return [{ code: 'stand-in', text: `shown ${shown}; a run continues from the model's reply` }]
  })
}

function ofLabel(prompts: RowPrompt[], label: string): RowPrompt[] {
  const found = prompts.filter((prompt) => prompt.label === label)
  if (found.length > 0) return found
  const labels = [...new Set(prompts.flatMap((prompt) => prompt.label ?? []))]
  if (labels.length === 0 && prompts[0]?.mode === 'gen') {
    throw new PromptError('label-in-generation', {
      where: '--label',
      problem: 'labels are for perplexity, but this is generation',
      fix: 'add --mode ppl',
    })
  }
  throw new PromptError('missing-label', {
    where: '--label',
    problem: labels.length > 0 ? `there is no label "${label}"` : 'the template has no labels',
    fix: labels.length > 0 ? `choose one of: ${labels.join(', ')}` : 'leave --label out',
  })
}

function overlapNotes(row: Row, examples: readonly Row[], columns: QuestionColumns | undefined): Note[] {
  const number = ownExample(row, examples, columns)
  return number < 0 ? [] : [{ code: 'example-is-question', text: `example ${number} is the row being asked: the prompt shows its answer` }]
}

/**
 * The requests of a row as they were sent when a record was written: if a request depends on an answer, the recorded one
 * replaces it. The examples are those used then.
 */
function replayRecord(plan: RequestPlan, question: RowQuestion, { prediction, calls, calls_by: by }: RecordedReplies): Request[] {
  const said = isList(prediction) ? prediction : [prediction]
  const called = isList(prediction) ? (isList(calls) ? calls : []) : [calls]
  return driveRequests(startRow(plan, question), (request, number) => {
    const text = said[number]
    if (text === undefined || text === null) return standInAnswer(request)
    // Calls that were parsed from text are part of it.
    const known = plan.readsCalls && by === 'server' ? callsOf(called[number]) : undefined
    return { kind: 'generate', replies: [{ text: pyStr(text), ...(known ? { calls: known.map(asReplyCall) } : {}) }] }
  })
}

/** The recorded replies of a row. */
type RecordedReplies = { prediction: PyValue; calls?: PyValue | undefined; calls_by?: CallSource | undefined }

function asReplyCall(call: RecordedCall): ReplyCall {
  const at = [0, 0] as const
  if ('code' in call) return { kind: 'code', code: call.code, raw: call.code, at }
  if ('malformed' in call) return { kind: 'malformed', error: 'malformed', raw: call.malformed, problem: call.problem, at }
  return {
    kind: 'call',
    name: call.name,
    arguments: call.arguments,
    argumentsText: call.arguments_text ?? stringifyJson(call.arguments, { ensureAscii: false }),
    at,
  }
}
