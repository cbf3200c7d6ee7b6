import { dictFromEntries, pyStr } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import { loadFolder, readTable, splitOf } from '../load-dataset.ts'
import type { Loader } from '../loader.ts'
import { at, listAt, type RowDict, set, textAt } from '../row-values.ts'
import { dictsOf, mapTable, renameColumns, type Splits, type Table } from '../table.ts'

// Classes that call `load_dataset` with the name of a repository.

const layout = (repository: string) => `a folder laid out as the repository ${repository} on the Hugging Face hub`

/** `load_dataset` with the config's arguments, then a change of each row. */
function mappedHub(change: (row: RowDict) => RowDict, without: readonly string[] = []): Loader {
  return {
    reads: 'a folder laid out as on the Hugging Face hub',
    takes: ['path', '*'],
    async load(data, settings) {
      const splits = await loadFolder(data, settings.path, { name: settings.has('name') ? settings.text('name') : undefined })
      const mapped = Object.entries(splits).map(([split, table]) => [split, removeColumns(mapTable(table, change), without)] as const)
      const split = settings.get('split')
      return typeof split === 'string' ? splitOf(Object.fromEntries(mapped), split) : (Object.fromEntries(mapped) as Splits)
    },
  }
}

function removeColumns(table: Table, names: readonly string[]): Table {
  const missing = names.find((name) => !table.columns.includes(name))
  if (missing !== undefined) throw new BadData(`there is no column "${missing}"`)
  const columns = table.columns.filter((name) => !names.includes(name))
  return { columns, rows: dictsOf(table).map((row) => dictFromEntries(columns.map((name) => [name, row.get(name)!]))) }
}

export const winograd = mappedHub(
  (row) => {
    const text = at(row, 'text')
    row.delete('text')
    return set(row, { prompt: text, opt1: at(at(row, 'options'), 0), opt2: at(at(row, 'options'), 1) })
  },
  ['options', 'source'],
)

export const beyondAime: Loader = {
  reads: layout('ByteDance-Seed/BeyondAIME'),
  takes: ['path', '*'],
  load: async (data, settings) => renameColumns(splitOf(await loadFolder(data, settings.path), 'test'), { problem: 'question' }),
}

export const sciKnowEval: Loader = {
  reads: 'a folder with data/SUBSET/sciknoweval_SUBSET_test.jsonl, as on the Hugging Face hub',
  takes: ['path', 'prompt_mode', 'subset', '*'],
  async load(data, settings) {
    const [subset, mode] = [settings.text('subset'), settings.text('prompt_mode')]
    const file = `data/${subset.slice(0, 1).toUpperCase()}${subset.slice(1)}/sciknoweval_${subset}_test.jsonl`
    const table = await readTable(data, joinPath(await data.repository(settings.path), file), 'json')
    if (mode !== 'zero-shot') return table
    return mapTable(table, (row) => {
      const choices = at(row, 'choices')
      const texts = listAt(choices, 'text')
      const options = listAt(choices, 'label')
        .slice(0, texts.length)
        .map((label, index) => `${pyStr(label)}. ${pyStr(texts[index]!)}`)
      const head = `You are an expert in ${subset}.\n${textAt(at(row, 'prompt'), 'default')}\n${textAt(row, 'question')}\n`
      return set(row, { q4: head + options.join('\n'), prompt_mode: mode })
    })
  },
}

export const cardBiomedBench: Loader = {
  reads: 'a folder with data/CARDBiomedBench.csv, as on the Hugging Face hub',
  takes: ['path', 'prompt_mode', '*'],
  async load(data, settings) {
    const mode = settings.text('prompt_mode')
    const table = await readTable(data, joinPath(await data.repository(settings.path), 'data/CARDBiomedBench.csv'), 'csv')
    if (mode !== 'zero-shot') return table
    // There are no choices, so the last letter is the character before "A".
    return mapTable(table, (row) => set(row, { expert: at(row, 'Bio_Category'), start: 'A', end: '@', prompt_mode: mode }))
  },
}
