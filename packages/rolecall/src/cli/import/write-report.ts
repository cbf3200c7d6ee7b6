import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { loaderNamed } from '../../compat/opencompass/loaders/load.ts'
import type { ReadyWord } from '../../evaluation/run/readiness.ts'
import { evaluators } from '../../evaluation/score/evaluate/evaluators.ts'
import { postprocessors } from '../../evaluation/score/postprocess/postprocessors.ts'
import { writeInto } from '../../node/runs/disk-error.ts'
import type { ConfigLine } from './config-table.ts'

const writers: Record<string, (lines: readonly ConfigLine[]) => string> = {
  '.md': (lines) => `${summaryOf(lines).join('\n')}\n\n${markdownTable(lines)}\n`,
  '.csv': csv,
  '.json': (lines) => `${JSON.stringify({ summary: countsOf(lines), configs: lines }, null, 2)}\n`,
}

/** Rejects an invalid file name before anything is read. */
export function checkReport(file: string, force: boolean): void {
  if (!Object.hasOwn(writers, extname(file)))
    throw new PromptError('unknown-file-type', {
      where: `--report ${file}`,
      problem: `unknown report type "${extname(file)}"`,
      fix: 'use .md, .csv or .json',
    })
  if (existsSync(file) && !force)
    throw new PromptError('already-there', {
      where: file,
      problem: 'the file already exists',
      fix: 'choose another name, or overwrite it with --force',
    })
}

/** Writes the table of configs; the extension decides the format. */
export function writeReport(file: string, lines: readonly ConfigLine[]): void {
  writeInto(file, writers[extname(file)]!(lines), '--report FILE')
}

type Counts = Record<'configs' | 'ready' | 'notChecked' | 'cannotRun', number> &
  Record<'loaders' | 'evaluators' | 'postprocessors', { named: number; known: number }>

/** Counts the configs by word, and the known names among those they use. */
export function countsOf(lines: readonly ConfigLine[]): Counts {
  const count = (names: (line: ConfigLine) => readonly string[], isKnown: (name: string) => boolean) => {
    const named = [...new Set(lines.flatMap(names))]
    return { named: named.length, known: named.filter(isKnown).length }
  }
  const wordCount = (word: ReadyWord) => lines.filter((line) => line.word === word).length
  return {
    configs: lines.length,
    ready: wordCount('ready'),
    notChecked: wordCount('not checked'),
    cannotRun: wordCount('cannot run'),
    loaders: count(
      ({ loader }) => loader,
      (name) => loaderNamed(name) !== undefined,
    ),
    evaluators: count(
      ({ evaluator }) => evaluator,
      (name) => evaluators.has(name),
    ),
    postprocessors: count(
      ({ postprocessor }) => postprocessor,
      (name) => postprocessors.has(name),
    ),
  }
}

function summaryOf(lines: readonly ConfigLine[]): string[] {
  const { configs, ready, notChecked, cannotRun, loaders, evaluators, postprocessors } = countsOf(lines)
  const of = ({ named, known }: { named: number; known: number }) => `${known} of ${named}`
  return [
    '# Which configs can run',
    '',
    `${configs} dataset configs: ${ready} ready (prepared with their data), ${notChecked} not checked (prepared except for the data, which is missing), ${cannotRun} cannot run. Known: ${of(loaders)} dataset classes, ${of(evaluators)} evaluators, ${of(postprocessors)} postprocessors.`,
  ]
}

/** Column headings. */
export type Headings = Record<'config' | 'word' | 'loader' | 'evaluator' | 'postprocessor' | 'cause' | ReadyWord, string>

const english: Headings = {
  config: 'config',
  word: 'state',
  ready: 'ready',
  'not checked': 'not checked',
  'cannot run': 'cannot run',
  loader: 'dataset class',
  evaluator: 'evaluator',
  postprocessor: 'postprocessors',
  cause: 'cause',
}

export function markdownTable(lines: readonly ConfigLine[], headings: Headings = english): string {
  const { config, word, loader, evaluator, postprocessor, cause } = headings
  const code = (text: string) => `\`${text.replaceAll('`', "'").replaceAll('|', '\\|').replaceAll('\n', ' ')}\``
  const names = (all: readonly string[]) => all.map(code).join(', ')
  const escaped = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    row([config, word, loader, evaluator, postprocessor, cause]),
    row(Array.from({ length: 6 }, () => '---')),
    ...lines.map((line) =>
      row([
        code(line.config),
        headings[line.word],
        names(line.loader),
        names(line.evaluator),
        names(line.postprocessor),
        escaped([...ownParts(line), ...line.causes].join('; ')),
      ]),
    ),
  ].join('\n')
}

/** What the interpreter runs, or only the user's own Python can. */
function ownParts({ host = 'ours', own = [] }: Partial<ConfigLine>): string[] {
  return host === 'ours' ? [] : [own.length === 0 ? host : `${host}: ${own.join(', ')}`]
}

function csv(lines: readonly ConfigLine[]): string {
  const cell = (value: string) => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
  const rows = lines.map((line) => [
    line.config,
    String(line.datasets),
    String(line.usedBy),
    line.word,
    line.loader.join(' '),
    line.evaluator.join(' '),
    line.postprocessor.join(' '),
    line.host,
    line.own.join(' '),
    line.causes.join('; '),
  ])
  const header = ['config', 'datasets', 'used_by', 'state', 'loader', 'evaluator', 'postprocessor', 'host', 'own', 'cause']
  return [header, ...rows].map((row) => `${row.map(cell).join(',')}\n`).join('')
}
