import { basename } from 'node:path'
import type { Note, PromptError } from '@rolecall/core/internal/errors'
import type { EntryReport } from '../../compat/opencompass/import/describe-entry.ts'
import type { ImportedConfig } from '../../compat/opencompass/import/import-config.ts'
import { causeText, type Readiness, type ReadyWord, worstOf } from '../../evaluation/run/readiness.ts'
import { shellQuote } from '../completion/described-commands.ts'
import { colors, noteLabel, printable } from '../terminal.ts'

/** How far the entries of a file could be prepared. */
export type FileReadiness = { models: readonly Readiness[]; datasets: readonly Readiness[] }

export type FileResult = { file: string; imported: ImportedConfig; readiness: FileReadiness } | { file: string; error: PromptError }

/** The report of an import: what is ready, and why the rest is not. */
export function showReport(results: readonly FileResult[], written: readonly string[]): string {
  const isOne = results.length === 1
  const blocks = results.map((result) => ('error' in result ? showError(result.error) : isOne ? showFile(result) : undefined))
  const lines = blocks.filter((block): block is string => block !== undefined && block !== '')
  if (!isOne) lines.push(...leftOut(results), summary(results))
  if (written.length > 0) lines.push(written.length === 1 ? `wrote ${written[0]}` : `wrote ${written.length} files`)
  return lines.length === 0 ? '' : `${lines.join('\n\n')}\n`
}

function showError({ where, problem, fix }: PromptError): string {
  return `${colors.red('error')} ${printable(where)}\n  ${printable(problem)}\n  ${colors.dim('→')} ${printable(fix)}`
}

function showFile({ file, imported, readiness }: Extract<FileResult, { imported: ImportedConfig }>): string {
  const { models, datasets, notes, unused, promptHash } = imported
  const lines = [
    ...withWords(models, readiness.models).map((model) =>
      [showEntry('model', model), ...howToServe(model, file, datasets.length > 0)].join('\n'),
    ),
    ...showEntries(withWords(datasets, readiness.datasets)),
  ]
  if (datasets.length > 1 && promptHash !== undefined) lines.push(colors.dim(`prompt_hash of all datasets ${promptHash.slice(0, 6)}`))
  if (models.length + datasets.length === 0) lines.push('it has no models and no datasets')
  for (const note of notes) {
    const { where, text } = note
    lines.push(`${noteLabel(note)} ${printable(where === undefined ? text : `${where}: ${text}`)}`)
  }
  if (unused.length > 0) lines.push(colors.dim(`not used: ${unused.join(', ')}`))
  return lines.join('\n')
}

type ShownEntry = EntryReport & { word: ReadyWord; cause: string | undefined; warnings?: readonly string[] }

/** Datasets that only differ in their name, as the subjects of MMLU, are one line. */
function showEntries(datasets: readonly ShownEntry[]): string[] {
  const groups = new Map<string, ShownEntry[]>()
  for (const entry of datasets) {
    const key = JSON.stringify([entry.needs, entry.missing, entry.data, entry.word, entry.warnings])
    groups.set(key, [...(groups.get(key) ?? []), entry])
  }
  return [...groups.values()].map((group) => {
    const [first] = group
    if (group.length === 1) return showEntry('dataset', first!)
    return showEntry('datasets', { ...first!, abbr: `${first!.abbr} … ${group.at(-1)!.abbr} (${group.length})` })
  })
}

function showEntry(kind: string, { abbr, needs, missing, data, promptHash, word, cause, warnings = [] }: ShownEntry): string {
  const hash = promptHash === undefined || kind === 'datasets' ? '' : colors.dim(` prompt_hash ${promptHash.slice(0, 6)}`)
  const details = [
    ...(cause === undefined ? [] : [cause]),
    ...warnings,
    ...(data === undefined ? [] : [`its data: ${data}`]),
    ...needs.map((need) => `to run: ${need}`),
    ...(missing.length === 0 ? [] : [`not supported: ${missing.join(', ')}`]),
  ]
  return [`${kind} ${colors.bold(printable(abbr))}: ${word}${hash}`, ...details.map((line) => `  ${printable(line)}`)].join('\n')
}

/** How to start a server for a local model, and the run with it. */
function howToServe({ abbr, serve }: EntryReport, file: string, hasDatasets: boolean): string[] {
  if (serve === undefined) return []
  const run = hasDatasets
    ? [file, '--models', `${abbr}=${serve.url}`]
    : ['--models', `${basename(file, '.py')}=${serve.url}`, '--datasets', 'NAME']
  const shown = (words: readonly string[]) =>
    printable(words.map((word) => (/^[\w./:=@+-]+$/.test(word) ? word : shellQuote(word))).join(' '))
  return [`  start a server: ${shown(serve.command)}`, `  and run: ${shown(['rolecall', 'run', ...run])}`]
}

/** What `--lenient` skipped, file by file. */
const mostSkipped = 50

function leftOut(results: readonly FileResult[]): string[] {
  const notes = results.flatMap((result) => ('imported' in result ? result.imported.notes.filter(({ code }) => code === 'skipped') : []))
  if (notes.length === 0) return []
  const shown = notes.slice(0, mostSkipped).map(({ where, text }) => `${colors.yellow('skipped')} ${printable(`${where}: ${text}`)}`)
  const more = notes.length - shown.length
  return [[...shown, ...(more > 0 ? [`… and ${more} more: --json has them all`] : [])].join('\n')]
}

function summary(results: readonly FileResult[]): string {
  const imported = results.flatMap((result) => ('imported' in result ? [result.imported] : []))
  const count = (pick: (one: ImportedConfig) => number) => imported.reduce((sum, one) => sum + pick(one), 0)
  const missing = new Map<string, number>()
  for (const { models, datasets } of imported)
    for (const name of [...models, ...datasets].flatMap((entry) => entry.missing)) missing.set(name, (missing.get(name) ?? 0) + 1)
  const most = [...missing].sort(([, a], [, b]) => b - a).slice(0, 10)
  const words = results.flatMap((result) =>
    'imported' in result && result.imported.datasets.length > 0 ? worstOf(result.readiness.datasets).word : [],
  )
  const lines = [
    `${imported.length} of ${results.length} files imported: ${count(({ models }) => models.length)} models, ${count(({ datasets }) => datasets.length)} datasets`,
  ]
  if (words.length > 0) lines.push(`${words.length} dataset configs: ${countWords(words)}`)
  if (most.length > 0)
    lines.push(`not supported: ${most.map(([name, times]) => `${name} (${times})`).join(', ')}${missing.size > 10 ? ', …' : ''}`)
  return lines.join('\n')
}

/** The report as JSON. */
export function reportAsJson(results: readonly FileResult[], written: readonly string[]): object {
  return {
    files: results.map((result) =>
      'error' in result
        ? {
            file: result.file,
            error: { code: result.error.code, where: result.error.where, problem: result.error.problem, fix: result.error.fix },
          }
        : {
            file: result.file,
            models: withWords(result.imported.models, result.readiness.models),
            datasets: withWords(result.imported.datasets, result.readiness.datasets),
            notes: result.imported.notes,
            promptHash: result.imported.promptHash,
            unused: result.imported.unused,
            read: result.imported.files,
          },
    ),
    written,
  }
}

function withWords(reports: readonly EntryReport[], found: readonly Readiness[]): ShownEntry[] {
  return reports.map((entry, index) => {
    const { word, notes } = found[index]!
    const warnings = warningTexts(notes)
    return { ...entry, word, cause: causeText(found[index]!), ...(warnings.length > 0 ? { warnings } : {}) }
  })
}

/** Notes as lines with their places. */
export function warningTexts(notes: readonly Note[]): string[] {
  return notes.map(({ where, text }) => (where === undefined ? text : `${where}: ${text}`))
}

/** How many are ready, not checked, and cannot run. */
export function countWords(words: readonly ReadyWord[]): string {
  return (['ready', 'not checked', 'cannot run'] as const).map((word) => `${words.filter((one) => one === word).length} ${word}`).join(', ')
}
