import { floatOf, type PyValue, pyFloat } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Loader } from '../loader.ts'
import { at, fail, get, integer, isTrue, type RowDict, row, textAt } from '../row-values.ts'
import { fromList } from '../table.ts'

/** What S²-TOMG-Bench counts in a molecule, by the kind of task. */
const counted: Readonly<Record<string, readonly string[]>> = {
  AtomNum:
    'carbon oxygen nitrogen sulfur fluorine chlorine bromine iodine phosphorus boron silicon selenium tellurium arsenic antimony bismuth polonium'.split(
      ' ',
    ),
  BondNum: ['single', 'double', 'triple', 'rotatable', 'aromatic'],
  FunctionalGroup:
    'benzene_ring hydroxyl anhydride aldehyde ketone carboxyl ester amide amine nitro halo thioether nitrile thiol sulfide disulfide sulfoxide sulfone borane'.split(
      ' ',
    ),
}

const knownTasks = /^(?:MolCustom_(?:AtomNum|BondNum|FunctionalGroup)|MolEdit_(?:Add|Del|Sub)Component|MolOpt_(?:LogP|MR|QED))$/

/** A number of a CSV file, where an empty cell is none. */
function cell(entry: RowDict, name: string): number | undefined {
  const text = get(entry, name)
  if (text === null || text === '') return undefined
  return floatOf(text) ?? fail(`its "${name}" is not a number`, entry)
}

function wanted(entry: RowDict, family: string, subtask: string): Record<string, PyValue> {
  const columns = family === 'MolCustom' && Object.hasOwn(counted, subtask) ? counted[subtask] : undefined
  if (columns) return { constraints: Object.fromEntries(columns.map((name) => [name, Math.trunc(cell(entry, name) ?? 0)])) }
  if (family === 'MolEdit') {
    const groups = ['added_group', 'removed_group'].filter((name) => entry.has(name))
    return { source_molecule: at(entry, 'molecule'), ...Object.fromEntries(groups.map((name) => [name, at(entry, name)])) }
  }
  if (family !== 'MolOpt') throw new BadData(`there is no task ${family}/${subtask}`)
  const value = get(entry, subtask) === null && subtask === 'LogP' ? cell(entry, 'logP') : cell(entry, subtask)
  return {
    source_molecule: at(entry, 'molecule'),
    property_name: subtask,
    source_property: value === undefined ? null : pyFloat(value),
    increase: !/lower|decrease/.test(textAt(entry, 'Instruction').toLowerCase()),
  }
}

export const s2Tomg: Loader = {
  reads: 'a folder with {name}.csv: Instruction and what the molecule must have',
  takes: ['path', 'name', 'task_family?', 'subtask?', 'max_samples?', '*'],
  async load(data, settings) {
    const name = settings.name.replace(/\.csv$/, '')
    const [knownFamily = 'None', knownSubtask = 'None'] = knownTasks.test(name) ? name.split('_') : []
    const [family, subtask] = [settings.get('task_family') || knownFamily, settings.get('subtask') || knownSubtask].map(String) as [
      string,
      string,
    ]
    const entries = await data.csvRows(joinPath(await data.path(settings.path), `${name}.csv`))
    const most = settings.flag('max_samples') ? integer(settings.get('max_samples')) : entries.length
    return fromList(
      entries.slice(0, most).map((entry, index) => {
        const instruction = at(entry, 'Instruction')
        const known = { task_name: name, task_family: family, subtask, instruction }
        const id = isTrue(get(entry, 'index')) ? at(entry, 'index') : String(index)
        return row({ id, prompt: instruction, reference: { ...known, ...wanted(entry, family, subtask) }, task_name: name }, entry)
      }),
    )
  },
}
