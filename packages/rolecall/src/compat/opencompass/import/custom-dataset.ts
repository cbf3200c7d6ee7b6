import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { csvRecords } from '../loaders/read/csv-records.ts'

type Entry = Readonly<Record<string, unknown>>

/** What a custom dataset says about itself: found in its first row, in a `.meta.json` file beside it, and in its entry. */
type Meta = Entry & {
  path: string
  abbr: string
  input_columns: unknown
  output_column: string | null
  options: readonly string[]
  data_type: string
  infer_method: string
}

/** Reads the beginning of a file, or all of it; undefined if there is none. */
export type ReadData = (path: string) => string | undefined

/** Whether an entry of a config is a custom dataset: a file, and perhaps some settings. */
export function isCustomDataset(entry: Entry): entry is Entry & { path: string } {
  return entry.type === undefined && entry.infer_cfg === undefined && typeof entry.path === 'string'
}

/** The dataset config that OpenCompass derives from a file of questions: multiple choice if the first row has columns A and B, else free answers. */
export function customDataset(
  entry: Entry & { path: string },
  read: ReadData,
  note: (note: Note) => void = () => {},
): Record<string, unknown> {
  const meta = metaOf(entry, read, note)
  const { data_type: data, infer_method: method, options, output_column: output } = meta
  const isCircular = data === 'circular-mcq'
  const isPpl = method === 'ppl'
  if (!(isCircular || data === 'mcq' || (data === 'qa' && !isPpl)) || !(isPpl || method === 'gen'))
    throw new PromptError('bad-custom-dataset', {
      where: entry.path,
      problem: `data_type "${data}" and infer_method "${method}" cannot be combined`,
      fix: 'data_type is mcq, circular-mcq or qa, infer_method gen or ppl; qa takes gen only',
    })
  const evaluators = isPpl
    ? { type: isCircular ? 'CircularEvaluator' : 'AccEvaluator' }
    : data === 'qa'
      ? { type: 'AccEvaluator' }
      : { type: isCircular ? 'CircularOptionSimAccEvaluator' : 'OptionSimAccEvaluator', options }
  const { type, ...settings } = evaluators
  return {
    abbr: meta.abbr,
    type: isCircular ? 'CircularCustomDataset' : 'CustomDataset',
    ...(isCircular ? { option_keys: options, answer_key: output } : {}),
    path: meta.path,
    reader_cfg: {
      input_columns: meta.input_columns,
      output_column: output,
      ...('test_range' in meta ? { test_range: meta.test_range } : {}),
    },
    infer_cfg: {
      prompt_template: { type: 'PromptTemplate', template: meta.template ?? templateOf(meta, isPpl) },
      retriever: { type: 'ZeroRetriever' },
      inferencer: { type: isPpl ? 'PPLInferencer' : 'GenInferencer' },
    },
    eval_cfg: {
      evaluator: { type: meta.evaluator ?? type, ...((meta.evaluator_kwargs as Entry | undefined) ?? settings) },
      ...(isPpl ? {} : { pred_role: 'BOT' }),
    },
  }
}

function templateOf(
  { path, data_type: data, options, output_column: output, human_prompt: asked, bot_prompt: said }: Meta,
  isPpl: boolean,
) {
  const isQuestion = data === 'qa'
  const listed = options.map((option) => `\n${option}. {${option}}`).join('')
  const human = { role: 'HUMAN', prompt: asked ?? (isQuestion ? '{question}' : `Question: {question}${listed}`) }
  if (isQuestion && output === null) return { round: [human] }
  const bot = String(said ?? (isQuestion ? `{${output}}` : `Answer: {${output ?? 'None'}}`))
  const round = (prompt: string) => ({ round: [human, { role: 'BOT', prompt }] })
  return isPpl ? Object.fromEntries(options.map((option) => [option, round(withAnswer(bot, output ?? 'None', option, path))])) : round(bot)
}

/** Fills in the answer as `str.format` does: other fields are mistakes. */
function withAnswer(prompt: string, column: string, answer: string, where: string): string {
  return prompt.replaceAll(/\{\{|\}\}|\{([^{}]*)\}/g, (text, field: string | undefined) => {
    if (field === undefined) return text[0]!
    if (field === column) return answer
    throw new PromptError('bad-custom-dataset', {
      where: `${where} › bot_prompt`,
      problem: `{${field}} is not the column of answers, {${column}}`,
      fix: 'with infer_method ppl, only the answer can be filled in there',
    })
  })
}

function metaOf(entry: Entry & { path: string }, read: ReadData, note: (note: Note) => void): Meta {
  const { path } = entry
  const columns = firstColumns(path, read) ?? assumedColumns(entry, note)
  const letters = Array.from({ length: 26 }, (_, place) => String.fromCharCode(65 + place))
  const missing = letters.findIndex((letter) => !columns.includes(letter))
  const options = letters.slice(0, missing < 0 ? letters.length : missing)
  const beside = typeof entry.meta_path === 'string' ? entry.meta_path : `${path}.meta.json`
  const found = read(beside)
  return {
    input_columns: columns.filter((name) => name !== 'answer'),
    output_column: columns.includes('answer') ? 'answer' : null,
    options,
    abbr: path.split('/').at(-1)!.split('.')[0]!,
    data_type: options.length > 1 ? 'mcq' : 'qa',
    infer_method: 'gen',
    ...(found === undefined ? {} : objectIn(found, beside)),
    ...entry,
  }
}

/** Stand for the columns of a file that is not here, so that everything but the data can be checked; a run is refused without it. */
function assumedColumns({ path, data_type: data }: Entry & { path: string }, note: (note: Note) => void): string[] {
  const columns = data === 'qa' ? ['question', 'answer'] : ['question', 'A', 'B', 'C', 'D', 'answer']
  note({ code: 'assumed-columns', where: path, text: `there is no such file: its columns are assumed to be ${columns.join(', ')}` })
  return columns
}

/** The columns of the first row; undefined if there is no file. */
function firstColumns(path: string, read: ReadData): string[] | undefined {
  const isLines = path.endsWith('.jsonl')
  if (!isLines && !path.endsWith('.csv'))
    throw new PromptError('bad-custom-dataset', {
      where: path,
      problem: 'the file of a dataset without type is neither .jsonl nor .csv',
      fix: 'give a .jsonl or .csv file, or set type',
    })
  const text = read(path)
  if (text === undefined) return undefined
  if (isLines) return Object.keys(objectIn(text.split('\n', 1)[0]!, path))
  const [header = [], row] = csvRecords(text)
  if (row) return header.slice(0, row.length)
  throw new PromptError('bad-custom-dataset', { where: path, problem: 'the file has no row', fix: 'write a header and at least one row' })
}

function objectIn(text: string, where: string): Entry {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Entry
  } catch {
    // Reported below, as is a value of another type.
  }
  throw new PromptError('bad-custom-dataset', { where, problem: 'it does not begin with a JSON object', fix: 'write one object per line' })
}
