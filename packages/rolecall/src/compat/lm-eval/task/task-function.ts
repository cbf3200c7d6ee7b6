import type { Value } from '@rolecall/core/internal/python'
import type { LoadingFunction } from '../python/provided.ts'
import type { UnsupportedPart } from '../python/unsupported-parts.ts'
import type { FunctionMark } from '../yaml/function-mark.ts'

/** A Python function of a task, interpreted and never executed by Python. */
export type TaskFunction = {
  /** Its name without the module. */
  name: string
  /** How often functions of the same host have drawn from the generator of `random`, and from a `random.Random`, which may outlive the call. */
  draws(): Draws
  call(args: readonly Value[], kwargs?: ReadonlyMap<string, Value>): Value
  /** The same within the limits of one row: an infinite loop is stopped after seconds. */
  callForRow(args: readonly Value[], kwargs?: ReadonlyMap<string, Value>): Value
  /** The same for a function that makes a whole dataset: it may take minutes. */
  callOnce(args: readonly Value[], kwargs?: ReadonlyMap<string, Value>): Value
  /** What it loads, found in its code: rows, tokenizers, files of the web. */
  loads(): ReadonlyMap<LoadingFunction['loads'], UnsupportedPart>
  /** What it reaches that is not supported, found in its code. */
  unsupported(): readonly UnsupportedPart[]
  /** Calls the function that it returns under this key, without arguments: `aggregation()["f1"](items)`. */
  callEntry(key: string, args: readonly Value[]): Value
  /** Of a class: an attribute of the one object that is made of it. */
  attribute?(name: string): Value
  /** Of a class: makes an object with these arguments, and calls one of its methods. */
  callMethod?(options: ReadonlyMap<string, Value>, method: string, args: readonly Value[]): Value
}

/** Numbers of draws. */
export type Draws = { readonly shared: number; readonly own: number }

/** Finds the function that a mark names, or refuses it by name. */
export type FindFunction = (mark: FunctionMark) => TaskFunction
