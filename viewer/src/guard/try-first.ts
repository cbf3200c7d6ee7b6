import type { RowQuestion } from '../../../src/ask/inferencer.ts'
import type { DatasetConfig, ModelConfig } from '../../../src/config/config-schema.ts'
import { limits } from '../../../src/limits.ts'
import { PromptError } from '../../../src/prompt-error.ts'
import { type PyValue, stringifyJson } from '../../../src/python/index.ts'
import type { Playground } from '../playground/state.ts'

/** What the page is about to render. The row is JSON: a message to a worker would lose which numbers are floats. */
export type Trial =
  | { kind: 'row'; model: ModelConfig; dataset: DatasetConfig; mode: 'gen' | 'ppl' | undefined; question: string }
  | { kind: 'playground'; state: Playground }

let worker: Worker | undefined
let last = 0

/** Whether a model's prompts are written by a chat template, which may be a stranger's: a config, a run and a link can be sent to anybody. */
export function isForeign({ chat_template: template }: ModelConfig): boolean {
  return template !== undefined
}

export function rowTrial(
  model: ModelConfig,
  dataset: DatasetConfig,
  mode: 'gen' | 'ppl' | undefined,
  { row, examples }: RowQuestion,
): Trial {
  return { kind: 'row', model, dataset, mode, question: stringifyJson({ row, examples } as unknown as PyValue) }
}

/** Renders in a worker first, and throws when that takes too long: the page itself could not be stopped. */
export function tryFirst(trial: Trial, seconds: number = limits.templateSeconds.value): Promise<void> {
  worker ??= new Worker(new URL('./trial-worker.ts', import.meta.url), { type: 'module' })
  const own = worker
  const id = ++last
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer)
      own.removeEventListener('message', hear)
      own.removeEventListener('error', fail)
      settle()
    }
    const hear = ({ data }: MessageEvent<number>) => data === id && end(resolve)
    const stop = (problem: string) => {
      own.terminate()
      if (worker === own) worker = undefined
      const fix = 'look at the template: `rolecall formats` tries it, too'
      end(() => reject(new PromptError('template-limit', { where: 'chat_template', problem, fix })))
    }
    const fail = () => stop('the worker that tries chat templates first failed')
    const timer = setTimeout(() => stop(`to render it took more than ${seconds} s, and it was stopped`), seconds * 1000)
    own.addEventListener('message', hear)
    own.addEventListener('error', fail)
    own.postMessage({ id, trial })
  })
}
