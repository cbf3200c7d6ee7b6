/** An error as Python or Jinja2 would raise it: `type` is the name of the exception class, the message is Python's own. */
export class PythonError extends Error {
  override readonly name = 'PythonError'

  constructor(
    readonly type: string,
    message: string,
  ) {
    super(message)
  }
}

export const typeError = (message: string): PythonError => new PythonError('TypeError', message)
export const valueError = (message: string): PythonError => new PythonError('ValueError', message)
/** A bound of the engine, not of Python: steps, output, nesting. */
export const limitError = (message: string): PythonError => new PythonError('LimitError', message)
