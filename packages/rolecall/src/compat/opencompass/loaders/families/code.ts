import { isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { evalPlusColumns } from '../../evaluators/code/evalplus-program.ts'
import { BadData, MissingData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import { readTable } from '../load-dataset.ts'
import type { Loader, Settings } from '../loader.ts'
import type { Data } from '../loader-data.ts'
import { decode } from '../read/decode.ts'
import { gunzip } from '../read/gunzip.ts'
import { at, dictOf, equal, pick, type RowDict, set, textOf } from '../row-values.ts'
import { oneFile, repeatedRows, repeatsOf } from '../simple.ts'
import { filterTable, fromList, mapTable, type Table } from '../table.ts'

/** Rows with the task of EvalPlus that has their id: its inputs are not in OpenCompass's files. */
async function withEvalPlus(data: Data, rows: readonly RowDict[], of: 'HumanEval' | 'Mbpp'): Promise<RowDict[]> {
  const tasks = new Map((await data.rows(await evalPlusFile(data, of))).map((task) => [pyStr(at(task, 'task_id')), task]))
  return rows.map((entry) => {
    const id = pyStr(at(entry, 'task_id'))
    const task = tasks.get(id)
    if (task === undefined) throw new BadData(`EvalPlus has no task ${id}`)
    return set(entry, { evalplus: pick(task, ...evalPlusColumns) })
  })
}

/** The file that EvalPlus reads: that of its environment variable, or the newest that it has downloaded. */
async function evalPlusFile({ files }: Data, of: 'HumanEval' | 'Mbpp'): Promise<string> {
  const variable = `${of.toUpperCase()}_OVERRIDE_PATH`
  const { HOME: home = '~', [variable]: given } = files.environment ?? {}
  if (given) return given
  const folder = joinPath(home, '.cache/evalplus')
  const name = ((await files.names(folder)) ?? []).findLast((one) => one.startsWith(`${of}Plus-v`) && one.endsWith('.jsonl'))
  if (name !== undefined) return joinPath(folder, name)
  throw new MissingData(`the tests of EvalPlus are not here: ${of}Plus.jsonl, by the variable ${variable} or in ${folder}`, folder)
}

export const humaneval: Loader = {
  reads: 'a .jsonl file with the problems of HumanEval',
  takes: ['path', 'num_repeats?', 'local_mode?', 'with_evalplus?'],
  async load(data, settings) {
    const path = await data.path(settings.path, { localMode: settings.flag('local_mode') })
    return humanevalTable(data, await data.rows(path), settings)
  },
  hub: async (rows, settings) => humanevalTable(rows.data, await rows.rows('test', 'openai_humaneval'), settings),
}

async function humanevalTable(data: Data, rows: readonly RowDict[], settings: Settings): Promise<Table> {
  return fromList(repeatedRows(settings.flag('with_evalplus') ? await withEvalPlus(data, rows, 'HumanEval') : rows, settings))
}

export const humanevalOtherLanguages = oneFile({
  reads: 'a .jsonl file with the problems of HumanEval in another language',
  takes: ['path', 'num_repeats?', 'local_mode?'],
  localMode: true,
  change: (entry, _, settings) => repeatedRows([pick(entry, 'prompt', 'task_id', 'test', 'entry_point', 'canonical_solution')], settings),
})

const humanevalXLanguages = ['cpp', 'go', 'java', 'js', 'python', 'rust']

export const humanevalX: Loader = {
  reads: 'a folder with humanevalx_{language}.jsonl.gz',
  takes: ['path', 'language', '*'],
  async load(data, settings) {
    const language = settings.text('language')
    if (!humanevalXLanguages.includes(language)) throw new BadData(`"language" is none of ${humanevalXLanguages.join(', ')}`)
    const path = joinPath(await data.path(settings.path), `humanevalx_${language}.jsonl.gz`)
    const lines = decode(await gunzip(await data.bytes(path), path), path).split('\n')
    return fromList(
      lines.flatMap((line, index) =>
        line.trim() === '' ? [] : [dictOf(data.parse(line, `${path}:${index + 1}`), `${path}:${index + 1}`)],
      ),
    )
  },
}

/** All rows, repeated this many times as a whole. */
function overAgain({ columns, rows }: Table, times: number): Table {
  return { columns, rows: Array.from({ length: times }, () => rows).flat() }
}

/** `train[from:to]` of what `load_dataset` reads; a start beyond the end is an error. */
function slice(table: Table, from: number, to?: number): Table {
  if (from >= table.rows.length) throw new BadData(`there are only ${table.rows.length} rows, and those from ${from} on are asked for`)
  return { columns: table.columns, rows: table.rows.slice(from, to) }
}

function tests(list: PyValue): string {
  return isList(list) ? list.map((one) => textOf(one)).join('\n') : textOf(list)
}

function mbppLoader(first: number, last: number | undefined, change: (entry: RowDict) => RowDict, subset = 'full'): Loader {
  const splits = (table: Table, settings: Settings) => ({
    train: mapTable(slice(table, 0, first), change),
    test: overAgain(mapTable(slice(table, first, last), change), repeatsOf(settings)),
  })
  return {
    reads: 'a .jsonl file with the problems of MBPP',
    takes: ['path', 'num_repeats?', 'local_mode?'],
    async load(data, settings) {
      const path = await data.path(settings.path, { localMode: settings.flag('local_mode') })
      return splits(await readTable(data, path, 'json'), settings)
    },
    hub: async (rows, settings) => splits(await rows.table('train', subset), settings),
  }
}

export const mbpp = mbppLoader(10, 510, (entry) => {
  const given = at(entry, 'test_list')
  return set(entry, { test_case: given, test_list: tests(given), test_list_2: tests(given) })
})

export const mbpp2 = mbppLoader(10, 510, (entry) => {
  const given = at(entry, 'test_list')
  return set(entry, {
    test_case: given,
    test_list: tests(given),
    test_column: { test_list_2: tests(given), task_id: at(entry, 'task_id') },
  })
})

/** All rows are evaluated, each repeated `num_repeats` times consecutively. */
export const mbppPlus: Loader = {
  reads: 'a .jsonl file with the problems of MBPP+',
  takes: ['path', 'num_repeats?', 'with_evalplus?'],
  async load(data, settings) {
    const rows = (await data.rows(await data.path(settings.path))).map((entry) => {
      const given = at(entry, 'test_list')
      const list = tests(given)
      const column = { test_list_2: list, task_id: at(entry, 'task_id') }
      return set(entry, { test_case: given, test_list: list, test_list_2: list, test_column: column })
    })
    return fromList(repeatedRows(settings.flag('with_evalplus') ? await withEvalPlus(data, rows, 'Mbpp') : rows, settings))
  },
}

export const mbppSanitized = mbppLoader(
  7,
  264,
  (entry) => {
    const text = at(entry, 'prompt')
    entry.delete('prompt')
    const list = tests(at(entry, 'test_list'))
    return set(entry, { text, test_list: list, test_list_2: list, test_column: { test_list_2: list, task_id: at(entry, 'task_id') } })
  },
  'sanitized',
)

/** Problems of one difficulty, the first five as examples. */
export const lcBench: Loader = {
  reads: 'a .jsonl file with the problems of LCBench',
  takes: ['path', 'num_repeats?', 'difficulty?', 'local_mode?'],
  async load(data, settings) {
    const path = await data.path(settings.path, { localMode: settings.flag('local_mode') })
    const table = await readTable(data, path, 'json')
    const difficulty = settings.text('difficulty', 'ALL')
    const read = (part: Table) => {
      const kept = difficulty === 'ALL' ? part : filterTable(part, (entry) => equal(at(entry, 'Difficulty'), difficulty))
      return mapTable(kept, (entry) => {
        const given = at(entry, 'test_list')
        return set(entry, {
          test_case: given,
          test_list: tests(given),
          test_column: { test_list_2: tests(given), task_id: at(entry, 'Contest id') },
        })
      })
    }
    return { train: read(slice(table, 0, 5)), test: overAgain(read(slice(table, 5)), repeatsOf(settings)) }
  },
}
