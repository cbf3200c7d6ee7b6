import { getAttribute, getItem } from '../../python/methods/attributes.ts'
import { dictMethods, dictMutators } from '../../python/methods/container-methods.ts'
import { sliceValue } from '../../python/values/sequence.ts'
import { InputDict, Namespace, type Value } from '../../python/values/value.ts'
import { LoopContext } from '../runtime/loop.ts'
import type { Expression } from '../syntax/ast.ts'
import { compileExpression } from './compile-expression.ts'
import type { CompileFrame } from './context.ts'
import type { Evaluate } from './frame.ts'

/** `object.name`. */
export function compileAttribute(node: Expression & { kind: 'attribute' }, frame: CompileFrame): Evaluate {
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

/** `object[key]`. */
export function compileItem(node: Expression & { kind: 'item' }, frame: CompileFrame): Evaluate {
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
