import type { Value } from '../../python/values/value.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { FunctionScope } from './symbols.ts'

/** One activation of a function: the values of its variables; undefined where nothing was assigned yet. */
export class Frame {
  readonly values: (Value | undefined)[]

  constructor(
    readonly runtime: Runtime,
    scope: FunctionScope,
    /** The activation that the function was defined in. */
    readonly outer: Frame | undefined,
  ) {
    this.values = new Array<Value | undefined>(scope.size).fill(undefined)
  }
}

export type Evaluate = (frame: Frame) => Value
export type Decide = (frame: Frame) => boolean

/** What a statement tells the loop around it. */
export const proceed = 0
export const breakLoop = 1
export const continueLoop = 2
export type Signal = typeof proceed | typeof breakLoop | typeof continueLoop
export type Execute = (frame: Frame) => Signal
