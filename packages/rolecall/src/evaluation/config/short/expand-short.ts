import { check, PromptError } from '@rolecall/core/internal/errors'
import { formatNamed } from '@rolecall/core/internal/format'
import { scoringOfChecks } from '../../score/checks/scoring-of-checks.ts'
import type { Axes } from '../axes.ts'
import type { Config, DatasetConfig, ModelConfig } from '../config-schema.ts'
import { inFormat } from '../in-format.ts'
import { modelOf } from './name-models.ts'
import { canShow, columnsIn, templatesOf } from './prompt-template.ts'
import { type ReadPromptFile, readPrompts, type ShortPrompt } from './read-prompts.ts'
import { type ModelUse, type ShortConfig, type ShortSource, shortSchema } from './short-schema.ts'

/** What is needed besides the config. */
export type ShortOptions = {
  /** The place of the config, for errors: `eval.yaml › `. */
  where?: string
  /** Reads the files that prompts name; without it, a prompt cannot be a file. */
  readText?: ReadPromptFile
}

/** Whether a config is in the short form; a misspelt key must not hide that. */
export function isShortConfig(given: unknown): given is ShortConfig {
  const has = (key: string) => typeof given === 'object' && given !== null && Object.hasOwn(given, key)
  if (has('datasets') || has('providers') || has('targets')) return false
  const asks = has('prompts') || has('prompt')
  return has('data') || (asks && (has('models') || has('model'))) || (has('tests') && (has('models') || has('model') || asks))
}

/**
 * The full form of a config in the short form: a model for each model, format and temperature, a dataset for the rows with each prompt and
 * number of examples. Each entry says where it stands on the axes of the run.
 *
 * @example
 * const { datasets } = expandShort({ data: 'qa.jsonl', prompts: '{question}', models: ['embedded'], gold: 'answer', check: 'contains' })
 * datasets.map(({ abbr, path, eval_cfg }) => [abbr, path, eval_cfg]) // => [['qa', 'qa.jsonl', { evaluator: { type: 'TextEvaluator', check: 'contains' } }]]
 */
export function expandShort(
  given: ShortConfig,
  { where = '', readText = noFiles }: ShortOptions = {},
): Required<Pick<Config, 'models' | 'datasets'>> & Config {
  const short = check(shortSchema, given, where) as ShortConfig
  const { $schema, lint, with_python } = short
  const models = modelsOf(short, where)
  const datasets = datasetsOf(short, where, readText)
  return {
    ...($schema === undefined ? {} : { $schema }),
    models,
    datasets,
    ...(lint === undefined ? {} : { lint }),
    ...(with_python === undefined ? {} : { with_python }),
  }
}

function noFiles(path: string, where: string): never {
  throw new PromptError('no-file', { where, problem: `${path} cannot be read here`, fix: 'write the text of the prompt' })
}

function modelsOf(short: ShortConfig, where: string): ModelConfig[] {
  const { model, models, formats, temperature, max_tokens: most } = short
  if (model !== undefined && models !== undefined)
    throw new PromptError('both', { where: `${where}model`, problem: '"models" is also given', fix: 'keep one of them' })
  const plain = namedModels(model === undefined ? models : [model], `${where}${model === undefined ? 'models' : 'model'}`)
  const [all, formatNames] = [plain.map(({ abbr = '' }) => abbr), formats ?? []]
  const temperatures = temperature === undefined ? [undefined] : [temperature].flat()
  const isCompared = Array.isArray(temperature)
  refuseTwice(formatNames, `${where}formats`)
  refuseTwice(temperatures.map(String), `${where}temperature`)
  return plain.flatMap((entry, index): ModelConfig[] => {
    const name = all[index]!
    const axes: Axes = { model: name }
    const limited = most === undefined || entry.max_out_len !== undefined ? entry : { ...entry, max_out_len: most }
    const inFormats =
      formatNames.length === 0
        ? [{ ...limited, axes }]
        : formatNames.flatMap((format, place) =>
            inFormat([limited], { name: format, model: formatNamed(format, `${where}formats[${place}]`) }).map((one) => ({
              ...one,
              abbr: `${name}-${format}`,
              axes: { ...axes, format },
            })),
          )
    return inFormats.flatMap((one) =>
      temperatures.map((value): ModelConfig => {
        if (value === undefined) return one
        const heated = { ...one, temperature: value }
        return isCompared ? { ...heated, abbr: `${one.abbr}-t${value}`, axes: { ...one.axes, temperature: value } } : heated
      }),
    )
  })
}

function namedModels(models: ShortConfig['models'], where: string): ModelConfig[] {
  if (models === undefined) return []
  if (typeof models === 'string') return [modelOf(models, where)]
  if (!Array.isArray(models)) return Object.entries(models).map(([name, use]) => modelOf(use as ModelUse, `${where}.${name}`, name))
  const entries = models.map((use, index) => modelOf(use, `${where}[${index}]`))
  return entries.map((entry, index) => ({ ...entry, abbr: distinctName(entries, index) }))
}

/** Two models of one name, from different servers, are numbered. */
function distinctName(entries: readonly ModelConfig[], index: number): string {
  const name = entries[index]!.abbr ?? `model-${index + 1}`
  const before = entries.slice(0, index).filter(({ abbr }) => abbr === name).length
  return before === 0 ? name : `${name}-${before + 1}`
}

type NamedSource = { name: string; source: DatasetConfig | Record<string, unknown>; where: string }

function datasetsOf(short: ShortConfig, where: string, readText: ReadPromptFile): DatasetConfig[] {
  const { gold, check: checks, extract, tests, judge, tools, epochs, by, cluster, pass } = short
  const sources = sourcesOf(short, where)
  const prompts = readPrompts(short, where, readText)
  const shots = short.shots === undefined ? [0] : [short.shots].flat()
  const [isSeveralPrompts, isSeveralShots] = [prompts.length > 1, Array.isArray(short.shots)]
  refuseTwice(shots.map(String), `${where}shots`)
  const train = examplesOf(short, Math.max(...shots), where)
  const isScored = gold !== undefined || checks !== undefined || tests?.some((row) => 'check' in row)
  const scoring = isScored
    ? scoringOfChecks(checks ?? (tests?.some((row) => 'check' in row) ? undefined : 'exact'), `${where}check`, {
        column: tests?.some((row) => 'check' in row) ? 'check' : undefined,
        judge: judge === undefined ? undefined : modelOf(judge as ModelUse, `${where}judge`),
        threshold: pass,
      })
    : undefined
  const evaluation =
    scoring && (extract === undefined ? scoring : { ...scoring, pred_postprocessor: steps(extract, scoring.pred_postprocessor) })
  const datasets = sources.flatMap(({ name, source }) =>
    prompts.flatMap((prompt) =>
      shots.map((count): DatasetConfig => {
        const abbr = [name, ...(isSeveralPrompts ? [prompt.name] : []), ...(isSeveralShots ? [`${count}-shot`] : [])].join('-')
        const axes: Axes = { data: name, ...(isSeveralPrompts ? { prompt: prompt.name } : {}), ...(isSeveralShots ? { shots: count } : {}) }
        return {
          abbr,
          ...source,
          ...(count === 0 ? {} : train),
          reader_cfg: { input_columns: columnsOf(prompt, gold), ...(gold === undefined ? {} : { output_column: gold }) },
          infer_cfg: { ...templatesOf(prompt.messages, gold, count), inferencer: { type: 'GenInferencer' } },
          ...(evaluation === undefined ? {} : { eval_cfg: evaluation as DatasetConfig['eval_cfg'] }),
          ...(tools === undefined ? {} : { tools }),
          ...(epochs === undefined ? {} : { n: epochs }),
          ...(by === undefined ? {} : { by }),
          ...(cluster === undefined ? {} : { cluster }),
          axes,
        } as DatasetConfig
      }),
    ),
  )
  return datasets
}

/** The columns of the prompt; the gold column is the answer, not an input. */
function columnsOf({ messages }: ShortPrompt, gold: string | undefined): string[] {
  return columnsIn(messages).filter((name) => name !== gold)
}

function steps(extract: NonNullable<ShortConfig['extract']>, then: unknown): unknown {
  return then === undefined ? extract : [extract, then].flat()
}

function sourcesOf({ data, tests }: ShortConfig, where: string): NamedSource[] {
  if (tests !== undefined && data !== undefined)
    throw new PromptError('both', {
      where: `${where}tests`,
      problem: '"data" is also given',
      fix: 'keep one of them; checks of single rows can be in a column: check: { column: NAME }',
    })
  if (tests !== undefined)
    return [{ name: 'tests', source: { rows: tests.map((row) => ('check' in row ? row : { ...row, check: '' })) }, where: `${where}tests` }]
  if (data === undefined)
    throw new PromptError('missing', { where: `${where}data`, problem: 'there are no rows', fix: 'write data: FILE, or rows in `tests`' })
  if (isSource(data)) return [{ name: sourceName(data), source: sourceOf(data), where: `${where}data` }]
  return Object.entries(data).map(([name, one]) => ({ name, source: sourceOf(one), where: `${where}data.${name}` }))
}

function isSource(data: NonNullable<ShortConfig['data']>): data is ShortSource {
  return typeof data === 'string' || Array.isArray(data) || 'path' in data || 'rows' in data
}

function sourceOf(source: ShortSource): Record<string, unknown> {
  if (typeof source === 'string') return { path: source }
  return Array.isArray(source) ? { rows: source } : { ...source }
}

/** `data/qa.jsonl` is called qa, `hf://datasets/ORG/NAME` NAME. */
function sourceName(source: ShortSource): string {
  const path = typeof source === 'string' ? source : Array.isArray(source) ? undefined : [source.path].flat()[0]
  const name = path
    ?.replace(/^.*[\\/]/, '')
    .replace(/(?:\.\w+){1,2}$/, '')
    .replace(/[^\p{L}\p{N}_.-]+/gu, '-')
  return name === undefined || name === '' ? 'data' : name
}

/** Where few-shot examples come from; the rows that are asked would leak their answers. */
function examplesOf({ examples, gold }: ShortConfig, most: number, where: string): Record<string, unknown> {
  if (most === 0) return {}
  if (gold === undefined || !canShow(gold)) {
    throw new PromptError('missing', {
      where: `${where}gold`,
      problem:
        gold === undefined
          ? 'examples show the right answer, and no column has it'
          : `examples cannot show the column "${gold}", whose name has other characters than letters, digits and _`,
      fix: gold === undefined ? 'name its column: gold: answer' : 'rename it: data: { path: …, map_columns: { answer: … } }',
    })
  }
  if (examples === undefined)
    throw new PromptError('missing', {
      where: `${where}examples`,
      problem: `"shots" asks for ${most} examples, and it is not said where they come from`,
      fix: 'write examples: FILE, with other rows than `data`',
    })
  const { path, rows } = sourceOf(examples) as { path?: unknown; rows?: readonly unknown[] }
  if (rows !== undefined && rows.length < most)
    throw new PromptError('too-few-examples', {
      where: `${where}examples`,
      problem: `there are ${rows.length}, and "shots" asks for ${most}`,
      fix: 'add some, or ask for fewer',
    })
  return rows === undefined ? { train_path: path } : { train_rows: rows }
}

function refuseTwice(values: readonly string[], where: string): void {
  const twice = values.find((value, index) => values.indexOf(value) !== index)
  if (twice !== undefined) throw new PromptError('duplicate-name', { where, problem: `${twice} is there twice`, fix: 'remove one of them' })
}
