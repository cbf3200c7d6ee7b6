import { check } from '@rolecall/core/internal/errors'
import { dictEntries, isDict, isList, type PyValue } from '@rolecall/core/internal/python'
import { BadData } from '../opencompass/loaders/bad-data.ts'
import type { Loaded, Loader } from '../opencompass/loaders/loader.ts'
import { fromAll } from '../opencompass/loaders/table.ts'
import { hostOf, type OwnPython, ownPythonSchema, settingsOf } from './own-object.ts'

/** The rows of a user's own dataset class. */
export const pythonDataset: Loader = {
  reads: 'the files that its code names',
  takes: ['object', 'folder', 'from?', 'code?', 'settings?'],
  async load(_, settings): Promise<Loaded> {
    const own: OwnPython = check(
      ownPythonSchema,
      Object.fromEntries(settings.names().map((name) => [name, settings.get(name)])),
      'PythonDataset',
    )
    const object = await hostOf(own).load({ kind: 'dataset', name: own.object, from: own.from })
    return loadedOf(await object.call({ settings: settingsOf(own) }), own.object)
  },
}

/** What `load` of a class gave, as rows or splits. */
export function loadedOf(rows: PyValue, name: string): Loaded {
  if (isList(rows)) return tableOf(rows)
  if (isDict(rows)) return Object.fromEntries(dictEntries(rows).map(([split, items]) => [split, tableOf(items)]))
  throw new BadData(`${name}.load gives neither rows nor splits`)
}

function tableOf(rows: PyValue) {
  if (!isList(rows)) throw new BadData('a split is no list of rows')
  return fromAll(
    rows.map((row, number) => {
      if (!isDict(row)) throw new BadData(`row ${number} is no dict`)
      return new Map(dictEntries(row))
    }),
  )
}
