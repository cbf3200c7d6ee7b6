import { checkLength, longText } from '../../python/python-limits.ts'
import { add } from '../../python/values/arithmetic.ts'
import { escapeHtml, str } from '../../python/values/repr.ts'
import { joinTexts, Sink, type Str, Text } from '../../python/values/text.ts'
import { Markup, type Value } from '../../python/values/value.ts'
import type { JinjaExpression } from '../syntax/jinja-ast.ts'
import { compileExpression } from './compile-expression.ts'
import type { CompileFrame, Evaluate } from './context.ts'

/** `a + b + c` as one step: adjacent literals are concatenated at compile time. */
export function compileSum(node: JinjaExpression & { kind: 'binary' }, frame: CompileFrame): Evaluate {
  const { template } = frame
  const [first, ...rest] = sumOperands(node)
  const start = compileExpression(first!, frame)
  const operands = rest.map((operand) => compileExpression(operand, frame))
  const places = rest.map((operand) => ({ start: node.start, end: operand.end }))
  return (running) => {
    let sum = start(running)
    // With origins, everything after an input text is collected once, not copied at every plus.
    let sink: Sink | undefined
    for (let index = 0; index < operands.length; index++) {
      const value = operands[index]!(running)
      if (sink === undefined && typeof sum === 'string' && typeof value === 'string' && sum.length + value.length < longText) sum += value
      else if (isText(sum) && isText(value)) {
        if (sink === undefined) {
          sink = new Sink()
          sink.add(sum)
        }
        sink.add(value)
        const isLast = index + 1 === operands.length
        if (isLast || sink.length > longText) {
          checkLength(sink.length)
          running.runtime.charge(value)
        }
        sum = isLast ? sink.result() : value // a text, like the sum
        if (isLast) sink = undefined
      } else {
        if (sink !== undefined) sum = sink.result()
        sink = undefined
        try {
          running.runtime.charge(sum)
          running.runtime.charge(value)
          sum = add(sum, value)
        } catch (error) {
          throw template.at(error, places[index]!)
        }
      }
    }
    return sum
  }
}

function isText(value: Value): value is Str {
  return typeof value === 'string' || value instanceof Text
}

function sumOperands(node: JinjaExpression): JinjaExpression[] {
  if (node.kind !== 'binary' || node.operator !== '+') return [node]
  // Descends the left side without recursion: a template may add thousands of texts.
  const right: JinjaExpression[] = []
  let left: JinjaExpression = node
  while (left.kind === 'binary' && left.operator === '+') {
    right.push(left.right)
    left = left.left
  }
  const operands: JinjaExpression[] = [left]
  for (const operand of right.reverse()) {
    const last = operands.at(-1)!
    if (operands.length > 1 && isTextConstant(last) && isTextConstant(operand))
      operands[operands.length - 1] = { ...last, value: last.value + operand.value, end: operand.end }
    else operands.push(operand)
  }
  return operands
}

function isTextConstant(node: JinjaExpression): node is JinjaExpression & { kind: 'const'; value: string } {
  return node.kind === 'const' && typeof node.value === 'string'
}

/** `a ~ b ~ c`. */
export function compileConcat(node: JinjaExpression & { kind: 'concat' }, frame: CompileFrame): Evaluate {
  const { template, autoescape } = frame
  const items = node.items.map((item) => compileExpression(item, frame))
  return (running) => {
    let text: Str = ''
    let isHtml = false
    try {
      for (let index = 0; index < items.length; index++) {
        const value = items[index]!(running)
        if (autoescape && value instanceof Markup && !isHtml) {
          isHtml = true
          text = escapeHtml(text).text
        }
        const part: Str = isHtml ? escapeHtml(value).text : str(value)
        text = typeof text === 'string' && typeof part === 'string' ? text + part : joinTexts([text, part])
        checkLength(typeof text === 'string' ? text.length : text.value.length)
        running.runtime.charge(part as Value)
      }
    } catch (error) {
      throw template.at(error, node)
    }
    return isHtml ? new Markup(text) : text
  }
}
