import { floatOf, isDict, isList, pyFloat, pyStr } from '@rolecall/core/internal/python'
import { PythonRandom } from '../../../../python/library/random.ts'
import { propertyValue } from '../../evaluators/science/property-value.ts'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Loader, Settings } from '../loader.ts'
import type { Data } from '../loader-data.ts'
import { at, dictOf, fail, get, integer, isTrue, lookUp, type RowDict, row } from '../row-values.ts'
import { fromList } from '../table.ts'

const materialFiles = { oqmd: 'oqmd_test.json', jarvis_dft: 'jarvis_dft_test.json' }
const taskFiles = { go_bp: 'go_test_bp.json', tmscore: 'tmscore_test.json', dude_count: 'dude_count.jsonl' }

/** The id and the gold answer of an entry; undefined for one that is left out. */
type Task = (entry: RowDict, index: number, settings: Settings) => { id: string; answer: Parameters<typeof row>[0] } | undefined

const tasks: Readonly<Record<string, Task>> = {
  material(entry, _, settings) {
    const property = settings.text('property_name')
    const value = propertyValue(get(entry, 'output', ''), property)
    if (value === undefined) return undefined
    return { id: '', answer: { value: pyFloat(value), property, source: settings.get('source')! } }
  },
  go_bp(entry, index, settings) {
    const name = get(entry, 'name')
    const answer = { value: get(entry, 'output', ''), name, chain: get(entry, 'chain') }
    return { id: isTrue(name) ? pyStr(name) : `${settings.name}-${index}`, answer }
  },
  tmscore(entry, index) {
    const meta = get(entry, 'meta', {})
    const value = floatOf(get(entry, 'output')) ?? fail('its "output" is not a number', entry)
    return { id: `${pyStr(get(meta, 'sid1', index))}-${pyStr(get(meta, 'sid2', index))}`, answer: { value: pyFloat(value), meta } }
  },
  dude_count(entry, index) {
    const metadata = get(entry, 'metadata', {})
    return {
      id: `${pyStr(get(metadata, 'target', 'target'))}-${index}`,
      answer: { value: integer(get(entry, 'label')), target: get(metadata, 'target'), metadata },
    }
  },
}

async function entriesOf(data: Data, path: string): Promise<RowDict[]> {
  if (path.endsWith('.jsonl')) return data.rows(path, { blank: 'skip' })
  const value = await data.json(path)
  if (isDict(value)) return [dictOf(value, path)]
  return isList(value) ? value.map((entry, index) => dictOf(entry, `${path} › ${index}`)) : fail('the file is not a list', value)
}

/** Some of the rows, drawn with a seed, in their order. */
function sampled(rows: readonly RowDict[], settings: Settings): readonly RowDict[] {
  const size = settings.get('sample_size') ?? null
  if (size === null && !settings.flag('mini_set')) return rows
  const random = new PythonRandom(integer(settings.get('seed') ?? 1024))
  const places = random.sample([...rows.keys()], Math.min(rows.length, size === null ? 150 : integer(size)))
  return places.sort((a, b) => a - b).map((place) => rows[place]!)
}

/** SciReasoner 1.5: materials, gene ontology, similar proteins and pairs of molecules. */
export const sciReasoner15: Loader = {
  reads: 'a folder with the file of the task: oqmd_test.json, jarvis_dft_test.json, go_test_bp.json, tmscore_test.json or dude_count.jsonl',
  takes: ['path', 'name', 'task_type', 'source?', 'property_name?', 'mini_set?', 'sample_size?', 'seed?', '*'],
  async load(data, settings) {
    const type = settings.text('task_type')
    const file = type === 'material' ? lookUp(materialFiles, settings.get('source') ?? null) : lookUp(taskFiles, settings.name)
    const entries = await entriesOf(data, joinPath(await data.path(settings.path), file as string))
    const rows: RowDict[] = []
    for (const [index, entry] of entries.entries()) {
      const task = Object.hasOwn(tasks, type) ? tasks[type]! : undefined
      if (!task) throw new BadData(`"task_type" is none of ${Object.keys(tasks).join(', ')}`)
      const found = task(entry, index, settings)
      if (!found) continue
      const { id, answer } = found
      const { value, ...others } = answer
      const known = { value: value!, ...(type === 'material' ? { ...others, task_type: type } : { task_type: type, ...others }) }
      rows.push(
        row(
          { id: id === '' ? `${settings.name}-${rows.length}` : id, prompt: at(entry, 'input'), answer: known, subset: settings.name },
          entry,
        ),
      )
    }
    return fromList(sampled(rows, settings))
  },
}
