import { add, intArgument, isInt, notUnderstood, Tuple, type Value, valueError } from '@rolecall/core/internal/python'
import { call } from '../call.ts'
import { generator, itemsOf } from '../containers.ts'
import type { Session } from '../session.ts'
import type { NativeFunction } from '../values.ts'
import { defineModule, native } from './define-module.ts'

const chain = native(
  'chain(*iterables)',
  (session, args) => generator(args.flatMap((arg) => [...itemsOf(session, arg)])),
  new Map([
    [
      'from_iterable',
      native('from_iterable(iterable, /)', (session, args) =>
        generator(itemsOf(session, args[0]!).flatMap((arg) => [...itemsOf(session, arg)])),
      ),
    ],
  ]),
)

export const itertools = defineModule('itertools', {
  chain,
  product: native('product(*iterables, repeat=1)', product),
  combinations: native('combinations(iterable, r)', (session, args) => generator(choose(session, args, false))),
  permutations: native('permutations(iterable, r=None)', (session, args) => generator(choose(session, args, true))),
  islice: native('islice(iterable, start, stop=None, step=None, /)', (session, [items, ...bounds]) => {
    const numbers = bounds.map((bound) => (bound === null ? undefined : countOf(bound)))
    const [start, stop, step = 1] = numbers.length === 1 ? [0, numbers[0]] : numbers
    return generator(
      itemsOf(session, items!)
        .slice(start ?? 0, stop)
        .filter((_, index) => index % step === 0),
    )
  }),
  repeat: native('repeat(object, times=None)', (session, [item, times]) => {
    if (!isInt(times)) throw notUnderstood(session.at, 'an endless repeat(…)', 'pass the number of repetitions')
    const length = Math.max(0, Number(times))
    session.step(length)
    session.allocate(null, length)
    return generator(Array.from({ length }, () => item!))
  }),
  zip_longest: native('zip_longest(*iterables, fillvalue=None)', (session, args, kwargs) => {
    const lists = args.map((arg) => itemsOf(session, arg))
    const fill = kwargs?.get('fillvalue') ?? null
    const length = Math.max(0, ...lists.map((list) => list.length))
    session.step(length * lists.length)
    return generator(Array.from({ length }, (_, index) => new Tuple(lists.map((list) => (index < list.length ? list[index]! : fill)))))
  }),
  starmap: native('starmap(function, iterable, /)', (session, [run, items], _, scope) =>
    generator(itemsOf(session, items!).map((args) => call(session, run!, itemsOf(session, args), undefined, scope))),
  ),
  accumulate: native('accumulate(iterable, func=None, *, initial=None)', (session, [items, run = null], kwargs, scope) => {
    const initial = kwargs?.get('initial') ?? null
    let total: Value | undefined
    return generator(
      [...(initial === null ? [] : [initial]), ...itemsOf(session, items!)].map((item) => {
        total = total === undefined ? item : run === null ? add(total, item) : call(session, run, [total, item], undefined, scope)
        return session.made(total)
      }),
    )
  }),
})

/** A bound of `islice`. */
function countOf(value: Value): number {
  if (!isInt(value) || Number(value) < 0) throw valueError('Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.')
  return Number(value)
}

function product(session: Session, args: readonly Value[], kwargs: Parameters<NativeFunction>[2]): Value {
  const repeat = kwargs?.get('repeat') ?? 1
  if (typeof repeat !== 'number' || repeat > 100) throw notUnderstood(session.at, 'this "repeat"', 'write a small number')
  const lists = Array.from({ length: repeat }, () => args.map((arg) => itemsOf(session, arg))).flat()
  let rows: Value[][] = [[]]
  for (const list of lists) {
    const made = rows.length * list.length
    session.step(made)
    session.allocate(null, made * (rows[0]?.length ?? 1))
    rows = rows.flatMap((row) => list.map((item) => [...row, item]))
  }
  return generator(rows.map((row) => new Tuple(row)))
}

/** Combinations or permutations of the given size, in Python's order. */
function choose(session: Session, args: readonly Value[], inAnyOrder: boolean): Value[] {
  const items = itemsOf(session, args[0]!)
  const size = inAnyOrder && (args[1] ?? null) === null ? items.length : intArgument(args[1]!)
  const found: Value[] = []
  const pick = (chosen: readonly number[]): void => {
    session.step()
    if (chosen.length === size) {
      session.allocate(null, size + 1)
      found.push(new Tuple(chosen.map((index) => items[index]!)))
      return
    }
    const from = inAnyOrder || chosen.length === 0 ? 0 : chosen.at(-1)! + 1
    for (let index = from; index < items.length; index++) if (!inAnyOrder || !chosen.includes(index)) pick([...chosen, index])
  }
  if (size >= 0 && size <= Math.min(items.length, 200)) pick([])
  return found
}
