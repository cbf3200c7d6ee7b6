import { dictEntries, dictFromEntries, dictGet, isDict, isList, type PyValue, pyStr } from '../../python/index.ts'
import type { Row } from '../row.ts'
import type { RowFormat, Unfit } from './row-format.ts'

const letters = 'ABCDEFGHIJ'

/**
 * Multiple choice as files have it: columns A, B, C, D; a list `choices`, `options` or `endings`; ARC's lists of texts and
 * labels. The answer may be a letter, a number from 0, or ARC's label.
 */
export const choices: RowFormat = {
  does: 'multiple choice in any of the common layouts: `question`, `A` to `D`, `options` (all of them as lines), `answer` as a letter',
  columns: ['question', 'A', 'B', 'C', 'D', 'options', 'answer'],
  read(row) {
    const question = questionOf(row)
    const found = optionsOf(row)
    if (question === undefined || found === undefined) {
      return {
        problem: `the row has no ${question === undefined ? 'question' : 'choices'} (it has: ${dictEntries(row)
          .map(([name]) => name)
          .join(', ')})`,
        fix: 'give it a question, and A, B, C, D or a list of choices',
      }
    }
    const { texts, labels } = found
    if (texts.length < 2 || texts.length > letters.length) {
      return { problem: `the row has ${texts.length} choices`, fix: 'give it 2 to 10 choices' }
    }
    const answer = answerOf(row, labels)
    const shown = texts.map((text, index): [string, PyValue] => [letters[index]!, text])
    const taken = new Set(['question', 'choices', 'options', 'endings', 'answer', ...shown.map(([name]) => name)])
    const rest = dictEntries(row).filter(([name]) => !taken.has(name))
    return dictFromEntries([
      ...rest,
      ['question', question],
      ...shown,
      ['options', shown.map(([letter, text]) => `${letter}. ${pyStr(text)}`).join('\n')],
      ...(answer === undefined ? [] : [['answer', answer] as const]),
    ])
  },
}

/** As `choices`; rows with another number of choices than four are left out, so that labels A to D can be compared. */
export const fourChoices: RowFormat = {
  ...choices,
  does: 'the same; rows that do not have four choices are left out, as OpenCompass does',
  read(row) {
    const read = choices.read(row)
    const count = read === undefined || isProblem(read) ? 4 : [...letters].filter((letter) => dictGet(read, letter) !== undefined).length
    return count === 4 ? read : { problem: `the row has ${count} choices, not 4`, fix: 'ask for it by generation, or leave it out' }
  },
}

function isProblem(value: Row | Unfit): value is Unfit {
  return 'problem' in value && 'fix' in value
}

/** `question`, also as ARC's object with a stem, CMMLU's capital, HellaSwag's context. */
function questionOf(row: Row): string | undefined {
  const given = dictGet(row, 'question') ?? dictGet(row, 'Question') ?? dictGet(row, 'ctx') ?? dictGet(row, 'input')
  const text = isDict(given) ? dictGet(given, 'stem') : given
  return typeof text === 'string' ? text : undefined
}

function optionsOf(row: Row): { texts: PyValue[]; labels: string[] } | undefined {
  const given = dictGet(row, 'choices') ?? dictGet(row, 'options') ?? dictGet(row, 'endings') ?? stemChoices(row)
  if (isList(given) && given.length > 0 && given.every((one) => isDict(one) && dictGet(one, 'text') !== undefined)) {
    const dicts = given.filter(isDict)
    return { texts: dicts.map((one) => dictGet(one, 'text')!), labels: dicts.map((one) => pyStr(dictGet(one, 'label'))) }
  }
  if (isList(given)) return { texts: [...given], labels: [] }
  const texts = isDict(given) ? dictGet(given, 'text') : undefined
  const labels = isDict(given) ? dictGet(given, 'label') : undefined
  if (isList(texts)) return { texts: [...texts], labels: isList(labels) ? labels.map((one) => pyStr(one)) : [] }
  const columns = [...letters].map((letter) => dictGet(row, letter))
  const count = columns.findIndex((text) => text === undefined || text === null)
  const found = columns.slice(0, count < 0 ? undefined : count) as PyValue[]
  return found.length > 0 ? { texts: found, labels: [] } : undefined
}

function stemChoices(row: Row): PyValue | undefined {
  const question = dictGet(row, 'question')
  return isDict(question) ? dictGet(question, 'choices') : undefined
}

function answerOf(row: Row, labels: readonly string[]): string | undefined {
  const given =
    dictGet(row, 'answerKey') ?? dictGet(row, 'answer') ?? dictGet(row, 'Answer') ?? dictGet(row, 'label') ?? dictGet(row, 'target')
  if (given === undefined || given === null || given === '') return undefined
  const text = pyStr(given).trim()
  const labelled = labels.indexOf(text)
  if (labelled >= 0) return letters[labelled]
  if (/^[A-J]$/i.test(text)) return text.toUpperCase()
  // Numbers count from 0, as in Hugging Face's class labels.
  return /^\d$/.test(text) ? letters[Number(text)] : text
}
