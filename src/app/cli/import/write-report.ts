import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { loaderNamed } from '../../../compat/opencompass/loaders/load.ts'
import { evaluators } from '../../../evaluation/score/evaluate/evaluators.ts'
import { postprocessors } from '../../../evaluation/score/postprocess/postprocessors.ts'
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

type Counts = Record<'configs' | 'runAsTheyAre', number> &
  Record<'loaders' | 'evaluators' | 'postprocessors', { named: number; known: number }>

/** Counts the configs that run unchanged, and the known names among those they use. */
export function countsOf(lines: readonly ConfigLine[]): Counts {
  const count = (names: (line: ConfigLine) => readonly string[], isKnown: (name: string) => boolean) => {
    const named = [...new Set(lines.flatMap(names))]
    return { named: named.length, known: named.filter(isKnown).length }
  }
  return {
    configs: lines.length,
    runAsTheyAre: lines.filter(({ runsAsItIs }) => runsAsItIs).length,
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
  const { configs, runAsTheyAre, loaders, evaluators, postprocessors } = countsOf(lines)
  const of = ({ named, known }: { named: number; known: number }) => `${known} of ${named}`
  return [
    '# Which configs run as they are',
    '',
    `${runAsTheyAre} of ${configs} configs of datasets run as they are. Of what they name is here: ${of(loaders)} dataset classes, ${of(evaluators)} evaluators, ${of(postprocessors)} postprocessors.`,
  ]
}

/** Column headings. */
export type Headings = Record<'config' | 'runs' | 'yes' | 'no' | 'loader' | 'evaluator' | 'postprocessor' | 'missing', string>

const english: Headings = {
  config: 'config',
  runs: 'runs as it is',
  yes: 'yes',
  no: 'no',
  loader: 'dataset class',
  evaluator: 'evaluator',
  postprocessor: 'postprocessors',
  missing: 'what is missing',
}

export function markdownTable(lines: readonly ConfigLine[], headings: Headings = english): string {
  const { config, runs, yes, no, loader, evaluator, postprocessor, missing } = headings
  const names = (all: readonly string[]) => all.map((name) => `\`${name}\``).join(', ')
  const escaped = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    row([config, runs, loader, evaluator, postprocessor, missing]),
    row(Array.from({ length: 6 }, () => '---')),
    ...lines.map((line) =>
      row([
        `\`${line.config}\``,
        line.runsAsItIs ? yes : no,
        names(line.loader),
        names(line.evaluator),
        names(line.postprocessor),
        escaped(line.missing.join('; ')),
      ]),
    ),
  ].join('\n')
}

function csv(lines: readonly ConfigLine[]): string {
  const cell = (value: string) => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
  const rows = lines.map((line) => [
    line.config,
    String(line.datasets),
    String(line.usedBy),
    String(line.runsAsItIs),
    line.loader.join(' '),
    line.evaluator.join(' '),
    line.postprocessor.join(' '),
    line.missing.join('; '),
  ])
  const header = ['config', 'datasets', 'used_by', 'runs_as_it_is', 'loader', 'evaluator', 'postprocessor', 'missing']
  return [header, ...rows].map((row) => `${row.map(cell).join(',')}\n`).join('')
}
