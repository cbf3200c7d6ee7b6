import { pyStr, truthy } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import { loadFolder, splitOf } from '../load-dataset.ts'
import type { Loader } from '../loader.ts'
import { type Data, isJson } from '../loader-data.ts'
import { readArrowTable } from '../read/arrow.ts'
import { at, get, listAt, type RowDict, set, textAt } from '../row-values.ts'
import { repeatedRows } from '../simple.ts'
import { concatenate, dictsOf, fromColumns, fromList, type Splits, type Table } from '../table.ts'

export const molecularIq: Loader = {
  reads: 'a folder with NAME.jsonl',
  takes: ['path', 'name', '*'],
  async load(data, settings) {
    const file = settings.name.endsWith('.jsonl') ? settings.name : `${settings.name}.jsonl`
    const rows = await data.rows(joinPath(await data.path(settings.path), file), { blank: 'skip' })
    return fromList(
      rows.map((row) => {
        const target = get(row, 'target')
        return new Map([
          ['id', at(row, 'uid')],
          ['prompt', at(row, 'question')],
          ['ground_truth', truthy(target) ? target : get(row, 'constraints')],
        ])
      }),
    )
  },
}

/** Problems with the format of their answers; a JSON text says whether a function is called. */
function starterOf(row: RowDict, data: Data): string {
  const code = textAt(row, 'starter_code')
  const isCalled = code !== '' || hasFunction(textAt(row, 'input_output'), data)
  // The backslash and the n are literal.
  return `${code}\\nUse ${isCalled ? 'Call-Based' : 'Standard Input'} format`
}

function hasFunction(text: string, data: Data): boolean {
  try {
    return truthy(get(data.parse(text, 'input_output'), 'fn_name'))
  } catch (error) {
    if (error instanceof BadData && !isJson(text)) return false
    throw error
  }
}

function problems(splits: Splits, change: (row: RowDict, index: number, split: string) => RowDict | undefined): Record<string, Table> {
  return Object.fromEntries(
    Object.entries(splits).map(([split, table]) => {
      const rows = dictsOf(table).flatMap((row, index) => change(row, index, split) ?? [])
      if (rows.length === 0) throw new BadData(`the split "${split}" has no rows left`)
      return [split, fromColumns(Object.fromEntries([...rows[0]!.keys()].map((name) => [name, rows.map((row) => at(row, name))])))]
    }),
  )
}

export const apps: Loader = {
  reads: 'a folder laid out as the repository codeparrot/apps on the Hugging Face hub',
  takes: ['path', 'num_repeats?'],
  async load(data, settings) {
    const splits = problems(await loadFolder(data, settings.path), (row) => set(row, { starter: starterOf(row, data) }))
    return { test: fromList(repeatedRows(dictsOf(splitOf(splits, 'test')), settings)) }
  },
}

/** The same from a folder that `save_to_disk` wrote. */
export const appsMini: Loader = {
  reads: 'a folder that save_to_disk of Hugging Face datasets wrote: dataset_dict.json, and a folder for each split',
  takes: ['path', 'num_repeats?'],
  async load(data, settings) {
    const splits = problems(await loadFromDisk(data, settings.path), (row) => set(row, { starter: starterOf(row, data) }))
    return { test: fromList(repeatedRows(dictsOf(splitOf(splits, 'test')), settings)) }
  },
}

/** `datasets.load_from_disk`: Arrow files, which a JSON file of each split lists. */
async function loadFromDisk(data: Data, path: string): Promise<Splits> {
  const splits: Record<string, Table> = {}
  for (const split of listAt(await data.json(joinPath(path, 'dataset_dict.json')), 'splits')) {
    const folder = joinPath(path, pyStr(split))
    const tables: Table[] = []
    for (const file of listAt(await data.json(joinPath(folder, 'state.json')), '_data_files')) {
      const name = joinPath(folder, textAt(file, 'filename'))
      tables.push(await readArrowTable(await data.bytes(name), name))
    }
    splits[pyStr(split)] = concatenate(tables)
  }
  return splits
}

export const taco: Loader = {
  reads: 'test/data-00000-of-00001.arrow of the repository BAAI/TACO',
  takes: ['path', 'num_repeats?', 'difficulty?'],
  async load(data, settings) {
    const difficulty = settings.text('difficulty', 'ALL')
    if (settings.path !== 'BAAI/TACO') throw new BadData('OpenCompass reads TACO from the repository BAAI/TACO only')
    const file = joinPath(await data.repository(settings.path), 'test/data-00000-of-00001.arrow')
    const test = await readArrowTable(await data.bytes(file), file)
    const splits = problems({ test }, (row, index, split) => {
      if (!difficulty.includes('ALL') && at(row, 'difficulty') !== difficulty) return undefined
      return set(row, { starter: starterOf(row, data), problem_id: `${split}${index}` })
    })
    return { test: fromList(repeatedRows(dictsOf(splitOf(splits, 'test')), settings)) }
  },
}
