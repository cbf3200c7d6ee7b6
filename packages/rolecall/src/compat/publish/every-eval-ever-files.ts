import type { PairResult, RowRecord } from '../../evaluation/run/record/run-record.ts'
import { samplingRows } from '../../model/language-model/sampling-settings.ts'
import { metricsOf, type PublishedPair, type PublishedRow, type PublishedRun, textsOf } from './published-run.ts'

/** What a run does not know about itself. */
export type Publisher = {
  /** The organization that publishes the results. */
  organization: string
  relationship: (typeof relationships)[number]
  /** The organization that made the model, if its name does not begin with it. */
  developer?: string | undefined
}

export const relationships = ['first_party', 'third_party', 'collaborative', 'other'] as const

/** The names that tie the two files of a pair together. */
export type PublishedFiles = { uuid: string; retrieved: string; sha256: (text: string) => string }

const schemaVersion = '0.3.0'

/** The place of a pair's file below the folder of the data, without its ending. */
export function everyEvalEverPath(pair: PublishedPair, publisher: Publisher, { uuid }: PublishedFiles): string {
  const [developer = '', ...name] = modelId(pair, publisher).split('/')
  return ['data', pair.result.dataset, developer, name.join('_')].map(pathPart).concat(uuid).join('/')
}

/** A line of `<uuid>_samples.jsonl`; undefined for a row without a score, which the aggregate excludes, too. */
export function everyEvalEverSample(
  pair: PublishedPair,
  { record, question, prompt }: PublishedRow,
  publisher: Publisher,
  files: PublishedFiles,
): Record<string, unknown> | undefined {
  const { score } = record
  if (score === undefined) return undefined
  const references = textsOf(record.gold)
  const raw = question ?? ''
  const { prompt: input, reply: output, reused } = record.tokens
  return {
    schema_version: schemaVersion,
    evaluation_id: evaluationId(pair, publisher, files),
    model_id: modelId(pair, publisher),
    evaluation_name: pair.result.dataset,
    evaluation_result_id: `${pair.result.dataset}:${pair.result.metric}`,
    sample_id: String(record.id),
    ...(question === undefined ? {} : { sample_hash: files.sha256(raw + references.join('')) }),
    interaction_type: 'single_turn',
    input: { raw, ...(prompt === undefined ? {} : { formatted: prompt }), reference: references },
    output: { raw: repliesOf(record), ...(record.reasoning == null ? {} : { reasoning_trace: textsOf(record.reasoning) }) },
    answer_attribution: attributionOf(record, pair.dataset.extraction),
    evaluation: { score, is_correct: score === 1 },
    token_usage: {
      input_tokens: input,
      output_tokens: output,
      total_tokens: input + output,
      ...(reused > 0 ? { input_tokens_cache_read: reused } : {}),
    },
    performance: { latency_ms: record.milliseconds },
    metadata: { row_hash: record.row_hash, prompt_hash: record.prompt_hash, ...(record.finish ? { finish: record.finish } : {}) },
  }
}

/** `<uuid>.json`: the metrics of a pair. */
export function everyEvalEverAggregate(
  pair: PublishedPair,
  run: PublishedRun,
  publisher: Publisher,
  files: PublishedFiles,
  samples: { checksum: string; rows: number; withoutScore: number },
): Record<string, unknown> {
  const { result, model, settings } = pair
  const { repository } = pair.dataset
  const seconds = String(Date.parse(run.started) / 1000)
  return {
    schema_version: schemaVersion,
    evaluation_id: evaluationId(pair, publisher, files),
    evaluation_timestamp: seconds,
    retrieved_timestamp: files.retrieved,
    source_metadata: {
      source_name: run.name,
      source_type: 'evaluation_run',
      source_organization_name: publisher.organization,
      evaluator_relationship: publisher.relationship,
    },
    eval_library: { name: 'rolecall', version: run.version },
    model_info: {
      name: result.model,
      id: modelId(pair, publisher),
      developer: modelId(pair, publisher).split('/')[0],
      ...(model.engine === undefined ? {} : { inference_engine: { name: model.engine } }),
      additional_details: {
        deployment_type: model.engine === undefined ? 'unknown' : 'self_deployed',
        model_availability: 'unknown',
        ...(result.format === undefined ? {} : { format: result.format }),
      },
    },
    evaluation_results: metricsOf(result).flatMap((metric) => {
      const { value } = metric
      if (value === undefined) return []
      return {
        evaluation_result_id: `${result.dataset}:${metric.metric}`,
        evaluation_name: result.dataset,
        source_data: {
          dataset_name: result.dataset,
          ...(repository === undefined ? { source_type: 'other' } : { source_type: 'hf_dataset', hf_repo: repository }),
          ...(repository === undefined ? {} : { samples_number: result.rows }),
        },
        metric_config: metricConfig(metric),
        score_details: { score: proportion(metric, value), ...uncertainty(metric, result) },
        generation_config: generationConfig(settings),
      }
    }),
    detailed_evaluation_results: {
      format: 'jsonl',
      file_path: `${everyEvalEverPath(pair, publisher, files)}_samples.jsonl`,
      hash_algorithm: 'sha256',
      checksum: samples.checksum,
      total_rows: samples.rows,
      ...(samples.withoutScore > 0 ? { additional_details: { rows_without_score: String(samples.withoutScore) } } : {}),
    },
  }
}

/** Settings that the schema does not name are details, which are texts. */
function generationConfig(settings: PublishedPair['settings']): Record<string, unknown> {
  const named = samplingRows.flatMap(({ name, wire: { everyEvalEver } }) =>
    everyEvalEver === undefined ? [] : [[everyEvalEver, settings[name]]],
  )
  const details = samplingRows.flatMap(({ name, wire: { everyEvalEver } }) =>
    everyEvalEver !== undefined || settings[name] === undefined ? [] : [[name, String(settings[name])]],
  )
  return {
    generation_args: defined({ ...Object.fromEntries(named), max_tokens: settings.max_tokens }),
    ...(details.length > 0 ? { additional_details: Object.fromEntries(details) } : {}),
  }
}

type PairMetric = ReturnType<typeof metricsOf>[number]

function metricConfig(metric: PairMetric): Record<string, unknown> {
  const [least, greatest] = metric.unit === 'percent' ? [0, 1] : (metric.range ?? [null, null])
  return {
    metric_id: metric.metric,
    metric_name: metric.metric,
    metric_unit: metric.unit === 'percent' ? 'proportion' : metric.unit,
    lower_is_better: metric.direction === 'lower',
    score_type: 'continuous',
    min_score: least ?? '-Infinity',
    max_score: greatest ?? 'Infinity',
  }
}

function uncertainty(metric: PairMetric, { rows, failed, answers }: PairResult): Record<string, unknown> {
  const { interval } = metric
  if (interval === undefined) return {}
  return {
    uncertainty: {
      confidence_interval: {
        lower: proportion(metric, interval.low),
        upper: proportion(metric, interval.high),
        confidence_level: 0.95,
        method: interval.method,
      },
      num_samples: rows - failed - (answers.noGold ?? 0),
      ...(interval.draws === undefined ? {} : { num_bootstrap_samples: interval.draws }),
    },
  }
}

/** Percentages are proportions there. */
function proportion({ unit }: PairMetric, value: number): number {
  return unit === 'percent' ? value / 100 : value
}

function evaluationId(pair: PublishedPair, publisher: Publisher, { retrieved }: PublishedFiles): string {
  return `${pair.result.dataset}/${modelId(pair, publisher).replace('/', '_')}/${retrieved}`
}

function modelId({ model, result }: PublishedPair, { developer }: Publisher): string {
  const id = model.id ?? result.model
  return developer === undefined && id.includes('/') ? id : `${developer ?? 'unknown'}/${id.split('/').at(-1)}`
}

/** The replies as far as the record has them: a reply of calls alone is their JSON. */
function repliesOf({ prediction, calls }: RowRecord): string[] {
  const texts = textsOf(prediction)
  return texts.length > 0 || calls === undefined ? texts : [JSON.stringify(calls)]
}

function attributionOf({ details }: RowRecord, extraction: readonly string[]): Record<string, unknown>[] {
  const found = details?.pred ?? details?.prediction
  if (found === undefined || found === null) return []
  const method = extraction.length === 0 ? 'none' : extraction.join(', ')
  return textsOf(found).map((value) => ({
    turn_idx: 0,
    source: 'output.raw',
    extracted_value: value,
    extraction_method: method,
    is_terminal: true,
  }))
}

/** A name as one part of a path. */
export function pathPart(name: string): string {
  return name.replace(/[^\p{L}\p{N}._+-]+/gu, '_').replace(/^\.+/, '_')
}

function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
