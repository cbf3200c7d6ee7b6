import { AttributeObject } from '../../python/methods/attributes.ts'
import { BoundMethod, type Method } from '../../python/methods/method.ts'
import { limitError, typeError } from '../../python/python-error.ts'
import type { Limits } from '../../python/python-limits.ts'
import { longText } from '../../python/python-limits.ts'
import { Sink, Text } from '../../python/values/text.ts'
import type { Kwargs, Value } from '../../python/values/value.ts'
import { typeName, Undefined } from '../../python/values/value.ts'

/** One render of a template: its output, its resource usage, and its inputs. */
/** About a tenth of a millisecond. */
const stepsBetween = 100

export class Runtime {
  out = new Sink()
  /** The sink of the template itself, outside macros and capturing blocks. */
  readonly root: Sink
  steps = 0
  #depth = 0
  /** Steps since `isOver` was asked. */
  #asked = 0
  /** Offsets of the output of `{% generation %}` blocks: start and length, alternating. */
  readonly marks: { at: number; length: number }[] = []
  /** The ranges that each `{{ … }}` wrote, in a traced render. */
  written: { start: number; end: number; span: readonly [number, number] }[] | undefined

  constructor(
    /** The values of the template's inputs, by number. */
    readonly inputs: (Value | undefined)[],
    readonly limits: Limits,
    readonly clock: Date,
    readonly isOver?: () => boolean,
  ) {
    this.root = this.out
  }

  /** Counts a loop iteration, a call, an item of a filter. */
  step(cost = 1): void {
    this.steps += cost
    if (this.steps > this.limits.steps) throw limitError(`more than ${this.limits.steps.toLocaleString('en-US')} steps`)
    const { out } = this
    if (out.before + out.text.length > this.limits.output)
      throw limitError(`more than ${this.limits.output.toLocaleString('en-US')} characters of output`)
    if (!this.isOver) return
    this.#asked += cost
    if (this.#asked >= stepsBetween) {
      this.#asked = 0
      if (this.isOver()) throw limitError('more time than the templates of a command have together')
    }
  }

  /** Counts the cost of visiting a value. */
  charge(value: Value): void {
    if (typeof value === 'string') {
      if (value.length > longText) this.step(value.length >> 10)
    } else if (Array.isArray(value)) {
      if (value.length > longText) this.step(value.length >> 4)
    } else if (value instanceof Text) {
      if (value.value.length > longText) this.step(value.value.length >> 10)
    }
  }

  enter(): void {
    this.step()
    if (++this.#depth > this.limits.depth) throw limitError(`more than ${this.limits.depth} calls inside one another`)
  }

  leave(): void {
    this.#depth--
  }
}

export type JinjaFunction = (runtime: Runtime, args: readonly Value[], kwargs: Kwargs) => Value

/** An object that templates can call. */
export abstract class Callable extends AttributeObject {
  abstract call(runtime: Runtime, args: readonly Value[], kwargs: Kwargs): Value

  attribute(_: string): Value | undefined {
    return undefined
  }
}

/** A function that is built in, or passed by the program. */
export class PyFunction extends Callable {
  readonly typeName: string = 'function'

  constructor(
    readonly name: string,
    readonly call: JinjaFunction,
  ) {
    super()
  }
}

export function callValue(runtime: Runtime, callee: Value, args: readonly Value[], kwargs: Kwargs): Value {
  if (callee instanceof Callable) return callee.call(runtime, args, kwargs)
  if (callee instanceof BoundMethod) return callMethod(runtime, callee.method, callee.self, args, kwargs)
  if (callee instanceof Undefined) throw callee.error
  throw typeError(`'${typeName(callee)}' object is not callable`)
}

export function callMethod(runtime: Runtime, method: Method<never>, self: Value, args: readonly Value[], kwargs: Kwargs): Value {
  // The cost of a method grows with its text.
  if (typeof self === 'string') {
    if (self.length > longText) runtime.step(self.length >> 10)
  } else {
    runtime.step()
    runtime.charge(self)
  }
  for (const arg of args) runtime.charge(arg)
  return method(runtime, self as never, args, kwargs)
}
