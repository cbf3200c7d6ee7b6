import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { causeText } from '../../evaluation/run/readiness.ts'
import { readWholeText } from '../../node/read-whole-file.ts'
import { writeInto } from '../../node/runs/disk-error.ts'
import { type PreparedTask, prepareTasks } from '../../node/tasks/prepare-tasks.ts'
import type { TaskFlags } from '../../node/tasks/task-datasets.ts'
import { TaskIndex } from '../../node/tasks/task-index.ts'
import { countWords, warningTexts } from './show-report.ts'

/** Whether a path is a task file, or a folder with some: tasks are YAML, OpenCompass configs Python. */
export function isTaskPath(path: string, isFolder: boolean): boolean {
  if (!isFolder) return ['.yaml', '.yml'].includes(extname(path))
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((file) => /\.ya?ml$/.test(file))
  return files.some((file) => /^task:/m.test(readWholeText(join(path, file))))
}

/** All tasks of a file or folder, prepared with the given data and packages. */
export async function taskLines(path: string, isFolder: boolean, flags: TaskFlags): Promise<PreparedTask[]> {
  const index = new TaskIndex(isFolder ? [path] : [])
  return prepareTasks(isFolder ? index.tasks() : index.find(path).tasks, index, flags)
}

/** Counts the tasks by word, the causes of those that cannot run, and the warnings. */
export function taskSummary(lines: readonly PreparedTask[]): string[] {
  const causes = countCodes(lines.flatMap(({ word, cause }) => (word === 'cannot run' ? [cause!.code] : [])))
  const warnings = countCodes(lines.flatMap(({ notes }) => [...new Set(notes.map(({ code }) => code))]))
  return [
    `${lines.length} tasks: ${countWords(lines.map(({ word }) => word))}`,
    ...causes.map(([code, count]) => `  cannot run: ${code} ${count}`),
    ...warnings.map(([code, count]) => `  warning: ${code} ${count}`),
  ]
}

/** One task: its word, the cause, and its warnings on lines below. */
export function taskLine({ task, word, cause, notes, inPython }: PreparedTask): string {
  const why = cause ? `: ${cause.where}: ${cause.problem}` : ''
  const marks = inPython === undefined ? [] : [`  note ${inPython}`]
  return [`${task}  ${word}${why}`, ...marks, ...warningTexts(notes).map((text) => `  warning ${text}`)].join('\n')
}

/** The most frequent first. */
function countCodes(codes: readonly string[]): [code: string, count: number][] {
  const counts = new Map<string, number>()
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}

/** Writes the table of tasks; the extension decides the format. */
export function writeTaskReport(file: string, lines: readonly PreparedTask[]): void {
  writeInto(file, writers[extname(file)]!(lines), '--report FILE')
}

const columns = ['task', 'state', 'output_type', 'functions', 'cause', 'warnings'] as const

function cells({ task, outputType = '', functions, word, cause, notes, inPython }: PreparedTask): string[] {
  const said = [...(inPython === undefined ? [] : [inPython]), ...warningTexts(notes)]
  return [task, word, outputType, functions.join(' '), causeText({ ...(cause ? { cause } : {}) }) ?? '', said.join('; ')]
}

/** A task with its cause and warnings as texts, for programs. */
export function taskJson({ cause, notes, examined: _, ...task }: PreparedTask): object {
  return {
    ...task,
    ...(cause ? { cause: { code: cause.code, where: cause.where, problem: cause.problem, fix: cause.fix } } : {}),
    ...(notes.length > 0 ? { warnings: warningTexts(notes) } : {}),
  }
}

const writers: Record<string, (lines: readonly PreparedTask[]) => string> = {
  '.md': (lines) => {
    const rows = [columns as readonly string[], columns.map(() => '---'), ...lines.map(cells)]
    return `${taskSummary(lines).join('\n')}\n\n${rows.map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`).join('\n')}\n`
  },
  '.csv': (lines) =>
    [columns as readonly string[], ...lines.map(cells)]
      .map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`)
      .join(''),
  '.json': (lines) => `${JSON.stringify({ tasks: lines.map(taskJson) }, null, 2)}\n`,
}
