import { dictGet, dictHas, isDict, isList, type PyDict, type PyValue, parseJson } from '../../../packages/core/src/base/python/index.ts'
import type { RecordedCall } from '../../../packages/core/src/reply/recorded-call.ts'
import { CannotJudge } from '../../../packages/rolecall/src/compat/opencompass/evaluators/bfcl/cannot-judge.ts'
import { judgeReply, type ToolQuestion } from '../../../packages/rolecall/src/compat/opencompass/evaluators/bfcl/judge-reply.ts'
import { agrees, outcomeOf, show } from '../outcome.ts'
import { plain } from '../scoring/vector.ts'
import { type Suite, trial } from '../suite.ts'
import { unless } from '../verdict.ts'

/** Verdicts of the Berkeley Function Calling Leaderboard's checker. */
export const toolcallVerdicts: Suite = {
  name: 'toolcalls',
  recognises: (vector) => ['category', 'functions', 'calls', 'expected'].every((key) => dictHas(vector, key)),
  examine(json) {
    const vector = json as PyDict
    const expected = dictGet(vector, 'expected') as PyDict
    const wanted = {
      valid: dictGet(expected, 'valid'),
      error: dictGet(expected, 'error_type') ?? null,
      raises: dictGet(expected, 'raises') ?? null,
      others: dictGet(expected, 'sub_error_types') ?? null,
    }
    return trial(
      outcomeOf(() => plain(verdictOn(questionOf(vector)))),
      (ours) =>
        unless(
          agrees(ours, { value: plain(wanted) })
            ? undefined
            : `${dictGet(vector, 'case')}: ours ${show(ours)}, expected ${JSON.stringify(wanted)}`,
        ),
    )
  },
}

function verdictOn(question: ToolQuestion) {
  try {
    const verdict = judgeReply(question)
    return verdict.isValid
      ? { valid: true, error: null, raises: null, others: null }
      : { valid: false, error: verdict.error, raises: null, others: verdict.others ?? null }
  } catch (error) {
    if (error instanceof CannotJudge) return { valid: false, error: null, raises: error.raises, others: null }
    throw error
  }
}

function questionOf(vector: PyDict): ToolQuestion {
  const answers = dictGet(vector, 'ground_truth')
  return {
    category: dictGet(vector, 'category') as string,
    functions: dictGet(vector, 'functions') as readonly PyValue[],
    answers: isList(answers) ? answers : [],
    calls: (dictGet(vector, 'calls') as readonly PyValue[]).map(callOf),
    text: (dictGet(vector, 'text') as string | undefined) ?? '',
    hasUnderscores: dictGet(vector, 'underscore_names') === true,
  }
}

/** A call as the reply parser returns it: arguments that are not a JSON object stay raw text. */
function callOf(call: PyValue): RecordedCall {
  if (!isDict(call)) throw new Error('a vector has a call that is none')
  const name = dictGet(call, 'name') as string
  const text = dictGet(call, 'arguments_text')
  if (typeof text !== 'string') return { name, arguments: dictGet(call, 'arguments')! }
  try {
    return { name, arguments: parseJson(text) }
  } catch {
    return { name, malformed: text, problem: 'no JSON' }
  }
}
