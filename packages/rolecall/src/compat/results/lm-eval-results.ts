import type { Note } from '@rolecall/core/internal/errors'
import type { PyValue } from '@rolecall/core/internal/python'
import { modelFacts, type PairSetup, type RowMetric, type ScoringSetup } from '../../evaluation/run/record/pair-setup.ts'
import type { RecordedScore } from '../../evaluation/run/record/run-record.ts'
import { samplingFacts } from '../../evaluation/run/record/sampling-facts.ts'
import type {
  ChatTurn,
  ForeignGroup,
  ForeignPair,
  ForeignResult,
  ForeignRow,
  ResultFiles,
  ResultReader,
  SkipPart,
} from './foreign-result.ts'
import {
  chatTurn,
  fieldsOf,
  type JsonFields,
  knownFacts,
  linesOf,
  listOf,
  numberOf,
  parseForeignJson,
  rowKeys,
  textOf,
  tryJson,
  valueAt,
} from './foreign-values.ts'
import { groupMembers } from './group-members.ts'
import { type SampleFilters, sampleFilters } from './lm-eval-filters.ts'
import { lineParts, rowFields, sampleParts } from './row-parts.ts'
import { sideBySide } from './side-by-side.ts'

/** `results_*.json` with `samples_*.jsonl` of lm-evaluation-harness; the time in the names is their only link. */
export const lmEvalResults: ResultReader = {
  harness: 'lm-eval',
  read(files) {
    const results = files.names.filter((name) => /(?:^|\/)results_[^/]*\.json$/.test(name))
    const lone = files.names.filter((name) => /(?:^|\/)[^/]*\.jsonl$/.test(name) && /"doc_id".*"resps"/s.test(files.head(name)))
    if (results.length === 0) return lone.length > 0 ? [fromSamples(files, lone)] : []
    return results.flatMap((name) => fromResults(files, name) ?? [])
  },
}

function fromResults(files: ResultFiles, name: string): ForeignResult | undefined {
  const content = fieldsOf(parseForeignJson(files.text(name), name))
  if (content.results === undefined || content.configs === undefined) return undefined
  const time = /results_(.*)\.json$/.exec(name)![1]!
  const folder = name.slice(0, name.lastIndexOf('/') + 1)
  const tasks = Object.keys(fieldsOf(content.configs))
  const notes: Note[] = []
  const pairs: ForeignPair[] = []
  for (const task of tasks) {
    const samples = `${folder}samples_${task}_${time}.jsonl`
    if (files.names.includes(samples)) pairs.push(pairOf(files, samples, task, content))
    else notes.push({ code: 'no-samples', where: name, text: `${task} has no samples file (run lm-eval with --log_samples)` })
  }
  return {
    harness: 'lm-eval',
    version: textOf(content.lm_eval_version),
    source: name,
    started: time,
    pairs,
    groups: groupsOf(content),
    notes,
  }
}

/** Groups with their tasks, also those of groups in them. */
function groupsOf(content: JsonFields): ForeignGroup[] {
  const subtasks = fieldsOf(content.group_subtasks)
  const subtasksOf = (name: string) => (Object.hasOwn(subtasks, name) ? listOf(subtasks[name]).map(String) : [])
  return Object.keys(subtasks).flatMap((name) => {
    const values = valueAt(content, 'groups', name) ?? valueAt(content, 'results', name)
    const reported = metricsOf(values).map(([metric, filter]) => [
      metricName(metric, filter),
      numberOf(valueAt(values, `${metric},${filter}`))!,
    ])
    const datasets = groupMembers(name, subtasksOf)
    return datasets.length > 1 ? [{ name, datasets, reported: Object.fromEntries(reported) }] : []
  })
}

/** Samples without their results file: settings are unknown. */
function fromSamples(files: ResultFiles, names: readonly string[]): ForeignResult {
  const notes: Note[] = [{ code: 'no-results', where: names[0]!, text: 'there is no results_*.json beside it: settings are unknown' }]
  const pairs = names.map((name) =>
    pairOf(files, name, /([^/]*?)(?:_\d{4}-\d\d-\d\dT[^/]*)?\.jsonl$/.exec(name)![1]!.replace(/^samples_/, ''), {}),
  )
  return { harness: 'lm-eval', source: names[0]!, started: '', pairs, notes }
}

function pairOf(files: ResultFiles, samples: string, task: string, content: JsonFields): ForeignPair {
  const config = fieldsOf(valueAt(content, 'configs', task))
  const metrics = metricsOf(valueAt(content, 'results', task))
  const filters = sampleFilters(samplesIn(files, samples), [...new Set(metrics.map(([, filter]) => filter))])
  const { metrics: own } = firstSample(files, samples)
  const names =
    metrics.length > 0 ? metrics : filters.names.flatMap((filter) => listOf(own).map((metric) => [String(metric), filter] as const))
  return {
    model: textOf(content.model_name) ?? 'model',
    dataset: task,
    setup: setupOf(content, config, task, names),
    reported: Object.fromEntries(
      names.flatMap(([metric, filter]) => {
        const value = numberOf(valueAt(content, 'results', task, `${metric},${filter}`))
        return value === undefined ? [] : [[metricName(metric, filter), value]]
      }),
    ),
    rows: (skip) => rowsOf(files, samples, { filters, metrics: names }, config, skip),
  }
}

function firstSample(files: ResultFiles, name: string): JsonFields {
  for (const line of linesOf(files.chunks(name))) if (isSample(line) && tryJson(line) !== undefined) return fieldsOf(tryJson(line))
  return {}
}

function* samplesIn(files: ResultFiles, samples: string): Generator<string> {
  for (const line of linesOf(files.chunks(samples))) if (isSample(line)) yield line
}

/** Whether a line is a whole sample, before it is parsed. */
function isSample(line: string): boolean {
  const text = line.trim()
  return text.startsWith('{') && text.endsWith('}') && text.includes('"doc_id":') && /"(?:filtered_)?resps":/.test(text)
}

/** `exact_match,strict-match` → its metric and filter; standard errors and names are not metrics. */
function metricsOf(results: unknown): (readonly [metric: string, filter: string])[] {
  return Object.entries(fieldsOf(results)).flatMap(([key, value]) => {
    const comma = key.lastIndexOf(',')
    if (comma < 0 || numberOf(value) === undefined) return []
    const [metric, filter] = [key.slice(0, comma), key.slice(comma + 1)]
    return metric.endsWith('_stderr') ? [] : [[metric, filter] as const]
  })
}

/** As in the results file, without the filter if there is none. */
function metricName(metric: string, filter: string): string {
  return filter === 'none' ? metric : `${metric},${filter}`
}

function setupOf(content: JsonFields, config: JsonFields, task: string, metrics: readonly (readonly [string, string])[]): PairSetup {
  const generation = fieldsOf(config.generation_kwargs)
  const given = fieldsOf(content.config)
  const template = textOf(content.chat_template)
  const loaded = argumentsOf(given.model_args)
  return {
    harness: 'lm-eval',
    ...(content.configs === undefined ? { isUnknown: true as const } : {}),
    version: textOf(content.lm_eval_version),
    rows: knownFacts({
      dataset:
        config.dataset_path === undefined
          ? undefined
          : [config.dataset_path, config.dataset_name, valueAt(config.dataset_kwargs, 'data_files', String(config.test_split))],
      limit: given.limit,
      rows: valueAt(content, 'n-samples', task, 'original'),
    }),
    prompt: knownFacts({
      shots: valueAt(content, 'n-shot', task) ?? config.num_fewshot,
      system: content.system_instruction,
      chat_template: template,
      bos: loaded.add_bos_token,
      thinking: loaded.enable_thinking ?? loaded.chat_template_args ?? generation.chat_template_kwargs,
      multiturn: numberOf(config.num_fewshot) ? content.fewshot_as_multiturn : undefined,
      template: [config.description, config.doc_to_text, config.doc_to_choice, config.target_delimiter, config.fewshot_delimiter].map(
        (one) => one ?? null,
      ),
    }),
    sampling: knownFacts({
      ...samplingFacts(generation),
      do_sample: generation.do_sample,
      max_tokens: generation.max_gen_toks ?? generation.max_tokens ?? generation.max_new_tokens,
      stop: generation.until,
      seed: generation.seed ?? loaded.seed,
      // It has an effect on sampled replies only.
      default_seed: generation.do_sample === true || (numberOf(generation.temperature) ?? 0) > 0 ? given.torch_seed : undefined,
    }),
    model: modelFacts(loaded),
    request: config.output_type === undefined ? undefined : config.output_type === 'generate_until' ? 'generation' : 'likelihood',
    endpoint: /chat/.test(textOf(given.model) ?? '') ? 'chat' : 'completions',
    scoring: Object.fromEntries(metrics.map(([metric, filter]) => [metricName(metric, filter), scoringOf(config, metric, filter)])),
  }
}

/** Arguments as an object, or as `dtype=bfloat16,load_in_4bit=True`. */
function argumentsOf(given: unknown): JsonFields {
  if (typeof given !== 'string') return fieldsOf(given)
  return Object.fromEntries(given.split(',').map((one) => [one.split('=', 1)[0]!, one.slice(one.indexOf('=') + 1)]))
}

function scoringOf(config: JsonFields, metric: string, filter: string): ScoringSetup {
  const filters = listOf(config.filter_list).find((one) => valueAt(one, 'name') === filter)
  const options = fieldsOf(listOf(config.metric_list).find((one) => valueAt(one, 'metric') === metric))
  const { metric: _, aggregation, higher_is_better: __, ...normalisation } = options
  return {
    extraction: (valueAt(filters, 'filter') ?? null) as PyValue,
    metric: { name: metric, aggregation: (aggregation ?? 'mean') as PyValue },
    // An option that is off is the same as an absent one.
    normalisation: Object.fromEntries(Object.entries(normalisation).filter(([, value]) => value !== false && value !== null)) as PyValue,
  }
}

/** Each filter has its own block of lines for all rows. */
function* rowsOf(
  files: ResultFiles,
  samples: string,
  { filters, metrics: listed }: { filters: SampleFilters; metrics: readonly (readonly [metric: string, filter: string])[] },
  config: JsonFields,
  skip: SkipPart,
): Generator<ForeignRow> {
  const blocks = filters.names.map((filter, block) => {
    const filterOf = filters.reader()
    // The first block reports lines that are not samples.
    const onOther = block === 0 ? skip : () => {}
    const parts = sampleParts(lineParts(files.chunks(samples)), samples, isSample, (line) => filterOf(line) === filter, onOther)
    return rowFields(parts, samples, skip)
  })
  const onFar = (id: unknown, block: number) =>
    skip({ file: samples, place: `doc_id ${String(id)}`, problem: `its line for filter ${filters.names[block]} is far from the others` })
  let id = 0
  for (const lines of sideBySide(blocks, ({ doc_id }) => doc_id, onFar)) {
    const metrics: Record<string, RowMetric> = {}
    for (const [block, fields] of lines.entries())
      if (fields) Object.assign(metrics, metricsIn(fields, filters.names[block]!, listed, config))
    yield rowOf(lines.find((fields) => fields !== undefined)!, id++, metrics)
  }
}

function metricsIn(
  sample: JsonFields,
  filter: string,
  listed: readonly (readonly [metric: string, filter: string])[],
  config: JsonFields,
): Record<string, RowMetric> {
  const filtered = listOf(sample.filtered_resps)
  const choices = scoresOf(sample)
  // Older versions do not list the metrics of a sample.
  const names = sample.metrics === undefined ? listed.flatMap(([metric, of]) => (of === filter ? [metric] : [])) : listOf(sample.metrics)
  return Object.fromEntries(
    names.map((metric) => {
      const score = numberOf(sample[String(metric)])
      const pred = choices ? preferred(choices, metric === 'acc_norm', config) : filtered.length === 1 ? filtered[0] : filtered
      return [metricName(String(metric), filter), { ...(score === undefined ? {} : { score }), pred: (pred ?? null) as PyValue }]
    }),
  )
}

function rowOf(sample: JsonFields, id: number, metrics: Record<string, RowMetric>): ForeignRow {
  const doc = fieldsOf(sample.doc)
  const requests = requestsOf(sample)
  const scores = scoresOf(sample)
  const choices = listOf(doc.choices).map(String)
  return {
    id: numberOf(sample.doc_id) ?? id,
    keys: rowKeys({ doc_hash: sample.doc_hash, id: sample.doc_id }),
    question: textOf(doc.question) ?? textOf(doc.query) ?? textOf(doc.input) ?? textOf(doc.problem),
    ...(choices.length > 0 ? { choices } : {}),
    gold: (sample.target ?? null) as PyValue,
    prompt: promptOf(requests[0]?.arg_0),
    replies: scores ? [String(preferred(scores, false, {}))] : listOf(sample.resps).flatMap((one) => listOf(one).map(String)),
    scores,
    metrics,
  }
}

/** The requests of a sample; older versions write a list of pairs. */
function requestsOf({ arguments: given }: JsonFields): JsonFields[] {
  return Array.isArray(given)
    ? listOf(given).map((pair) => ({ arg_0: listOf(pair)[0], arg_1: listOf(pair)[1] }))
    : Object.values(fieldsOf(given)).map(fieldsOf)
}

/** The prompt of a request: for chat models, a list with the JSON of the messages. */
function promptOf(argument: unknown): string | readonly ChatTurn[] | undefined {
  const text = textOf(Array.isArray(argument) ? argument[0] : argument)
  const messages = Array.isArray(argument) && text !== undefined ? tryJson(text) : undefined
  if (!Array.isArray(messages)) return text
  return messages.map((one) => {
    const [role, content] = [textOf(valueAt(one, 'role')) ?? '', valueAt(one, 'content')]
    return typeof content === 'string' || Array.isArray(content) ? chatTurn(role, content) : { role, content: JSON.stringify(content) }
  })
}

/** The log-likelihoods of choices; undefined for generated replies. */
function scoresOf(sample: JsonFields): RecordedScore[] | undefined {
  const replies = listOf(sample.resps).map((one) => listOf(listOf(one)[0]))
  const requests = requestsOf(sample)
  if (replies.length === 0 || !replies.every(({ length }) => length === 2)) return undefined
  return replies.map(([value, greedy], index) => ({
    label: String(requests[index]?.arg_1 ?? index),
    value: Number.isFinite(Number(value)) ? Number(value) : null,
    is_greedy: greedy === true || greedy === 'True',
  }))
}

/** The label of the most likely choice, the first of equals; `isNormalised` divides by its length without the delimiter. */
function preferred(scores: readonly RecordedScore[], isNormalised: boolean, config: JsonFields): string {
  const delimiter = textOf(config.target_delimiter) ?? ' '
  let [best, label] = [Number.NEGATIVE_INFINITY, '']
  for (const one of scores) {
    const choice = one.label!.startsWith(delimiter) ? one.label!.slice(delimiter.length) : one.label!
    const value = (one.value ?? Number.NEGATIVE_INFINITY) / (isNormalised ? Math.max(1, [...choice].length) : 1)
    if (value > best || label === '') [best, label] = [value, choice]
  }
  return label.trim()
}
