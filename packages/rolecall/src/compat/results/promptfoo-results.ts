import type { Note } from '@rolecall/core/internal/errors'
import type { PyValue } from '@rolecall/core/internal/python'
import type { PairSetup, RowMetric } from '../../evaluation/run/record/pair-setup.ts'
import { samplingFacts } from '../../evaluation/run/record/sampling-facts.ts'
import type { ChatTurn, ForeignPair, ForeignResult, ForeignRow, ResultFiles, ResultReader, SkipPart } from './foreign-result.ts'
import {
  chatTurn,
  fieldsOf,
  type JsonFields,
  knownFacts,
  listOf,
  numberOf,
  parseForeignJson,
  textOf,
  tryJson,
  valueAt,
} from './foreign-values.ts'
import { jsonElements } from './json-elements.ts'
import { elementParts, rowFields } from './row-parts.ts'

const rowsPath = ['results', 'results']

/** The output JSON of promptfoo: a pair for each prompt and provider. */
export const promptfooResults: ResultReader = {
  harness: 'promptfoo',
  read(files) {
    const found = files.names.filter(
      (name) => name.endsWith('.json') && /^\s*\{[\s\S]*?"(?:evalId|gradingResult|promptIdx)":/.test(files.head(name)),
    )
    return found.map((name) => resultOf(files, name))
  },
}

function resultOf(files: ResultFiles, name: string): ForeignResult {
  const prompts = new Map<string, { first: JsonFields; named: Set<string> }>()
  const reading = jsonElements(files.chunks(name), rowsPath)
  let next = reading.next()
  for (; !next.done; next = reading.next()) {
    const row = fieldsOf(tryJson(next.value.text))
    if (row.prompt === undefined && row.provider === undefined) continue
    const known = prompts.get(columnOf(row)) ?? { first: row, named: new Set() }
    for (const metric of Object.keys(fieldsOf(row.namedScores))) known.named.add(metric)
    prompts.set(columnOf(row), known)
  }
  const content = fieldsOf(parseForeignJson(next.value, name))
  const labels = [...prompts.values()].map(({ first }) => labelOf(first))
  const pairs = [...prompts].map(([column, { first, named }], index): ForeignPair => {
    const metrics = ['pass', 'mean score', ...named]
    return {
      model: textOf(valueAt(first, 'provider', 'label')) ?? textOf(valueAt(first, 'provider', 'id')) ?? 'model',
      ...(new Set(labels).size > 1 ? { format: labels[index]! } : {}),
      dataset: textOf(valueAt(content, 'config', 'description')) ?? 'tests',
      setup: setupOf(content, first, metrics),
      reported: reportedOf(content, first),
      rows: (skip) => rowsOf(files, name, column, skip),
    }
  })
  const version = valueAt(content, 'results', 'version')
  const notes: Note[] =
    version === 3
      ? []
      : [{ code: 'other-version', where: name, text: `its format version is ${String(version)}; Rolecall was tried with 3` }]
  return {
    harness: 'promptfoo',
    version: textOf(valueAt(content, 'metadata', 'promptfooVersion')),
    source: name,
    started: textOf(valueAt(content, 'results', 'timestamp')) ?? '',
    pairs,
    notes,
  }
}

/** Rows of one prompt and provider belong together. */
function columnOf(row: JsonFields): string {
  return JSON.stringify([
    row.promptIdx ?? row.promptId ?? valueAt(row, 'prompt', 'label'),
    valueAt(row, 'provider', 'id'),
    valueAt(row, 'provider', 'label'),
  ])
}

function labelOf(row: JsonFields): string {
  return textOf(valueAt(row, 'prompt', 'label')) ?? `prompt ${String(row.promptIdx)}`
}

function reportedOf(content: JsonFields, first: JsonFields): Record<string, number> {
  const prompt = fieldsOf(listOf(valueAt(content, 'results', 'prompts'))[numberOf(first.promptIdx) ?? 0])
  const { testPassCount = 0, testFailCount = 0, testErrorCount = 0, score } = fieldsOf(prompt.metrics)
  const count = [testPassCount, testFailCount, testErrorCount].reduce<number>((sum, one) => sum + (numberOf(one) ?? 0), 0)
  if (count === 0) return {}
  return { pass: (numberOf(testPassCount) ?? 0) / count, 'mean score': (numberOf(score) ?? 0) / count }
}

function setupOf(content: JsonFields, first: JsonFields, metrics: readonly string[]): PairSetup {
  const provider = fieldsOf(listOf(valueAt(content, 'config', 'providers')).find((one) => isProvider(one, fieldsOf(first.provider))))
  const settings = fieldsOf(provider.config)
  // Older versions have the assertions with their verdicts only.
  const judged = listOf(valueAt(first, 'gradingResult', 'componentResults')).map((one) => valueAt(one, 'assertion'))
  const assertions = listOf(valueAt(first, 'testCase', 'assert') ?? judged).map(fieldsOf)
  const scoring = {
    extraction: assertions.map(({ type, value, transform }) => ({ type, value, transform: transform ?? null })) as PyValue,
    metric: assertions.map(({ weight, threshold }) => ({
      weight: (weight ?? 1) as PyValue,
      threshold: (threshold ?? null) as PyValue,
    })) as PyValue,
    threshold: (valueAt(first, 'testCase', 'threshold') ?? null) as PyValue,
  }
  const id = textOf(provider.id) ?? textOf(valueAt(first, 'provider', 'id')) ?? ''
  return {
    harness: 'promptfoo',
    version: textOf(valueAt(content, 'metadata', 'promptfooVersion')),
    rows: knownFacts({}),
    prompt: knownFacts({
      template: listOf(valueAt(content, 'results', 'prompts')).map((one) => valueAt(one, 'raw'))[numberOf(first.promptIdx) ?? 0],
    }),
    sampling: knownFacts({
      ...samplingFacts(settings),
      max_tokens: settings.max_tokens ?? settings.max_completion_tokens,
      stop: settings.stop,
    }),
    endpoint: /:completion/.test(id) ? 'completions' : 'chat',
    scoring: Object.fromEntries(metrics.map((metric) => [metric, scoring])),
  }
}

function isProvider(one: unknown, used: JsonFields): boolean {
  const { id, label } = fieldsOf(one)
  return one === used.id || (id === used.id && (label === undefined || label === used.label))
}

function* rowsOf(files: ResultFiles, name: string, column: string, skip: SkipPart): Generator<ForeignRow> {
  let place = 0
  for (const row of rowFields(elementParts(files.chunks(name), rowsPath, name, skip), name, skip)) {
    if (columnOf(row) === column) yield rowOf(row, place++)
  }
}

function rowOf(row: JsonFields, place: number): ForeignRow {
  const response = fieldsOf(row.response)
  const output = response.output
  const vars = fieldsOf(row.vars)
  const rendered = listOf(valueAt(row, 'gradingResult', 'componentResults')).map((one) =>
    textOf(valueAt(one, 'metadata', 'renderedAssertionValue')),
  )
  const reply = output === undefined || output === null ? undefined : (textOf(output) ?? JSON.stringify(output))
  // An assertion that fails is a verdict; without a reply, the request failed.
  const error = reply === undefined ? (textOf(row.error) ?? textOf(response.error) ?? 'there is no reply') : undefined
  const named = Object.entries(fieldsOf(row.namedScores)).flatMap(([metric, score]) => metricOf(metric, score, reply))
  return {
    id: numberOf(row.testIdx) ?? place,
    keys: {},
    question: textOf(vars.question) ?? JSON.stringify(vars),
    gold: (vars.gold ?? vars.expected ?? vars.answer ?? rendered.find((one) => one !== undefined) ?? null) as PyValue,
    prompt: promptOf(textOf(valueAt(row, 'prompt', 'raw'))),
    replies: reply === undefined ? [] : [reply],
    finish: response.finishReason === 'length' ? 'length' : response.finishReason === 'stop' ? 'stop' : undefined,
    tokens: {
      prompt: numberOf(valueAt(row, 'tokenUsage', 'prompt')) ?? 0,
      reused: 0,
      reply: numberOf(valueAt(row, 'tokenUsage', 'completion')) ?? 0,
    },
    milliseconds: numberOf(row.latencyMs),
    error,
    metrics:
      error === undefined
        ? Object.fromEntries([...metricOf('pass', row.success, reply), ...metricOf('mean score', row.score, reply), ...named])
        : {},
  }
}

function metricOf(name: string, value: unknown, reply: string | undefined): [string, RowMetric][] {
  const score = numberOf(value)
  return score === undefined ? [] : [[name, { score, ...(reply === undefined ? {} : { pred: reply }) }]]
}

/** A prompt that is JSON of messages is sent as messages. */
function promptOf(raw: string | undefined): string | readonly ChatTurn[] | undefined {
  const messages = raw?.trimStart().startsWith('[') ? tryJson(raw) : undefined
  if (!Array.isArray(messages) || !messages.every((one) => textOf(valueAt(one, 'role')))) return raw
  return messages.map((one) => chatTurn(textOf(valueAt(one, 'role'))!, valueAt(one, 'content')))
}
