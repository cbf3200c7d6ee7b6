/** The parts of an error message: the place, the problem, the fix. */
export type PromptErrorDetails = {
  /** The place in the config, row or file, e.g. `mmlu › infer_cfg.prompt_template.template.begin[0].role`. */
  where: string
  problem: string
  fix: string
}

/**
 * The one error for a user's mistake: a code for programs; where, what and the fix for people.
 *
 * @example
 * const error = new PromptError('unknown-role', { where: 'template.begin[0].role', problem: 'no role "X"', fix: 'add it' })
 * error.code // => 'unknown-role'
 */
export class PromptError extends Error {
  override readonly name = 'PromptError'
  readonly where: string
  readonly problem: string
  readonly fix: string

  constructor(
    readonly code: string,
    details: PromptErrorDetails,
  ) {
    super(`${details.where}: ${withStop(details.problem)} ${withStop(capitalise(details.fix))}`)
    this.where = details.where
    this.problem = details.problem
    this.fix = details.fix
  }
}

// A package that a config imports may bring another copy of this library: its PromptErrors count as well.
const brand = Symbol.for('rolecall.PromptError')
Object.defineProperty(PromptError.prototype, brand, { value: true })
Object.defineProperty(PromptError, Symbol.hasInstance, {
  value(this: object, given: unknown) {
    if (this !== PromptError) return Function.prototype[Symbol.hasInstance].call(this as never, given)
    return typeof given === 'object' && given !== null && brand in given
  },
})

/** A template's own message may end with a full stop. */
function withStop(text: string): string {
  return /[.?!…]$/.test(text) ? text : `${text}.`
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
