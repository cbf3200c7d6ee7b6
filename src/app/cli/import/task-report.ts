import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { checkTask, type TaskCheck } from '../../../compat/lm-eval/check-task.ts'
import { functionHost } from '../../../compat/lm-eval/python/function-host.ts'
import { writeInto } from '../../node/runs/disk-error.ts'
import { TaskIndex } from '../../node/tasks/task-index.ts'

/** An lm-evaluation-harness task, and whether it is supported. */
export type TaskLine = { task: string; file: string } & TaskCheck

/** Whether a path is a task file, or a folder with some: tasks are YAML, OpenCompass configs Python. */
export function isTaskPath(path: string, isFolder: boolean): boolean {
  if (!isFolder) return ['.yaml', '.yml'].includes(extname(path))
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((file) => /\.ya?ml$/.test(file))
  return files.some((file) => /^task:/m.test(readFileSync(join(path, file), 'utf8')))
}

/** All tasks of a file or folder. Functions are parsed, but not run. */
export function taskLines(path: string, isFolder: boolean): TaskLine[] {
  const index = new TaskIndex(isFolder ? [path] : [])
  const find = functionHost(index.read)
  const found = isFolder ? [...index.tasks()] : index.find(path).tasks
  return found.map((each): TaskLine => {
    if ('error' in each) {
      const { code, where, problem: text } = each.error
      return { task: each.file, file: `/${each.file}`, functions: [], problem: { code, where, text } }
    }
    return { task: each.name, file: `/${each.file}`, ...checkTask(each.keys, `/${each.file}`, find) }
  })
}

/** Counts supported tasks, with and without functions, and the reasons of the others. */
export function taskSummary(lines: readonly TaskLine[]): string[] {
  const fine = lines.filter(({ problem }) => problem === undefined)
  const share = (count: number) => `${count} (${lines.length === 0 ? 0 : ((100 * count) / lines.length).toFixed(1)} %)`
  const declarative = fine.filter(({ functions }) => functions.length === 0).length
  const reasons = new Map<string, number>()
  for (const { problem } of lines) if (problem) reasons.set(problem.code, (reasons.get(problem.code) ?? 0) + 1)
  return [
    `${lines.length} tasks: ${share(fine.length)} supported, ${share(declarative)} without functions`,
    ...[...reasons].sort(([, a], [, b]) => b - a).map(([code, count]) => `  not supported: ${code} ${share(count)}`),
  ]
}

/** Writes the table of tasks; the extension decides the format. */
export function writeTaskReport(file: string, lines: readonly TaskLine[]): void {
  writeInto(file, writers[extname(file)]!(lines), '--report FILE')
}

const columns = ['task', 'runs', 'output_type', 'functions', 'problem'] as const

function cells({ task, outputType = '', functions, problem }: TaskLine): string[] {
  return [task, problem ? 'no' : 'yes', outputType, functions.join(' '), problem ? `${problem.where}: ${problem.text}` : '']
}

const writers: Record<string, (lines: readonly TaskLine[]) => string> = {
  '.md': (lines) => {
    const rows = [columns as readonly string[], columns.map(() => '---'), ...lines.map(cells)]
    return `${taskSummary(lines).join('\n')}\n\n${rows.map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`).join('\n')}\n`
  },
  '.csv': (lines) =>
    [columns as readonly string[], ...lines.map(cells)]
      .map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`)
      .join(''),
  '.json': (lines) => `${JSON.stringify({ tasks: lines }, null, 2)}\n`,
}
