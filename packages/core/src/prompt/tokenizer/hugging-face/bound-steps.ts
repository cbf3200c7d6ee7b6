import { PromptError } from '../../../base/errors/prompt-error.ts'
import { patternRisk, UnsupportedPattern } from '../../../base/pattern/index.ts'
import { LinearRegExp } from '../../../base/pattern/linear-reg-exp.ts'

/** How often a normalizer may multiply the length of a text: published ones do so three times. */
const mostGrowth = 64

/** Unbounded repetitions in a row, each of which takes a power of the text's length more. */
const mostEndless = 24

/**
 * Bounds the work of the steps of a tokenizer, whose file comes from a stranger: patterns that a backtracking engine may never finish are
 * matched in linear time, or refused, and so is a normalizer that makes texts much longer.
 */
export function boundSteps(steps: readonly unknown[], normalizer: unknown, name: string): void {
  if (growthOf(normalizer) > mostGrowth) {
    throw bad(name, `its normalizer can make a text more than ${mostGrowth} times as long`, 'use the tokenizer.json of the model')
  }
  const seen = new Set<unknown>()
  const open = [...steps]
  for (let step = open.pop(); open.length > 0 || step !== undefined; step = open.pop()) {
    if ((typeof step !== 'object' && typeof step !== 'function') || step === null || seen.has(step)) continue
    seen.add(step)
    for (const [key, value] of Object.entries(step)) {
      if (value instanceof RegExp) Reflect.set(step, key, boundPattern(value, name))
      else open.push(value)
    }
  }
}

function boundPattern(pattern: RegExp, name: string): RegExp {
  const flags = pattern.flags.replace(/[dgy]/g, '')
  try {
    const { isNested, endless } = patternRisk(pattern.source, flags)
    return isNested || endless > mostEndless ? new LinearRegExp(pattern) : pattern
  } catch (error) {
    if (!(error instanceof UnsupportedPattern)) throw error
    throw bad(name, `its pattern ${pattern.source} may take for ever: ${error.message}`, 'use the tokenizer.json of the model')
  }
}

/** How much longer texts can become, at most: by what each replacement writes for one character. */
function growthOf(normalizer: unknown): number {
  if (typeof normalizer !== 'object' || normalizer === null) return 1
  const { type, normalizers, content } = normalizer as { type?: unknown; normalizers?: unknown; content?: unknown }
  if (type === 'Sequence' && Array.isArray(normalizers)) return normalizers.reduce((all: number, one) => all * growthOf(one), 1)
  return type === 'Replace' && typeof content === 'string' ? Math.max(1, content.length) : 1
}

function bad(name: string, problem: string, fix: string): PromptError {
  return new PromptError('bad-tokenizer', { where: name, problem, fix })
}
