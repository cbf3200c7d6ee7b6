import { PromptError } from '../../base/errors/prompt-error.ts'
import { PyFloat } from '../../base/python/index.ts'

/** A response template that transformers refuses as well, or that would fail at the first reply. */
export function templateError(where: string, problem: string, fix: string): PromptError {
  return new PromptError('response-template', { where: `response_template${where}`, problem, fix })
}

/** A value from a template, for a message. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'object' && value !== null && !(value instanceof PyFloat)) return Array.isArray(value) ? 'a list' : 'an object'
  const text = JSON.stringify(value instanceof PyFloat ? value.value : typeof value === 'bigint' ? String(value) : value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
