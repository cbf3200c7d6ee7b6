import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Quirks } from '../../base/fidelity/quirks.ts'
import type { Format } from '../format/format.ts'
import type { PromptMaker } from './prompt-maker.ts'

/** The input of a prompt source. */
export type PromptTarget = {
  formatWith(quirks: Quirks): Format
  quirks: Quirks
  /** The dataset's place, for errors. */
  where: string
}

/** Compiles prompts from the value of one dataset key that replaces templates. */
export type PromptSource = (value: unknown, target: PromptTarget) => PromptMaker

/** Dataset keys that replace templates, with the entry point that registers their source. */
const entryPoints = { lm_eval: 'rolecall/lm-eval' } as const

export type PromptSourceKey = keyof typeof entryPoints

const sources = new Map<PromptSourceKey, PromptSource>()

export function registerPromptSource(key: PromptSourceKey, source: PromptSource): void {
  sources.set(key, source)
}

/** Compiles the prompts of a dataset that has a key for a registered source; undefined if it has templates. */
export function compileFromSource(dataset: { [Key in PromptSourceKey]?: unknown }, target: PromptTarget): PromptMaker | undefined {
  for (const key of Object.keys(entryPoints) as PromptSourceKey[]) {
    if (dataset[key] === undefined) continue
    const source = sources.get(key)
    if (source) return source(dataset[key], target)
    throw new PromptError('not-registered', {
      where: `${target.where} › ${key}`,
      problem: 'nothing is registered that compiles this dataset',
      fix: `import '${entryPoints[key]}' before compiling the prompt`,
    })
  }
  return undefined
}
