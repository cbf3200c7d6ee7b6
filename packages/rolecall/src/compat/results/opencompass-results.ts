import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import type { PyValue } from '@rolecall/core/internal/python'
import type { SummaryGroup } from '../../evaluation/config/summary-group-schema.ts'
import { modelFacts, type PairSetup } from '../../evaluation/run/record/pair-setup.ts'
import { samplingFacts } from '../../evaluation/run/record/sampling-facts.ts'
import { type ImportedConfig, importConfig } from '../opencompass/import/import-config.ts'
import { csvRecords } from '../opencompass/loaders/read/csv-records.ts'
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
import { fieldsOf, type JsonFields, knownFacts, listOf, numberOf, parseForeignJson, textOf, valueAt } from './foreign-values.ts'
import { groupMembers } from './group-members.ts'
import { jsonElements } from './json-elements.ts'
import { elementParts, fieldsIn, lineParts, rowFields } from './row-parts.ts'

/** Work dirs of OpenCompass and AISBench: `predictions/<model>/<dataset>` and `results/<model>/<dataset>`. */
export const opencompassResults: ResultReader = {
  harness: 'opencompass',
  read(files) {
    const found = files.names.filter((name) => isPrediction(files, name) || isResult(files, name))
    const roots = [...new Set(found.map((name) => name.replace(/(?:predictions|results)\/.*$/, '')))]
    return roots.map((root) =>
      resultOf(
        files,
        root,
        found.filter((name) => name.startsWith(root)),
      ),
    )
  },
}

function isPrediction(files: ResultFiles, name: string): boolean {
  return /(?:^|\/)predictions\/[^/]+\/[^/]+\.jsonl?$/.test(name) && /"(?:origin_prompt|prediction)"/.test(files.head(name))
}

function isResult(files: ResultFiles, name: string): boolean {
  return /(?:^|\/)results\/[^/]+\/[^/]+\.json$/.test(name) && /^\s*\{\s*"[^"]+":\s*(?:-?[\d.]+|"|\{|NaN)/.test(files.head(name))
}

function resultOf(files: ResultFiles, root: string, found: readonly string[]): ForeignResult {
  const config = configOf(files, root)
  const isAisBench = found.some((name) => name.startsWith(`${root}predictions/`) && name.endsWith('.jsonl'))
  const harness = isAisBench ? 'aisbench' : 'opencompass'
  const notes: Note[] = [...config.notes]
  const pairs = pairFiles(root, found).map(({ model, dataset, predictions, results }): ForeignPair => {
    const reading = results === undefined ? undefined : metricsIn(files, results)
    if (!reading?.hasDetails)
      notes.push({ code: 'no-details', where: results ?? root, text: `${dataset} has no scores of rows (\`details\`): score it again` })
    const metrics = Object.keys(reading?.metrics ?? {})
    return {
      model,
      dataset,
      setup: setupOf(harness, config.imported, model, dataset, metrics),
      reported: Object.fromEntries(Object.entries(reading?.metrics ?? {}).map(([name, value]) => [name, value / 100])),
      rows: (skip) =>
        reading?.hasDetails
          ? withPredictions(detailRows(files, results!, metrics[0] ?? 'accuracy', skip), predictionRows(files, predictions, skip))
          : predictionRows(files, predictions, skip),
    }
  })
  const main = Object.keys(pairs[0]?.setup.scoring ?? {})[0] ?? 'accuracy'
  return {
    harness,
    source: root.replace(/\/$/, '') || '.',
    started: /(\d{8}_\d{6})\/$/.exec(root)?.[1] ?? '',
    pairs,
    groups: groupsOf(files, root, config.imported?.config.summarizer?.summary_groups ?? [], main),
    notes,
  }
}

/** The groups of the summarizer with the scores of the summary table, one for each model. */
function groupsOf(files: ResultFiles, root: string, groups: readonly SummaryGroup[], metric: string): ForeignGroup[] {
  const file = files.names.filter((name) => name.startsWith(`${root}summary/`) && name.endsWith('.csv')).at(-1)
  const [heads = [], ...lines] = file === undefined ? [] : csvRecords(files.text(file))
  const subsetsOf = (name: string) => groups.find((one) => one.name === name)?.subsets ?? []
  return groups.flatMap(({ name }) => {
    const line = lines.find(([dataset]) => dataset === name)
    const datasets = groupMembers(name, subsetsOf)
    // Columns: dataset, version, metric, mode, then the models.
    const models = heads.slice(4).map((model, index) => ({ model, score: Number.parseFloat(line?.[4 + index] ?? '') }))
    return models.map(({ model, score }) => ({
      name,
      model,
      datasets,
      reported: Number.isFinite(score) ? { [metric]: score / 100 } : {},
    }))
  })
}

type PairFound = { model: string; dataset: string; predictions: string[]; results: string | undefined }

/** Predictions in several files (`_0`, `_1`, …) belong to the result without a number. */
function pairFiles(root: string, found: readonly string[]): PairFound[] {
  const [predictions, results] = ['predictions/', 'results/'].map((part) => found.filter((name) => name.startsWith(root + part))) as [
    string[],
    string[],
  ]
  const nameOf = (file: string, part: string) => file.slice((root + part).length).replace(/\.jsonl?$/, '')
  const resultNames = new Map(results.map((file) => [nameOf(file, 'results/'), file]))
  const names = new Map<string, string[]>()
  for (const name of resultNames.keys()) names.set(name, [])
  for (const file of predictions) {
    const own = nameOf(file, 'predictions/')
    const whole = own.replace(/_\d+$/, '')
    const isPart = !resultNames.has(own) && (resultNames.has(whole) || own !== whole)
    const name = isPart ? whole : own
    names.set(name, [...(names.get(name) ?? []), file])
  }
  return [...names].map(([name, files]) => {
    const [model = 'model', dataset = 'dataset'] = name.split('/')
    const ordered = files.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    return { model, dataset, predictions: ordered, results: resultNames.get(name) }
  })
}

/** The resolved config: Python text, interpreted and never executed. */
function configOf(files: ResultFiles, root: string): { imported?: ImportedConfig; notes: readonly Note[] } {
  const file = files.names.filter((name) => name.startsWith(`${root}configs/`) && name.endsWith('.py')).at(-1)
  if (file === undefined)
    return { notes: [{ code: 'no-settings', where: root, text: 'there is no config in configs/: settings are unknown' }] }
  try {
    return {
      imported: importConfig('config.py', {
        read: (path) => (path === 'config.py' ? files.text(file) : undefined),
        lenient: true,
        hashes: false,
      }),
      notes: [],
    }
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    return { notes: [{ code: 'no-settings', where: file, text: `the config cannot be read: ${error.problem}` }] }
  }
}

function setupOf(
  harness: string,
  imported: ImportedConfig | undefined,
  model: string,
  dataset: string,
  metrics: readonly string[],
): PairSetup {
  const named = (entries: readonly unknown[] = [], abbr: string) => fieldsOf(entries.find((one) => valueAt(one, 'abbr') === abbr))
  const used = named(imported?.config.models, model)
  const data = named(imported?.config.datasets, dataset)
  const generation = { ...used, ...fieldsOf(used.generation_kwargs) }
  const infer = fieldsOf(data.infer_cfg)
  const evaluation = fieldsOf(data.eval_cfg)
  const reader = fieldsOf(data.reader_cfg)
  return {
    harness,
    ...(imported === undefined ? { isUnknown: true as const } : {}),
    rows: knownFacts({ dataset: data.path, limit: reader.test_range ?? data.test_range }),
    prompt: knownFacts({
      template: infer.prompt_template,
      shots: infer.ice_template === undefined && valueAt(infer.retriever, 'type') === undefined ? undefined : infer.retriever,
      chat_template: used.meta_template,
    }),
    sampling: knownFacts({
      ...samplingFacts(generation),
      do_sample: generation.do_sample,
      max_tokens: valueAt(infer.inferencer, 'max_out_len') ?? used.max_out_len,
      stop: generation.stop ?? generation.stop_words ?? valueAt(infer.inferencer, 'stopping_criteria'),
    }),
    model: modelFacts(used),
    scoring: Object.fromEntries(
      (metrics.length > 0 ? metrics : ['accuracy']).map((metric) => [
        metric,
        {
          extraction: (evaluation.pred_postprocessor ?? null) as PyValue,
          metric: (evaluation.evaluator ?? null) as PyValue,
          normalisation: (evaluation.dataset_postprocessor ?? null) as PyValue,
        },
      ]),
    ),
  }
}

/** The metrics of a results file, and whether it has details of rows. */
function metricsIn(files: ResultFiles, name: string): { metrics: Record<string, number>; hasDetails: boolean } {
  const reading = jsonElements(files.chunks(name), ['details'])
  let [hasDetails, next] = [false, reading.next()]
  for (; !next.done; next = reading.next()) hasDetails ||= /^\d+$/.test(next.value.key) && next.value.text.startsWith('{')
  const metrics = Object.entries(fieldsOf(parseForeignJson(next.value, name))).flatMap(([key, value]): [string, number][] => {
    const number = typeof value === 'number' ? value : undefined
    return number === undefined ? [] : [[key, number]]
  })
  return { metrics: Object.fromEntries(metrics), hasDetails }
}

function* detailRows(files: ResultFiles, name: string, metric: string, skip: SkipPart): Generator<ForeignRow> {
  for (const { key, text } of jsonElements(files.chunks(name), ['details'])) {
    if (!/^\d+$/.test(key)) continue
    const row = fieldsIn(text, name)
    if (typeof row === 'string') {
      skip({ file: name, place: `details.${key}`, problem: row })
      continue
    }
    const pred = row.predictions ?? row.pred ?? row.prediction
    const gold = row.references ?? row.answer ?? row.gold
    const flag = [row.correct].flat()[0]
    const score = numberOf(flag) ?? (pred === undefined || gold === undefined ? undefined : Number(asText(pred) === asText(gold)))
    yield {
      ...rowOf(row, Number(key), row.origin_prediction ?? pred, gold),
      metrics: { [metric]: { ...(score === undefined ? {} : { score }), pred: (pred ?? null) as PyValue } },
    }
  }
}

/** Details of some evaluators have only verdicts: prompt and reply are those of the prediction with the same number. */
function* withPredictions(details: Iterable<ForeignRow>, predictions: Iterator<ForeignRow>): Generator<ForeignRow> {
  for (const row of details) {
    if (row.prompt !== undefined) {
      yield row
      continue
    }
    let found = predictions.next()
    while (!found.done && found.value.id < row.id) found = predictions.next()
    const { prompt, replies, gold } = found.value?.id === row.id ? (found.value as ForeignRow) : row
    yield { ...row, prompt, replies: replies.length > 0 ? replies : row.replies, gold: row.gold ?? gold }
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function* predictionRows(files: ResultFiles, names: readonly string[], skip: SkipPart): Generator<ForeignRow> {
  let next = 0
  for (const name of names) {
    const chunks = files.chunks(name)
    const parts = name.endsWith('.jsonl') ? lineParts(chunks) : elementParts(chunks, [], name, skip)
    for (const row of rowFields(parts, name, skip)) {
      const id = numberOf(row.id) ?? next
      next++
      yield { ...rowOf(row, id, row.prediction, row.gold), metrics: {} }
    }
  }
}

function rowOf(row: JsonFields, id: number, reply: unknown, gold: unknown): Omit<ForeignRow, 'metrics'> {
  const replies = (Array.isArray(reply) ? reply : [reply]).flatMap((one) => (one === undefined || one === null ? [] : [asText(one)]))
  return {
    id,
    keys: { id: String(id) },
    gold: (gold ?? null) as PyValue,
    prompt: promptOf(row.origin_prompt ?? row.prompt),
    replies: row.success === false ? [] : replies,
    ...(row.success === false ? { error: textOf(row.error_info) ?? 'the request failed' } : {}),
  }
}

const roles: Readonly<Record<string, string>> = { HUMAN: 'user', BOT: 'assistant', SYSTEM: 'system' }

function promptOf(prompt: unknown): string | ChatTurn[] | undefined {
  if (!Array.isArray(prompt)) return textOf(prompt)
  return listOf(prompt).map((turn) => {
    const role = textOf(valueAt(turn, 'role')) ?? 'user'
    return { role: roles[role] ?? role, content: textOf(valueAt(turn, 'prompt')) ?? textOf(valueAt(turn, 'content')) ?? asText(turn) }
  })
}
