import { getAttribute } from '../../python/methods/attributes.ts'
import { dictMethods, listMethods } from '../../python/methods/container-methods.ts'
import { strMethods } from '../../python/methods/str-methods.ts'
import { typeError } from '../../python/python-error.ts'
import { entriesOf } from '../../python/values/dict.ts'
import { listOf } from '../../python/values/sequence.ts'
import { isDictValue, type Kwargs, stringOf, typeName, type Value } from '../../python/values/value.ts'
import { callMethod, callValue } from '../runtime/runtime.ts'
import type { Arguments, Expression } from '../syntax/ast.ts'
import { compileExpression } from './compile-expression.ts'
import type { CompileFrame } from './context.ts'
import type { Evaluate, Frame } from './frame.ts'

export type CompiledArguments = { args: (frame: Frame) => readonly Value[]; kwargs: (frame: Frame) => Kwargs }

/** A call; `extra` is what a call block hands over as `caller`. */
export function compileCall(node: Expression & { kind: 'call' }, frame: CompileFrame, extra?: (frame: Frame) => Value): Evaluate {
  const { args, kwargs: given } = compileArguments(node, frame)
  const kwargs = extra === undefined ? given : (running: Frame) => new Map([...(given(running) ?? []), ['caller', extra(running)] as const])
  const { template } = frame
  if (node.callee.kind === 'attribute') return compileMethodCall(node, node.callee, args, kwargs, frame)
  const callee = compileExpression(node.callee, frame)
  return (running) => {
    const called = callee(running)
    const values = args(running)
    const named = kwargs(running)
    try {
      return callValue(running.runtime, called, values, named)
    } catch (error) {
      throw template.at(error, node)
    }
  }
}

function compileMethodCall(
  node: Expression,
  { object: owner, name }: Expression & { kind: 'attribute' },
  args: CompiledArguments['args'],
  kwargs: CompiledArguments['kwargs'],
  frame: CompileFrame,
): Evaluate {
  const object = compileExpression(owner, frame)
  const { template } = frame
  const onText = strMethods.get(name)
  const onDict = dictMethods.get(name)
  const onList = listMethods.get(name)
  return (running) => {
    const self = object(running)
    try {
      if (typeof self === 'string') {
        if (onText !== undefined) return callMethod(running.runtime, onText as never, self, args(running), kwargs(running))
      } else if (onDict !== undefined && isDictValue(self)) return onDict(running.runtime, self, args(running), kwargs(running))
      else if (onList !== undefined && Array.isArray(self)) return onList(running.runtime, self, args(running), kwargs(running))
      const method = getAttribute(self, name)
      return callValue(running.runtime, method, args(running), kwargs(running))
    } catch (error) {
      throw template.at(error, node)
    }
  }
}

export function compileArguments({ args, kwargs, dynArgs, dynKwargs }: Arguments, frame: CompileFrame): CompiledArguments {
  const values = args.map((arg) => compileExpression(arg, frame))
  const named = kwargs.map(({ name, value }) => ({ name, value: compileExpression(value, frame) }))
  const rest = dynArgs === undefined ? undefined : compileExpression(dynArgs, frame)
  const restNamed = dynKwargs === undefined ? undefined : compileExpression(dynKwargs, frame)
  return { args: compileValues(values, rest), kwargs: compileKwargs(named, restNamed) }
}

const none: readonly Value[] = []

function compileValues(values: readonly Evaluate[], rest: Evaluate | undefined): (frame: Frame) => readonly Value[] {
  if (rest !== undefined) {
    return (frame) => {
      const more = rest(frame)
      const list = listOf(more)
      frame.runtime.step(list.length >> 4)
      return [...values.map((value) => value(frame)), ...list]
    }
  }
  const [first, second] = values
  if (first === undefined) return () => none
  if (values.length === 1) return (frame) => [first(frame)]
  if (values.length === 2) return (frame) => [first(frame), second!(frame)]
  return (frame) => values.map((value) => value(frame))
}

function compileKwargs(named: readonly { name: string; value: Evaluate }[], rest: Evaluate | undefined): (frame: Frame) => Kwargs {
  if (named.length === 0 && rest === undefined) return () => undefined
  return (frame) => {
    const kwargs = new Map<string, Value>()
    for (const { name, value } of named) kwargs.set(name, value(frame))
    if (rest === undefined) return kwargs
    const more = rest(frame)
    if (!isDictValue(more)) throw typeError(`argument after ** must be a mapping, not ${typeName(more)}`)
    const entries = entriesOf(more)
    frame.runtime.step(entries.length >> 4)
    for (const [key, value] of entries) {
      const name = stringOf(key)
      if (name === undefined) throw typeError('keywords must be strings')
      if (kwargs.has(name)) throw typeError(`got multiple values for keyword argument '${name}'`)
      kwargs.set(name, value)
    }
    return kwargs
  }
}
