import type { PyValue } from '@rolecall/core/internal/python'
import { strip } from '@rolecall/core/internal/python'
import { at, dictOf, letter, lookUp, type RowDict, textAt } from '../row-values.ts'

const patterns = ['ABCD', 'BCDA', 'CDAB', 'DABC']

/** Choices on separate lines, each with its letter. */
export function numberedChoices(options: readonly PyValue[], text: (option: PyValue) => string): string {
  return options.map((option, index) => `${letter(index)}. ${text(option)}\n`).join('')
}

/** A four-choice question in four orders; the answer encodes the row, the letter and the order. */
export function circularRows(entry: RowDict, id: number, choices: (options: readonly PyValue[]) => string): RowDict[] {
  return patterns.map((pattern) => {
    const options = [...pattern].map((choice) => at(at(entry, 'options'), choice.charCodeAt(0) - 65))
    const letters = Object.fromEntries([...pattern].map((choice, index) => [choice, letter(index)]))
    const line = dictOf(entry)
    line.set('options', options)
    line.set('answer', `${id}--${lookUp(letters, at(entry, 'answer')) as string}--${pattern}`)
    line.set('question', `${strip(textAt(entry, 'question'))}\n${choices(options)}`)
    return line
  })
}
