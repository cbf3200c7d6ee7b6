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

/** The keys of a dataset that replace its templates. */
export function sourceKeysOf(dataset: { [Key in PromptSourceKey]?: unknown }): PromptSourceKey[] {
  return (Object.keys(entryPoints) as PromptSourceKey[]).filter((key) => dataset[key] !== undefined)
}

/** The error for a dataset key whose entry point was not imported. */
export function notRegistered(key: PromptSourceKey, where: string): PromptError {
  return new PromptError('not-registered', {
    where: `${where} › ${key}`,
    problem: 'nothing is registered that compiles this dataset',
    fix: `import '${entryPoints[key]}' before compiling the prompt`,
  })
}

const sources = new Map<PromptSourceKey, PromptSource>()

export function registerPromptSource(key: PromptSourceKey, source: PromptSource): void {
  sources.set(key, source)
}

/** Compiles the prompts of a dataset that has a key for a registered source; undefined if it has templates. */
export function compileFromSource(dataset: { [Key in PromptSourceKey]?: unknown }, target: PromptTarget): PromptMaker | undefined {
  const [key] = sourceKeysOf(dataset)
  if (key === undefined) return undefined
  const source = sources.get(key)
  if (!source) throw notRegistered(key, target.where)
  return source(dataset[key], target)
}
