import { pyRepr } from '@rolecall/core/internal/python'
import type { Program } from '../evaluator.ts'
import { definesSide } from './prepared-code.ts'

/** How an answer is tested. All texts are Python. */
export type CodeCheck = {
  /** What the answer wrote, with the code that it continues. */
  code: string
  /** Tests that call what the code defines. `_answer(name)` is a function of the answer; `_pending()`: some results are not known yet. */
  tests: string
  /** Code of the row that the tests use: the first that can be executed. */
  before?: readonly string[]
  /** Loads `_code` into `names`. */
  load?: string
  /** `assert a == b` also requires equal types. */
  isTyped?: boolean
  /** The variable, a text, that the tests leave as their result; without it they pass if they run to their end. */
  leaves?: string
}

/** Rounds of questions to the answer; tests ask a second time if the arguments of a call depend on the result of another. */
const mostRounds = 100

/** Everything that an answer hands out, compressed. */
const longestResults = 16 << 20

/**
 * The programs that test an answer, of which none sees both the answer and what is expected of it. Tests run in one interpreter with
 * stand-ins for the answer's functions, the answer in another with the arguments of these calls; then the tests run with the results, which
 * are plain data. Thus an answer cannot reach the tests, and its objects have no say in a comparison. Of several answers, the first that
 * passes counts.
 */
export function checkedProgram(first: CodeCheck, ...others: readonly CodeCheck[]): Exclude<Program, string> {
  let failure: string | undefined
  const left = [...others]
  const end = (said: string): Outcome => {
    failure ??= said
    const next = said.startsWith('failed') ? left.shift() : undefined
    return next ? checksProgram(next, 0, undefined, end) : { said: said.startsWith('failed') ? failure : said }
  }
  return checksProgram(first, 0, undefined, end)
}

type Known = { operations: string; results: string }
type Outcome = Program | { said: string }
type End = (said: string) => Outcome

function checksProgram(check: CodeCheck, round: number, known: Known | undefined, end: End): Exclude<Program, string> {
  const { code, before = [], tests, isTyped = false, leaves } = check
  const given = `${pyRepr(code)}, [${before.map((text) => pyRepr(text)).join(', ')}], ${pyRepr(tests)}`
  const typed = isTyped ? 'True' : 'False'
  const operations = known === undefined ? '[]' : `_unpack('${known.operations}')`
  return {
    code: `${definesSide('check')}
_outcome = _check(${given}, ${typed}, ${leaves === undefined ? 'None' : pyRepr(leaves)}, ${operations}, ${known === undefined ? 'None' : `'${known.results}'`})
`,
    leaves: '_outcome',
    decide(left) {
      if (left.startsWith('said: ')) return end(left.slice('said: '.length))
      // Arguments that the tests made and that are no plain data: an answer cannot cause this.
      if (left.startsWith('not handed over: '))
        return `${definesSide('check')}\n_check_together(${pyRepr(code)}, ${pyRepr(tests)}, ${typed})\n`
      const asked = /^asks: ([A-Za-z0-9+/=]*)$/.exec(left)?.[1]
      if (asked === undefined) return end(`failed: ${left}`)
      if (round >= mostRounds) return end(`failed: its tests need more than ${mostRounds} results, each for the next call`)
      return answerProgram(check, asked, (results) =>
        results === undefined
          ? end('failed: what it returns is too long')
          : checksProgram(check, round + 1, { operations: asked, results }, end),
      )
    },
  }
}

function answerProgram(
  { code, load = "names['__name__'] = '__main__'\nexec(_code, names)" }: CodeCheck,
  operations: string,
  next: (results: string | undefined) => Outcome,
): Program {
  return {
    code: `${definesSide('answer')}
def _load(names):
    _code = ${pyRepr(code)}
${load.replaceAll(/^/gm, '    ')}
_results = _carry_out(_load, {}, _unpack('${operations}'))
`,
    leaves: '_results',
    decide: (left) => next(left.length <= longestResults && /^[A-Za-z0-9+/=]*$/.test(left) ? left : undefined),
  }
}
