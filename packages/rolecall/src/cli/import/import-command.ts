import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, relative } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { Command, Option } from 'commander'
import type { ImportedConfig } from '../../compat/opencompass/import/import-config.ts'
import type { ImportedEntry } from '../../compat/opencompass/import/imported-entry.ts'
import { type ConfigKind, configKinds, writeImported } from '../../compat/opencompass/import/write/write-imported.ts'
import { type ImportPythonOptions, importPython } from '../../node/config/import-python.ts'
import { writeInto } from '../../node/runs/disk-error.ts'
import { prepareConfig } from '../../node/runs/prepare-config.ts'
import type { ModuleCache } from '../../python/interpreter/session.ts'
import { exitCodes, setExitCode } from '../exit-codes.ts'
import { printJson } from '../print-json.ts'
import { printReport } from '../screen/print-screen.ts'
import { configTable } from './config-table.ts'
import { refuseEmpty, refuseUnrecognised } from './refuse-unrecognised.ts'
import { type FileResult, reportAsJson, showReport } from './show-report.ts'
import { isTaskPath, taskJson, taskLine, taskLines, taskSummary, writeTaskReport } from './task-report.ts'
import { checkReport, writeReport } from './write-report.ts'

type Options = {
  output?: string
  report?: string
  dataDir?: string
  pythonPackages?: string
  kind?: ConfigKind
  root?: string
  lenient: boolean
  json: boolean
  force: boolean
}

export const importCommand = new Command('import')
  .description('convert Python configs of OpenCompass and AISBench to Rolecall configs, without running Python')
  .argument('<path>', 'a .py config or a folder of them; or lm-evaluation-harness task files (.yaml), to report which of them can run')
  .option(
    '-o, --output <path>',
    'where to write: rolecall.config.ts, .json or .yaml, or a folder for one file per config (default: the terminal)',
  )
  .addOption(new Option('--kind <kind>', 'the kind of file to write').choices(configKinds))
  .option('--root <folder>', 'the folder that Python imports may reach (default: the one above `configs`)')
  .option('--lenient', 'skip what cannot be converted, and report it', false)
  .option(
    '--report <file>',
    'write a table of the dataset configs or tasks: ready, not checked (only the data is missing) or cannot run, and why (.md, .csv, .json)',
  )
  .option('--data-dir <folder>', 'the folder with the data of lm-evaluation-harness tasks, as for `run --tasks`')
  .option('--python-packages <folder>', 'pure-Python wheels for lm-evaluation-harness tasks, as for `run --tasks`')
  .option('--json', 'print the report as JSON', false)
  .option('--force', 'overwrite existing files', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall import eval_demo.py                         print it as TypeScript, with a report of what is supported
  rolecall import eval_demo.py -o rolecall.config.yaml
  rolecall import configs/datasets --lenient -o mine/  one file per config
  rolecall import configs/datasets --report table.md   which of them can run, and why not
  rolecall import configs/models --json                the same for programs
  rolecall render eval_demo.py                         prompts can be shown without importing
  rolecall import lm_eval/tasks --report tasks.md      which lm-evaluation-harness tasks can run (with run --tasks)`,
  )
  .action(async (path: string, options: Options) => {
    if (options.report !== undefined) checkReport(options.report, options.force)
    const written: string[] = []
    const isFolder = existsSync(path) && statSync(path).isDirectory()
    if (existsSync(path) && !isFolder) refuseUnrecognised(path)
    if (existsSync(path) && isTaskPath(path, isFolder)) {
      await reportTasks(path, isFolder, options)
      return
    }
    const toFolder = options.output !== undefined && writesFolder(options.output, isFolder)
    const results = await importAll(path, options, (result) => {
      if (toFolder) written.push(...writeEach(result, options.output!, path, isFolder, options))
      // Configs that were written or only counted are dropped: a folder may have 100,000 datasets.
      return isFolder && (toFolder || options.output === undefined) ? { ...result, imported: withoutConfig(result.imported) } : result
    })
    if (options.output !== undefined && !toFolder) written.push(writeMerged(results, options.output, path, options))
    if (options.report !== undefined) {
      writeReport(options.report, configTable(results, isFolder ? path : dirname(path)))
      written.push(options.report)
    }
    const broken = results.flatMap((result) => ('error' in result ? [result.file] : []))
    const failure =
      broken.length > 0 && !options.lenient
        ? {
            code: 'not-imported',
            problem: `${broken.length} of ${results.length} files cannot be imported`,
            fix: 'see `error` of each file',
            exit_code: exitCodes.refused.code,
          }
        : undefined
    if (options.json) printJson(reportAsJson(results, written), failure)
    else {
      const [only] = results
      const imported = only && 'imported' in only ? only.imported : undefined
      if (!isFolder && options.output === undefined && imported) {
        process.stdout.write(writeImported(imported, options.kind ?? 'ts', basename(path)))
        printReport(showReport(results, written), process.stderr)
      } else printReport(showReport(results, written))
    }
    setExitCode(failure)
  })

type Success = Extract<FileResult, { imported: ImportedConfig }>

async function importAll(path: string, { root, lenient, json }: Options, onSuccess: (result: Success) => Success): Promise<FileResult[]> {
  if (!existsSync(path)) throw new PromptError('no-file', { where: path, problem: 'no such file or folder', fix: 'check the path' })
  const cache: ModuleCache = new Map()
  const options = { lenient, cache, root }
  if (!statSync(path).isDirectory()) {
    const imported = importPython(path, options)
    if (!lenient) refuseEmpty(path, imported)
    return [onSuccess(await prepared(path, imported))]
  }
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.py') && basename(name) !== '__init__.py')
    .sort()
    .map((name) => join(path, name))
  if (files.length === 0)
    throw new PromptError('no-file', { where: path, problem: 'the folder has no .py files', fix: 'choose a folder of configs' })
  const results: FileResult[] = []
  for (const file of files) {
    // Hashes are not part of a folder's summary.
    const result = await importOne(file, { ...options, hashes: json })
    results.push('imported' in result ? onSuccess(result) : result)
  }
  return results
}

async function importOne(file: string, options: ImportPythonOptions): Promise<FileResult> {
  try {
    return await prepared(file, importPython(file, options))
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    return { file, error }
  }
}

async function prepared(file: string, imported: ImportedConfig): Promise<Success> {
  return { file, imported, readiness: await prepareConfig(imported.config, dirname(file)) }
}

function withoutConfig(imported: ImportedConfig): ImportedConfig {
  return { ...imported, config: { models: [], datasets: [] } }
}

const endingOf = (output: string) => extname(output).slice(1).replace('yml', 'yaml')
const isConfigKind = (ending: string): ending is ConfigKind => configKinds.includes(ending as ConfigKind)

/** Whether each config is written to a separate file. */
function writesFolder(output: string, isFolder: boolean): boolean {
  const ending = endingOf(output)
  if (isConfigKind(ending)) return false
  if (ending === 'py' || (ending !== '' && !isFolder))
    throw new PromptError('unknown-file-type', {
      where: output,
      problem: `.${ending} is not a config file extension`,
      fix: 'use .ts, .json or .yaml',
    })
  return true
}

function writeMerged(results: readonly FileResult[], output: string, path: string, { kind, force }: Options): string {
  const ending = endingOf(output)
  const imported = results.flatMap((result) => ('imported' in result ? [result] : []))
  const merged = imported.length === 1 ? imported[0]!.imported : mergeImported(imported)
  return writeOne(output, merged, kind ?? (isConfigKind(ending) ? ending : 'ts'), path, force)
}

function writeEach(
  { file, imported }: Success,
  output: string,
  path: string,
  isFolder: boolean,
  { kind = 'ts', force }: Options,
): string[] {
  if (imported.config.models.length + imported.config.datasets.length === 0) return []
  const name = isFolder ? relative(path, file) : basename(file)
  return [writeOne(join(output, name.replace(/\.py$/, `.${kind}`)), imported, kind, file, force)]
}

function writeOne(
  file: string,
  imported: Pick<ImportedConfig, 'config' | 'remarks'>,
  kind: ConfigKind,
  from: string,
  force: boolean,
): string {
  if (existsSync(file) && !force)
    throw new PromptError('already-there', {
      where: file,
      problem: 'the file already exists',
      fix: 'choose another name, or overwrite it with --force',
    })
  writeInto(file, writeImported(imported, kind, from), '-o FILE')
  return file
}

/** Task files run without conversion; this reports which of them can run. */
async function reportTasks(path: string, isFolder: boolean, { output, report, json, dataDir, pythonPackages }: Options): Promise<void> {
  if (output !== undefined)
    throw new PromptError('no-output', {
      where: '--output',
      problem: 'lm-evaluation-harness tasks need no conversion',
      fix: 'omit it, and use `rolecall run --tasks NAME --include-path FOLDER`',
    })
  const lines = await taskLines(path, isFolder, {
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(pythonPackages === undefined ? {} : { pythonPackages }),
  })
  if (report !== undefined) writeTaskReport(report, lines)
  if (json) process.stdout.write(`${JSON.stringify({ tasks: lines.map(taskJson) }, null, 2)}\n`)
  else {
    const details = lines.length > 20 ? [] : lines.map(taskLine)
    printReport([...details, ...taskSummary(lines), ...(report === undefined ? [] : [`wrote ${report}`])].join('\n'))
  }
}

type Imported = { file: string; imported: ImportedConfig }

/** Merges configs. Identical entries (one file imports another) are kept once; entries with the same name get their file's name appended. */
function mergeImported(all: readonly Imported[]): Pick<ImportedConfig, 'config' | 'remarks'> {
  const remarks: ImportedConfig['remarks'] = new WeakMap()
  const merge = (kind: 'models' | 'datasets') => {
    const entries: ImportedEntry[] = []
    const known = new Set<string>()
    const names = new Set<string>()
    for (const { file, imported } of all) {
      for (const entry of imported.config[kind]) {
        const content = JSON.stringify(entry)
        if (known.has(content)) continue
        known.add(content)
        const renamed = withUniqueName(entry, basename(file, '.py'), names)
        copyRemarks(imported.remarks, remarks, entry, renamed)
        entries.push(renamed)
      }
    }
    return entries
  }
  return { config: { models: merge('models'), datasets: merge('datasets') }, remarks }
}

function withUniqueName(entry: ImportedEntry, file: string, names: Set<string>): ImportedEntry {
  const { abbr } = entry
  if (typeof abbr !== 'string') return entry
  let name = abbr
  for (let number = 1; names.has(name); number++) name = number === 1 ? `${abbr}-${file}` : `${abbr}-${file}-${number}`
  names.add(name)
  return name === abbr ? entry : { ...entry, abbr: name }
}

function copyRemarks(from: ImportedConfig['remarks'], to: ImportedConfig['remarks'], value: unknown, copy: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const found = from.get(value)
  if (found) to.set(copy as object, found)
  for (const key of Object.keys(value))
    copyRemarks(from, to, (value as Record<string, unknown>)[key], (copy as Record<string, unknown>)[key])
}
