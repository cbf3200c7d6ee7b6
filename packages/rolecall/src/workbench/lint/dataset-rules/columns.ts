import { fieldText } from '@rolecall/core/internal/conversation'
import { dictKeys } from '@rolecall/core/internal/python'
import { templateFields } from '../../../evaluation/run/ask/template-fields.ts'
import type { DatasetRule, DatasetSubject, LintedRow } from '../dataset-rule.ts'
import { quote } from '../quote.ts'

const rows = [
  { question: '1+1=?', hint: 'a', answer: '2' },
  { question: '1+2=?', hint: 'b', answer: '3' },
  { question: '2+2=?', hint: 'c', answer: '4' },
]
const template = (prompt: string) => ({
  prompt_template: {
    template: {
      round: [
        { role: 'HUMAN', prompt },
        { role: 'BOT', prompt: '{answer}' },
      ],
    },
  },
})
const columns = (...input: string[]) => ({ input_columns: input, output_column: 'answer' })

/** The columns that templates use. */
function shownColumns({ dataset }: DatasetSubject): Set<string> {
  const { asked, examples } = templateFields(dataset)
  return new Set([...asked, ...examples].flatMap(({ name, is }) => (is === 'text' ? [] : [name])))
}

/** A declared column that no template uses. */
export const fieldUnused: DatasetRule = {
  id: 'field-unused',
  severity: 'note',
  finds: 'No template uses a column of `input_columns`.',
  why: 'The prompt may lack something the question needs, such as the options.',
  fix: 'use it in the template as {column}, or remove it from input_columns',
  example: {
    bad: { rows, reader_cfg: columns('question', 'hint'), infer_cfg: template('{question}') },
    good: { rows, reader_cfg: columns('question', 'hint'), infer_cfg: template('{question} ({hint})') },
  },
  check(subject) {
    const { reader_cfg: reader, infer_cfg: infer } = subject.dataset
    const template = infer.prompt_template ?? infer.ice_template
    // Messages may come from a column unchanged, and a function may use any column.
    if (template === undefined || 'messages' in template) return []
    const shown = shownColumns(subject)
    const unused = [reader?.input_columns ?? []].flat().filter((column) => !shown.has(column))
    return unused.map((column) => ({ path: 'reader_cfg.input_columns', problem: `no template uses the column "${column}"` }))
  },
}

/** A column that is empty in all rows. */
export const fieldEmpty: DatasetRule = {
  id: 'field-empty',
  severity: 'warning',
  finds: 'A column used by a template is empty in every row.',
  why: 'The prompt has a gap: the column is misspelt in the data, or an earlier step failed to fill it.',
  fix: 'fill the column, or remove it from the template',
  example: {
    bad: {
      rows: rows.map((row) => ({ ...row, hint: '' })),
      reader_cfg: columns('question', 'hint'),
      infer_cfg: template('{question} {hint}'),
    },
    good: { rows, reader_cfg: columns('question', 'hint'), infer_cfg: template('{question} {hint}') },
  },
  check(subject) {
    if (subject.rows.length === 0) return []
    const has = new Set(subject.rows.flatMap(({ row }) => [...dictKeys(row)]))
    const isEmpty = (column: string) => subject.rows.every(({ row }) => (fieldText({ row }, column) ?? '').trim() === '')
    return [...shownColumns(subject)]
      .filter((column) => has.has(column) && isEmpty(column))
      .map((column) => ({ path: 'infer_cfg', problem: `{${column}} is empty in all ${subject.rows.length} rows checked` }))
  },
}

/** Rows that must agree before a column counts as a copy of the answer. */
const fewestRows = 3

/** A copy of the answer in the prompt. */
export const answerInPrompt: DatasetRule = {
  id: 'answer-in-prompt',
  severity: 'error',
  finds: 'A column in the prompt equals the answer in every row.',
  why: 'The model can copy the answer, so the score is meaningless. The `output_column` is masked, but a copy under another name is not.',
  fix: 'remove the column from the template',
  example: {
    bad: {
      rows: rows.map((row) => ({ ...row, hint: row.answer })),
      reader_cfg: columns('question', 'hint'),
      infer_cfg: template('{question} {hint}'),
    },
    good: { rows, reader_cfg: columns('question', 'hint'), infer_cfg: template('{question} {hint}') },
  },
  check(subject) {
    const answer = subject.dataset.reader_cfg?.output_column
    if (!answer || subject.rows.length < fewestRows) return []
    const answers = subject.rows.map(({ row }) => fieldText({ row }, answer) ?? '')
    // With the same answer in all rows, a constant column would match by chance.
    if (new Set(answers).size < 2 || answers.includes('')) return []
    const { asked } = templateFields(subject.dataset)
    const shown = new Map(asked.flatMap(({ name, is, where }) => (is === 'text' || name === answer ? [] : [[name, where] as const])))
    return [...shown].flatMap(([column, where]) => {
      const isAnswer = subject.rows.every(({ row }, index) => fieldText({ row }, column) === answers[index])
      return isAnswer ? [found(column, answer, where, subject.rows)] : []
    })
  },
}

function found(column: string, answer: string, where: string, all: readonly LintedRow[]) {
  return {
    path: where.slice(where.indexOf('infer_cfg')),
    problem: `{${column}} is the answer: it equals the column "${answer}" in all ${all.length} rows checked, e.g. ${quote(fieldText({ row: all[0]!.row }, column) ?? '')}`,
  }
}
