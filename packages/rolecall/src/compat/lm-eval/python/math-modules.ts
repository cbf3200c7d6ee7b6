import type { BinaryOperator, CompareOperator, Value } from '@rolecall/core/internal/python'
import { notUnderstood, PythonError } from '@rolecall/core/internal/python'
import { itemsOf } from '../../../python/interpreter/containers.ts'
import { defineModule, native, textOf } from '../../../python/interpreter/modules/define-module.ts'
import type { Session } from '../../../python/interpreter/session.ts'
import { NativeObject } from '../../../python/interpreter/values.ts'
import { guardedPattern } from '../../../python/regex/index.ts'
import type { Formula } from '../../opencompass/evaluators/math/algebra/expression.ts'
import { type MathValue, readMath } from '../../opencompass/evaluators/math/algebra/math-value.ts'
import { parseLatex } from '../../opencompass/evaluators/math/algebra/parse-latex.ts'
import { sameFormulas } from '../../opencompass/evaluators/math/algebra/same-formula.ts'
import { sameMath } from '../../opencompass/evaluators/math/algebra/same-math.ts'
import { answerBoxes } from '../../opencompass/evaluators/math/boxes.ts'

abstract class ValueWithoutAttributes extends NativeObject {
  attribute(): undefined {
    return undefined
  }
}

/** A formula that sympy would have parsed. */
class FormulaValue extends ValueWithoutAttributes {
  readonly typeName = 'Expr'

  constructor(readonly formula: Formula) {
    super()
  }

  override operate(session: Session, operator: BinaryOperator | CompareOperator, left: Value, right: Value): Value | undefined {
    if (operator === '-' && left instanceof FormulaValue && right instanceof FormulaValue)
      return new DifferenceValue(left.formula, right.formula)
    throw notUnderstood(session.at, `"${operator}" of formulas`, 'subtract one formula from another')
  }
}

/** A formula less another: all that tasks do with it is to see whether it is zero. */
class DifferenceValue extends ValueWithoutAttributes {
  readonly typeName = 'Add'

  constructor(
    readonly left: Formula,
    readonly right: Formula,
  ) {
    super()
  }

  override operate(session: Session, operator: BinaryOperator | CompareOperator, left: Value, right: Value): Value | undefined {
    // Where it is zero, simplify() gives that number.
    if ((operator === '==' || operator === '!=') && (left === 0 || right === 0)) return operator === '!='
    throw notUnderstood(session.at, `"${operator}" of a difference of formulas`, 'compare simplify() of it with 0')
  }
}

const sympyLatex = defineModule('sympy.parsing.latex', {
  parse_latex: native('parse_latex(s, strict=False, backend=None)', (session, [text]) => {
    session.step(textOf(text).length)
    const formula = parseLatex(textOf(text))
    if (formula === undefined) throw new PythonError('LaTeXParsingError', 'invalid LaTeX')
    return new FormulaValue(formula)
  }),
})

const sympy = defineModule('sympy', {
  simplify: native('simplify(expr)', (session, [value]) => {
    if (value instanceof DifferenceValue) return sameFormulas(value.left, value.right) ? 0 : value
    if (value instanceof FormulaValue) return value
    throw notUnderstood(session.at, 'sympy.simplify of what parse_latex() did not give', 'parse it with parse_latex()')
  }),
  parsing: defineModule('sympy.parsing', { latex: sympyLatex }),
})

/** An answer that math-verify would have found in a text. */
class AnswerValue extends ValueWithoutAttributes {
  readonly typeName = 'Expr'

  constructor(readonly value: MathValue) {
    super()
  }
}

/** Kinds of answers that are searched for. */
class ExtractionConfig extends ValueWithoutAttributes {
  readonly typeName = 'ExtractionConfig'

  constructor(readonly kind: 'latex' | 'number') {
    super()
  }
}

const configOf = (name: string, kind: ExtractionConfig['kind']) => native(`${name}(**kwargs)`, () => new ExtractionConfig(kind))

const mathVerify = defineModule('math_verify', {
  LatexExtractionConfig: configOf('LatexExtractionConfig', 'latex'),
  ExprExtractionConfig: configOf('ExprExtractionConfig', 'number'),
  parse: native('parse(pred, extraction_config=None, **kwargs)', (session, [text, configs = null], kwargs) => {
    session.step(textOf(text).length)
    const given = kwargs?.get('extraction_config') ?? configs
    const kinds =
      given === null ? ['latex', 'number'] : itemsOf(session, given).map((one) => (one instanceof ExtractionConfig ? one.kind : ''))
    const found = answerIn(textOf(text), kinds)
    return found === undefined ? [] : [new AnswerValue(found)]
  }),
  verify: native('verify(gold, target, **kwargs)', (session, [gold, target]) => {
    const answers = (list: Value) => itemsOf(session, list).filter((item) => item instanceof AnswerValue)
    return answers(gold!).some((right) => answers(target!).some((said) => sameMath(right.value, said.value)))
  }),
})

/** The answer in a text: what is in a box, else the last formula, else the last number. */
function answerIn(text: string, kinds: readonly string[]): MathValue | undefined {
  const boxes = kinds.includes('latex') ? answerBoxes(text) : []
  if (boxes.length > 0) return readMath(boxes.join(','), { shortFractions: false })
  const formula = kinds.includes('latex') ? (finalFormula.exec(text)?.slice(1) ?? anyFormula.all(text).at(-1)?.groups) : undefined
  const said = formula?.find((part) => part !== undefined)
  if (said !== undefined) return readMath(said, { shortFractions: false })
  const number = kinds.includes('number') ? [...text.matchAll(anyNumber)].at(-1)?.[0] : undefined
  return number === undefined ? undefined : readMath(number.replaceAll(',', ''))
}

const finalFormula = /final answer is:?\s*\$([^$\n]+)\$\.? I hope/i
const anyFormula = guardedPattern(String.raw`\$\$([^$]+)\$\$|(?<!\\)\$([^$\n]+)\$|\\\(([^\n]+?)\\\)|\\\[([\s\S]+?)\\\]`)
const anyNumber = /-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:\/\d+)?/g

/** The parts of sympy and math-verify that tasks use, on Rolecall's own algebra. */
export const mathModules = [sympy, sympyLatex, mathVerify]
