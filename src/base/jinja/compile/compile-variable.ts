import type { Value } from '../../python/values/value.ts'
import { undefinedName } from '../../python/values/value.ts'
import type { CompileFrame } from './context.ts'
import type { Evaluate, Frame } from './frame.ts'
import type { Ref, Symbols } from './symbols.ts'

/** Reads a variable; where nothing is assigned, it is Undefined. */
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
  // What the template never assigns is the same all the time: it is looked up once for a render.
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

/** What a frame's variables hold when it begins; undefined where there is nothing to do. */
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
