import { typeError } from '../../../python/python-error.ts'
import { call } from '../call.ts'
import { itemsOf } from '../items.ts'
import { Builtin, NameRef, Unknown } from '../values.ts'
import { defineModule, native } from './define-module.ts'

export const functools = defineModule('functools', {
  reduce: native('reduce', (session, [run, items, start], _, scope) => {
    const [first, ...rest] = start === undefined ? itemsOf(session, items!) : [start, ...itemsOf(session, items!)]
    if (first === undefined) throw typeError('reduce() of empty iterable with no initial value')
    return rest.reduce((total, item) => session.made(call(session, run!, [total, item], undefined, scope)), first)
  }),
  partial: native('partial', (_, [run, ...given], known) => {
    // A class of which only the name is known stays one, whatever it is to be given.
    if (run instanceof NameRef || run instanceof Unknown) return run
    return new Builtin('partial', (session, args, kwargs, scope) =>
      call(session, run!, [...given, ...args], new Map([...(known ?? []), ...(kwargs ?? [])]), scope),
    )
  }),
})
