import { PromptError } from '../errors/prompt-error.ts'
import { PythonError } from '../python/python-error.ts'

/** A position in a template's source: offsets of the expression or tag. */
export type Span = { start: number; end: number }

/** Details of a template's error: Python's exception, the position, and the code there. */
export type TemplateErrorDetails = { type: string; reason: string; line: number; column: number; expression: string; name: string }

/**
 * A template that cannot be compiled or rendered. `type` and `reason` are what Python would raise; a template's own
 * `raise_exception(message)` has the type `TemplateError`, and its message is the reason.
 */
export class TemplateError extends PromptError {
  /** The class of Python's exception: `UndefinedError`, `TypeError`, `TemplateSyntaxError`, …; `LimitError` is our own. */
  readonly type: string
  /** Python's message. */
  readonly reason: string
  /** From 1. */
  readonly line: number
  /** From 1, in characters. */
  readonly column: number
  /** The code that failed. */
  readonly expression: string

  constructor({ type, reason, line, column, expression, name }: TemplateErrorDetails) {
    super(codes[type] ?? 'template-failed', {
      where: `${name}, line ${line}, column ${column}`,
      problem: type === 'TemplateError' ? reason : `${reason}${expression === '' ? '' : ` (in ${JSON.stringify(expression)})`}`,
      fix: fixes[type] ?? 'change the template, or give it the input that it expects',
    })
    this.type = type
    this.reason = reason
    this.line = line
    this.column = column
    this.expression = expression
  }
}

const codes: Readonly<Record<string, string>> = {
  TemplateError: 'template-raised',
  TemplateSyntaxError: 'template-syntax',
  UndefinedError: 'template-undefined',
  SecurityError: 'template-unsafe',
  LimitError: 'template-limit',
}

const fixes: Readonly<Record<string, string>> = {
  TemplateError: 'the template itself refuses this input: change the messages as it asks',
  TemplateSyntaxError: 'correct the template',
  UndefinedError: 'give the value that is missing, or guard it in the template with `is defined`',
  SecurityError: 'templates run in a sandbox: build a new value instead of changing one',
  LimitError: 'raise the limit if the template is trusted',
}

/** Adds a position to an error that has none, so that the innermost expression is named. */
export function located(error: unknown, source: string, name: string, span: Span): unknown {
  if (error instanceof PythonError) return errorAt(error.type, error.message, source, name, span)
  if (error instanceof RangeError && /call stack/.test(error.message))
    return errorAt('LimitError', 'the template nests too deeply', source, name, span)
  if (error instanceof RangeError && /string length|array length/i.test(error.message))
    return errorAt('LimitError', 'the template builds a value that is too large', source, name, span)
  return error
}

export function errorAt(type: string, reason: string, source: string, name: string, { start, end }: Span): TemplateError {
  const before = source.slice(0, start)
  const line = before.split('\n').length
  const column = [...before.slice(before.lastIndexOf('\n') + 1)].length + 1
  const code = source.slice(start, end)
  return new TemplateError({ type, reason, line, column, expression: code.length > 80 ? `${code.slice(0, 79)}…` : code, name })
}
