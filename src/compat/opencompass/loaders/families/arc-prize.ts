import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Loader } from '../loader.ts'
import { at, listAt, type RowDict, row } from '../row-values.ts'
import { fromList } from '../table.ts'
import { arcPrizeTasks } from './arc-prize-tasks.ts'

/** One file per task: pairs of grids, and an input grid whose output is the answer. */
export const arcPrize: Loader = {
  reads: 'a folder with a .json file for each task of ARC-AGI: train, test',
  takes: ['path', 'version'],
  async load(data, settings) {
    const version = settings.text('version')
    const tasks = Object.hasOwn(arcPrizeTasks, version) ? arcPrizeTasks[version] : undefined
    if (!tasks) throw new BadData(`"version" is none of ${Object.keys(arcPrizeTasks).join(', ')}`)
    const path = await data.path(settings.path)
    const rows: RowDict[] = []
    for (const name of await data.names(path)) {
      if (!name.endsWith('.json') || !tasks.has(name.slice(0, -'.json'.length))) continue
      const task = await data.json(joinPath(path, name))
      const asked = at(listAt(task, 'test'), 0)
      rows.push(row({ training_data: at(task, 'train'), input_test_data: at(asked, 'input'), output_test_data: at(asked, 'output') }))
    }
    return fromList(rows)
  },
}
