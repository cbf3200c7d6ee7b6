import { PromptError } from '@rolecall/core/internal/errors'
import { compactJson, type PyValue } from '@rolecall/core/internal/python'

/** The code of errors in users' functions: they concern one row, whose number the caller adds. */
export const ownFunctionCode = 'own-function'

/** An error of a function in a config: what it did, and what it should do. */
export function ownFunctionError(where: string, problem: string, fix: string): PromptError {
  return new PromptError(ownFunctionCode, { where, problem, fix })
}

/** The error that a function threw, or its promise was rejected with, with the line in the user's file. */
export function thrownBy(where: string, how: string, error: unknown): PromptError {
  const place = error instanceof Error ? placeIn(error.stack ?? '', new Error().stack ?? '') : undefined
  return ownFunctionError(where, `${how} ${inWords(error)}${place ? ` (${place})` : ''}`, 'fix the function, then resume the run (-r)')
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}

/** Why a value cannot be serialized; undefined if it can. Not serializable: a Date, a function, a circular object. */
export function unwritable(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return undefined
  try {
    compactJson(value as PyValue)
    return undefined
  } catch (error) {
    return error instanceof TypeError ? error.message : 'it holds itself'
  }
}

/** Handles an abandoned promise, so that its rejection does not end the process. */
export function forget(promise: PromiseLike<unknown>): void {
  promise.then(undefined, () => {})
}

/** A returned or thrown value, on one line. */
export function inWords(value: unknown): string {
  const text = plainly(value).replace(/\s+/g, ' ').trim()
  return (text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text).replace(/\.$/, '')
}

const mostCharacters = 300

/** Any value can be thrown, including unprintable ones. */
function plainly(value: unknown): string {
  try {
    if (typeof value === 'string') return JSON.stringify(value)
    if (value instanceof Error) return `${value.name}: ${value.message}`
    if (typeof value === 'object' && value !== null) return JSON.stringify(value)
    return typeof value === 'function' ? 'a function' : String(value)
  } catch {
    return `something that cannot be written (${typeof value})`
  }
}

/** The innermost stack frame outside packages, the platform and this package. */
function placeIn(stack: string, here: string): string | undefined {
  const ours = framesOf(here)
  const frames = framesOf(stack)
  // From the first frame that is also in our own stack on, no frame is the user's.
  const end = frames.findIndex(({ line }) => ours.some((own) => own.line === line))
  const theirs = (end < 0 ? frames : frames.slice(0, end)).find(
    ({ file }) => !/^node:|\/node_modules\//.test(file) && !ours.some((own) => own.file === file),
  )
  return theirs && `${theirs.file}:${theirs.number}`
}

/** `at judge (file:///a/config.ts:3:9)`, as V8 writes it, and `judge@https://a/config.ts:3:9`, as other browsers do. */
function framesOf(stack: string): { line: string; file: string; number: string }[] {
  return stack.split('\n').flatMap((line) => {
    const [, file, number] = /(?:^\s*at (?:async )?|\(|@)((?:[a-z-]+:\/\/|node:|\/|[A-Za-z]:[\\/])[^()]*?):(\d+):\d+\)?$/.exec(line) ?? []
    return file && number ? [{ line, file: file.replace(/^file:\/\//, '').replace(/\?.*$/, ''), number }] : []
  })
}
