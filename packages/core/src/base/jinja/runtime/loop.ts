import { positional } from '../../python/methods/method.ts'
import { typeError } from '../../python/python-error.ts'
import { equals } from '../../python/values/dict.ts'
import { sizeOf } from '../../python/values/sequence.ts'
import { Tuple, Undefined, type Value } from '../../python/values/value.ts'
import { Callable, PyFunction, type Runtime } from './runtime.ts'

/** Renders a recursive loop's body for other items. */
export type Recurse = (runtime: Runtime, iterable: Value, depth: number) => Value

/** The `loop` variable. It reads ahead only when the template uses the next item. */
export class LoopContext extends Callable {
  readonly typeName = 'LoopContext'
  index0 = -1
  #before: Value | undefined
  #current: Value | undefined
  #after: Value | undefined
  #length: number | undefined
  #lastChanged: Value | undefined
  #iterator: Iterator<Value> | undefined
  #items: readonly Value[] | undefined
  #at = 0

  /** `items` if all are known, else an iterator. */
  constructor(
    iterable: Value,
    items: readonly Value[] | undefined,
    iterator: Iterator<Value> | undefined,
    readonly recurse: Recurse | undefined,
    readonly depth0: number,
  ) {
    super()
    this.#items = items
    this.#iterator = iterator
    // A filtered loop has no length before it has been exhausted.
    this.#length = items === undefined ? undefined : (sizeOf(iterable) ?? items.length)
  }

  /** The next item; undefined at the end. */
  next(): Value | undefined {
    let value = this.#after
    if (value === undefined) value = this.#read()
    else this.#after = undefined
    if (value === undefined) return undefined
    this.index0++
    this.#before = this.#current
    this.#current = value
    return value
  }

  get length(): number {
    if (this.#length === undefined) {
      const rest: Value[] = []
      for (let value = this.#read(); value !== undefined; value = this.#read()) rest.push(value)
      this.#items = rest
      this.#iterator = undefined
      this.#at = 0
      this.#length = rest.length + this.index0 + 1 + (this.#after === undefined ? 0 : 1)
    }
    return this.#length
  }

  get isLast(): boolean {
    return this.#peek() === undefined
  }

  override attribute(name: string): Value | undefined {
    switch (name) {
      case 'index':
        return this.index0 + 1
      case 'index0':
        return this.index0
      case 'first':
        return this.index0 === 0
      case 'last':
        return this.isLast
      case 'length':
        return this.length
      case 'revindex':
        return this.length - this.index0
      case 'revindex0':
        return this.length - this.index0 - 1
      case 'depth':
        return this.depth0 + 1
      case 'depth0':
        return this.depth0
      case 'previtem':
        return this.index0 === 0 ? new Undefined(() => 'there is no previous item') : this.#before
      case 'nextitem':
        return this.isLast ? new Undefined(() => 'there is no next item') : this.#peek()
      case 'cycle':
        return new PyFunction('cycle', (_, args) => {
          if (args.length === 0) throw typeError('no items for cycling given')
          return args[this.index0 % args.length]!
        })
      case 'changed':
        return new PyFunction('changed', (_, args) => this.#changed(new Tuple(args)))
      default:
        return undefined
    }
  }

  override show(): string {
    return `<LoopContext ${this.index0 + 1}/${this.length}>`
  }

  call(runtime: Runtime, args: readonly Value[]): Value {
    positional('loop', 1, 1, args, undefined)
    if (this.recurse === undefined) throw typeError("The loop must have the 'recursive' marker to be called recursively.")
    return this.recurse(runtime, args[0]!, this.depth0 + 1)
  }

  #changed(values: Tuple): boolean {
    if (this.#lastChanged !== undefined && equals(this.#lastChanged, values)) return false
    this.#lastChanged = values
    return true
  }

  #peek(): Value | undefined {
    if (this.#after === undefined) this.#after = this.#read() // an item may be None
    return this.#after
  }

  #read(): Value | undefined {
    if (this.#items !== undefined) return this.#at < this.#items.length ? (this.#items[this.#at++] ?? null) : undefined
    const next = this.#iterator!.next()
    return next.done ? undefined : next.value
  }
}
