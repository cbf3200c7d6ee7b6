import { add, intArgument, isInt, notUnderstood, Tuple, type Value, valueError } from '@rolecall/core/internal/python'
import { call } from '../call.ts'
import { generator, iterate, itemsOf } from '../containers.ts'
import type { Session } from '../session.ts'
import type { NativeFunction } from '../values.ts'
import { defineModule, native } from './define-module.ts'

const chain = native(
  'chain(*iterables)',
  (session, args) => generator(chained(session, args)),
  new Map([
    [
      'from_iterable',
      native('from_iterable(iterable, /)', (session, args) =>
        generator(chained(session, itemsOf(session, args[0]!))),
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
    return generator(part(iterate(session, items!), { start: start ?? 0, stop: stop ?? Number.POSITIVE_INFINITY, step }))
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

function* chained(session: Session, lists: readonly Value[]): Iterable<Value> {
  for (const list of lists) yield* iterate(session, list)
}

/** Nothing behind `stop` is asked for. */
function* part(items: Iterable<Value>, { start, stop, step }: { start: number; stop: number; step: number }): Iterable<Value> {
  if (stop <= start) return
  let index = 0
  for (const item of items) {
    if (index >= start && (index - start) % step === 0) yield item
    if (++index >= stop) return
  }
}

function product(session: Session, args: readonly Value[], kwargs: Parameters<NativeFunction>[2]): Value {
  const repeat = kwargs?.get('repeat') ?? 1
  if (typeof repeat !== 'number' || repeat > 100) throw notUnderstood(session.at, 'this "repeat"', 'write a small number')
  const lists = Array.from({ length: repeat }, () => args.map((arg) => itemsOf(session, arg))).flat()
  if (lists.length > 200) throw notUnderstood(session.at, 'a product of more than 200 lists', 'write fewer')
  return generator(rowsOf(session, lists, []))
}

function* rowsOf(session: Session, lists: readonly (readonly Value[])[], chosen: readonly Value[]): Iterable<Value> {
  session.step()
  const list = lists[chosen.length]
  if (list === undefined) yield new Tuple([...chosen])
  else for (const item of list) yield* rowsOf(session, lists, [...chosen, item])
}

/** Combinations or permutations of the given size, in Python's order. */
function choose(session: Session, args: readonly Value[], inAnyOrder: boolean): Iterable<Value> {
  const items = itemsOf(session, args[0]!)
  const size = inAnyOrder && (args[1] ?? null) === null ? items.length : intArgument(args[1]!)
  if (size > 200 && size <= items.length) throw notUnderstood(session.at, 'a choice of more than 200 items', 'choose fewer')
  return size < 0 || size > items.length ? [] : pick([])

  function* pick(chosen: readonly number[]): Iterable<Value> {
    session.step()
    if (chosen.length === size) {
      yield new Tuple(chosen.map((index) => items[index]!))
      return
    }
    const from = inAnyOrder || chosen.length === 0 ? 0 : chosen.at(-1)! + 1
    for (let index = from; index < items.length; index++) if (!inAnyOrder || !chosen.includes(index)) yield* pick([...chosen, index])
  }
}
