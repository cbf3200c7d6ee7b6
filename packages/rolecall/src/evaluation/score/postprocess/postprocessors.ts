import type { Row } from '@rolecall/core/internal/conversation'
import { check, PromptError } from '@rolecall/core/internal/errors'
import type { PyValue } from '@rolecall/core/internal/python'
import { type ScoringPeers, type SplitWords, wordsFor } from '../../../python/word-split/word-tokenize.ts'
import { forget, isThenable, ownFunctionError, thrownBy, unwritable } from '../own-function.ts'
import { registerByName, suggestEntry } from '../register-by-name.ts'
import { choiceAnswer } from './choice-answer.ts'
import { closedAnswer } from './closed-answer.ts'
import { codeAnswer } from './code-answer.ts'
import * as extraction from './extraction.ts'
import { freeAnswer } from './free-answer.ts'
import { general } from './general.ts'
import { judgeVerdict } from './judge-verdict.ts'
import { lastVerdict } from './last-verdict.ts'
import { NotFound, type ReadText } from './not-found.ts'
import { finalNumber, markedNumber } from './number-answer.ts'
import { firstOption, lastOption } from './options.ts'
import {
  type AnswerContext,
  type Postprocessor,
  type PostprocessorConfig,
  type PostprocessorsConfig,
  postprocessorsIn,
} from './postprocessor.ts'

const corePostprocessors = postprocessorsIn(extraction, {
  general,
  firstOption,
  lastOption,
  codeAnswer,
  judgeVerdict,
  lastVerdict,
  choiceAnswer,
  markedNumber,
  finalNumber,
  closedAnswer,
  freeAnswer,
})

const registered = new Map<string, Postprocessor>()
registerPostprocessors(corePostprocessors)

/** The registered postprocessors by name: the core ones, and those of compatibility layers such as `rolecall/opencompass`. */
export const postprocessors: ReadonlyMap<string, Postprocessor> = registered

/** Makes postprocessors available to configs under their names. */
export function registerPostprocessors(added: readonly Postprocessor[]): void {
  registerByName(registered, added)
}

/** Reads the answer in a text. The row provides the texts of its options; a text that was cut at its length limit has only announced answers. */
export type Reader = (text: string, row?: Row, isCut?: boolean) => ReadText

/**
 * The function that a config names; without one, text stays unchanged.
 *
 * @example
 * postprocessorOf({ type: 'first_option_postprocess', options: 'ABCD' }, 'eval_cfg')('The answer is (C).') // => 'C'
 */
export function postprocessorOf(
  config: PostprocessorsConfig | undefined,
  where: string,
  peers: ScoringPeers = {},
): (text: string) => PyValue {
  const read = readerOf(config, where, peers)
  return (text) => read(text).value
}

/**
 * The same, with whether an answer was found: by the last of several that looks for one.
 *
 * @example
 * readerOf('last_number', 'eval_cfg')('I cannot say.') // => { value: 'NULL', isFound: false }
 */
export function readerOf(config: PostprocessorsConfig | undefined, where: string, peers: ScoringPeers = {}): Reader {
  return readerOfAll([{ config, where }], peers)
}

/** Reads with the postprocessors of several places in a config, in order: the model's first, then the dataset's. */
export function readerOfAll(
  places: readonly { config: PostprocessorsConfig | undefined; where: string }[],
  peers: ScoringPeers = {},
): Reader {
  const steps = places.flatMap(({ config, where }): Step[] => {
    if (config === undefined) return []
    if (!isSeveral(config)) return [stepOf(config, where, peers)]
    return config.map((one, index) => stepOf(one, `${where}[${index}]`, peers))
  })
  return (text, row, isCut) => readBy(steps, text, { row, isCut })
}

function isSeveral(config: PostprocessorsConfig): config is readonly PostprocessorConfig[] {
  return Array.isArray(config)
}

type StepContext = Omit<AnswerContext, 'words'>
type Step = { finds: boolean; process: (text: string, context: StepContext) => PyValue | NotFound }

/** Applies steps as long as there is text to read. */
function readBy(steps: readonly Step[], text: string, context: StepContext): ReadText {
  let value: PyValue = text
  let isFound = true
  for (const { finds, process } of steps) {
    if (typeof value !== 'string') break
    const read = process(value, context)
    if (read instanceof NotFound) {
      value = read.instead
      isFound = false
    } else {
      value = read
      if (finds) isFound = true
    }
  }
  return { value, isFound }
}

function stepOf(config: PostprocessorConfig, where: string, peers: ScoringPeers): Step {
  if (typeof config === 'function') return ownStep(config, where)
  const { type, ...options } = typeof config === 'string' ? { type: config } : config
  const name = type.split('.').at(-1)!
  const found = postprocessors.get(name)
  if (!found) {
    throw new PromptError('unknown-postprocessor', {
      where,
      problem: `"${name}" is not available`,
      fix: suggestEntry(name, postprocessors, corePostprocessors),
    })
  }
  const checked = check(found.options, options, where)
  const words = found.needsWords ? wordsFor(name, peers, where) : none
  return { finds: found.finds ?? false, process: (text, context) => found.process(text, checked, { ...context, words }) }
}

/** A user's function returns undefined if it finds nothing. */
function ownStep(read: (text: string) => unknown, where: string): Step {
  // Detected before the first request, if possible.
  if (read.constructor.name === 'AsyncFunction') throw notAtOnce(where, 'it is async, and answers are read at once')
  return {
    finds: true,
    process(text) {
      let value: unknown
      try {
        value = read(text)
      } catch (error) {
        throw thrownBy(where, 'it threw', error)
      }
      if (isThenable(value)) {
        forget(value)
        throw notAtOnce(where, 'it gave a promise, and answers are read at once')
      }
      if (value === undefined || value === null) return new NotFound('')
      const why = unwritable(value)
      if (why !== undefined) throw ownFunctionError(where, `what it gave cannot be written: ${why}`, 'give a text or another plain value')
      return value as PyValue
    },
  }
}

function notAtOnce(where: string, problem: string): PromptError {
  return ownFunctionError(where, problem, 'write a function that is not async; an evaluator may be')
}

const none: SplitWords = () => []
