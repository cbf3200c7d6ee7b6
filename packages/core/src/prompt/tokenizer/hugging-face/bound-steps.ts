import { limits } from '../../../base/errors/limits.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { BoundedRegExp, type StepBudget, StepsSpent, UnsupportedPattern } from '../../../base/pattern/index.ts'

/** How often the steps may multiply the length of a text: published ones do so three times. */
const mostGrowth = 64

/** Published tokenizers have at most a dozen. */
const mostSteps = 256

/** Published ones have 100; splitting a word takes the square of it. */
const mostWordPieceCharacters = 256

/** Characters of a token of a Unigram model, each of which is tried at every position. */
const longestUnigramToken = 256

const useModelFile = 'use the tokenizer.json of the model'

/** The parts of a `tokenizer.json` that decide how much work a text is. */
type StepFile = { normalizer?: unknown; pre_tokenizer?: unknown; model?: unknown }

/** Runs steps of a tokenizer for a text of this length; too many of them are an error that names the file. */
export type BoundedRun = <Result>(length: number, run: () => Result) => Result

/**
 * Bounds the work of the steps of a tokenizer, whose file comes from a stranger: its patterns are matched by an automaton that counts its
 * steps, or refused, and so are settings that make texts much longer or take more than linear time.
 */
export function boundSteps(steps: readonly unknown[], file: StepFile, { name, budget }: { name: string; budget: StepBudget }): BoundedRun {
  refuseSettings(file, name)
  const seen = new Set<unknown>()
  const open = [...steps]
  while (open.length > 0) {
    const step = open.pop()
    if ((typeof step !== 'object' && typeof step !== 'function') || step === null || seen.has(step)) continue
    seen.add(step)
    const { config } = step as { config?: StepConfig }
    // The library's own patterns are left to JavaScript's engine: they are linear.
    if (config?.pattern?.Regex !== undefined) Reflect.set(step, 'pattern', boundPattern(Reflect.get(step, 'pattern'), name, budget))
    // JavaScript gives $ a meaning in replacements, the model's own tokenizer does not.
    else if (config?.content?.includes('$')) Reflect.set(step, 'config', { ...config, content: config.content.replaceAll('$', '$$$$') })
    open.push(...Object.values(step))
  }
  return (length, run) => {
    budget.refill(limits.tokenizerBaseSteps + length * limits.tokenizerSteps)
    try {
      return run()
    } catch (error) {
      if (!(error instanceof StepsSpent || error instanceof UnsupportedPattern)) throw error
      throw new PromptError('slow-tokenizer', {
        where: name,
        problem: `its patterns or tokens take too long on a text of ${length} characters (${error.message})`,
        fix: useModelFile,
      })
    }
  }
}

function boundPattern(pattern: unknown, name: string, budget: StepBudget): unknown {
  if (!(pattern instanceof RegExp)) return pattern
  try {
    return new BoundedRegExp(pattern.source, budget)
  } catch (error) {
    if (!(error instanceof UnsupportedPattern)) throw error
    throw bad(name, `its pattern ${pattern.source} cannot be matched in linear time: ${error.message}`)
  }
}

type StepConfig = {
  type?: unknown
  pattern?: { String?: string; Regex?: string }
  content?: string
  prepend?: string
  replacement?: string
  str_rep?: string
  length?: unknown
  normalizers?: readonly unknown[]
  pretokenizers?: readonly unknown[]
}

function refuseSettings({ normalizer, pre_tokenizer, model }: StepFile, name: string): void {
  const steps = [...stepsOf(normalizer), ...stepsOf(pre_tokenizer)]
  if (steps.length > mostSteps) throw bad(name, `its normalizer and pre_tokenizer have more than ${mostSteps} steps`)
  const growth = (some: readonly StepConfig[]) => some.reduce((all, step) => all * growthOf(step), 1)
  if (growth(stepsOf(normalizer)) > mostGrowth) throw bad(name, `its normalizer can make a text more than ${mostGrowth} times as long`)
  if (growth(stepsOf(pre_tokenizer)) > mostGrowth)
    throw bad(name, `its pre_tokenizer can make a text more than ${mostGrowth} times as long`)
  const endless = steps.find(({ type, length }) => type === 'FixedLength' && !(Number.isInteger(length) && Number(length) > 0))
  if (endless) throw bad(name, `its FixedLength pre_tokenizer has the length ${JSON.stringify(endless.length)}`)
  const { type, max_input_chars_per_word: longest, vocab } = (model ?? {}) as Record<string, unknown>
  if (type === 'WordPiece' && typeof longest === 'number' && longest > mostWordPieceCharacters)
    throw bad(name, `its max_input_chars_per_word is more than ${mostWordPieceCharacters}`)
  const isLong = (entry: unknown) => Array.isArray(entry) && typeof entry[0] === 'string' && entry[0].length > longestUnigramToken
  if (type === 'Unigram' && Array.isArray(vocab) && vocab.some(isLong))
    throw bad(name, `its Unigram model has a token of more than ${longestUnigramToken} characters`)
}

/** The steps of a sequence of sequences, in order. */
function stepsOf(config: unknown): StepConfig[] {
  if (typeof config !== 'object' || config === null) return []
  const { type, normalizers, pretokenizers } = config as StepConfig
  if (type !== 'Sequence') return [config as StepConfig]
  return [...(normalizers ?? []), ...(pretokenizers ?? [])].flatMap(stepsOf)
}

/** How much longer texts can become, at most: by what a step writes for one character. */
function growthOf({ type, pattern, content, replacement, str_rep }: StepConfig): number {
  if (type === 'Replace') return Math.max(1, (content?.length ?? 0) + (pattern?.String === '' ? 1 : 0))
  return type === 'Metaspace' ? Math.max(1, replacement?.length ?? 0, str_rep?.length ?? 0) : 1
}

function bad(name: string, problem: string): PromptError {
  return new PromptError('bad-tokenizer', { where: name, problem, fix: useModelFile })
}
