import { isList, type PyValue, pyStr } from '../../../base/python/index.ts'

/** The accepted answers; a single one need not be a list. */
export function acceptedAnswers(reference: PyValue): string[] {
  return (isList(reference) ? reference : [reference]).map((answer) => pyStr(answer))
}
