import { filters } from '../filters/filters.ts'
import { tests } from '../filters/tests.ts'
import { dictMethods, dictMutators } from '../methods/container-methods.ts'
import { PythonError } from '../python-error.ts'
import { getAttribute, getItem } from '../runtime/attributes.ts'
import { checkLength } from '../runtime/limits.ts'
import { LoopContext } from '../runtime/loop.ts'
import { longText } from '../runtime/runtime.ts'
import type { Expression } from '../syntax/ast.ts'
import { add, calculate, negate, positive } from '../values/arithmetic.ts'
import { makeDict } from '../values/dict.ts'
import { escapeHtml } from '../values/escape-html.ts'
import { InputDict } from '../values/input-dict.ts'
import { str } from '../values/repr.ts'
import { sliceValue } from '../values/slice.ts'
import { joinTexts, Sink, type Str, Text } from '../values/text.ts'
import { truthy } from '../values/truth.ts'
import { Undefined } from '../values/undefined.ts'
import { Markup, Namespace, Slice, Tuple, type Value } from '../values/value.ts'
import { compileArguments, compileCall } from './compile-call.ts'
import { compileDecision } from './compile-decision.ts'
import { compileName } from './compile-variable.ts'
import type { CompileFrame } from './context.ts'
import type { Evaluate, Frame } from './frame.ts'

/** Makes a function of an expression, which gives its value in a frame. */
export function compileExpression(node: Expression, frame: CompileFrame): Evaluate {
  const { template } = frame
  const compile = (inner: Expression) => compileExpression(inner, frame)
  switch (node.kind) {
    case 'const': {
      const { value } = node
      return () => value
    }
    case 'name':
      return compileName(node.name, frame)
    case 'list': {
      const items = node.items.map(compile)
      return (running) => items.map((item) => item(running))
    }
    case 'tuple': {
      const items = node.items.map(compile)
      return (running) => new Tuple(items.map((item) => item(running)))
    }
    case 'dict': {
      const entries = node.entries.map(({ key, value }) => [compile(key), compile(value)] as const)
      return (running) => {
        try {
          return makeDict(entries.map(([key, value]) => [key(running), value(running)] as const))
        } catch (error) {
          throw template.at(error, node)
        }
      }
    }
    case 'attribute':
      return compileAttribute(node, frame)
    case 'item':
      return compileItem(node, frame)
    case 'slice': {
      const [start, stop, step] = node.parts.map((part) => (part === undefined ? () => null : compile(part))) as [
        Evaluate,
        Evaluate,
        Evaluate,
      ]
      return (running) => new Slice(start(running), stop(running), step(running))
    }
    case 'call':
      return compileCall(node, frame)
    case 'filter':
      return compileFilter(node, frame, node.input === undefined ? undefined : compile(node.input))
    case 'test':
    case 'not':
    case 'compare':
      return compileDecision(node, frame)
    case 'negative':
    case 'positive': {
      const operand = compile(node.operand)
      const change = node.kind === 'negative' ? negate : positive
      return (running) => {
        try {
          return change(operand(running))
        } catch (error) {
          throw template.at(error, node)
        }
      }
    }
    case 'and':
    case 'or': {
      const left = compile(node.left)
      const right = compile(node.right)
      if (node.kind === 'and') {
        return (running) => {
          const value = left(running)
          return truthy(value) ? right(running) : value
        }
      }
      return (running) => {
        const value = left(running)
        return truthy(value) ? value : right(running)
      }
    }
    case 'binary':
      return node.operator === '+' ? compileSum(node, frame) : compileBinary(node, frame)
    case 'concat':
      return compileConcat(node, frame)
    case 'condition':
      return compileCondition(node, frame)
  }
}

function compileAttribute(node: Expression & { kind: 'attribute' }, frame: CompileFrame): Evaluate {
  const { name } = node
  const { template } = frame
  const object = compileExpression(node.object, frame)
  const get = (value: Value) => {
    try {
      return getAttribute(value, name)
    } catch (error) {
      throw template.at(error, node)
    }
  }
  // A method hides a key of the same name; JavaScript's own properties must never be seen.
  if (dictMethods.has(name) || dictMutators.has(name) || name.startsWith('_') || name in Object.prototype)
    return (running) => get(object(running))
  return (running) => {
    const value = object(running)
    if (typeof value === 'object' && value !== null) {
      if (Object.getPrototypeOf(value) === Object.prototype) {
        const found = (value as Record<string, Value>)[name]
        if (found !== undefined) return found
      } else if (value instanceof InputDict) {
        const found = value.get(name)
        if (found !== undefined) return found
      } else if (value instanceof LoopContext) {
        if (name === 'first') return value.index0 === 0
        if (name === 'last') return value.isLast
        if (name === 'index0') return value.index0
      } else if (value instanceof Namespace) {
        const found = value.attributes.get(name)
        if (found !== undefined) return found
      }
    }
    return get(value)
  }
}

function compileItem(node: Expression & { kind: 'item' }, frame: CompileFrame): Evaluate {
  const { template } = frame
  const object = compileExpression(node.object, frame)
  const get = (value: Value, key: Value) => {
    try {
      return getItem(value, key)
    } catch (error) {
      throw template.at(error, node)
    }
  }
  const { key } = node
  if (key.kind === 'const' && typeof key.value === 'string' && !(key.value in Object.prototype)) {
    const name = key.value
    return (running) => {
      const value = object(running)
      if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
        const found = (value as Record<string, Value>)[name]
        if (found !== undefined) return found
      }
      return get(value, name)
    }
  }
  if (key.kind === 'slice') {
    const parts = key.parts.map((part) => (part === undefined ? () => null : compileExpression(part, frame))) as [
      Evaluate,
      Evaluate,
      Evaluate,
    ]
    return (running) => {
      const value = object(running)
      try {
        return sliceValue(value, parts[0](running), parts[1](running), parts[2](running))
      } catch (error) {
        throw template.at(error, node)
      }
    }
  }
  const compiled = compileExpression(key, frame)
  return (running) => {
    const value = object(running)
    const index = compiled(running)
    if (typeof index === 'number' && Array.isArray(value)) {
      const found = (value as readonly Value[])[index]
      if (found !== undefined) return found
    }
    return get(value, index)
  }
}

/** A filter; in a filter block its input is what the block wrote. */
export function compileFilter(node: Expression & { kind: 'filter' }, frame: CompileFrame, input: Evaluate | undefined): Evaluate {
  const { template } = frame
  const filter = filters.get(node.name)
  const { args, kwargs } = compileArguments(node, frame)
  if (filter === undefined && !frame.soft) template.fail('TemplateAssertionError', `No filter named '${node.name}'.`, node)
  if (input === undefined) throw new Error('a filter without an input')
  return (running) => {
    const value = input(running)
    try {
      running.runtime.charge(value)
      if (filter === undefined) throw new PythonError('TemplateRuntimeError', `No filter named '${node.name}' found.`)
      return filter(running.runtime, value, args(running), kwargs(running))
    } catch (error) {
      throw template.at(error, node)
    }
  }
}

export function compileTestCall(node: Expression & { kind: 'test' }, frame: CompileFrame): (running: Frame) => boolean {
  const { template } = frame
  const test = tests.get(node.name)
  if (test === undefined && !frame.soft) template.fail('TemplateAssertionError', `No test named '${node.name}'.`, node)
  const input = compileExpression(node.input, frame)
  if (node.args.length + node.kwargs.length === 0 && node.dynArgs === undefined && node.dynKwargs === undefined) {
    if (node.name === 'defined') return (running) => !(input(running) instanceof Undefined)
    if (node.name === 'none') return (running) => input(running) === null
  }
  const { args, kwargs } = compileArguments(node, frame)
  return (running) => {
    const value = input(running)
    try {
      if (test === undefined) throw new PythonError('TemplateRuntimeError', `No test named '${node.name}' found.`)
      return test(value, args(running), kwargs(running))
    } catch (error) {
      throw template.at(error, node)
    }
  }
}

function compileBinary(node: Expression & { kind: 'binary' }, frame: CompileFrame): Evaluate {
  const { template } = frame
  const { operator } = node
  const left = compileExpression(node.left, frame)
  const right = compileExpression(node.right, frame)
  return (running) => {
    const a = left(running)
    const b = right(running)
    try {
      return calculate(operator, a, b)
    } catch (error) {
      throw template.at(error, node)
    }
  }
}

/** `a + b + c` as one step: neighbouring texts of the template are put together when it is compiled. */
function compileSum(node: Expression & { kind: 'binary' }, frame: CompileFrame): Evaluate {
  const { template } = frame
  const [first, ...rest] = sumOperands(node)
  const start = compileExpression(first!, frame)
  const operands = rest.map((operand) => compileExpression(operand, frame))
  const places = rest.map((operand) => ({ start: node.start, end: operand.end }))
  return (running) => {
    let sum = start(running)
    // With origins, all that follows a text of the input is collected once, not copied at every plus.
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
        if (index + 1 === operands.length || sink.length > longText) {
          checkLength(sink.length)
          running.runtime.charge(value)
          sum = sink.result()
          sink = undefined
        } else sum = value // a text, as the sum is
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

function sumOperands(node: Expression): Expression[] {
  if (node.kind !== 'binary' || node.operator !== '+') return [node]
  // Walks down the left side without recursion: a template may add up thousands of texts.
  const right: Expression[] = []
  let left: Expression = node
  while (left.kind === 'binary' && left.operator === '+') {
    right.push(left.right)
    left = left.left
  }
  const operands: Expression[] = [left]
  for (const operand of right.reverse()) {
    const last = operands.at(-1)!
    if (operands.length > 1 && isTextConstant(last) && isTextConstant(operand))
      operands[operands.length - 1] = { ...last, value: last.value + operand.value, end: operand.end }
    else operands.push(operand)
  }
  return operands
}

function isTextConstant(node: Expression): node is Expression & { kind: 'const'; value: string } {
  return node.kind === 'const' && typeof node.value === 'string'
}

function compileConcat(node: Expression & { kind: 'concat' }, frame: CompileFrame): Evaluate {
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

function compileCondition(node: Expression & { kind: 'condition' }, frame: CompileFrame): Evaluate {
  const soft = { ...frame, soft: true }
  const test = compileDecision(node.test, soft)
  const then = compileExpression(node.value, soft)
  const line = frame.template.source.slice(0, node.start).split('\n').length
  const otherwise =
    node.otherwise === undefined
      ? () => new Undefined(() => `the inline if-expression on line ${line} evaluated to false and no else section was defined.`)
      : compileExpression(node.otherwise, soft)
  return (running) => (test(running) ? then(running) : otherwise(running))
}
