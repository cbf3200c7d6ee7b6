import { PythonError, typeError, valueError } from '../../python/python-error.ts'
import { listOf } from '../../python/values/sequence.ts'
import { isListValue, Namespace, Tuple, typeName, type Value } from '../../python/values/value.ts'
import type { Target } from '../syntax/ast.ts'
import { compileName } from './compile-variable.ts'
import type { CompileFrame } from './context.ts'
import type { Frame } from './frame.ts'

export type Assign = (frame: Frame, value: Value) => void

/** Makes a function that assigns to a target. */
export function compileAssignment(target: Target, frame: CompileFrame): Assign {
  const { template, symbols } = frame
  switch (target.kind) {
    case 'name': {
      const { slot } = symbols.findRef(target.name)!
      if (!frame.toplevel || !template.exportsNames)
        return (running, value) => {
          running.values[slot] = value
        }
      const number = template.inputNumber(target.name)
      return (running, value) => {
        running.values[slot] = value
        running.runtime.inputs[number] = value
      }
    }
    case 'namespace': {
      const owner = compileName(target.name, frame)
      const { attribute } = target
      return (running, value) => {
        const object = owner(running)
        if (!(object instanceof Namespace))
          throw template.at(new PythonError('TemplateRuntimeError', 'cannot assign attribute on non-namespace object'), target)
        object.attributes.set(attribute, value)
      }
    }
    case 'tuple': {
      const assigns = target.items.map((item) => compileAssignment(item, frame))
      return (running, value) => {
        try {
          const items = unpack(value, assigns.length)
          for (let index = 0; index < assigns.length; index++) assigns[index]!(running, items[index]!)
        } catch (error) {
          throw template.at(error, target)
        }
      }
    }
  }
}

function unpack(value: Value, count: number): readonly Value[] {
  const items = value instanceof Tuple ? value.items : isListValue(value) ? value : itemsFor(value)
  if (items.length < count) throw valueError(`not enough values to unpack (expected ${count}, got ${items.length})`)
  if (items.length > count) throw valueError(`too many values to unpack (expected ${count})`)
  return items
}

function itemsFor(value: Value): readonly Value[] {
  try {
    return listOf(value)
  } catch (error) {
    if (error instanceof PythonError && /is not iterable$/.test(error.message))
      throw typeError(`cannot unpack non-iterable ${typeName(value)} object`)
    throw error
  }
}
