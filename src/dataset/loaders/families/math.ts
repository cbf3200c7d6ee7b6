import { dictEntries, isDict } from '../../../python/index.ts'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Loader } from '../loader.ts'
import { splitFiles } from '../simple.ts'
import { fromList } from '../table.ts'
import { at, dictOf, row, textAt } from '../values.ts'

export const gsm8k = splitFiles({ train: 'train.jsonl', test: 'test.jsonl' })

/** Problems and the content of the last box of their solution. */
export const math: Loader = {
  reads: 'a folder with math.json (or "file_name"): an object of problems',
  takes: ['path', 'file_name?', '*'],
  async load(data, settings) {
    const path = joinPath(await data.path(settings.path), settings.text('file_name', 'math.json'))
    const problems = await data.json(path)
    if (!isDict(problems)) throw new BadData('the file is not an object of problems', path)
    const table = fromList(
      dictEntries(problems).map(([key, value]) => {
        const problem = dictOf(value, `${path} › ${key}`)
        return row({ problem: at(problem, 'problem'), solution: answerIn(textAt(problem, 'solution')) })
      }),
    )
    return { test: table, train: table }
  },
}

/** What the last `\boxed{…}` holds; null where there is none, or where its braces do not match. */
export function answerIn(solution: string): string | null {
  const from = solution.lastIndexOf('\\boxed')
  if (from < 0 || !solution.startsWith('\\boxed{', from)) return null
  let depth = 0
  for (let at = from; at < solution.length; at++) {
    if (solution[at] === '{') depth++
    if (solution[at] === '}' && --depth === 0) return solution.slice(from + '\\boxed{'.length, at)
  }
  return null
}
