import { changeable } from '../../python/methods/container-methods.ts'
import { PythonError } from '../../python/python-error.ts'
import { calculate, negate, positive } from '../../python/values/arithmetic.ts'
import { contains, inOrder, truthy } from '../../python/values/compare.ts'
import { equals, makeDict } from '../../python/values/dict.ts'
import { Slice, Tuple, Undefined, type Value } from '../../python/values/value.ts'
import { filters, tests } from '../filters/filters.ts'
import type { JinjaCompareOperator, JinjaExpression } from '../syntax/jinja-ast.ts'
import { compileArguments, compileAttribute, compileCall, compileItem } from './compile-access.ts'
import { compileConcat, compileSum } from './compile-sum.ts'
import { compileName } from './compile-variable.ts'
import type { CompileFrame, Decide, Evaluate, Frame } from './context.ts'

/** Compiles an expression to a function that returns its value in a frame. */
export function compileExpression(node: JinjaExpression, frame: CompileFrame): Evaluate {
  const { template } = frame
  return template.dialect.strict && mayBeMissing(node) ? strictly(compileLoosely(node, frame), node, template) : compileLoosely(node, frame)
}

/** Whether an expression may refer to a missing value. In Python, too, a condition without an else is never strict. */
function mayBeMissing({ kind }: JinjaExpression): boolean {
  return kind === 'name' || kind === 'attribute' || kind === 'item' || kind === 'call' || kind === 'filter'
}

function strictly(evaluate: Evaluate, node: JinjaExpression, template: CompileFrame['template']): Evaluate {
  return (running) => {
    const value = evaluate(running)
    if (value instanceof Undefined) throw template.at(value.error, node)
    return value
  }
}

/** As `compileExpression`, but missing values are allowed in any dialect. */
function compileLoosely(node: JinjaExpression, frame: CompileFrame): Evaluate {
  const { template } = frame
  const compile = (inner: JinjaExpression) => compileExpression(inner, frame)
  switch (node.kind) {
    case 'const': {
      const value = typeof node.value === 'string' ? template.ownText(node.value, node) : node.value
      return () => value
    }
    case 'name':
      return compileName(node.name, frame)
    case 'list': {
      const items = node.items.map(compile)
      if (template.dialect.changesLists) return (running) => changeable(items.map((item) => item(running)))
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
      return compileFilter(
        node,
        frame,
        node.input && (asksForMissing.has(node.name) ? compileLoosely(node.input, frame) : compile(node.input)),
      )
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

/** Filters and tests that accept missing values. */
const asksForMissing: ReadonlySet<string> = new Set(['default', 'd', 'defined', 'undefined'])

/** A filter; in a filter block its input is the block's output. */
export function compileFilter(node: JinjaExpression & { kind: 'filter' }, frame: CompileFrame, input: Evaluate | undefined): Evaluate {
  const { template } = frame
  const filter = template.dialect.filters?.get(node.name) ?? filters.get(node.name)
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

export function compileTestCall(node: JinjaExpression & { kind: 'test' }, frame: CompileFrame): (running: Frame) => boolean {
  const { template } = frame
  const test = tests.get(node.name)
  if (test === undefined && !frame.soft) template.fail('TemplateAssertionError', `No test named '${node.name}'.`, node)
  const input = asksForMissing.has(node.name) ? compileLoosely(node.input, frame) : compileExpression(node.input, frame)
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

function compileBinary(node: JinjaExpression & { kind: 'binary' }, frame: CompileFrame): Evaluate {
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

function compileCondition(node: JinjaExpression & { kind: 'condition' }, frame: CompileFrame): Evaluate {
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

/** Compiles a condition to a function that returns a JavaScript boolean. */
export function compileDecision(node: JinjaExpression, frame: CompileFrame): Decide {
  switch (node.kind) {
    case 'not': {
      const operand = compileDecision(node.operand, frame)
      return (running) => !operand(running)
    }
    case 'and': {
      const left = compileDecision(node.left, frame)
      const right = compileDecision(node.right, frame)
      return (running) => left(running) && right(running)
    }
    case 'or': {
      const left = compileDecision(node.left, frame)
      const right = compileDecision(node.right, frame)
      return (running) => left(running) || right(running)
    }
    case 'test':
      return compileTestCall(node, frame)
    case 'compare':
      return compileCompare(node, frame)
    default: {
      const value = compileExpression(node, frame)
      return (running) => truthy(value(running))
    }
  }
}

function compileCompare(node: JinjaExpression & { kind: 'compare' }, frame: CompileFrame): Decide {
  const { template } = frame
  const first = compileExpression(node.first, frame)
  const [only] = node.rest
  if (node.rest.length === 1 && (only!.operator === '==' || only!.operator === '!=')) {
    const wanted = only!.operator === '=='
    const { operand } = only!
    if (operand.kind === 'const' && typeof operand.value === 'string') {
      const text = operand.value
      return (running) => {
        const value = first(running)
        return (typeof value === 'string' ? value === text : equals(value, text)) === wanted
      }
    }
    const right = compileExpression(operand, frame)
    return (running) => {
      const left = first(running)
      running.runtime.charge(left)
      return equals(left, right(running)) === wanted
    }
  }
  const rest = node.rest.map(({ operator, operand }) => ({ holds: comparison(operator), operand: compileExpression(operand, frame) }))
  return (running) => {
    let left = first(running)
    for (const { holds, operand } of rest) {
      const right = operand(running)
      let held: boolean
      try {
        running.runtime.charge(left)
        running.runtime.charge(right)
        held = holds(left, right)
      } catch (error) {
        throw template.at(error, node)
      }
      if (!held) return false
      left = right
    }
    return true
  }
}

function comparison(operator: JinjaCompareOperator): (left: Value, right: Value) => boolean {
  switch (operator) {
    case '==':
      return equals
    case '!=':
      return (left, right) => !equals(left, right)
    case 'in':
      return (left, right) => contains(right, left)
    case 'not in':
      return (left, right) => !contains(right, left)
    default:
      return (left, right) => inOrder(operator, left, right)
  }
}
