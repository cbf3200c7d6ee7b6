import { sourceKeysOf } from '@rolecall/core/internal/compile'
import type { Row } from '@rolecall/core/internal/conversation'
import { distinctNotes, type Note, PromptError } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import { pyStr } from '@rolecall/core/internal/python'
import type { LanguageModel } from '../../model/language-model/language-model.ts'
import { promptTooLong } from '../../model/language-model/prompt-too-long.ts'
import { tokenizerNamed } from '../../model/model-types/index.ts'
import type { DatasetConfig } from '../config/config-schema.ts'
import { ownFunctionCode } from '../score/own-function.ts'
import { readerOfAll } from '../score/postprocess/postprocessors.ts'
import { answerRow } from './answer-row.ts'
import { checkColumns, type FirstRows } from './ask/check-columns.ts'
import type { RequestPlan } from './ask/inferencer.ts'
import { planRequests } from './ask/plan-requests.ts'
import { checkMedia, checkPromptMedia, withRow } from './check-media.ts'
import type { DataNote } from './examine/data-note.ts'
import { type Examined, examinePair, findingsOf, notesOf, unscorable } from './examine/examine-pair.ts'
import { hasFunction } from './examine/has-function.ts'
import { OpenModels } from './open-models.ts'
import { Opponents } from './opponents.ts'
import { DeferredWrites, type PairContext } from './pair-context.ts'
import { unscored } from './plan-pairwise.ts'
import type { Pair } from './plan-run.ts'
import type { PreparedPairs } from './prepared-pairs.ts'
import { isDataMissing, type Readiness } from './readiness.ts'
import { refereeOf } from './referee-of.ts'
import type { RunEnvironment } from './run-types.ts'
import { goldOf } from './score-answer.ts'
import { standInInterpreter, standInModel } from './stand-in-model.ts'

/** What preparing needs: the first rows, a hash and a clock; the stand-ins replace models and programs. */
export type PrepareEnvironment = Pick<RunEnvironment, 'firstRows' | 'testRows' | 'tokenizerOf' | 'contextOf' | 'hash' | 'now'>

/**
 * Prepares a run without sending anything: plans the pair, looks up its columns in the first rows, renders the first prompt, and reads and
 * scores made-up replies. What would fail for every row fails here, and a dataset none of whose gold answers can be scored right.
 */
export async function preparePair(
  plan: () => Pair,
  environment: PrepareEnvironment,
  examine: Examine = (pair) => examineRows(pair, environment),
): Promise<Readiness> {
  try {
    const pair = plan()
    const rows = await environment.firstRows?.(pair.dataset)
    if (!rows) return { word: 'not checked', notes: [] }
    const { columns, notes } = checkColumns(pair.dataset, rows, pair.name.dataset)
    const requests = await tryRows(pair, rows, columns, environment)
    if (requests && environment.testRows) await checkMedia(requests, pair.name.model, environment.testRows(pair.dataset))
    const examined = await examine(pair)
    if (examined?.refusal && !mayBeUnscorable(pair)) throw unscorable(examined.refusal)
    return { word: 'ready', notes: [...notes, ...notesOf(examined)], columns, ...(examined ? { examined } : {}) }
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    return { word: isDataMissing(error) ? 'not checked' : 'cannot run', cause: error, notes: [] }
  }
}

type Examine = (pair: Pair) => Promise<Examined | undefined>

async function examineRows(pair: Pair, { testRows, now }: PrepareEnvironment): Promise<Examined | undefined> {
  return testRows && examinePair(pair, testRows(pair.dataset), now)
}

/** The reference runs such datasets as well. */
function mayBeUnscorable({ allowsUnscorable, dataset, inferencer }: Pair): boolean {
  // A published config or task may ask for its answers in a form that is not tried here.
  const isPublished = typeof dataset.type === 'string' || (sourceKeysOf(dataset).length > 0 && inferencer.needs === 'generate')
  return allowsUnscorable === true || dataset.compat !== undefined || isPublished
}

/** Pairs that ask and score alike are examined once. */
function examinedOnce(environment: PrepareEnvironment, isOffline: boolean): Examine {
  const known = new Map<DatasetConfig, Map<string, Promise<Examined | undefined>>>()
  return (pair) => {
    const own = known.get(pair.dataset) ?? new Map<string, Promise<Examined | undefined>>()
    known.set(pair.dataset, own)
    const key = JSON.stringify([pair.model.pred_postprocessor ?? null, pair.settings.stop?.value ?? []])
    const found = own.get(key) ?? examineRows(pair, environment).then((one) => (isOffline ? one && { notes: findingsOf(one) } : one))
    own.set(key, found)
    return found
  }
}

/**
 * Prepares all pairs of a run; throws the first cause why one cannot run, else the first missing data. `check` refuses models that cannot
 * be opened.
 */
export async function preparePairs(
  pairs: readonly Pair[],
  environment: PrepareEnvironment,
  check: (pair: Pair) => void = () => undefined,
  /** Answers are only rescored: gold answers that cannot be scored right are a warning. */
  isOffline = false,
): Promise<PreparedPairs & { notes: readonly Note[] }> {
  const found = new Map<DatasetConfig, ReadonlySet<string>>()
  const findings = new Map<Pair, readonly DataNote[]>()
  const examine = examinedOnce(environment, isOffline)
  const all: Note[] = []
  let missing: PromptError | undefined
  for (const pair of pairs) {
    const { word, cause, columns, notes, examined } = await preparePair(
      () => {
        check(pair)
        return pair
      },
      environment,
      examine,
    )
    if (word === 'cannot run') throw cause
    missing ??= cause
    if (columns) found.set(pair.dataset, columns)
    findings.set(pair, findingsOf(examined))
    all.push(...notes)
  }
  if (missing) throw missing
  return { columns: found, findings, notes: distinctNotes(all) }
}

/** Errors of functions may depend on the reply: unless all made-up replies get the same, real ones may be fine. */
const ofReplies = new Set([ownFunctionCode, 'function-failed'])

/** Replies that most extractions and programs accept one of. None is empty: many functions return early then, and prove nothing. */
const madeUpReplies = ['A', '1', 'The answer is (A).', '{"answer": "A"}']

/** Answers the first rows with made-up replies until one is scored; throws the first error if none is. Undefined if none can be tried yet. */
async function tryRows(
  pair: Pair,
  rows: FirstRows,
  columns: ReadonlySet<string>,
  environment: PrepareEnvironment,
): Promise<RequestPlan | undefined> {
  const tried = hasFunction([pair.dataset.eval_cfg, pair.model.pred_postprocessor]) ? withoutScoring(pair) : pair
  const { inferencer, model, evaluator } = tried
  const tokenizer = environment.tokenizerOf?.(model)
  // A model that names a tokenizer has it once it is open; answers of another model are not there yet.
  const comesLater = inferencer.needsTokenizer && !tokenizer && tokenizerNamed(model) !== undefined
  if (rows.asked.length === 0 || comesLater || evaluator.asks?.against) return undefined
  const plan = planRequests(tried, { tokenizer, columns })
  const examples = rows.shown ?? []
  const context = tokenizer && environment.contextOf?.(model)
  const check = (prompt: Prompt) => {
    checkPromptMedia(prompt, tried.name.model)
    const tokens = context === undefined ? 0 : plan.count!(prompt)
    // A text without a context is scored in parts.
    const isInParts = prompt.kind === 'completion' && prompt.needsPrefix
    if (context !== undefined && tokens > context && !isInParts) throw promptTooLong(tried.name.model, tokens, context)
  }
  const errors = new Map<string, PromptError>()
  for (const [id, row] of rows.asked.entries())
    for (const reply of repliesTo(tried, row)) {
      try {
        await answerRow(pairContext(tried, plan, environment, standInModel(reply, check)), row, 0, examples)
        return plan
      } catch (error) {
        if (!(error instanceof PromptError)) throw error
        const located = withRow(error, plan, id) ?? error
        errors.set(located.message, located)
      }
    }
  const [first, ...others] = errors.values()
  const certain = [...errors.values()].find(({ code }) => !ofReplies.has(code)) ?? (others.length === 0 ? first : undefined)
  if (certain) throw certain
  return plan
}

function withoutScoring({ judge: _, ...pair }: Pair): Pair {
  return { ...pair, evaluator: unscored(pair.evaluator), read: { prediction: readerOfAll([], {}), reference: (text) => text } }
}

/** The right answer exercises most of an evaluator. */
function repliesTo(pair: Pair, row: Row): string[] {
  if (pair.inferencer.needs === 'score') return ['']
  const right = pair.evaluator.standIn?.(row) ?? goldOf(pair, row)
  return [...(right === undefined || right === null ? [] : [pyStr(right)]), ...madeUpReplies]
}

function pairContext(pair: Pair, plan: PairContext['plan'], { hash, now }: PrepareEnvironment, model: LanguageModel): PairContext {
  const environment: RunEnvironment = {
    hash,
    now,
    openModel: async () => model,
    openInterpreter: async () => standInInterpreter,
    embedder: () => async (texts) => texts.map(() => [1]),
    openRows: () => Promise.reject(new Error('the rows are given')),
  }
  const options = { throwErrors: true }
  return {
    pair,
    environment,
    options,
    plan,
    settings: '',
    isRepeatable: false,
    columns: [],
    deferred: new DeferredWrites(),
    ...refereeOf(pair, environment, options, new OpenModels(environment, options, { isBatch: false }), new Opponents()),
    opened: () => ({ plan, model }),
  }
}
