import { evaluationNotes } from '../../../evaluation/run/evaluation-notes.ts'
import type { DatasetMatch, DatasetRule, DatasetSubject } from '../dataset-rule.ts'
import type { RuleText } from '../rule.ts'

const letters = ['A', 'B', 'C', 'D']
const rows = letters.map((answer, index) => ({ question: `Question ${index}?`, A: 'one', B: 'two', C: 'three', D: 'four', answer }))
const reader = { input_columns: ['question', 'A', 'B', 'C', 'D'], output_column: 'answer' }
const prompt = '{question}\nA. {A}\nB. {B}\nC. {C}\nD. {D}'
const asking = (human: string, inferencer: object = {}) => ({
  prompt_template: { template: { round: [{ role: 'HUMAN', prompt: human }] } },
  inferencer: { type: 'GenInferencer', ...inferencer },
})
const reading = { pred_postprocessor: { type: 'first_option', options: 'ABCD' } }
const good = { rows, reader_cfg: reader, infer_cfg: asking(prompt), eval_cfg: reading }
const withRows = (change: (row: (typeof rows)[number], index: number) => object) => ({ ...good, rows: rows.map(change) })

/** A rule about what the rows showed when they were examined, as before a run. */
function ruleOf(text: Omit<RuleText, 'severity'> & { id: keyof typeof evaluationNotes }, example: DatasetRule['example']): DatasetRule {
  return { ...text, severity: evaluationNotes[text.id].severity, example, check: (subject) => matches(subject, text.id) }
}

function matches({ examined }: DatasetSubject, id: string): DatasetMatch[] {
  if (!examined) return []
  const { notes, refusal } = examined
  const found = refusal?.code === id ? [{ ...refusal, severity: 'error' as const }] : notes.filter(({ code }) => code === id)
  return found.map(({ where = '', text, ...more }) => ({
    path: where.slice(where.indexOf(' › ') + 3),
    problem: text,
    ...('severity' in more ? { severity: more.severity } : {}),
  }))
}

export const dataRules: readonly DatasetRule[] = [
  ruleOf(
    {
      id: 'unscorable-gold',
      finds: 'Gold answers that are scored wrong when a model replies with them; an error if none is right.',
      why: 'A right answer counts as wrong: the gold answers are letters, texts or indices, and what is read in replies is something else.',
      fix: 'change the evaluator, the postprocessors or the gold answers, so that each gold answer is right',
    },
    { bad: withRows((row, index) => (index === 1 ? { ...row, answer: 'b' } : row)), good },
  ),
  ruleOf(
    {
      id: 'unscorable-form',
      finds: 'Gold answers that are scored wrong in the form in which the template writes them.',
      why: 'Examples and the template teach the model this form, so that right answers count as wrong.',
      fix: 'set a pred_postprocessor that reads the answer in this form',
    },
    {
      bad: {
        ...good,
        infer_cfg: {
          prompt_template: {
            template: {
              round: [
                { role: 'HUMAN', prompt },
                { role: 'BOT', prompt: 'The answer is {answer}.' },
              ],
            },
          },
        },
        eval_cfg: {},
      },
      good,
    },
  ),
  ruleOf(
    {
      id: 'bare-letters',
      finds: 'Replies are compared with letters as a whole: "The answer is B." is wrong.',
      why: 'Chat models answer in sentences.',
      fix: 'set a pred_postprocessor such as choice_answer',
    },
    { bad: { ...good, eval_cfg: {} }, good },
  ),
  ruleOf(
    {
      id: 'no-gold',
      finds: 'Rows without a gold answer; an error if no row has one.',
      why: 'They are counted and not scored.',
      fix: 'fill the column, or name another in output_column',
    },
    { bad: withRows((row, index) => (index === 1 ? { ...row, answer: '' } : row)), good },
  ),
  ruleOf(
    {
      id: 'stop-in-gold',
      finds: 'A stop sequence that occurs in gold answers, which are wrong without the rest.',
      why: 'Generation ends before the answer is complete.',
      fix: 'remove the stop sequence, or choose one that no answer contains',
    },
    {
      bad: {
        rows: rows.map(({ question }, index) => ({ question, answer: `${index}\nis the number` })),
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: asking('{question}', { stopping_criteria: ['\n'] }),
      },
      good,
    },
  ),
  ruleOf(
    {
      id: 'answer-masked',
      finds: 'A template that shows the gold answer in the question.',
      why: 'The answer is left blank there, so the question has a gap.',
      fix: 'remove the column from the question, or name another column in output_column',
    },
    { bad: { ...good, infer_cfg: asking(`${prompt}\nIs {answer} right?`) }, good },
  ),
  ruleOf(
    {
      id: 'duplicate-rows',
      finds: 'Rows that ask the same, with the same gold answer.',
      why: 'They count several times, and intervals are too narrow.',
      fix: 'remove all but the first',
    },
    { bad: { ...good, rows: [...rows, rows[0]!] }, good },
  ),
  ruleOf(
    {
      id: 'conflicting-gold',
      finds: 'Rows that ask the same, with different gold answers.',
      why: 'At most one of them can be answered correctly.',
      fix: 'correct or remove one of the rows',
    },
    { bad: { ...good, rows: [...rows, { ...rows[0]!, answer: 'C' }] }, good },
  ),
  ruleOf(
    {
      id: 'duplicate-options',
      finds: 'Rows with the same text for two options.',
      why: 'Two options are right, and one of them counts as wrong.',
      fix: 'correct the options',
    },
    { bad: withRows((row, index) => (index === 2 ? { ...row, B: 'one' } : row)), good },
  ),
  ruleOf(
    {
      id: 'broken-characters',
      finds: 'Text that was decoded with the wrong encoding: "cafÃ©", or the replacement character.',
      why: 'The model is asked something else, or answers are compared with text that no model writes.',
      fix: 'convert the file from its original encoding to UTF-8',
    },
    { bad: withRows((row, index) => (index === 3 ? { ...row, question: 'A cafÃ©?' } : row)), good },
  ),
  ruleOf(
    {
      id: 'shared-passages',
      finds: 'A long text that several rows share, without `cluster`.',
      why: 'Rows about one passage are right or wrong together: intervals that treat them as independent are too narrow.',
      fix: 'set `cluster` to the column, or to one with an id of the text',
    },
    {
      bad: {
        rows: Array.from({ length: 24 }, (_, index) => ({ passage: 'word '.repeat(50) + (index % 6), question: `${index}?`, answer: 'A' })),
        reader_cfg: { input_columns: ['passage', 'question'], output_column: 'answer' },
        infer_cfg: asking('{passage}\n{question}'),
        eval_cfg: reading,
      },
      good,
    },
  ),
]
