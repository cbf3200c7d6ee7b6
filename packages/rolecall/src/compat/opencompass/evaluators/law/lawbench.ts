import { isDigit, type PyValue, strip, stripEnd, stripStart } from '@rolecall/core/internal/python'
import {
  type Answer,
  defineEvaluator,
  type Evaluator,
  type EvaluatorDefinition,
  type Figures,
} from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, goldText, wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { count, mean, meanOf, percent, sumOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { overlapF1 } from '../../../../evaluation/score/evaluate/squad.ts'
import { findAll } from '../../../../python/regex/index.ts'
import { setOverlap, shares } from '../set-overlap.ts'
import { charges, consultations, disputes, entities, events, marriage } from './law-classes.ts'

/** The score of an answer, or nothing for a row that OpenCompass leaves out; `abstains`: it names no class at all. */
type Graded = { score: number | undefined; abstains?: boolean }
type Grade = (answer: string, gold: string) => Graded

/** A task of LawBench: the mean score in percent, and the share of answers that abstain, if its grades tell. */
function graded(grade: Grade, abstention?: string): Evaluator<Graded> {
  return {
    ...meanOf('score'),
    judge({ prediction, reference }: Answer) {
      const keep = grade(answerText(prediction), goldText(reference))
      return {
        score: keep.score ?? 0,
        ...(keep.score === undefined ? { unscored: true as const } : {}),
        detail: detailOf(prediction, reference, keep),
        keep,
      }
    },
    interval: 'scores',
    ...(abstention === undefined ? {} : { beside: [{ metric: abstention, unit: 'percent', direction: 'lower' as const }] }),
    summarise(rows: readonly Graded[]): Figures {
      const scores = rows.flatMap((row) => row.score ?? [])
      if (scores.length === 0) throw wrongGold('no row of this dataset counts', 'use rows that ask for a class of this task')
      const score = 100 * mean(scores)
      return abstention === undefined
        ? { score }
        : {
            score,
            [abstention]: percent(
              count(rows, ({ abstains }) => abstains === true),
              rows.length,
            ),
          }
    },
  }
}

function detailOf(pred: PyValue, answer: PyValue, { score, abstains }: Graded): Record<string, PyValue> {
  return { pred, answer, ...(score === undefined ? { excluded: true } : { score }), ...(abstains === undefined ? {} : { abstains }) }
}

/** What stands between a label and the end of a gold answer. */
function after(gold: string, label: string, end = ''): string {
  if (gold.startsWith(label) && gold.endsWith(end)) return gold.slice(label.length, gold.length - end.length)
  throw wrongGold(`"${gold}" is not ${label}…${end}`, 'use rows as LawBenchDataset gives them')
}

function known(name: string, classes: readonly string[]): string {
  if (classes.includes(name)) return name
  throw wrongGold(`"${name}" is not a class of this task`, 'use rows as LawBenchDataset gives them')
}

const named = (answer: string, classes: readonly string[]) => classes.filter((name) => answer.includes(name))

/** Right when the answer names the right class and no other. */
function oneClass(classes: readonly string[], rightOf: (gold: string) => string | undefined): Evaluator<Graded> {
  return graded((answer, gold) => {
    const right = rightOf(gold)
    if (right === undefined) return { score: undefined, abstains: false }
    const found = named(answer, classes)
    return { score: Number(found.length === 1 && found[0] === right), abstains: found.length === 0 }
  }, 'abstention_rate')
}

/** F1 of the classes that the answer names. */
function someClasses(classes: readonly string[], rightOf: (gold: string) => readonly string[]): Evaluator<Graded> {
  return graded((answer, gold) => {
    const found = named(answer, classes)
    return { score: shares(setOverlap(new Set(found), new Set(rightOf(gold)))).f1, abstains: found.length === 0 }
  }, 'abstention_rate')
}

/** F1 of the letters and digits of two texts, counted. */
function characterF1(answer: string, gold: string): number {
  const [said, right] = [answer, gold].map((text) => [...text.toLowerCase()].filter((one) => /^\p{L}$/u.test(one) || isDigit(one)))
  if (said!.length === 0 || right!.length === 0) return Number(said!.length === right!.length)
  return overlapF1(said!, right!)
}

/** The F1 that LawBench computes from sums of grades. */
function softF1(grades: readonly number[], said: number, right: number): number {
  const [precision, recall] = [said === 0 ? 0 : sumOf(grades) / said, right === 0 ? 0 : sumOf(grades) / right]
  return (2 * precision * recall) / (precision + recall + 1e-10)
}

/** The words for a trigger, compared in order. */
const triggers: Grade = (answer, gold) => {
  const [said, right] = [answer.split(';'), gold.split(';')]
  const grades = right.slice(0, said.length).map((word, at) => characterF1(said[at]!, word))
  return { score: softF1(grades, said.length, right.length) }
}

/** The value after each kind of entity: its last mention counts. */
function saidEntities(answer: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const kind of entities) {
    let from = answer.length
    while (from > 0 && !found.has(kind)) {
      from = answer.lastIndexOf(kind, from - 1)
      const value = from < 0 ? undefined : valueAt(answer, from + kind.length)
      if (value !== undefined && value !== '无' && value !== '未提及') found.set(kind, value)
    }
  }
  return found
}

/** The text behind a colon up to a space or the end of the line. */
function valueAt(answer: string, at: number): string | undefined {
  if (at >= answer.length - 2 || !/[:：]/.test(answer[at]!)) return undefined
  const rest = stripStart(answer.slice(at + 1))
  const end = rest.search(/[\n ]/)
  return stripEnd(end < 0 ? rest : rest.slice(0, end))
}

const extraction: Grade = (answer, gold) => {
  const said = saidEntities(answer)
  if (strip(gold) === '') return { score: Number(said.size === 0), abstains: false }
  const right = new Map(
    gold.split(';').map((part) => {
      const [kind, value] = part.split(':')
      if (value === undefined) throw wrongGold(`"${part}" has no colon`, 'write 地点:… for each entity, separated by semicolons')
      return [kind!, value]
    }),
  )
  const grades = [...said].flatMap(([kind, value]) => (right.has(kind) ? [characterF1(value, right.get(kind)!)] : []))
  return { score: softF1(grades, said.size, right.size), abstains: said.size === 0 }
}

const amounts: Grade = (answer, gold) => {
  const right = Number(after(gold, '上文涉及到的犯罪金额:', '元。'))
  if (Number.isNaN(right)) throw wrongGold(`"${gold}" has no amount`, 'use rows as LawBenchDataset gives them')
  const said = findAll(String.raw`\d+\.?\d*`, answer).map(Number)
  return { score: Number(said.includes(right)), abstains: said.length === 0 }
}

type Task = {
  index: string
  does: string
  example: { answers: readonly string[]; gold: readonly string[]; figures: Figures }
  evaluator: Evaluator<Graded>
}

const onlyOption = 'Right when the answer names the right option and no other'
const options = [...'ABCD']
const fiveOptions = [...'ABCDE']
const letterAfter = (gold: string, label: string, letters: readonly string[]) => known(after(gold, label).slice(0, 1), letters)

const tasks: readonly Task[] = [
  {
    index: '1_2',
    does: `${onlyOption}, for LawBench 1-2.`,
    example: { answers: ['A', 'AB'], gold: ['正确答案：A。', '正确答案：A。'], figures: { score: 50 } },
    evaluator: oneClass(options, (gold) => letterAfter(gold, '正确答案：', options)),
  },
  {
    index: '2_2',
    does: `${onlyOption}, for the disputes of LawBench 2-2; rows about 赔偿 are left out.`,
    example: { answers: ['利息', '违约、利息'], gold: ['争议焦点类别：利息。', '争议焦点类别：利息。'], figures: { score: 50 } },
    evaluator: oneClass(disputes, (gold) =>
      gold.slice(7, -1) === '赔偿' ? undefined : known(after(gold, '争议焦点类别：').slice(0, -1), disputes),
    ),
  },
  {
    index: '2_3',
    does: 'F1 of the classes that the answer names, for the marriage cases of LawBench 2-3.',
    example: { answers: ['准予离婚', '无'], gold: ['类别:准予离婚。', '类别:法定离婚。'], figures: { score: 50 } },
    evaluator: someClasses(marriage, (gold) =>
      after(gold, '类别:', '。')
        .split('、')
        .map((name) => known(name, marriage)),
    ),
  },
  {
    index: '2_4',
    does: `${onlyOption}, for the consultations of LawBench 2-4.`,
    example: { answers: ['侵权', '侵权或公司法'], gold: ['侵权', '侵权'], figures: { score: 50 } },
    evaluator: oneClass(consultations, (gold) => known(gold, consultations)),
  },
  {
    index: '2_5',
    does: 'F1 of letters and digits, for LawBench 2-5.',
    example: { answers: ['2010年', ''], gold: ['回答:2010年', '回答:是'], figures: { score: 50 } },
    evaluator: graded((answer, gold) => ({ score: characterF1(answer, gold.replaceAll('回答:', '')) })),
  },
  {
    index: '2_6',
    does: 'F1 of the extracted entities, by their letters and digits, for LawBench 2-6.',
    example: { answers: ['地点:北京市', '无'], gold: ['地点:北京市', '地点:上海市'], figures: { score: 50 } },
    evaluator: graded(extraction, 'anstention_rate'),
  },
  {
    index: '2_8',
    does: `${onlyOption}, for LawBench 2-8.`,
    example: { answers: ['A', 'AE'], gold: ['[正确答案]A', '[正确答案]A'], figures: { score: 50 } },
    evaluator: oneClass(fiveOptions, (gold) => letterAfter(gold, '[正确答案]', fiveOptions)),
  },
  {
    index: '2_9',
    does: 'F1 of the events that the answer names, for LawBench 2-9.',
    example: { answers: ['欺骗', '无'], gold: ['欺骗', '获利'], figures: { score: 50 } },
    evaluator: someClasses(events, (gold) => gold.split(';')),
  },
  {
    index: '2_10',
    does: 'F1 of the trigger words in their order, by their letters and digits, for LawBench 2-10.',
    example: { answers: ['偷走;卖掉', ''], gold: ['偷走;卖掉', '抢'], figures: { score: 50 } },
    evaluator: graded(triggers),
  },
  {
    index: '3_3',
    does: 'F1 of the charges that the answer names, for LawBench 3-3.',
    example: { answers: ['放火', '无'], gold: ['罪名:放火', '罪名:逃税'], figures: { score: 50 } },
    evaluator: someClasses(charges, (gold) => {
      after(gold, '罪名:')
      return gold.replaceAll('罪名:', '').split(';')
    }),
  },
  {
    index: '3_6',
    does: `${onlyOption}, for LawBench 3-6.`,
    example: { answers: ['B', 'B和C'], gold: ['正确答案:B。', '正确答案:B。'], figures: { score: 50 } },
    evaluator: oneClass(options, (gold) => letterAfter(gold, '正确答案:', options)),
  },
  {
    index: '3_7',
    does: 'Right when the amount occurs in the answer, for LawBench 3-7.',
    example: {
      answers: ['共500.5元', '没有'],
      gold: ['上文涉及到的犯罪金额:500.5元。', '上文涉及到的犯罪金额:1元。'],
      figures: { score: 50 },
    },
    evaluator: graded(amounts, 'abstention_rate'),
  },
]

/** LawBench's evaluators, except those that need other packages: 2-1 a grammar scorer, 3-1, 3-4 and 3-5 Chinese numerals, four others ROUGE by words. */
export const lawBench: readonly EvaluatorDefinition<unknown, Graded>[] = tasks.map(({ index, evaluator, ...described }) =>
  defineEvaluator({ names: [`LawBenchEvaluator_${index}`], ...described, ...evaluator }),
)
