import { pyFloat } from '../../../python/index.ts'
import type { Value } from '../../../python/values/value.ts'
import type { Builtin } from '../values.ts'
import { defineModule, native, numberOf } from './define-module.ts'

const toFloat = (name: string, run: (...numbers: number[]) => number): Builtin =>
  native(name, (_, args) => pyFloat(run(...args.map(numberOf))))

const toInt = (name: string, run: (number: number) => number): Builtin =>
  native(name, (_, args): Value => (Number.isSafeInteger(run(numberOf(args[0]))) ? run(numberOf(args[0])) : BigInt(run(numberOf(args[0])))))

export const math = defineModule('math', {
  pi: Math.PI,
  e: Math.E,
  inf: Number.POSITIVE_INFINITY,
  nan: Number.NaN,
  floor: toInt('floor', Math.floor),
  ceil: toInt('ceil', Math.ceil),
  trunc: toInt('trunc', Math.trunc),
  exp: toFloat('exp', Math.exp),
  log: toFloat('log', (number, base) => (base === undefined ? Math.log(number) : Math.log(number) / Math.log(base))),
  log10: toFloat('log10', Math.log10),
  log2: toFloat('log2', Math.log2),
  pow: toFloat('pow', (base, exponent) => base ** exponent!),
  sqrt: toFloat('sqrt', Math.sqrt),
  fabs: toFloat('fabs', Math.abs),
})
