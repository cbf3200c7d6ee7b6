import { dictFromEntries, isDict, type PyValue, parseJson, pyStr, stringifyJson } from '@rolecall/core/internal/python'
import { ownEntry } from '@rolecall/core/internal/schema'
import { NumpyGenerator } from '../../../../python/library/numpy-generator.ts'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import { loadFolder, readTable, splitOf } from '../load-dataset.ts'
import type { Loader } from '../loader.ts'
import { type Data, isJson } from '../loader-data.ts'
import { readArrowTable } from '../read/arrow.ts'
import { at, dictOf, get, listAt, listOf, type RowDict, set, textAt } from '../row-values.ts'
import { dictsOf, filterTable, fromList, mapTable, type Splits, type Table } from '../table.ts'

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

export const roleBenchInstructions = roleBench('profiles-eng', 'rolebench-eng/instruction-generalization')
export const roleBenchRoles = roleBench('profiles-eng', 'rolebench-eng/role-generalization')
export const roleBenchChinese = roleBench('profiles-zh', 'rolebench-zh')

const severities = ['severe_toxicity', 'obscene', 'threat', 'insult', 'identity_attack', 'sexual_explicit']
const testRows = 10_000

export const civilComments: Loader = {
  reads: 'a folder laid out as the repository civil_comments on the Hugging Face hub',
  takes: ['path', '*'],
  async load(data, settings) {
    const splits = await loadFolder(data, settings.path)
    const without = (table: Table): Table => {
      const missing = severities.find((name) => !table.columns.includes(name))
      if (missing !== undefined) throw new BadData(`there is no column "${missing}"`)
      return fromList(dictsOf(table).map((row) => new Map([...row].filter(([name]) => !severities.includes(name)))))
    }
    const test = shuffled(without(splitOf(splits, 'test')))
    if (test.rows.length < testRows) throw new BadData(`the test split has ${test.rows.length} rows, and OpenCompass takes ${testRows}`)
    return {
      train: without(splitOf(splits, 'train')),
      test: mapTable({ ...test, rows: test.rows.slice(0, testRows) }, (row) =>
        set(row, { label: Number(Number(at(row, 'toxicity')) >= 0.5), choices: ['no', 'yes'] }),
      ),
    }
  },
}

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

export const perspectiveGap: Loader = {
  reads: 'a .jsonl file',
  takes: ['path', 'name'],
  async load(data, settings) {
    if (!settings.path.endsWith('.jsonl')) throw new BadData('"path" is not a .jsonl file, and nothing is downloaded')
    const table = await readTable(data, settings.path, 'json')
    return fromList(
      dictsOf(table).map((row) => {
        const needs = at(row, 'reference_need_sets')
        const roles = get(row, 'roles')
        const names = roles === null || (Array.isArray(roles) && roles.length === 0) ? listOf(needs) : listOf(roles)
        const sets = names
          .filter((role) => Array.isArray(get(needs, role as string)))
          .map((role): [string, PyValue] => [role as string, get(needs, role as string)])
        const reference = dictFromEntries([
          ['reference_need_sets', dictFromEntries(sets)],
          ['distractor_id', at(row, 'distractor_id')],
          ['fragments', at(row, 'fragments')],
        ])
        return new Map([
          ['input', at(row, `${settings.name}_prompt`)],
          ['reference_data', stringifyJson(reference)],
        ])
      }),
    )
  },
}

export const advancedIf: Loader = {
  reads: 'a folder laid out as the repository facebook/AdvancedIF on the Hugging Face hub',
  takes: ['path', 'name?', '*'],
  async load(data, settings) {
    const wanted = settings.get('name') ?? null
    const rows = dictsOf(splitOf(await loadFolder(data, settings.path), 'train'))
    return fromList(
      rows.flatMap((row) => {
        const benchmark = get(row, 'benchmark_name', '')
        return wanted !== null && benchmark !== wanted ? [] : [conversationRow(row, benchmark, data)]
      }),
    )
  },
}

/** The last user turn is the question; the others are shown as text. */
function conversationRow(row: RowDict, benchmark: PyValue, data: Data): RowDict {
  const turns = listOf(data.parse(textAt(row, 'conversation_history'), 'conversation_history'))
  const last = turns.findLastIndex((turn) => get(turn, 'role') === 'user')
  let number = 1
  const lines = turns
    .filter((_, index) => index !== last)
    .map((turn) => {
      const line = `${pyStr(get(turn, 'role', ''))} [${number}]: ${pyStr(get(turn, 'content', ''))}`
      if (get(turn, 'role', '') === 'assistant') number++
      return line
    })
  return new Map<string, PyValue>([
    ['conversation_history', turns as PyValue],
    ['full_conversation_text', lines.join('\n')],
    ['last_user_question', last < 0 ? '' : get(turns[last], 'content', '')],
    ['system_prompt', turns.length > 0 && get(turns[0], 'role') === 'system' ? get(turns[0], 'content', '') : ''],
    ['rubrics_text', rubricsOf(get(row, 'prompt_metadata', ''))],
    ['benchmark_name', benchmark],
  ])
}

function rubricsOf(metadata: PyValue): PyValue {
  if (isDict(metadata)) return get(metadata, 'rubrics', '')
  if (typeof metadata !== 'string' || metadata === '' || !isJson(metadata)) return ''
  return get(parseJson(metadata), 'rubrics', '')
}

export const medBench: Loader = {
  reads: 'a folder with NAME.jsonl',
  takes: ['path', 'name', 'setting_name'],
  async load(data, settings) {
    if (!'zero-shot'.includes(settings.text('setting_name'))) throw new BadData('only the setting zero-shot is supported')
    const rows = await data.rows(joinPath(await data.path(settings.path, { localMode: true }), `${settings.name}.jsonl`))
    return fromList(
      rows.map(
        (row, index) =>
          new Map([
            ['id', index],
            ['problem_input', at(row, 'question')],
            ['label', at(row, 'answer')],
          ]),
      ),
    )
  },
}
