import { dictEntries, dictFromEntries, dictGet, isDict, isList, type PyDict, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { defineEvaluator, type Figures } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { count, mean, meanOf, percent, shareOf, sumOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { follows } from './ifeval-instructions.ts'

/** How many instructions an answer follows, strictly and loosely. */
type Followed = { all: number; strict: number; loose: number }

const isAll = ({ all }: Followed, some: number) => some === all

function followed(answer: string, ids: PyValue | undefined, kwargs: PyValue | undefined): Followed {
  if (ids === undefined || kwargs === undefined || !isList(ids) || !isList(kwargs) || ids.length > kwargs.length) {
    throw wrongGold('it has no instruction_id_list and kwargs of the same length', 'use rows as the loader of IFEval gives them')
  }
  const each = ids.map((id, index) => follows(answer, pyStr(id), argumentsOf(kwargs[index]!)))
  return { all: each.length, strict: count(each, ({ strict }) => strict), loose: count(each, ({ loose }) => loose) }
}

/** The instruction's arguments; a table of all rows has null for missing ones. */
function argumentsOf(given: PyValue): PyDict {
  return isDict(given) ? dictFromEntries(dictEntries(given).filter(([, value]) => value !== null)) : {}
}

function goldOf(reference: PyValue): PyDict {
  if (isDict(reference)) return reference
  throw wrongGold('it is not an object', 'use rows as the loader of IFEval gives them')
}

export const ifEval = defineEvaluator({
  names: ['IFEvaluator'],
  does: 'Right when the answer follows all instructions of the gold answer { instruction_id_list, kwargs }; loosely also without its first or last line, or its asterisks.',
  example: {
    answers: ['no commas here', 'well, no'],
    gold: Array.from({ length: 2 }, () => ({ instruction_id_list: ['punctuation:no_comma'], kwargs: [{}] })),
    figures: { 'Prompt-level-strict-accuracy': 50 },
  },
  ...shareOf('Prompt-level-strict-accuracy'),
  interval: 'scores',
  beside: ['Inst-level-strict-accuracy', 'Prompt-level-loose-accuracy', 'Inst-level-loose-accuracy'].map((metric) => ({
    metric,
    unit: 'percent',
  })),
  judge({ prediction, reference }) {
    const gold = goldOf(reference)
    const keep = followed(answerText(prediction), dictGet(gold, 'instruction_id_list'), dictGet(gold, 'kwargs'))
    const [strict, loose] = [isAll(keep, keep.strict), isAll(keep, keep.loose)]
    return {
      score: Number(strict),
      detail: {
        refer: reference,
        is_strict_correct: strict,
        is_loose_correct: loose,
        is_correct: strict,
        grade: strict ? 'strict' : loose ? 'loose' : 'none',
      },
      keep,
    }
  },
  summarise: (rows: readonly Followed[]) =>
    levels(rows, 'Prompt-level-strict-accuracy', 'Inst-level-strict-accuracy', 'Prompt-level-loose-accuracy', 'Inst-level-loose-accuracy'),
})

/** Shares of answers and of instructions, strict and loose, under these names. */
function levels(rows: readonly Followed[], promptStrict: string, strict: string, promptLoose: string, loose: string): Figures {
  const instructions = sumOf(rows.map(({ all }) => all))
  return {
    [promptStrict]: percent(
      count(rows, (row) => isAll(row, row.strict)),
      rows.length,
    ),
    [strict]: percent(sumOf(rows.map((row) => row.strict)), instructions),
    [promptLoose]: percent(
      count(rows, (row) => isAll(row, row.loose)),
      rows.length,
    ),
    [loose]: percent(sumOf(rows.map((row) => row.loose)), instructions),
  }
}

const turns = [1, 2, 3] as const

export const multiIf = defineEvaluator({
  names: ['MultiIFEvaluator'],
  does: 'As IFEvaluator, for the three answers of a chat, each with the instructions of its turn: the mean of all shares.',
  example: {
    answers: [['a', 'b', 'c, d']],
    gold: [
      Object.fromEntries(
        turns.flatMap((turn) => [
          [`turn_${turn}_instruction_id_list`, ['punctuation:no_comma']],
          [`turn_${turn}_kwargs`, [{}]],
        ]),
      ),
    ],
    figures: { overall: 66.67 },
  },
  ...meanOf('overall'),
  interval: 'kept',
  beside: turns.map((turn) => ({ metric: `turn_${turn}_overall`, unit: 'percent' })),
  judge({ prediction, reference }) {
    const [gold, answers] = [goldOf(reference), isList(prediction) ? prediction : [prediction]]
    const keep = turns.map((turn) => {
      const answer = answers[turn - 1]
      if (answer === undefined)
        throw wrongGold(`there are three turns, and ${answers.length} answers`, 'ask with ChatInferencer, infer_mode every')
      return followed(answerText(answer), dictGet(gold, `turn_${turn}_instruction_id_list`), dictGet(gold, `turn_${turn}_kwargs`))
    })
    const strict = keep.map((one) => isAll(one, one.strict))
    return { score: count(strict, Boolean) / turns.length, detail: { refer: reference, is_strict_correct: strict }, keep }
  },
  summarise(rows: readonly (readonly Followed[])[]): Figures {
    const byTurn = turns.map((turn) => {
      const prefix = `turn_${turn}_`
      const figures = levels(
        rows.map((row) => row[turn - 1]!),
        `${prefix}prompt_strict`,
        `${prefix}inst_strict`,
        `${prefix}prompt_loose`,
        `${prefix}inst_loose`,
      )
      return { ...figures, [`${prefix}overall`]: mean(Object.values(figures)) }
    })
    const overall = mean(turns.map((turn, index) => byTurn[index]![`turn_${turn}_overall`]!))
    return Object.assign({ overall }, ...byTurn) as Figures
  },
})
