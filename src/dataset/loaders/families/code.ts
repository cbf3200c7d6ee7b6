import { pyRepr } from '../../../python/index.ts'
import type { Loader } from '../loader.ts'
import { fromList } from '../table.ts'

export const humaneval: Loader = {
  reads: 'a .jsonl file with the problems of HumanEval',
  takes: ['path', 'num_repeats?', 'local_mode?'],
  async load(data, settings) {
    const path = await data.path(settings.path, { localMode: settings.flag('local_mode') })
    const repeats = Number(pyRepr(settings.get('num_repeats') ?? 1))
    const rows = await data.rows(path)
    return fromList(rows.flatMap((row) => Array.from({ length: repeats }, () => row)))
  },
}
