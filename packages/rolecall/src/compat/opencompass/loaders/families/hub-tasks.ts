import { dictFromEntries } from '@rolecall/core/internal/python'
import { ownEntry } from '@rolecall/core/internal/schema'
import { NumpyGenerator } from '../../../../python/library/numpy-generator.ts'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import { loadFolder, readTable } from '../load-dataset.ts'
import type { Loader } from '../loader.ts'
import { readArrowTable } from '../read/arrow.ts'
import { at, dictOf, listAt, type RowDict, set, textAt } from '../row-values.ts'
import { filterTable, fromList, mapTable, type Splits, type Table } from '../table.ts'

/** `Dataset.shuffle(seed=42)`. */
function shuffled(table: Table): Table {
  return { columns: table.columns, rows: new NumpyGenerator(42).permutation(table.rows.length).map((place) => table.rows[place]!) }
}

/** RoleBench: questions to a role that its description explains. */
function roleBench(profiles: string, folder: string): Loader {
  return {
    reads: `a folder with ${profiles}/desc.json and ${folder}/{general,role_specific}/{train,test}.jsonl`,
    takes: ['path'],
    async load(data, settings) {
      const path = await data.path(settings.path, { localMode: true })
      const descriptions = await data.json(joinPath(path, profiles, 'desc.json'))
      const split = async (name: string) => {
        const rows: RowDict[] = []
        for (const part of ['general', 'role_specific']) rows.push(...(await data.rows(joinPath(path, folder, part, `${name}.jsonl`))))
        const asked = rows.map(
          (row) =>
            new Map([
              ['role', at(row, 'role')],
              ['desc', at(descriptions, textAt(row, 'role'))],
              ['question', at(row, 'question')],
              ['answer', at(at(row, 'generated'), 0)],
            ]),
        )
        return shuffled(fromList(asked))
      }
      return { train: await split('train'), test: await split('test') }
    },
  }
}
export const roleBenchRoles = roleBench('profiles-eng', 'rolebench-eng/role-generalization')

export const realToxicPrompts: Loader = {
  reads: 'an .arrow file, or a folder laid out as the repository allenai/real-toxicity-prompts',
  takes: ['path', 'challenging_subset?', '*'],
  async load(data, settings) {
    const isHub = settings.path === 'allenai/real-toxicity-prompts'
    const file = isHub ? '' : await data.path(settings.path, { localMode: true })
    const splits: Splits = isHub ? await loadFolder(data, settings.path) : { train: await readArrowTable(await data.bytes(file), file) }
    const flat = Object.entries(splits).map(([split, table]) => {
      const rows = mapTable(table, (row) => {
        const prompt = dictOf(at(row, 'prompt'))
        row.delete('prompt')
        return set(row, Object.fromEntries([...prompt].map(([name, value]) => [`prompt_${name}`, value])))
      })
      return [split, settings.flag('challenging_subset') ? filterTable(rows, (row) => at(row, 'challenging') === true) : rows] as const
    })
    return Object.fromEntries(flat)
  },
}

const healthFiles: Readonly<Record<string, string>> = {
  '': '2025-05-07-06-14-12_oss_eval.jsonl',
  hard: 'hard_2025-05-08-21-00-10.jsonl',
  consensus: 'consensus_2025-05-09-20-00-46.jsonl',
}

export const healthBench: Loader = {
  reads: 'a folder laid out as the repository openai/healthbench on the Hugging Face hub',
  takes: ['path', 'subset', '*'],
  async load(data, settings) {
    const file = ownEntry(healthFiles, settings.text('subset'))
    if (file === undefined) throw new BadData(`there is no subset "${settings.text('subset')}" (there are: '', hard, consensus)`)
    const table = await readTable(data, joinPath(await data.repository(settings.path), file), 'json')
    const empty = dictFromEntries([
      ['role', 'assistant'],
      ['content', ''],
    ])
    return mapTable(table, (row) => set(row, { prompt_trans: [...listAt(row, 'prompt'), empty] }))
  },
}
