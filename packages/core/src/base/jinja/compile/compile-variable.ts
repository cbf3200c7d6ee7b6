import { PythonError, typeError, valueError } from '../../python/python-error.ts'
import { listOf } from '../../python/values/sequence.ts'
import { isListValue, Namespace, Tuple, typeName, undefinedName, type Value } from '../../python/values/value.ts'
import type { JinjaTarget } from '../syntax/jinja-ast.ts'
import type { CompileFrame, Evaluate, Frame } from './context.ts'
import type { Ref, Symbols } from './symbols.ts'

/** Reads a variable; Undefined if it is not assigned. */
export function compileName(name: string, frame: CompileFrame): Evaluate {
  const read = compileRead(name, frame)
  return (running) => {
    const value = read(running)
    return value === undefined ? undefinedName(name) : value
  }
}

type Read = (frame: Frame) => Value | undefined

function compileRead(name: string, { symbols, scope, template }: CompileFrame): Read {
  const ref = symbols.findRef(name)
  const load = ref === undefined ? undefined : symbols.findLoad(ref)
  // A name that the template never assigns is an input, which is looked up by number.
  if (ref === undefined || (!ref.stored && load?.kind === 'resolve')) {
    const number = template.inputNumber(name)
    return ({ runtime }) => runtime.inputs[number]
  }
  return readRef(ref, scope)
}

function readRef({ scope: owner, slot }: Ref, scope: Ref['scope']): Read {
  let hops = 0
  for (let at: Ref['scope'] | undefined = scope; at !== owner; at = at.parent) {
    if (at === undefined) throw new Error('a variable of no function around this one')
    hops++
  }
  if (hops === 0) return (frame) => frame.values[slot]
  if (hops === 1) return (frame) => frame.outer!.values[slot]
  return (frame) => {
    let at = frame
    for (let hop = 0; hop < hops; hop++) at = at.outer!
    return at.values[slot]
  }
}

/** Initializes a frame's variables; undefined if there is nothing to do. */
export function compileEntry(symbols: Symbols, { scope, template }: CompileFrame): ((frame: Frame) => void) | undefined {
  const steps: ((frame: Frame) => void)[] = []
  for (const [ref, load] of symbols.loads) {
    const { slot } = ref
    if (load.kind === 'resolve' && ref.stored) {
      const number = template.inputNumber(load.name)
      steps.push((frame) => {
        frame.values[slot] = frame.runtime.inputs[number]
      })
    } else if (load.kind === 'alias') {
      const outerLoad = symbols.findLoad(load.ref)
      const read: Read =
        !load.ref.stored && outerLoad?.kind === 'resolve' ? readInput(template.inputNumber(outerLoad.name)) : readRef(load.ref, scope)
      steps.push((frame) => {
        frame.values[slot] = read(frame)
      })
    } else if (load.kind === 'undefined') {
      steps.push((frame) => {
        frame.values[slot] = undefined
      })
    }
  }
  if (steps.length === 0) return undefined
  if (steps.length === 1) return steps[0]
  return (frame) => {
    for (let index = 0; index < steps.length; index++) steps[index]!(frame)
  }
}

function readInput(number: number): Read {
  return ({ runtime }) => runtime.inputs[number]
}

export type Assign = (frame: Frame, value: Value) => void

/** Compiles an assignment to a target. */
export function compileAssignment(target: JinjaTarget, frame: CompileFrame): Assign {
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
