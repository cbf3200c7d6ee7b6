import { dictGet, dictKeys, isDict, type PyDict, type PyValue, parseJson } from '@rolecall/core/internal/python'
import { isNamed, type NamedCall, type RecordedCall } from '@rolecall/core/internal/reply'
import { CannotJudge } from './cannot-judge.ts'
import { type BfclError, type CallProblem, checkCall } from './check-call.ts'

export type ReplyError =
  | BfclError
  | `ast_decoder:${'decoder_failed' | 'decoder_wrong_output_format'}`
  | 'irrelevance_error:decoder_success'
  | 'relevance_error:decoder_failed'
  | 'multiple_function_checker:wrong_count'
  | `parallel_function_checker_no_order:${'wrong_count' | 'cannot_find_match'}`

/** A reply to judge, the functions offered to the model, and the expected calls. */
export type ToolQuestion = {
  /** The name decides how calls are compared: whether it contains `irrelevance`, `relevance`, `parallel` or `multiple`. */
  category: string
  /** As documented, in the leaderboard's types. */
  functions: readonly PyValue[]
  /** `[{ function: { parameter: [allowed values] } }]`; not needed for (ir)relevance. */
  answers: readonly PyValue[]
  calls: readonly RecordedCall[]
  /** The reply's text if it contains no calls. */
  text: string
  /** The model saw names with `_` instead of `.`. */
  hasUnderscores: boolean
}

export type ToolVerdict =
  | { isValid: true }
  | { isValid: false; error: ReplyError; problem: string /** Why the unmatched calls did not fit. */; others?: readonly BfclError[] }

/** Judges a reply as the Berkeley Function Calling Leaderboard does (https://gorilla.cs.berkeley.edu/leaderboard). */
export function judgeReply(question: ToolQuestion): ToolVerdict {
  const { category, functions, answers, hasUnderscores } = question
  const calls = readable(question)
  if (category.includes('relevance')) return judgeRelevance(category, calls)
  if ('isValid' in calls) return calls
  const nameOf = (name: string) => (hasUnderscores ? name.replaceAll('.', '_') : name)
  if (category.includes('parallel')) return judgeInAnyOrder(calls, functions, answers, nameOf)
  const isMultiple = category.includes('multiple')
  if (isMultiple ? calls.length !== answers.length : calls.length !== 1) {
    const wanted = isMultiple ? answers.length : 1
    return wrong(`${isMultiple ? 'multiple' : 'simple'}_function_checker:wrong_count`, countOf(calls.length, wanted))
  }
  if (functions.length === 0) throw new CannotJudge('IndexError', 'functions', 'no function is documented')
  if (answers.length === 0) throw new CannotJudge('IndexError', 'ground_truth', 'there is no answer')
  // Only the first call and the first answer count; any others are ignored.
  const documentation = isMultiple ? documentationOf(functions, answers[0]!) : functions[0]
  return verdictOf(checkCall(calls[0]!, isDict(documentation) ? documentation : undefined, answers[0]!, nameOf))
}

/** The calls of a reply if all are parsable; otherwise the reason. */
function readable({ calls, text }: ToolQuestion): readonly NamedCall[] | (ToolVerdict & { isValid: false }) {
  if (calls.length === 0 && text !== '') return wrong('ast_decoder:decoder_failed', 'it says something and calls nothing')
  const isBroken = calls.some((call) => !('arguments' in call) && !isJson(call))
  if (isBroken) return wrong('ast_decoder:decoder_failed', 'a call cannot be read')
  const named = calls.filter(isNamed)
  if (named.length < calls.length) return wrong('ast_decoder:decoder_wrong_output_format', 'the arguments of a call are not a JSON object')
  return named
}

function isJson(call: RecordedCall): boolean {
  if (!('malformed' in call)) return false
  try {
    parseJson(call.malformed)
    return true
  } catch {
    return false
  }
}

function judgeRelevance(category: string, calls: ReturnType<typeof readable>): ToolVerdict {
  const hasCall = !('isValid' in calls) && calls.length > 0
  if (category.includes('irrelevance')) {
    return hasCall ? wrong('irrelevance_error:decoder_success', 'it calls a function, and none is of use here') : right
  }
  return hasCall ? right : wrong('relevance_error:decoder_failed', 'it calls nothing, and a function would be of use')
}

/** For each answer, takes the first unused call that matches; does not backtrack. */
function judgeInAnyOrder(
  calls: readonly NamedCall[],
  functions: readonly PyValue[],
  answers: readonly PyValue[],
  nameOf: (name: string) => string,
): ToolVerdict {
  if (calls.length !== answers.length) {
    return wrong('parallel_function_checker_no_order:wrong_count', countOf(calls.length, answers.length))
  }
  const left = [...calls]
  for (const [index, answer] of answers.entries()) {
    const documentation = documentationOf(functions, answer)
    const others: CallProblem[] = []
    const found = left.findIndex((call) => {
      const problem = checkCall(call, documentation, answer, nameOf)
      if (problem) others.push(problem)
      return problem === undefined
    })
    if (found < 0) {
      const problem = `no call fits answer ${index + 1} (${nameIn(answer)}): ${others.map((one) => one.problem).join('; ')}`
      return { ...wrong('parallel_function_checker_no_order:cannot_find_match', problem), others: others.map(({ type }) => type) }
    }
    left.splice(found, 1)
  }
  return right
}

function documentationOf(functions: readonly PyValue[], answer: PyValue): PyDict | undefined {
  const name = nameIn(answer)
  return functions.find((one): one is PyDict => isDict(one) && dictGet(one, 'name') === name)
}

function nameIn(answer: PyValue): string {
  const [name] = isDict(answer) ? dictKeys(answer) : []
  if (name === undefined) throw new CannotJudge('IndexError', 'ground_truth', 'an answer names no function')
  return name
}

const right: ToolVerdict = { isValid: true }

function wrong(error: ReplyError, problem: string): ToolVerdict & { isValid: false } {
  return { isValid: false, error, problem }
}

function verdictOf(found: CallProblem | undefined): ToolVerdict {
  return found ? wrong(found.type, found.problem) : right
}

function countOf(given: number, wanted: number): string {
  return `${given} ${given === 1 ? 'call' : 'calls'} where ${wanted} ${wanted === 1 ? 'is' : 'are'} expected`
}
