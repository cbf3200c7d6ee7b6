import { dictEntries, isDict, isList, type PyValue, pyStr, strip } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Loader } from '../loader.ts'
import type { Data } from '../loader-data.ts'
import { at, dictOf, get, isTrue, listOf, type RowDict, row, set, textAt } from '../row-values.ts'
import { oneFile, splitFiles } from '../simple.ts'
import { fromColumns, fromList, type Splits, type Table } from '../table.ts'
import { circularRows, numberedChoices } from './circular.ts'
import { olympiadPrompt } from './olympiad-prompt.ts'

export const gsm8k = splitFiles({ train: 'train.jsonl', test: 'test.jsonl' }, { hub: { splits: { train: 'train', test: 'test' } } })

/** Problems and the content of the last box of their solution. */
export const math: Loader = {
  reads: 'a folder with math.json (or "file_name"): an object of problems',
  takes: ['path', 'file_name?', '*'],
  async load(data, settings) {
    return problemsOf(data, joinPath(await data.path(settings.path), settings.text('file_name', 'math.json')))
  },
  async hub(rows) {
    const table = fromList((await rows.rows('train')).map(problemRow))
    return { test: table, train: table }
  },
}

async function problemsOf(data: Data, path: string): Promise<Splits> {
  const problems = await data.json(path)
  const entries = isList(problems) ? problems.entries() : isDict(problems) ? dictEntries(problems) : undefined
  if (!entries) throw new BadData('the file holds neither an object nor a list of problems', path)
  const table = fromList(
    [...entries].map(([key, value]) => {
      return problemRow(dictOf(value as PyValue, `${path} › ${key}`))
    }),
  )
  return { test: table, train: table }
}

function problemRow(problem: RowDict): RowDict {
  return row({ problem: at(problem, 'problem'), solution: answerIn(textAt(problem, 'solution')) })
}

/** The content of the last `\boxed{…}`; null if there is none, or if its braces are unbalanced. */
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

export const mathBench: Loader = {
  reads: 'a folder with {name}.jsonl: question, options, answer',
  takes: ['path', 'name', 'with_circular?'],
  async load(data, settings) {
    const { name } = settings
    const rows = await data.rows(joinPath(await data.path(settings.path), `${name}.jsonl`))
    const choices = (options: readonly PyValue[]) => numberedChoices(options, pyStr)
    return fromList(
      rows.flatMap((entry, id): RowDict | RowDict[] => {
        if (name.includes('cloze')) return clozeRow(entry)
        if (settings.flag('with_circular', true)) return circularRows(entry, id, choices)
        return row(
          {
            question: `${strip(textAt(entry, 'question'))}\n${choices(at(entry, 'options') as PyValue[])}`,
            answer: strip(textAt(entry, 'answer')),
          },
          entry,
        )
      }),
    )
  },
}

export function clozeRow(entry: RowDict): RowDict {
  return row({ question: strip(textAt(entry, 'question')), answer: strip(textAt(entry, 'answer')) }, entry)
}

/** Problems with copies of prompt and answer as `question` and `answer`. */
export const promptAndGold = oneFile({
  takes: ['path', '*'],
  change: (entry) => set(entry, { question: at(entry, 'origin_prompt'), answer: at(entry, 'gold_answer') }),
})

const liveMathPrompts: Record<string, { reasoning: string; plain: string }> = {
  cn: {
    reasoning: '下面是一个数学问题，请逐步推理，并把最终答案放置于\\boxed{}中。',
    plain: '下面是一个数学问题，并把最终答案放置于\\boxed{}中。',
  },
  en: {
    reasoning: 'Here is a math question, please reasoning step by step, and put your answer in \\boxed{}.',
    plain: 'Here is a math question, and put your answer in \\boxed{}.',
  },
}

export const liveMathBench: Loader = {
  reads: 'a folder with {version}/{split}_{language}.jsonl for each of "dataset_splits" and "dataset_languages"',
  takes: ['path', 'dataset_splits?', 'dataset_languages?', 'cot?', 'version?', '*'],
  async load(data, settings) {
    const list = (name: string, otherwise: readonly string[]) => (settings.get(name) ?? otherwise) as readonly string[]
    const version = settings.text('version', '202412')
    if (settings.path === '')
      throw new BadData('"path" is empty, which OpenCompass refuses, too: write opencompass/LiveMathBench, or the folder of the data')
    const path = await data.path(settings.path)
    const rows: RowDict[] = []
    for (const split of list('dataset_splits', ['CNMO', 'CCEE', 'AMC', 'WLPMC', 'hard']))
      for (const language of list('dataset_languages', ['cn', 'en'])) {
        const entries = await data.rows(joinPath(path, version, `${split}_${language}.jsonl`))
        const intro = liveMathPrompts[language]
        if (!intro) throw new BadData(`there is no prompt in the language "${language}"`)
        entries.forEach((entry, index) => {
          const options = get(entry, 'options', [])
          const prompt = `${settings.flag('cot', true) ? intro.reasoning : intro.plain}\n${textAt(entry, 'question')}\n`
          rows.push(set(entry, { options, subdivision: `livemathbench_${version}_${split}_${language}`, idx: String(index), prompt }))
        })
      }
    return fromList(rows)
  },
}

const olympiadColumns = ['language', 'subject', 'question_type', 'answer_type', 'is_multiple_answer', 'unit', 'error']

/** The first final answer is the solution; `with_prompt` adds the text that OlympiadBenchTemplate writes. */
export const olympiadBench: Loader = {
  reads: 'a folder with {name}.json: a list of problems',
  takes: ['path', 'name', '*'],
  async load(data, settings) {
    const rows = await data.list(joinPath(await data.path(settings.path), `${settings.name}.json`))
    const table = fromList(
      rows.map((entry) => {
        const found = row({ problem: at(entry, 'question'), solution: at(at(entry, 'final_answer'), 0) }, entry)
        for (const name of olympiadColumns) found.set(name, at(entry, name))
        set(found, { questions: new Map(entry) })
        return settings.flag('with_prompt') ? set(found, { prompt: olympiadPrompt(found) }) : found
      }),
    )
    return { test: table, train: table }
  },
}

/** Question, tab, answer. */
export const mgsm: Loader = {
  reads: 'a .tsv file: question, tab, answer',
  takes: ['path'],
  async load(data, settings) {
    const path = await data.path(settings.path, { localMode: true })
    const found = (await data.lines(path)).map((line, index) => {
      const fields = strip(line).split('\t')
      if (fields.length !== 2) throw new BadData(`the line has ${fields.length} fields, not 2`, `${path}:${index + 1}`)
      return fields as [string, string]
    })
    return fromColumns({ question: found.map(([question]) => question), answer: found.map(([, answer]) => answer) })
  },
}

/** Problems about a table, with answer and solution in either order. */
function tableProblem(problem: PyValue): RowDict {
  const [unit, choices, title] = [at(problem, 'unit'), at(problem, 'choices'), at(problem, 'table_title')]
  let question = pyStr(at(problem, 'question'))
  if (isTrue(unit)) question += ` (Unit: ${pyStr(unit)})`
  if (isTrue(choices)) question += `\nOptions: ${listOf(choices).map(lettered).join(' ')}`
  const table = at(problem, 'table')
  const answer = pyStr(at(problem, 'answer'))
  const solution = textAt(problem, 'solution').replaceAll('\n', '\\n')
  return row({
    question,
    table: isTrue(title) ? `[TITLE]: ${pyStr(title)}\n${pyStr(table)}` : table,
    test_elements: { answer: at(problem, 'answer'), unit, choices },
    answer: `Answer: The answer is ${answer}.`,
    solution: `Solution: ${solution}`,
    answer_and_solution: `Answer: The answer is ${answer}. BECAUSE: ${solution}`,
    solution_and_answer: `Answer: ${solution} The answer is ${answer}.`,
  })
}

function lettered(choice: PyValue, index: number): string {
  return `(${at('ABCDEFGH', index) as string}) ${pyStr(choice)}`
}

export const tabMwp: Loader = {
  reads: 'a folder with problems_dev.json, problems_test.json and problems_train.json: objects of problems',
  takes: ['path'],
  async load(data, settings) {
    const path = await data.path(settings.path, { localMode: true })
    const splits: Record<string, Table> = {}
    for (const split of ['dev', 'test', 'train']) {
      const file = joinPath(path, `problems_${split}.json`)
      const problems = await data.json(file)
      if (!isDict(problems)) throw new BadData('the file is not an object of problems', file)
      splits[split] = fromList(dictEntries(problems).map(([, problem]) => tableProblem(problem)))
    }
    return splits
  },
}
