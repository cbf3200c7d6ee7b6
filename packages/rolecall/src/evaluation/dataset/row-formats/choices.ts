import type { Row } from '@rolecall/core/internal/conversation'
import { dictEntries, dictFromEntries, dictGet, isDict, isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import type { RowFormat, Unfit } from './row-format.ts'

const letters = 'ABCDEFGHIJ'

/**
 * Multiple choice in the layouts found in files: columns A, B, C, D; a list `choices`, `options` or `endings`; ARC's lists of texts and
 * labels; MedQA's object of letters. The answer may be a letter, an index from 0, ARC's label, or the text of one choice.
 */
export const choices: RowFormat = {
  does: 'multiple choice in any of the common layouts: `question`, `A` to `D`, `options` (all of them as lines), `answer` as a letter',
  columns: ['question', 'A', 'B', 'C', 'D', 'options', 'answer'],
  read: (row) => readChoices(row, 0),
}

/** Like `choices`; a number as answer counts from 1, as in Winogrande's files. */
export const choicesFromOne: RowFormat = {
  ...choices,
  does: 'the same; a number as `answer` counts from 1',
  read: (row) => readChoices(row, 1),
}

/** Like `choices`; the answer is always the text of a choice, also where that is a letter or a number. */
export const choicesByText: RowFormat = {
  ...choices,
  does: 'the same; `answer` is the text of a choice, never its letter or number',
  read: (row) => readChoices(row, 'text'),
}

/** Where numbers count from, or that answers are texts. */
type AnswerForm = 0 | 1 | 'text'

function readChoices(row: Row, form: AnswerForm): Row | Unfit {
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
  const { texts } = found
  if (texts.length < 2 || texts.length > letters.length) {
    return { problem: `the row has ${texts.length} choices`, fix: 'give it 2 to 10 choices' }
  }
  const given = answerOf(row)
  const answer = given === undefined ? undefined : letterOf(given, found, form)
  if (given !== undefined && answer === undefined) {
    return {
      problem: `the answer ${JSON.stringify(given)} is none of the ${texts.length} choices`,
      fix:
        form === 'text' ? 'write its text' : `write its letter (A to ${letters[texts.length - 1]}), its number from ${form}, or its text`,
    }
  }
  const shown = texts.map((text, index): [string, PyValue] => [letters[index]!, text])
  const taken = new Set(['question', 'query', 'choices', 'options', 'endings', 'answer', ...shown.map(([name]) => name)])
  const rest = dictEntries(row).filter(([name]) => !taken.has(name))
  return dictFromEntries([
    ...rest,
    ['question', question],
    ...shown,
    ['options', shown.map(([letter, text]) => `${letter}. ${pyStr(text)}`).join('\n')],
    ...(answer === undefined ? [] : [['answer', answer] as const]),
  ])
}

/** Like `choices`; skips rows that do not have four choices, so that labels A to D can be compared. */
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

/** `question`, also as ARC's object with a stem, CMMLU's capitalized column, HellaSwag's context or, in OpenCompass's archive, query. */
function questionOf(row: Row): string | undefined {
  const given = firstOf(row, ['question', 'Question', 'ctx', 'query', 'input'])
  const text = isDict(given) ? dictGet(given, 'stem') : given
  return typeof text === 'string' ? text : undefined
}

type Options = { texts: PyValue[]; labels: string[] }

function optionsOf(row: Row): Options | undefined {
  const given = dictGet(row, 'choices') ?? dictGet(row, 'options') ?? dictGet(row, 'endings') ?? stemChoices(row)
  if (isList(given) && given.length > 0 && given.every((one) => isDict(one) && dictGet(one, 'text') !== undefined)) {
    const dicts = given.filter(isDict)
    return { texts: dicts.map((one) => dictGet(one, 'text')!), labels: dicts.map((one) => pyStr(dictGet(one, 'label'))) }
  }
  if (isList(given)) return { texts: withoutLabels(given), labels: [] }
  const byLetter = isDict(given) ? dictEntries(given) : []
  if (byLetter.length > 1 && byLetter.every(([key], index) => key.toUpperCase() === letters[index]))
    return { texts: byLetter.map(([, text]) => text), labels: [] }
  const texts = isDict(given) ? dictGet(given, 'text') : undefined
  const labels = isDict(given) ? dictGet(given, 'label') : undefined
  if (isList(texts)) return { texts: [...texts], labels: isList(labels) ? labels.map((one) => pyStr(one)) : [] }
  const columns = [...letters].map((letter) => dictGet(row, letter))
  const count = columns.findIndex((text) => text === undefined || text === null)
  const found = columns.slice(0, count < 0 ? undefined : count) as PyValue[]
  return found.length > 0 ? { texts: found, labels: [] } : undefined
}

/** `["A) 21", "B) 22"]`, as in AQuA's files, without the letters. */
export function withoutLabels(texts: readonly PyValue[]): PyValue[] {
  const label = /^\s*[(（]?([A-J])\s*[).:：、．）]\s*/
  const isLabelled = texts.every((text, index) => typeof text === 'string' && label.exec(text)?.[1] === letters[index])
  return isLabelled ? texts.map((text) => (text as string).replace(label, '')) : [...texts]
}

function stemChoices(row: Row): PyValue | undefined {
  const question = dictGet(row, 'question')
  return isDict(question) ? dictGet(question, 'choices') : undefined
}

function firstOf(row: Row, names: readonly string[]): PyValue | undefined {
  return names.map((name) => dictGet(row, name)).find((value) => value !== undefined && value !== null)
}

/** The row's right answer; undefined in test files without answers. */
function answerOf(row: Row): string | undefined {
  const given = firstOf(row, ['answerKey', 'answer', 'Answer', 'label', 'target', 'gold'])
  const single = isList(given) && given.length === 1 ? given[0] : given
  const text = single === undefined ? '' : pyStr(single).trim()
  return text === '' ? undefined : text
}

/** The letter of the right choice; several, in order, if several are right. */
function letterOf(answer: string, { texts, labels }: Options, form: AnswerForm): string | undefined {
  const same = texts.flatMap((text, place) => (pyStr(text).trim() === answer ? [letters[place]!] : []))
  if (form === 'text') return same.length === 1 ? same[0] : undefined
  const labelled = labels.indexOf(answer)
  if (labelled >= 0) return letters[labelled]
  const known = letters.slice(0, texts.length)
  if (answer.length === 1 && known.includes(answer.toUpperCase())) return answer.toUpperCase()
  // Numbers count from 0 by default, as in Hugging Face's class labels, unless the choices are numbered.
  const place = /^\d\d?$/.test(answer) && !labels.some((label) => /^\d$/.test(label)) ? Number(answer) - form : -1
  if (place >= 0 && place < texts.length) return letters[place]
  if (same.length === 1) return same[0]
  return isSeveral(answer, known) ? answer : undefined
}

function isSeveral(answer: string, known: string): boolean {
  const places = [...answer.replace(/[,、\s]/g, '')].map((letter) => known.indexOf(letter))
  return places.length > 1 && places.every((place, index) => place > (places[index - 1] ?? -1))
}
