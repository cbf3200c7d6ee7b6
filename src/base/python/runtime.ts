import type { Limits } from './limits.ts'
import { longText } from './meter.ts'
import { limitError } from './python-error.ts'
import { Sink, Text } from './values/text.ts'
import { type Kwargs, PyObject, type Value } from './values/value.ts'

/** One render of a template: where it writes, what it has used up, and what it was given. */
export class Runtime {
  out = new Sink()
  /** The sink of the template itself, outside macros and blocks that collect text. */
  readonly root: Sink
  steps = 0
  #depth = 0
  /** Offsets in the template's own output of what `{% generation %}` blocks wrote: start and length, in turn. */
  readonly marks: { at: number; length: number }[] = []
  /** What each `{{ … }}` wrote of the text, where that is asked for. */
  written: { start: number; end: number; span: readonly [number, number] }[] | undefined

  constructor(
    /** The values of names that the template takes from outside, by their number. */
    readonly inputs: (Value | undefined)[],
    readonly limits: Limits,
    readonly clock: Date,
  ) {
    this.root = this.out
  }

  /** Counts a loop's turn, a call, an item of a filter. */
  step(cost = 1): void {
    this.steps += cost
    if (this.steps > this.limits.steps) throw limitError(`more than ${this.limits.steps.toLocaleString('en-US')} steps`)
    const { out } = this
    if (out.before + out.text.length > this.limits.output)
      throw limitError(`more than ${this.limits.output.toLocaleString('en-US')} characters of output`)
  }

  /** Counts what it takes to look at a value. */
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

export type Native = (runtime: Runtime, args: readonly Value[], kwargs: Kwargs) => Value

/** A function that templates can call. */
export class PyFunction extends PyObject {
  readonly typeName: string = 'function'

  constructor(
    readonly name: string,
    readonly call: Native,
  ) {
    super()
  }
}
