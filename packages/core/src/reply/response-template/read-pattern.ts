import { UnsupportedPattern } from '../../base/pattern/parse-pattern.ts'
import { InvalidPattern } from '../../base/pattern/python/parse-python-pattern.ts'
import { PythonPattern } from '../../base/pattern/python/python-pattern.ts'
import { shown, templateError } from './response-template-error.ts'

/** A pattern of a template, compiled. */
export function readPattern(source: unknown, where: string): PythonPattern {
  if (typeof source !== 'string') throw templateError(where, `must be a regular expression, not ${shown(source)}`, 'write it as a text')
  try {
    return new PythonPattern(source)
  } catch (error) {
    if (error instanceof InvalidPattern)
      throw templateError(where, `${shown(source)} is no regular expression: ${error.message}`, 'correct it')
    if (error instanceof UnsupportedPattern)
      throw templateError(where, `${shown(source)} cannot be matched: ${error.message}`, 'write it without that construct')
    throw error
  }
}
