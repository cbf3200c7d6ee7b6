import { check } from '../../config/check.ts'
import { suggestName } from '../../nearest.ts'
import { PromptError } from '../../prompt-error.ts'
import type { PyValue } from '../../python/index.ts'
import { type ScoringPeers, type SplitWords, wordsFor } from '../split-words.ts'
import * as capitals from './capitals.ts'
import * as chineseWords from './chinese-words.ts'
import * as code from './code-answers.ts'
import * as extraction from './extraction.ts'
import * as freeform from './freeform-answers.ts'
import { general } from './general.ts'
import { judgeVerdict } from './judge-verdict.ts'
import * as line from './line-answers.ts'
import * as math from './math.ts'
import * as numeric from './numeric-answers.ts'
import { firstOption, lastOption } from './options.ts'
import type { Postprocessor } from './postprocessor.ts'

/** All postprocessors, in the order of the docs. */
export const allPostprocessors = [
  general,
  ...Object.values(capitals),
  firstOption,
  lastOption,
  ...Object.values(extraction),
  ...Object.values(math),
  ...Object.values(numeric),
  ...Object.values(freeform),
  ...Object.values(line),
  ...Object.values(code),
  ...Object.values(chineseWords),
  judgeVerdict,
] as readonly Postprocessor[]

/** What can be done to an answer before it is compared, by the names that OpenCompass has for it. */
export const postprocessors: ReadonlyMap<string, Postprocessor> = new Map(
  allPostprocessors.flatMap((one) => one.names.map((name) => [name, one] as const)),
)

/** What a config says: a name, a name with options, or (in TypeScript) a function. */
export type PostprocessorConfig = string | ({ type: string } & Record<string, unknown>) | ((text: string) => unknown)

/**
 * The function that a config names; without one, text stays as it is.
 *
 * @example
 * postprocessorOf({ type: 'first_option_postprocess', options: 'ABCD' }, 'eval_cfg')('The answer is (C).') // => 'C'
 */
export function postprocessorOf(
  config: PostprocessorConfig | undefined,
  where: string,
  peers: ScoringPeers = {},
): (text: string) => PyValue {
  if (config === undefined) return (text) => text
  if (typeof config === 'function') return (text) => config(text) as PyValue
  const { type, ...options } = typeof config === 'string' ? { type: config } : config
  const name = type.split('.').at(-1)!
  const found = postprocessors.get(name)
  if (!found) {
    throw new PromptError('unknown-postprocessor', {
      where,
      problem: `"${name}" is not available`,
      fix: suggestName(name, [...postprocessors.keys()]),
    })
  }
  const checked = check(found.options, options, where)
  const words = found.needsWords ? wordsFor(name, peers, where) : none
  return (text) => found.process(text, checked, words)
}

const none: SplitWords = () => []
