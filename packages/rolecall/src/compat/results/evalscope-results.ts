import type { Note } from '@rolecall/core/internal/errors'
import type { PyValue } from '@rolecall/core/internal/python'
import { parse } from 'yaml'
import { modelFacts, type PairSetup } from '../../evaluation/run/record/pair-setup.ts'
import { samplingFacts } from '../../evaluation/run/record/sampling-facts.ts'
import { epochMetrics } from './epoch-metrics.ts'
import type { ForeignGroup, ForeignPair, ForeignResult, ForeignRow, ResultFiles, ResultReader } from './foreign-result.ts'
import {
  chatTurn,
  contentText,
  fieldsOf,
  type JsonFields,
  knownFacts,
  linesOf,
  listOf,
  numberOf,
  reasoningParts,
  textOf,
  tryJson,
  valueAt,
} from './foreign-values.ts'
import { repeatedRows } from './repeated-rows.ts'
import { lineParts, rowFields } from './row-parts.ts'

/** Work dirs of evalscope: reviews have the rows with their scores. */
export const evalscopeResults: ResultReader = {
  harness: 'evalscope',
  read(files) {
    const reviews = files.names.filter((name) => /(?:^|\/)reviews\/.*\.jsonl$/.test(name) && files.head(name).includes('"sample_score"'))
    const roots = [...new Set(reviews.map((name) => name.slice(0, name.lastIndexOf('reviews/'))))]
    return roots.map((root) =>
      resultOf(
        files,
        root,
        reviews.filter((name) => name.startsWith(`${root}reviews/`)),
      ),
    )
  },
}

function resultOf(files: ResultFiles, root: string, reviews: readonly string[]): ForeignResult {
  const file = files.names.find((name) => name.startsWith(`${root}configs/`) && name.endsWith('.yaml'))
  const settings = file === undefined ? undefined : settingsIn(files.text(file))
  const config = settings ?? {}
  const problem = file === undefined ? 'there is no configs/task_config.yaml' : 'the config cannot be read as YAML'
  const notes: Note[] = settings ? [] : [{ code: 'no-settings', where: file ?? root, text: `${problem}: settings are unknown` }]
  return {
    harness: 'evalscope',
    version: textOf(config.evalscope_version),
    source: root.replace(/\/$/, '') || '.',
    started: /(\d{8}_\d{6})/.exec(root)?.[1] ?? '',
    pairs: reviews.map((name) => pairOf(files, placeOf(root, name, config), config)),
    groups: groupsOf(files, root, reviews, config),
    notes,
  }
}

/** Undefined for damaged YAML. */
function settingsIn(text: string): JsonFields | undefined {
  try {
    return fieldsOf(parse(text))
  } catch {
    return undefined
  }
}

type ReviewPlace = { review: string; model: string; dataset: string; benchmark: string; report: string }

function placeOf(root: string, review: string, config: JsonFields): ReviewPlace {
  const [model = 'model', file = ''] = review.slice(`${root}reviews/`.length).split('/')
  const dataset = file.replace(/\.jsonl$/, '')
  const benchmarks = Object.keys(fieldsOf(config.resolved_benchmarks ?? config.dataset_args))
  const fitting = benchmarks.filter((one) => dataset === one || dataset.startsWith(`${one}_`))
  const benchmark = fitting.sort((one, other) => other.length - one.length)[0] ?? dataset
  return { review, model, dataset, benchmark, report: `${root}reports/${model}/${benchmark}.json` }
}

/** A benchmark of several subsets, with its score. */
function groupsOf(files: ResultFiles, root: string, reviews: readonly string[], config: JsonFields): ForeignGroup[] {
  const groups = new Map<string, ForeignGroup & { datasets: string[] }>()
  for (const review of reviews) {
    const { model, dataset, benchmark, report } = placeOf(root, review, config)
    const known = groups.get(`${model}/${benchmark}`)
    if (known) known.datasets.push(dataset)
    else {
      const reported = files.names.includes(report) ? reportedOf(files.text(report)) : {}
      groups.set(`${model}/${benchmark}`, { name: benchmark, model, datasets: [dataset], reported })
    }
  }
  return [...groups.values()].filter(({ datasets }) => datasets.length > 1)
}

function pairOf(files: ResultFiles, { review, model, dataset, benchmark, report }: ReviewPlace, config: JsonFields): ForeignPair {
  const metrics = metricsOf(files, review)
  const subset = dataset === benchmark ? undefined : dataset.slice(benchmark.length + 1)
  return {
    model,
    dataset,
    setup: setupOf(config, benchmark, metrics),
    reported: files.names.includes(report) ? reportedOf(files.text(report), subset) : {},
    rows: (skip) => rowsOf(rowFields(lineParts(files.chunks(review)), review, skip), repeatsOf(config), metrics),
  }
}

function metricsOf(files: ResultFiles, review: string): string[] {
  for (const line of linesOf(files.chunks(review))) {
    const names = Object.keys(fieldsOf(valueAt(tryJson(line), 'sample_score', 'score', 'value')))
    if (names.length > 0) return names
  }
  return []
}

/** The scores of a report, of the benchmark or of one of its subsets. */
function reportedOf(text: string, subset?: string): Record<string, number> {
  const metrics = listOf(valueAt(tryJson(text), 'metrics')).flatMap((one): [string, number][] => {
    const name = textOf(valueAt(one, 'identity', 'name')) ?? textOf(valueAt(one, 'name'))
    const subsets = listOf(valueAt(one, 'categories')).flatMap((category) => listOf(valueAt(category, 'subsets')))
    const of = subset === undefined ? one : subsets.find((part) => valueAt(part, 'name') === subset)
    const score = numberOf(valueAt(of, 'score'))
    return name === undefined || score === undefined ? [] : [[name, score]]
  })
  return Object.fromEntries(metrics)
}

function repeatsOf(config: JsonFields): number {
  return numberOf(config.repeats) ?? 1
}

function setupOf(config: JsonFields, benchmark: string, metrics: readonly string[]): PairSetup {
  const resolved = fieldsOf(valueAt(config.resolved_benchmarks, benchmark) ?? valueAt(config.dataset_args, benchmark))
  const generation = fieldsOf(config.generation_config)
  const filters = Object.entries(fieldsOf(resolved.filters))
  return {
    harness: 'evalscope',
    ...(Object.keys(config).length === 0 ? { isUnknown: true as const } : {}),
    version: textOf(config.evalscope_version),
    rows: knownFacts({
      dataset: [resolved.dataset_id ?? null, resolved.eval_split ?? null],
      limit: config.limit,
      epochs: repeatsOf(config),
    }),
    prompt: knownFacts({
      shots: resolved.few_shot_num,
      system: resolved.system_prompt,
      chat_template: config.chat_template,
      thinking: valueAt(generation.extra_body, 'chat_template_kwargs') ?? generation.chat_template_kwargs,
      template: resolved.prompt_template,
      choices_shuffled: resolved.shuffle_choices,
    }),
    sampling: knownFacts({
      ...samplingFacts(generation),
      default_seed: config.seed,
      max_tokens: generation.max_tokens,
      stop: generation.stop ?? generation.stop_seqs,
      do_sample: generation.do_sample,
    }),
    model: modelFacts(fieldsOf(config.model_args)),
    endpoint: 'chat',
    scoring: Object.fromEntries(
      metrics.map((metric) => [
        metric,
        { extraction: filters.map(([name, value]) => ({ [name]: value as PyValue })), metric: { name: metric } },
      ]),
    ),
  }
}

/** Repeats of a row are lines of one group: they become one row with several replies. */
function* rowsOf(reviews: Iterable<JsonFields>, repeats: number, metrics: readonly string[]): Generator<ForeignRow> {
  const idOf = (one: JsonFields) => valueAt(one, 'sample_score', 'group_id') ?? one.index
  const rows = repeatedRows(
    reviews,
    repeats,
    (one) => (repeats === 1 ? '' : String(idOf(one) ?? '')),
    (one) => numberOf(valueAt(one, 'sample_score', 'generation_index')) ?? 0,
  )
  for (const { place, group } of rows) yield rowOf(group, numberOf(idOf(group[0]!)) ?? place, metrics)
}

function rowOf(group: readonly JsonFields[], id: number, metrics: readonly string[]): ForeignRow {
  const [first] = group as [JsonFields]
  const messages = listOf(first.messages).map(fieldsOf)
  const answers = group.map((one) => fieldsOf(listOf(one.messages).findLast((message) => valueAt(message, 'role') === 'assistant')))
  const asked = messages.slice(
    0,
    messages.findLastIndex(({ role }) => role === 'assistant'),
  )
  const verdicts = group.map((one) => fieldsOf(valueAt(one, 'sample_score', 'score')))
  const thoughts = answers.map(({ content }) => reasoningParts(content))
  return {
    id,
    keys: { id: String(id) },
    gold: (first.target ?? null) as PyValue,
    prompt: asked.map(({ role, content }) => chatTurn(String(role), content)),
    replies: answers.map(({ content }) => contentText(content)),
    ...(thoughts.some((one) => one !== undefined) ? { reasoning: thoughts.map((one) => one?.text ?? '') } : {}),
    reasoningIn: thoughts.some((one) => one?.isFromText) ? 'text' : thoughts.some((one) => one !== undefined) ? 'field' : undefined,
    metrics: Object.fromEntries(
      metrics.flatMap((metric) =>
        Object.entries(
          epochMetrics(
            metric,
            verdicts.map((verdict) => ({
              score: numberOf(valueAt(verdict.value, metric)),
              pred: (verdict.extracted_prediction ?? null) as PyValue,
            })),
          ),
        ),
      ),
    ),
  }
}
