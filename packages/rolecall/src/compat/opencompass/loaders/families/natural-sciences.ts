import { pyStr, strip } from '@rolecall/core/internal/python'
import { joinPath } from '../files.ts'
import { readTable } from '../load-dataset.ts'
import type { Loader } from '../loader.ts'
import { listAt, row, set, textAt } from '../row-values.ts'
import { oneFile } from '../simple.ts'
import { fromList, mapTable, renameColumns } from '../table.ts'

/** Numbered answers on separate lines. */
export const physics: Loader = {
  reads: 'a folder with {name}/data.jsonl',
  takes: ['path', 'name'],
  async load(data, settings) {
    const table = await readTable(data, joinPath(await data.path(settings.path), settings.name, 'data.jsonl'), 'json')
    const renamed = renameColumns(table, { questions: 'input' })
    return mapTable(renamed, (entry) =>
      set(entry, {
        target: listAt(entry, 'final_answers')
          .map((answer, index) => `Answer ${index + 1}: ${pyStr(answer)}\n`)
          .join(''),
      }),
    )
  },
}

export const seedBench: Loader = {
  reads: 'a folder with the file "data_files", a .json file',
  takes: ['path', 'data_files', '*'],
  load: async (data, settings) => readTable(data, joinPath(await data.path(settings.path), settings.text('data_files')), 'json'),
}

export const eese: Loader = {
  reads: 'a folder with test/{file_name}',
  takes: ['path', 'file_name', '*'],
  async load(data, settings) {
    const table = fromList(await data.rows(joinPath(await data.path(settings.path), 'test', settings.text('file_name')), { blank: 'skip' }))
    return { test: table, train: table }
  },
  hub: (rows) => rows.table('test', 'default'),
}

export const sciBench = oneFile({
  file: '{name}.json',
  reads: 'a folder with {name}.json: problem_text, answer_number',
  takes: ['path', 'name'],
  as: 'list',
  change: (entry) => row({ question: strip(textAt(entry, 'problem_text')), answer: strip(textAt(entry, 'answer_number')) }, entry),
})
