import type { PyValue } from '@rolecall/core/internal/python'
import { pyRound, pyStr } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { defineJudgePostprocessor, fieldOf, type Judged } from '../../../../evaluation/score/postprocess/judge-postprocessor.ts'
import { Tally } from './tally-by-name.ts'

/** A benchmark whose rows belong to subjects: the subject columns and the metric names. */
type Subjects = {
  name: string
  benchmark: string
  /** For each metric: the column's name in the details, and the column. */
  columns: Readonly<Record<string, string>>
  /** The metric of a nested subject contains both names. */
  isNested?: true
  /** The name of the verdict in the details. */
  verdict: string
  showsQuestion?: true
}

type Kept = { right: boolean; keys: readonly string[] }

function subjectOf({ row }: Judged, column: string): PyValue {
  const value = fieldOf(row, column)
  return value === undefined ? 'unknown' : value
}

const bySubject = ({ name, benchmark, columns, isNested, verdict, showsQuestion }: Subjects) =>
  defineJudgePostprocessor({
    names: [`${name}_llmjudge_postprocess`],
    ofNothing: { accuracy: 0, total_correct: 0, total_count: 0 },
    does: `The first A (right) or B (wrong) anywhere, B where there is none: the share of right answers, and of each ${Object.keys(columns).join(', ')}.`,
    example: {
      judged: [
        { said: 'A', row: { [Object.values(columns)[0]!]: 'One' } },
        { said: 'B', row: { [Object.values(columns)[0]!]: 'Two' } },
      ],
      figures: { accuracy: 50, [`${benchmark}-One`]: 100 },
    },
    options: z.strictObject({}),
    metric: 'accuracy',
    unit: 'percent',
    kind: 'verdict',
    read(judged): Kept {
      const subjects = Object.values(columns).map((column) => pyStr(subjectOf(judged, column)))
      const keys = subjects.map((subject, depth) => (isNested ? subjects.slice(0, depth + 1).join('-') : subject))
      return { right: /[AB]/.exec(judged.said)?.[0] === 'A', keys }
    },
    score: ({ right }) => Number(right),
    figures(kept) {
      const right = kept.filter((one) => one.right).length
      const tallies = Object.keys(columns).map((_, depth) => {
        const tally = new Tally()
        for (const one of kept) tally.add(one.keys[depth]!, Number(one.right))
        return tally.means({ scale: 100, digits: 2, name: (key) => `${benchmark}-${key}` })
      })
      const accuracy = pyRound((right / kept.length) * 100, 2)
      return Object.assign({ accuracy, total_correct: right, total_count: kept.length }, ...tallies)
    },
    detail(judged, kept) {
      const right = kept?.right ?? false
      return {
        id: String(judged.index),
        ...(showsQuestion ? { question: fieldOf(judged.row, 'question') ?? null, options: fieldOf(judged.row, 'options') ?? null } : {}),
        origin_prompt: judged.prompt ?? null,
        [verdict]: right ? 'A' : 'B',
        gold: judged.gold ?? '',
        is_correct: right,
        ...Object.fromEntries(Object.entries(columns).map(([shown, column]) => [shown, subjectOf(judged, column)])),
      }
    },
  })

export const supergpqa = bySubject({
  name: 'supergpqa',
  benchmark: 'SuperGPQA',
  columns: { discipline: 'discipline', field: 'field', subfield: 'subfield' },
  isNested: true,
  verdict: 'prediction',
  showsQuestion: true,
})

export const medXpertQa = bySubject({
  name: 'MedXpertQA',
  benchmark: 'MedXpertQA',
  columns: { medical_task: 'medical_task', body_system: 'body_system', question_type: 'question_type' },
  verdict: 'llm_judge',
  showsQuestion: true,
})

export const medmcqa = bySubject({
  name: 'medmcqa',
  benchmark: 'medmcqa',
  columns: { subject: 'subject_name', topic: 'topic_name', question_type: 'choice_type' },
  verdict: 'llm_judge',
  showsQuestion: true,
})

export const medbullets = bySubject({
  name: 'medbullets',
  benchmark: 'Medbullets',
  columns: { question_type: 'question_type' },
  verdict: 'llm_judge',
})
