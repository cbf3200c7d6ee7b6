import { dictGet, isDict, isList, type PyDict, type PyValue, parseJson, pyStr, strip } from '@rolecall/core/internal/python'
import { defineEvaluator, type Figures } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { count, meanOf, percent, sumOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { search } from '../../../../python/regex/index.ts'
import { readLiteral } from '../../../../python/syntax/literal.ts'

/** The rows of a solution: an object with `rows`, or its Python or JSON text. */
function rowsOf(reference: PyValue): string[][] | undefined {
  const grid = typeof reference === 'string' ? readDict(reference) : isDict(reference) ? reference : undefined
  const rows = grid && dictGet(grid, 'rows')
  if (rows === undefined || !isList(rows)) return undefined
  return rows.map((row) => (isList(row) ? row.map((cell) => pyStr(cell)) : [...pyStr(row)]))
}

function readDict(text: string): PyDict | undefined {
  const literal = readLiteral(text)
  if (literal !== undefined) return isDict(literal) ? literal : undefined
  try {
    const json = parseJson(text)
    return isDict(json) ? json : undefined
  } catch {
    return undefined // neither Python nor JSON
  }
}

/** The rows of a Markdown table, including its header. */
function tableIn(text: string): string[][] | undefined {
  const rows: string[][] = []
  for (const line of text.split('\n').map((one) => strip(one))) {
    if (!line.startsWith('|') || search(String.raw`^\|[-| :]+\|$`, line)) continue
    rows.push(
      strip(line, '|')
        .split('|')
        .map((cell) => strip(cell)),
    )
  }
  return rows.length > 1 ? rows : undefined
}

const same = (a: string, b: string) => strip(a).toLowerCase() === strip(b).toLowerCase()

/** How many cells are right: position by position if the answer's table has this many rows, else the cells that the text mentions. */
function rightCells(answer: string, gold: readonly (readonly string[])[]): number {
  const table = tableIn(answer)
  if (table && table.length === gold.length) {
    return sumOf(gold.map((row, index) => count([...row.keys()], (place) => same(row[place]!, table[index]![place] ?? '\u0000'))))
  }
  const text = answer.toLowerCase()
  return count(gold.flat(), (cell) => text.includes(cell.toLowerCase()))
}

type Cells = { right: number; all: number }

export const zebraGrid = defineEvaluator({
  names: ['ZebraLogicGridEvaluator'],
  does: 'The share of the cells of the gold table that the answer has right; `perfect_accuracy` is the share of rows with all of them.',
  example: {
    answers: ['| House | Name |\n|---|---|\n| 1 | Ann |\n| 2 | Eve |'],
    gold: [
      {
        rows: [
          ['House', 'Name'],
          ['1', 'Ann'],
          ['2', 'Bob'],
        ],
      },
    ],
    figures: { score: 83.33 },
  },
  ...meanOf('score'),
  interval: 'none',
  beside: [{ metric: 'perfect_accuracy', unit: 'percent' }],
  judge({ prediction, reference }) {
    const said = pyStr(prediction)
    const detail: Record<string, PyValue> = { pred: short(said), answer: short(pyStr(reference)) }
    const gold = rowsOf(reference)
    if (!gold) return { score: 0, undecided: true, detail, keep: undefined }
    const all = sumOf(gold.map((row) => row.length))
    const right = rightCells(said, gold)
    const share = all === 0 ? 0 : right / all
    return { score: share, detail: { ...detail, cell_accuracy: share, correct: right === all }, keep: { right, all } }
  },
  summarise(rows: readonly (Cells | undefined)[]): Figures {
    const readable = rows.filter((row) => row !== undefined)
    const all = sumOf(readable.map((row) => row.all))
    const score = all === 0 ? 0 : percent(sumOf(readable.map(({ right }) => right)), all)
    const perfect = percent(
      count(readable, (row) => row.right === row.all),
      rows.length,
    )
    return { score, cell_accuracy: score, perfect_accuracy: perfect }
  },
})

function short(text: string): string {
  return [...text].slice(0, 200).join('')
}

type Grid = readonly (readonly number[])[]

/** The first nested list of integers in a text; [[0]] if there is none. */
function gridIn(text: string): Grid {
  const start = text.indexOf('[[')
  const end = start < 0 ? -1 : text.indexOf(']]', start)
  const read = end < 0 ? undefined : readLiteral(text.slice(start, end + 2))
  return read !== undefined && isGrid(read) ? numbers(read) : [[0]]
}

function isGrid(value: PyValue): value is PyValue[][] {
  return isList(value) && value.every((row) => isList(row) && row.every((cell) => typeof cell === 'number' || typeof cell === 'boolean'))
}

function numbers(grid: readonly (readonly PyValue[])[]): Grid {
  return grid.map((row) => row.map(Number))
}

/** The share of equal cells among all cells of either grid; missing cells are -1. */
function commonCells(ours: Grid, theirs: Grid): number {
  const height = Math.max(ours.length, theirs.length)
  const width = Math.max(...ours.map((row) => row.length), ...theirs.map((row) => row.length))
  let common = 0
  for (const [line, row] of ours.entries()) {
    for (const [column, cell] of row.entries()) if (cell !== -1 && theirs[line]?.[column] === cell) common++
  }
  return common / (height * width)
}

export const arcPrize = defineEvaluator({
  names: ['ARCPrizeEvaluator'],
  does: 'Right when the first grid in the answer, a nested list of numbers, is the gold one. The score is a fraction, not a percentage.',
  example: {
    answers: ['[[1, 2], [3, 4]]', 'none'],
    gold: [
      [
        [1, 2],
        [3, 4],
      ],
      [[1]],
    ],
    figures: { accuracy: 0.5 },
  },
  metric: 'accuracy',
  kind: 'verdict',
  unit: 'share',
  range: [0, 1],
  needsReference: true,
  judge({ prediction, reference }) {
    if (!isGrid(reference) || reference.length === 0)
      throw wrongGold('it is not a grid of numbers', 'give a list of rows, as [[1, 2], [3, 4]]')
    const pred = gridIn(answerText(prediction))
    const share = commonCells(pred, numbers(reference))
    const correct = Number(share === 1)
    return { score: correct, detail: { correct, correct_percentage: share * 100, generated_solution: pred as PyValue } }
  },
})
