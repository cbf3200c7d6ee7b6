import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import type { PyValue } from '@rolecall/core/internal/python'
import type { ForeignPair, ForeignResult, ForeignRow, ResultFiles, SkippedPart } from '../../../compat/results/foreign-result.ts'
import { openResults } from '../../../compat/results/open-results.ts'
import type { ScoredPair } from '../../../evaluation/run/record/compare-models.ts'
import { nameOf, pairText } from '../../../evaluation/run/record/pair-name.ts'
import { PairTally } from '../../../evaluation/run/record/pair-tally.ts'
import type { PairResult } from '../../../evaluation/run/record/run-record.ts'
import type { Evaluator } from '../../../evaluation/score/evaluate/evaluator.ts'
import { ownVersion } from '../../own-files.ts'
import { summarizeRun } from '../evaluate/summarize-run.ts'
import { cacheFolder, keptFolder, privateFolder } from '../private-folder.ts'
import { RecordWriter } from '../records/record-writer.ts'
import { RunFolder } from '../run-folder.ts'
import { layOut, type PairFiles } from '../run-layout.ts'
import { markUsed, shrinkCache } from '../shrink-cache.ts'
import { foreignRecord } from './foreign-record.ts'
import { resultFiles } from './result-files.ts'
import { type ForeignSetup, setupFile } from './setup-file.ts'

/** Changes when records of the same files would differ. */
const layoutVersion = 10

/**
 * Writes results of another harness as a run folder into the cache and returns its path, so that every command reads them like own runs.
 * The given files stay as they are. Undefined if no harness is recognised. `selection`: the number of the run in the folder, from 1,
 * or a model, dataset or prompt.
 */
export async function importResults(path: string, selection?: string): Promise<string | undefined> {
  const read = await readResults(path)
  if (read.results.length === 0) return undefined
  const { result, pairs } = select(read.results, selection, path)
  return importResult(read, result, pairs)
}

/** A run of another harness in the cache, or why it cannot be read. */
export type ImportedResult = { folder: string } | { source: string; error: PromptError }

/** Like `importResults`, for every run of a tree, the latest first. One that cannot be read does not hide the others. */
export async function importAllResults(path: string): Promise<ImportedResult[]> {
  const read = await readResults(path)
  const imported: ImportedResult[] = []
  for (const result of read.results.toReversed()) {
    try {
      imported.push({ folder: await importResult(read, result, result.pairs) })
    } catch (error) {
      if (!(error instanceof PromptError)) throw error
      imported.push({ source: join(path, result.source), error })
    }
  }
  return imported
}

type ReadResults = { path: string; files: ResultFiles; results: readonly ForeignResult[]; seen: readonly unknown[] }

async function readResults(path: string): Promise<ReadResults> {
  const files = resultFiles(path)
  const results = await openResults(files)
  return { path, files, results, seen: results.length === 0 ? [] : fileStates(path, files) }
}

async function importResult(read: ReadResults, result: ForeignResult, pairs: readonly ForeignPair[]): Promise<string> {
  const { path, results } = read
  if (pairs.length === 0) throw noRows(path, result)
  const folder = folderFor(read, `${result.source} ${pairs.map(pairText).join('|')}`)
  if (existsSync(join(folder, setupFile))) {
    markUsed(join(folder, setupFile))
    return folder
  }
  const cache = cacheFolder()
  if (cache !== undefined) shrinkCache(cache)
  const temporary = `${folder}.${randomUUID()}.incomplete`
  try {
    const others = results.filter((other) => other !== result).map(({ source }) => source)
    await writeRun(temporary, folder, path, { result, pairs, others })
    rmSync(folder, { recursive: true, force: true })
    renameSync(temporary, folder)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
  return folder
}

/** An error need not list hundreds of names. */
const mostNames = 12

function select(
  results: readonly ForeignResult[],
  selection: string | undefined,
  path: string,
): { result: ForeignResult; pairs: readonly ForeignPair[] } {
  const given = results.find(({ source, pairs }) => source === basename(path) && pairs.length > 0)
  const latest = given ?? results.findLast(({ pairs }) => pairs.length > 0) ?? results.at(-1)!
  if (selection === undefined) return { result: latest, pairs: latest.pairs }
  const numbered = /^\d+$/.test(selection) ? results[Number(selection) - 1] : undefined
  if (numbered) return { result: numbered, pairs: numbered.pairs }
  for (const result of results.toReversed()) {
    const pairs = result.pairs.filter(({ model, format, dataset }) => [model, format, dataset, `${model}/${dataset}`].includes(selection))
    if (pairs.length > 0) return { result, pairs }
  }
  const known = results.flatMap(({ pairs }) => pairs.map(({ model, format, dataset }) => format ?? `${model}/${dataset}`))
  const names = [...results.map((_, index) => String(index + 1)), ...new Set(known)]
  throw new PromptError('no-selection', {
    where: `${path}#${selection}`,
    problem: `it has no run, model, dataset or prompt "${selection}"`,
    fix: `choose one of ${names.slice(0, mostNames).join(', ')}${names.length > mostNames ? ` and ${names.length - mostNames} more` : ''}`,
  })
}

function noRows(path: string, { harness, notes }: ForeignResult): PromptError {
  return new PromptError('no-rows', {
    where: path,
    problem: `these are results of ${harness} without rows${notes[0] ? `: ${notes[0].text}` : ''}`,
    fix: 'run the harness with samples logged (lm-eval: --log_samples; AISBench: --dump-eval-details)',
  })
}

/** Named by what was read: changed files are read again. */
function folderFor({ path, seen }: ReadResults, selected: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([layoutVersion, folderOf(path), selected, seen]))
    .digest('hex')
  return join(privateFolder(keptFolder('results')), `${basename(resolve(path)).replace(/[^\p{L}\p{N}._-]+/gu, '_')}-${digest.slice(0, 16)}`)
}

function folderOf(path: string): string {
  return statSync(path).isDirectory() ? resolve(path) : resolve(path, '..')
}

/** Sizes and times of all files, which tell whether they have changed. */
function fileStates(path: string, { names }: ResultFiles): unknown[] {
  const root = folderOf(path)
  return names.map((name) => {
    const { size, mtimeMs } = statSync(join(root, name))
    return [name, size, mtimeMs]
  })
}

/** `home` is the folder's final path: datasets are relative to it. `others` are the sources of the other results in the tree. */
async function writeRun(
  folder: string,
  home: string,
  path: string,
  { result, pairs, others }: { result: ForeignResult; pairs: readonly ForeignPair[]; others: readonly string[] },
): Promise<void> {
  const begin = performance.now()
  mkdirSync(join(folder, 'rows'), { recursive: true })
  const files = layOut(pairs.map(nameOf))
  const notes: Note[] = [...result.notes]
  if (others.length > 0)
    notes.push({ code: 'several-runs', where: path, text: `it has ${others.length + 1} runs; this is ${result.source}` })
  const written: WrittenPair[] = []
  for (const [index, pair] of pairs.entries()) written.push(await writePair(folder, pair, files[index]!, notes))
  const info = {
    name: others.length === 0 ? basename(resolve(path)) : shortName(result.source, others),
    // Without a recorded time: when the newest file was written.
    started: result.started === '' ? newestFile(path, result) : result.started,
    rolecall: ownVersion(),
    folder: join(home, 'rows'),
    options: {},
  }
  const run = new RunFolder(folder, { ...info, pairs: written.map(({ files }) => files) }, [], configOf(pairs, written))
  run.begin()
  const scored = written.map(({ scored }) => scored)
  for (const { result } of scored) run.writeResult(result)
  run.writeSummary(summarizeRun(run, scored, undefined, begin))
  run.close()
  const setup: ForeignSetup = {
    harness: result.harness,
    version: result.version,
    source: resolve(path),
    pairs: pairs.map((pair) => ({ ...nameOf(pair), setup: pair.setup, reported: pair.reported })),
    ...(result.groups && result.groups.length > 0 ? { groups: result.groups } : {}),
    notes,
  }
  // Last: a folder with this file is complete.
  writeFileSync(join(folder, setupFile), `${JSON.stringify(setup, null, 2)}\n`)
}

/** The first folders of its path in the tree, as few as no other result has. */
function shortName(source: string, others: readonly string[]): string {
  const parts = source.replace(/\.(?:jsonl?|eval)$/, '').split('/')
  const names = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  return names.find((name) => !others.some((other) => other === name || other.startsWith(`${name}/`))) ?? source
}

function newestFile(path: string, { source }: ForeignResult): string {
  return statSync(statSync(path).isDirectory() ? join(path, source) : path).mtime.toISOString()
}

type WrittenPair = { files: PairFiles; scored: ScoredPair; isChat: boolean }

/** Writes the records and the rows of a pair in one pass. */
async function writePair(folder: string, pair: ForeignPair, files: PairFiles, notes: Note[]): Promise<WrittenPair> {
  const main = Object.keys(pair.setup.scoring)[0] ?? 'score'
  // Whether scores are shares is known after the last row.
  const evaluator: Evaluator<unknown> = {
    metric: main,
    kind: 'verdict',
    unit: 'percent',
    needsReference: false,
    judge: () => ({ score: 0, detail: {} }),
  }
  const tally = new PairTally(nameOf(pair), evaluator)
  const writer = new RecordWriter(join(folder, files.predictions))
  const rows = new RowFile(join(folder, 'rows', rowsName(files)))
  let [place, isChat] = [0, false]
  const leftOut = new LeftOut()
  for await (const row of pair.rows(leftOut.add)) {
    const record = foreignRecord(row, place++, pair.model, main)
    if (record.score !== undefined) {
      if (record.score !== 0 && record.score !== 1 && evaluator.kind === 'verdict') evaluator.kind = 'graded'
      if (record.score < 0 || record.score > 1) Object.assign(evaluator, { kind: 'quantity', unit: main })
    }
    isChat ||= typeof row.prompt === 'object'
    writer.add(record)
    rows.add(dataRow(row))
    tally.add(record)
    if (place % 1000 === 0) writer.flush()
  }
  leftOut.report(place, notes)
  writer.close({ sort: true })
  await writer.settled
  rows.close()
  const result = tally.result(0, { count: 0, notes: [] })
  noteOtherMean(pair, main, result, notes)
  return { files, scored: { result, scores: tally.scores }, isChat }
}

/** Parts of files that are not rows: counted, and the first ones listed. */
class LeftOut {
  readonly #files = new Map<string, { count: number; first: SkippedPart[] }>()

  readonly add = (part: SkippedPart): void => {
    const known = this.#files.get(part.file) ?? { count: 0, first: [] }
    known.count++
    if (known.first.length < mostListed) known.first.push(part)
    this.#files.set(part.file, known)
  }

  /** Notes what was left out; a file without any row is damaged. */
  report(rows: number, notes: Note[]): void {
    for (const [file, { count, first }] of this.#files) {
      if (rows === 0)
        throw new PromptError('damaged-results', {
          where: `${file}, ${first[0]!.place}`,
          problem: `none of its ${count} lines or entries can be read: ${first[0]!.problem}`,
          fix: 'copy or write the file again',
        })
      const shown = first.map(({ place, problem }) => `${place} (${problem})`).join('; ')
      const text = `${file}: ${count} left out: ${shown}${count > mostListed ? `; and ${count - mostListed} more` : ''}`
      // Pairs may share a file.
      if (!notes.some((note) => note.text === text)) notes.push({ code: 'rows-left-out', where: file, text })
    }
  }
}

const mostListed = 5

/** Row scores that do not give the reported metric are worth knowing: it may be weighted, or over other rows. */
function noteOtherMean({ reported, dataset }: ForeignPair, main: string, { value, unit }: PairResult, notes: Note[]): void {
  const [given, mean] = [reported[main], value === undefined || unit !== 'percent' ? value : value / 100]
  if (given === undefined || mean === undefined || Math.abs(given - mean) < 5e-4) return
  notes.push({
    code: 'other-mean',
    where: dataset,
    text: `it reports ${main} ${given}; the mean of its rows is ${Number(mean.toFixed(6))}`,
  })
}

function rowsName({ predictions }: PairFiles): string {
  return predictions.replace(/^predictions\//, '').replaceAll('/', '_')
}

/** The row as a dataset has it: its prompt as recorded, so that it can be rendered, viewed and scored again. */
function dataRow({ prompt = '', gold, question, choices }: ForeignRow): Record<string, unknown> {
  const asked = typeof prompt === 'string' ? { prompt } : { messages: prompt.map(({ role, content }) => ({ role, content })) }
  return { ...asked, gold: gold ?? null, ...(question === undefined ? {} : { question }), ...(choices ? { choices } : {}) }
}

/** Lines in batches. */
class RowFile {
  readonly #file: string
  #waiting = ''

  constructor(file: string) {
    this.#file = file
    writeFileSync(file, '')
  }

  add(row: unknown): void {
    this.#waiting += `${JSON.stringify(row)}\n`
    if (this.#waiting.length > 1 << 20) this.close()
  }

  close(): void {
    writeFileSync(this.#file, this.#waiting, { flag: 'a' })
    this.#waiting = ''
  }
}

/** A config whose prompts are those recorded. Its models are never asked. */
function configOf(pairs: readonly ForeignPair[], written: readonly WrittenPair[]): PyValue {
  const models = new Map<string, boolean>()
  for (const [index, { model }] of pairs.entries()) models.set(model, written[index]!.isChat)
  const datasets = new Map(pairs.map((pair, index) => [pair.dataset, written[index]!]))
  return {
    models: [...models].map(([abbr, isChat]) => ({ abbr, type: 'openai', path: abbr, format: isChat ? 'messages' : 'plain' })),
    datasets: [...datasets].map(([abbr, { files, isChat }]) => ({
      abbr,
      path: rowsName(files),
      reader_cfg: { input_columns: [isChat ? 'messages' : 'prompt'], output_column: 'gold' },
      infer_cfg: {
        prompt_template: templateOf(isChat),
        inferencer: { type: 'GenInferencer' },
      },
      eval_cfg: { evaluator: { type: 'AccEvaluator' } },
    })),
  }
}

function templateOf(isChat: boolean): PyValue {
  return isChat ? { messages: [{ expand_column: 'messages' }] } : { template: '{prompt}' }
}
