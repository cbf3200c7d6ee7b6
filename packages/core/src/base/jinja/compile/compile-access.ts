import { getAttribute, getItem } from '../../python/methods/attributes.ts'
import { dictMethods, dictMutators, listMethods } from '../../python/methods/container-methods.ts'
import { strMethods } from '../../python/methods/str-methods.ts'
import { typeError } from '../../python/python-error.ts'
import { entriesOf } from '../../python/values/dict.ts'
import { listOf, sliceValue } from '../../python/values/sequence.ts'
import { InputDict, isDictValue, type Kwargs, Namespace, stringOf, typeName, type Value } from '../../python/values/value.ts'
import { LoopContext } from '../runtime/loop.ts'
import { callMethod, callValue } from '../runtime/runtime.ts'
import type { Arguments, JinjaExpression } from '../syntax/jinja-ast.ts'
import { compileExpression } from './compile-expression.ts'
import type { CompileFrame, Evaluate, Frame } from './context.ts'

/** `object.name`. */
export function compileAttribute(node: JinjaExpression & { kind: 'attribute' }, frame: CompileFrame): Evaluate {
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
  // A method hides a key of the same name; JavaScript's own properties must stay hidden.
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

/** `object[key]`. */
export function compileItem(node: JinjaExpression & { kind: 'item' }, frame: CompileFrame): Evaluate {
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

export type CompiledArguments = { args: (frame: Frame) => readonly Value[]; kwargs: (frame: Frame) => Kwargs }

/** A call; `extra` is a call block's `caller`. */
export function compileCall(node: JinjaExpression & { kind: 'call' }, frame: CompileFrame, extra?: (frame: Frame) => Value): Evaluate {
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
  node: JinjaExpression,
  { object: owner, name }: JinjaExpression & { kind: 'attribute' },
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
