import type { Note } from '@rolecall/core/internal/errors'
import type { PyValue } from '@rolecall/core/internal/python'
import type { PairSetup, RowMetric } from '../../evaluation/run/record/pair-setup.ts'
import { samplingFacts } from '../../evaluation/run/record/sampling-facts.ts'
import { epochMetrics } from './epoch-metrics.ts'
import type { ForeignPair, ForeignResult, ForeignRow, ResultFiles, ResultReader, SkipPart } from './foreign-result.ts'
import {
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
import { lineParts, rowFields, sampleParts } from './row-parts.ts'
import { sideBySide } from './side-by-side.ts'

/** Every Eval Ever: an aggregate JSON and `<uuid>_samples.jsonl` beside it. */
export const everyEvalEver: ResultReader = {
  harness: 'every-eval-ever',
  read(files) {
    const found = files.names.filter((name) => name.endsWith('.json') && /"schema_version":.*"evaluation_id":/s.test(files.head(name)))
    return found.flatMap((name) => resultOf(files, name) ?? [])
  },
}

function resultOf(files: ResultFiles, name: string): ForeignResult | undefined {
  const content = fieldsOf(parseForeignJson(files.text(name), name))
  if (content.evaluation_results === undefined) return undefined
  const samples = name.replace(/\.json$/, '_samples.jsonl')
  const results = listOf(content.evaluation_results).map(fieldsOf)
  const version = textOf(content.schema_version)
  const notes: Note[] = version?.startsWith('0.3')
    ? []
    : [{ code: 'other-version', where: name, text: `its schema is ${String(version)}; Rolecall was tried with 0.3` }]
  const model = textOf(valueAt(content, 'model_info', 'id')) ?? textOf(valueAt(content, 'model_info', 'name')) ?? 'model'
  const dataset = textOf(valueAt(results[0], 'source_data', 'dataset_name')) ?? 'dataset'
  const hasRows = files.names.includes(samples)
  if (!hasRows) notes.push({ code: 'no-samples', where: name, text: 'it has aggregate scores only, no samples' })
  const epochs = hasRows ? epochsIn(files, samples) : 1
  const metrics = hasRows ? metricsIn(files, samples, results) : []
  const setup = setupOf(content, results, metrics, epochs)
  const pair: ForeignPair = {
    model: model.split('/').at(-1)!,
    dataset,
    setup,
    reported: Object.fromEntries(
      results.flatMap((one) => {
        const score = numberOf(valueAt(one, 'score_details', 'score'))
        const metric = metrics.find((metric) => isMetricOf(metric, one))
        return score === undefined || metric === undefined ? [] : [[metric, score]]
      }),
    ),
    // Converters from lm-eval write the sent prompt as the input, others the question.
    rows: (skip) => rowsOf(files, samples, metrics, /lm.?eval/i.test(setup.harness), skip),
  }
  return {
    harness: 'every-eval-ever',
    version,
    source: name,
    started: textOf(content.evaluation_timestamp) ?? textOf(content.retrieved_timestamp) ?? '',
    pairs: hasRows ? [pair] : [],
    notes,
  }
}

/** Rows of one evaluation are one metric: `minibench_gen/strict-match` is `exact_match,strict-match`. */
function metricsIn(files: ResultFiles, samples: string, results: readonly JsonFields[]): string[] {
  const names = new Set<string>()
  for (const line of linesOf(files.chunks(samples)))
    for (const metric of Object.keys(scoresOf(fieldsOf(tryJson(line)), results))) names.add(metric)
  return [...names]
}

function isMetricOf(metric: string, result: JsonFields): boolean {
  const name = textOf(result.evaluation_name) ?? ''
  const description = textOf(valueAt(result, 'metric_config', 'evaluation_description')) ?? ''
  const [own, filter] = metric.split(',') as [string, string | undefined]
  // `acc` is not `acc_norm`.
  const isDescribed = description.startsWith(own) && !/^[\w-]/.test(description.slice(own.length))
  return name.endsWith(` for scorer ${own}`) || (isDescribed && (filter === undefined || name.endsWith(`/${filter}`)))
}

function epochsIn(files: ResultFiles, samples: string): number {
  let most = 1
  for (const line of linesOf(files.chunks(samples))) most = Math.max(most, Number(epochOf(line)))
  return most
}

/** The scores of a line by metric: lm-eval's own metrics if they are recorded, else the row's score under the first scorer's name. */
function scoresOf(line: JsonFields, results: readonly JsonFields[]): Record<string, number> {
  const filter = textOf(valueAt(line, 'metadata', 'filter'))
  const own = fieldsOf(tryJson(textOf(valueAt(line, 'metadata', 'lm_eval_metrics')) ?? ''))
  const named = Object.entries(own).flatMap(([metric, value]) => {
    const score = numberOf(value)
    return score === undefined ? [] : [[filter === undefined || filter === 'none' ? metric : `${metric},${filter}`, score] as const]
  })
  if (named.length > 0) return Object.fromEntries(named)
  const score = numberOf(valueAt(line, 'evaluation', 'score'))
  const scorer = / for scorer (.+)$/.exec(textOf(results[0]?.evaluation_name) ?? '')?.[1]
  return score === undefined ? {} : { [scorer ?? 'score']: score }
}

function setupOf(content: JsonFields, results: readonly JsonFields[], metrics: readonly string[], epochs: number): PairSetup {
  const generation = fieldsOf(results[0]?.generation_config)
  const given = fieldsOf(generation.generation_args)
  const more = fieldsOf(generation.additional_details)
  const data = fieldsOf(results[0]?.source_data)
  return {
    harness: `every-eval-ever (${textOf(valueAt(content, 'eval_library', 'name')) ?? 'unknown'})`,
    version: textOf(valueAt(content, 'eval_library', 'version')),
    rows: knownFacts({
      dataset: [data.dataset_name ?? null, data.hf_repo ?? null, data.hf_split ?? null],
      epochs,
      rows: data.samples_number,
    }),
    prompt: knownFacts({ shots: more.num_fewshot === undefined ? undefined : Number(more.num_fewshot), template: given.prompt_template }),
    sampling: knownFacts({
      ...samplingFacts({ ...detailedSampling(more), ...given }),
      max_tokens: given.max_tokens,
      stop: more.until === undefined ? undefined : (tryJson(String(more.until)) ?? more.until),
      do_sample: more.do_sample,
    }),
    scoring: Object.fromEntries(
      metrics.map((metric) => {
        const config = fieldsOf(results.find((one) => isMetricOf(metric, one))?.metric_config)
        const parameters = (config.metric_parameters ?? null) as PyValue
        return [metric, { extraction: metric.split(',')[1] ?? null, metric: { name: metric.split(',')[0]!, parameters } }]
      }),
    ),
  }
}

/** Settings among the additional details, which are texts. */
function detailedSampling(details: JsonFields): JsonFields {
  const given = Object.entries(samplingFacts(details)).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, Number(value)]))
}

/** Each evaluation and epoch has its own lines for all rows. */
function* rowsOf(
  files: ResultFiles,
  samples: string,
  metrics: readonly string[],
  isPrompt: boolean,
  skip: SkipPart,
): Generator<ForeignRow> {
  const blocks = new Map<string, { epoch: string; evaluation: string }>()
  for (const line of linesOf(files.chunks(samples))) {
    const block = { epoch: epochOf(line), evaluation: evaluationOf(line) }
    if (isSample(line)) blocks.set(JSON.stringify(block), block)
  }
  const all = [...blocks.values()]
  const epochs = [...new Set(all.map(({ epoch }) => epoch))].sort((one, other) => Number(one) - Number(other))
  const onFar = (id: unknown, block: number) =>
    skip({ file: samples, place: `sample ${String(id)}`, problem: `its line for ${all[block]!.evaluation} is far from the others` })
  const lines = all.map(({ epoch, evaluation }, block) => {
    const isOfBlock = (line: string) => evaluationOf(line) === evaluation && epochOf(line) === epoch
    // The first block reports lines that are not samples.
    const onOther = block === 0 ? skip : () => {}
    return rowFields(sampleParts(lineParts(files.chunks(samples)), samples, isSample, isOfBlock, onOther), samples, skip)
  })
  let place = 0
  for (const found of sideBySide(lines, ({ sample_id }) => sample_id, onFar)) {
    const group = epochs.map((epoch) => found.flatMap((fields, block) => (fields && all[block]!.epoch === epoch ? [fields] : [])))
    yield rowOf(
      group.filter(({ length }) => length > 0),
      place++,
      metrics,
      isPrompt,
    )
  }
}

/** Whether a line is a whole sample, before it is parsed. */
function isSample(line: string): boolean {
  const text = line.trim()
  return text.startsWith('{') && text.endsWith('}') && text.includes('"sample_id":')
}

function evaluationOf(line: string): string {
  return /"evaluation_name": ?("(?:[^"\\]|\\.)*")/.exec(line)?.[1] ?? ''
}

function epochOf(line: string): string {
  return /"epoch": ?"?(\d+)/.exec(line)?.[1] ?? '1'
}

/** `group`: the epochs of a row, each with a line per evaluation. */
function rowOf(group: readonly (readonly JsonFields[])[], place: number, metrics: readonly string[], isPrompt: boolean): ForeignRow {
  const row = group[0]![0]!
  const input = fieldsOf(row.input)
  const error = textOf(row.error)
  const choices = listOf(input.choices).map(String)
  const reasoning = group.map(([one]) =>
    listOf(valueAt(one, 'output', 'reasoning_trace'))
      .map(String)
      .join('\n'),
  )
  const isExtracted = textOf(valueAt(row, 'metadata', 'filter')) !== undefined
  const verdicts = (metric: string) =>
    group.map((lines) => {
      const found = lines.find((one) => Object.hasOwn(scoresOf(one, []), metric)) ?? (lines.length === 1 ? lines[0]! : {})
      const scores = scoresOf(found, [])
      const attributed = listOf(found.answer_attribution).at(-1)
      return {
        score: error === undefined ? (scores[metric] ?? scores.score) : undefined,
        pred: (valueAt(attributed, 'extracted_value') ?? listOf(valueAt(found, 'output', 'raw'))[0] ?? null) as PyValue,
      }
    })
  const found: Record<string, RowMetric> = Object.assign({}, ...metrics.map((metric) => epochMetrics(metric, verdicts(metric))))
  return {
    id: place,
    keys: rowKeys({ doc_hash: valueAt(row, 'metadata', 'doc_hash'), sample_hash: row.sample_hash, id: row.sample_id }),
    ...(choices.length > 0 ? { choices } : {}),
    gold: (listOf(input.reference)[0] ?? null) as PyValue,
    prompt: textOf(input.formatted) ?? (isPrompt ? textOf(input.raw) : undefined),
    question: isPrompt ? undefined : textOf(input.raw),
    // Converted from lm-eval, the output is the extracted answer: the reply itself is lost.
    replies:
      error === undefined
        ? group.map(([one]) =>
            listOf(valueAt(one, 'output', 'raw'))
              .map(String)
              .join(''),
          )
        : [],
    ...(isExtracted ? { isExtracted: true } : {}),
    ...(reasoning.some((one) => one !== '') ? { reasoning, reasoningIn: 'field' as const } : {}),
    finish: finishOf(textOf(valueAt(row, 'metadata', 'stop_reason'))),
    tokens: {
      prompt: numberOf(valueAt(row, 'token_usage', 'input_tokens')) ?? 0,
      reused: 0,
      reply: numberOf(valueAt(row, 'token_usage', 'output_tokens')) ?? 0,
    },
    milliseconds: numberOf(valueAt(row, 'performance', 'latency_ms')),
    error,
    metrics: found,
  }
}

function finishOf(reason: string | undefined): ForeignRow['finish'] {
  if (reason === undefined) return undefined
  return /max_tokens|length/.test(reason) ? 'length' : 'stop'
}
