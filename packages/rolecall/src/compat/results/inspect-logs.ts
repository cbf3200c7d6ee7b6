import type { Note } from '@rolecall/core/internal/errors'
import type { PyValue } from '@rolecall/core/internal/python'
import { modelFacts, type PairSetup, type ScoringSetup } from '../../evaluation/run/record/pair-setup.ts'
import { samplingFacts } from '../../evaluation/run/record/sampling-facts.ts'
import { epochMetrics } from './epoch-metrics.ts'
import type { ForeignPair, ForeignResult, ForeignRow, ResultFiles, ResultReader, SkipPart } from './foreign-result.ts'
import {
  chatTurn,
  contentText,
  fieldsOf,
  type JsonFields,
  knownFacts,
  listOf,
  numberOf,
  parseForeignJson,
  reasoningParts,
  textOf,
  valueAt,
} from './foreign-values.ts'
import { jsonElements } from './json-elements.ts'
import { repeatedRows } from './repeated-rows.ts'
import { elementParts, rowFields } from './row-parts.ts'

/** Logs of Inspect: `.eval` archives and JSON. */
export const inspectLogs: ResultReader = {
  harness: 'inspect',
  async read(files) {
    const archives = files.names.filter((name) => name.endsWith('.eval') && files.head(name).startsWith('PK'))
    const documents = files.names.filter((name) => name.endsWith('.json') && isLog(files.head(name)))
    const read = [
      ...(await Promise.all(archives.map((name) => fromArchive(files, name)))),
      ...documents.map((name) => fromJson(files, name)),
    ]
    return read.flatMap((one) => one ?? [])
  },
}

/** The keys of a log may stand in any order. */
function isLog(head: string): boolean {
  return /^\s*\{/.test(head) && /"eval":\s*\{[\s\S]*?"task":\s*"/.test(head) && /"model":\s*"/.test(head)
}

async function fromArchive(files: ResultFiles, name: string): Promise<ForeignResult | undefined> {
  const archive = await files.archive(name)
  // A log whose run is still going has only the journal.
  const head = ['header.json', '_journal/start.json'].find((member) => archive.names.includes(member))
  if (head === undefined) return undefined
  const samples = archive.names.filter((member) => member.startsWith('samples/') && member.endsWith('.json'))
  const log = fieldsOf(parseForeignJson(archive.text(head), `${name}, ${head}`))
  const parts = function* () {
    for (const member of samples.sort(byNumber)) yield { place: member, text: archive.text(member) }
  }
  return resultOf(name, log, (skip) => rowFields(parts(), name, skip))
}

/** `samples/10_epoch_1.json` follows `samples/9_epoch_2.json`. */
function byNumber(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true })
}

function fromJson(files: ResultFiles, name: string): ForeignResult {
  const reading = jsonElements(files.chunks(name), ['samples'])
  let next = reading.next()
  while (!next.done) next = reading.next()
  return resultOf(name, fieldsOf(parseForeignJson(next.value, name)), (skip) =>
    rowFields(elementParts(files.chunks(name), ['samples'], name, skip), name, skip),
  )
}

function resultOf(name: string, log: JsonFields, samples: (skip: SkipPart) => Iterable<JsonFields>): ForeignResult {
  const spec = fieldsOf(log.eval)
  const scorers = scorersOf(spec, log)
  const setup = setupOf(log, spec, scorers)
  const model = textOf(spec.model) ?? 'model'
  const pair: ForeignPair = {
    model: model.split('/').at(-1)!,
    dataset: textOf(spec.task) ?? 'task',
    setup,
    reported: reportedOf(log),
    rows: (skip) => rowsOf(samples(skip), Number(setup.rows.epochs ?? 1), Object.keys(scorers)),
  }
  const notes: Note[] = []
  if (log.status !== 'success') notes.push({ code: 'unfinished', where: name, text: `the run ended with status ${String(log.status)}` })
  if (log.version !== 2 && log.version !== undefined)
    notes.push({ code: 'other-version', where: name, text: `its log version is ${String(log.version)}; Rolecall was tried with 2` })
  return {
    harness: 'inspect',
    version: textOf(valueAt(spec, 'packages', 'inspect_ai')),
    source: name,
    started: textOf(spec.created) ?? '',
    pairs: [pair],
    notes,
  }
}

/** The metrics of a log with their options: a scorer with several values has one for each, `form/strict`. */
function scorersOf(spec: JsonFields, log: JsonFields): Record<string, ScoringSetup> {
  const listed = listOf(spec.scorers).map(fieldsOf)
  const reported = listOf(valueAt(log, 'results', 'scores')).map(fieldsOf)
  const given = listed.length > 0 ? listed : reported.map(({ scorer, params }) => ({ name: scorer, options: params, metrics: [] }))
  return Object.fromEntries(
    given.flatMap(({ name, options, metrics }) => {
      const { ignore_case, ...rest } = fieldsOf(options)
      const setup: ScoringSetup = {
        metric: { name: name as PyValue, options: rest as PyValue },
        normalisation: knownFacts({ ignore_case }),
      }
      const parts = Array.isArray(metrics) ? [] : Object.keys(fieldsOf(metrics))
      return parts.length > 0 ? parts.map((part) => [`${String(name)}/${part}`, setup]) : [[String(name), setup]]
    }),
  )
}

function reportedOf(log: JsonFields): Record<string, number> {
  const scores = listOf(valueAt(log, 'results', 'scores')).map(fieldsOf)
  return Object.fromEntries(
    scores.flatMap(({ name, scorer, metrics, reducer }) => {
      const value = numberOf(valueAt(metrics, 'accuracy', 'value') ?? valueAt(metrics, 'mean', 'value'))
      if (value === undefined || (reducer !== undefined && reducer !== null && reducer !== 'mean')) return []
      return [[name === scorer ? String(name) : `${String(scorer)}/${String(name)}`, value]]
    }),
  )
}

function setupOf(log: JsonFields, spec: JsonFields, scoring: Record<string, ScoringSetup>): PairSetup {
  const generation = { ...fieldsOf(spec.model_generate_config), ...fieldsOf(valueAt(log, 'plan', 'config')) }
  const steps = listOf(valueAt(log, 'plan', 'steps')).map(fieldsOf)
  const config = fieldsOf(spec.config)
  const system = steps.find(({ solver }) => solver === 'system_message')
  return {
    harness: 'inspect',
    version: textOf(valueAt(spec, 'packages', 'inspect_ai')),
    rows: knownFacts({
      dataset: valueAt(spec, 'dataset', 'location') ?? valueAt(spec, 'dataset', 'name'),
      rows: valueAt(spec, 'dataset', 'samples'),
      limit: config.limit,
      epochs: config.epochs,
      status: log.status,
    }),
    prompt: knownFacts({
      system: valueAt(system, 'params', 'template'),
      template: steps
        .filter(({ solver }) => solver !== 'generate' && solver !== 'system_message')
        .map(({ solver, params }) => [solver, params]),
      shots: valueAt(spec, 'task_args', 'shots') ?? valueAt(spec, 'task_args', 'fewshot'),
      choices_shuffled: valueAt(spec, 'dataset', 'shuffled') === true ? true : undefined,
    }),
    model: modelFacts(fieldsOf(spec.model_args)),
    sampling: knownFacts({
      ...samplingFacts(generation),
      max_tokens: generation.max_tokens,
      stop: generation.stop_seqs,
    }),
    endpoint: 'chat',
    scoring,
  }
}

/** Epochs of a sample follow each other in an archive, but not in every JSON log: a few rows wait for theirs. */
function* rowsOf(samples: Iterable<JsonFields>, epochs: number, metrics: readonly string[]): Generator<ForeignRow> {
  const rows = repeatedRows(
    samples,
    epochs,
    ({ id }) => String(id),
    ({ epoch }) => numberOf(epoch) ?? 1,
  )
  for (const { place, group } of rows) yield rowOf(group, place, metrics)
}

function rowOf(group: readonly JsonFields[], place: number, metrics: readonly string[]): ForeignRow {
  const [first] = group as [JsonFields]
  const choices = listOf(first.choices).map(String)
  const outputs = group.map((sample) => fieldsOf(listOf(valueAt(sample, 'output', 'choices'))[0]))
  const contents = outputs.map((choice) => valueAt(choice, 'message', 'content'))
  const thoughts = contents.map(reasoningParts)
  const messages = listOf(first.messages).map(fieldsOf)
  const asked = messages.slice(0, answeredAt(messages, listOf(first.input).length))
  const error = textOf(valueAt(first.error, 'message'))
  const isScored = Object.keys(fieldsOf(first.scores)).length > 0
  const hasReply = outputs.some((choice) => choice.message !== undefined)
  const final = messages.findLast(({ role }) => role === 'assistant')
  return {
    id: place,
    keys: { id: String(first.id) },
    question:
      textOf(first.input) ??
      listOf(first.input)
        .map((one) => contentText(valueAt(one, 'content')))
        .join('\n'),
    ...(choices.length > 0 ? { choices } : {}),
    gold: (first.target ?? null) as PyValue,
    prompt: asked.map(({ role, content }) => chatTurn(String(role), content)),
    // After tool calls, the last assistant message is the reply.
    replies: hasReply ? contents.map((content, epoch) => contentText(content) || (epoch === 0 ? contentText(final?.content) : '')) : [],
    ...(thoughts.some((one) => one !== undefined) ? { reasoning: thoughts.map((one) => one?.text ?? '') } : {}),
    reasoningIn: thoughts.some((one) => one?.isFromText) ? 'text' : thoughts.some((one) => one !== undefined) ? 'field' : undefined,
    finish: finishOf(outputs[0]?.stop_reason),
    tokens: {
      prompt: numberOf(valueAt(first, 'output', 'usage', 'input_tokens')) ?? 0,
      reused: 0,
      reply: numberOf(valueAt(first, 'output', 'usage', 'output_tokens')) ?? 0,
    },
    milliseconds: Math.round(1000 * (numberOf(first.total_time) ?? 0)),
    error: error ?? (isScored ? undefined : 'the sample was not scored'),
    metrics: Object.fromEntries(
      metrics.flatMap((metric) =>
        Object.entries(
          epochMetrics(
            metric,
            group.map((sample) => verdictOf(sample, metric)),
          ),
        ),
      ),
    ),
  }
}

/** Where the messages of the model begin: examples and the start of a reply are messages of an assistant too. */
function answeredAt(messages: readonly JsonFields[], given: number): number {
  const hasSources = messages.some(({ source }) => source === 'generate')
  const found = messages.findIndex(({ role, source }, index) =>
    hasSources ? source === 'generate' : role === 'assistant' && index >= given,
  )
  return found < 0 ? messages.length : found
}

function finishOf(reason: unknown): ForeignRow['finish'] {
  return reason === 'max_tokens' || reason === 'model_length' ? 'length' : reason === 'stop' ? 'stop' : undefined
}

function verdictOf(sample: JsonFields, metric: string): { score: number | undefined; pred: PyValue } {
  const [scorer, part] = metric.split('/') as [string, string | undefined]
  const score = fieldsOf(valueAt(sample.scores, scorer))
  const value = part === undefined ? score.value : valueAt(score.value, part)
  return { score: scoreOf(value), pred: (score.answer ?? null) as PyValue }
}

/** As Inspect's accuracy reads values: correct, partial, incorrect, no answer; yes and no. */
function scoreOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return numberOf(value)
  const known: Readonly<Record<string, number>> = { C: 1, P: 0.5, I: 0, N: 0, yes: 1, true: 1, no: 0, false: 0 }
  const text = value.length === 1 ? value : value.toLowerCase()
  const number = Number(value)
  return known[text] ?? (value.trim() !== '' && Number.isFinite(number) ? number : undefined)
}
