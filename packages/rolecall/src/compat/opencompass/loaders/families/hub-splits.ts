import { isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { ownEntry } from '@rolecall/core/internal/schema'
import { loadFolder, splitOf } from '../load-dataset.ts'
import type { Loader } from '../loader.ts'
import { isJson } from '../loader-data.ts'
import { at, equal, get, integer, letter, listAt, type RowDict, row, set } from '../row-values.ts'
import { dictsOf, fromList, mapTable } from '../table.ts'

const ofHub = (repository: string) => `a folder laid out as the repository ${repository} on the Hugging Face hub`

/** The experiments that a filter of PI-LLM keeps. */
const experiments: Readonly<Record<string, (name: string) => boolean>> = {
  exp_updates: (name) => name.includes('exp_updates') && !name.includes('randomoff'),
  exp_keys: (name) => name.includes('exp_keys'),
  exp_valuelength: (name) => name.includes('exp_valuelength'),
  exp_sequential: (name) => name.includes('extra_exp_updates_randomoff'),
}

/** PI-LLM: chats as JSON, or as the text of one user turn. */
export const piLlm: Loader = {
  reads: ofHub('giantfish-fly/pi-llm'),
  takes: ['path', 'subset?', 'experiment_filter?', 'max_samples?', '*'],
  async load(data, settings) {
    const test = dictsOf(splitOf(await loadFolder(data, settings.path, { name: settings.text('subset', 'core') }), 'test'))
    const filter = settings.flag('experiment_filter') ? ownEntry(experiments, settings.text('experiment_filter')) : undefined
    const kept = filter ? test.filter((entry) => filter(pyStr(get(entry, 'experiment', '')))) : test
    const rows = settings.flag('max_samples') ? kept.slice(0, integer(settings.get('max_samples'))) : kept
    for (const entry of rows) {
      const prompt = get(entry, 'prompt')
      if (typeof prompt !== 'string') continue
      set(entry, { prompt: isJson(prompt) ? data.parse(prompt, 'prompt') : [{ role: 'user', content: prompt }] })
    }
    return fromList(rows)
  },
}

/** ZebraLogic: the choices as one line, and the letter of the right one. */
export const zebraLogic: Loader = {
  reads: ofHub('WildEval/ZebraLogic'),
  takes: ['path', 'config?'],
  async load(data, settings) {
    const config = settings.text('config', 'mc_mode')
    const splits = await loadFolder(data, settings.path, { name: config })
    const test = splitOf(splits, 'test')
    const table = config === 'mc_mode' ? mapTable(test, withLabels) : test
    return { ...splits, train: table, test: table }
  },
}

function withLabels(entry: RowDict): RowDict {
  const [choices, answer] = [listAt(entry, 'choices'), at(entry, 'answer')]
  const right = choices.findIndex((choice) => equal(choice, answer))
  return set(entry, {
    formatted_choices: choices.map((choice, index) => `(${letter(index)}) ${pyStr(choice)}`).join(' '),
    answer_label: right < 0 ? answer : letter(right),
  })
}

/** CMPhysBench: problems with a final answer, and their topic. */
export const cmPhysBench: Loader = {
  reads: ofHub('weidawang/CMPhysBench'),
  takes: ['path'],
  async load(data, settings) {
    const rows = dictsOf(splitOf(await loadFolder(data, settings.path), 'train'))
    return fromList(
      rows.flatMap((entry) => {
        const [answer] = listAt(entry, 'final_answer')
        if (answer === undefined) return []
        return [row({ prompt: at(entry, 'question'), ground_truth: [answer, at(entry, 'topic')] }, entry)]
      }),
    )
  },
}

const judgedColumns = ['instruction_types', 'prompt', 'response_reference', 'language', 'judge_prompt_template', 'judge_system_prompt']

/** Inverse IFEval: the judge prompt of each row is a column. */
export const inverseIfEval: Loader = {
  reads: ofHub('m-a-p/Inverse_IFEval'),
  takes: ['path', 'name?', 'split?', 'language?', 'instruction_type?', 'max_samples?'],
  async load(data, settings) {
    const name = settings.get('name') ?? null
    const splits = await loadFolder(data, settings.path, name === null ? {} : { name: settings.name })
    const [language, types] = [settings.get('language') ?? null, settings.get('instruction_type') ?? null]
    const isWanted = (entry: RowDict) =>
      (language === null || equal(get(entry, 'language'), language)) &&
      (types === null || listed(types).includes(get(entry, 'instruction_types')))
    const rows = dictsOf(splitOf(splits, settings.text('split', 'train'))).filter(isWanted)
    const most = settings.get('max_samples') ?? null
    const kept = most === null ? rows : rows.slice(0, Math.max(1, integer(most)))
    return fromList(kept.map((entry) => row(Object.fromEntries(judgedColumns.map((column) => [column, get(entry, column, '')])), entry)))
  },
}

const listed = (value: PyValue): readonly PyValue[] => (isList(value) ? value : [value])
