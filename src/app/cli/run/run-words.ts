import { basename } from 'node:path'
import { quoteWord } from '../../node/platform.ts'
import { shownQueue } from '../queue/queue-address.ts'
import { formatFlagsIn, type RunFlags } from './run-flags.ts'

/** The command that resumes this run: the same arguments, and -r with its time. */
export function resumeCommand(config: string | undefined, options: RunFlags, isNamed: boolean): (folder: string) => string {
  const { workDir, shard, preset, data, mode, shots, subjects, models, datasets, baseUrl } = options
  const { tasks, includePath = [], numFewshot, applyChatTemplate, fewshotAsMultiturn, systemInstruction, dataDir } = options
  const ofTasks = {
    tasks,
    'num-fewshot': numFewshot,
    'apply-chat-template': applyChatTemplate,
    'fewshot-as-multiturn': fewshotAsMultiturn,
    'system-instruction': systemInstruction,
    'data-dir': dataDir,
  }
  return (folder) => {
    // Config file names are repeated; names of entries are recorded with the run.
    const named = isNamed ? { models, datasets } : models?.includes('=') ? { models } : {}
    const flags = Object.entries({ preset, data, mode, shots, subjects, ...named, 'base-url': baseUrl, ...ofTasks })
    const words = [
      ...(config === undefined ? [] : [config]),
      ...flags.flatMap(([name, value]) => (value === undefined ? [] : value === true ? [`--${name}`] : [`--${name}`, String(value)])),
      ...includePath.flatMap((path) => ['--include-path', path]),
      ...formatFlagsIn(options).flat(),
      ...(workDir === undefined ? [] : ['-w', workDir]),
      ...(shard === undefined ? [] : ['--shard', shard]),
      ...(options.queue === undefined ? [] : shownQueue(options.queue)),
    ]
    return ['rolecall run', ...words.map((word) => quoteWord(word)), '-r', basename(folder)].join(' ')
  }
}

/** A folder name for tasks given by name or file. */
export function nameOfTasks(tasks: string): string {
  const names = tasks.split(',').map((task) => basename(task.trim()).replace(/\.ya?ml$/, ''))
  return names
    .join('+')
    .replace(/[^\w.+-]+/g, '-')
    .slice(0, 80)
}
