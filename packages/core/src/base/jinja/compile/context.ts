import { type Str, Text, templateSource } from '../../python/values/text.ts'
import type { Value } from '../../python/values/value.ts'
import { control } from '../../text/index.ts'
import type { Dialect } from '../dialect.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { errorAt, located, type Span } from '../template-error.ts'
import type { FunctionScope, Symbols } from './symbols.ts'

/** The state of compiling a template. */
export class TemplateContext {
  readonly #inputs = new Map<string, number>()
  #helpers = 0
  /** Blocks look names up at run time, so the template's assignments must be found by name. */
  exportsNames = false

  constructor(
    readonly source: string,
    readonly name: string,
    readonly dialect: Dialect,
    /** Whether the template's output records which literal it came from. */
    readonly isTraced = false,
  ) {}

  /** A literal of the template, with its position if the template is traced. */
  ownText(text: string, { start, end }: Span): Str {
    if (!this.isTraced || text === '') return text
    return Text.of(text, [control(text, { ...templateSource, span: [start, end] })])
  }

  /** The names of inputs, in the order of their numbers. */
  get inputNames(): string[] {
    return [...this.#inputs.keys()]
  }

  inputNumber(name: string): number {
    const known = this.#inputs.get(name)
    if (known !== undefined) return known
    this.#inputs.set(name, this.#inputs.size)
    return this.#inputs.size - 1
  }

  /** A unique prefix for variables. */
  freshPrefix(): string {
    return `t${this.#helpers++}`
  }

  /** Adds the position of an expression to an error. */
  at(error: unknown, span: Span): unknown {
    return located(error, this.source, this.name, span)
  }

  fail(type: string, problem: string, span: Span): never {
    throw errorAt(type, problem, this.source, this.name, span)
  }
}

/** The compile-time context of an expression or statement. */
export type CompileFrame = {
  template: TemplateContext
  symbols: Symbols
  scope: FunctionScope
  /** At the top of the template, where blocks can see assignments. */
  toplevel: boolean
  /** Under a condition: an unknown filter is an error only if it is reached. */
  soft: boolean
  autoescape: boolean
}

/** One activation of a function: the values of its variables; undefined if not assigned yet. */
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

/** A statement's signal to the loop around it. */
export const proceed = 0

export const breakLoop = 1

export const continueLoop = 2

export type Signal = typeof proceed | typeof breakLoop | typeof continueLoop

export type Execute = (frame: Frame) => Signal
