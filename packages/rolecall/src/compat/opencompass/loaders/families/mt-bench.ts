import { isDict, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Loader, Settings } from '../loader.ts'
import { at, dictOf, get, listAt, type RowDict, row, textAt } from '../row-values.ts'
import { fromList } from '../table.ts'

/** A text of OpenCompass's module, which importing a config adds to the dataset. */
function wordingOf(settings: Settings, ...names: readonly string[]): string {
  const found = names.reduce<PyValue>((value, name) => (isDict(value) ? get(value, name) : null), settings.get('wording') ?? null)
  if (typeof found === 'string') return found
  throw new BadData(
    `the text ${names.join(' › ')} of its judge is missing: run the config from a checkout or an installed package of OpenCompass, whose code has it`,
  )
}

const filled = (template: string, values: Readonly<Record<string, string>>) =>
  template.replace(/\{(\w+)\}/g, (field, name: string) => (Object.hasOwn(values, name) ? values[name]! : field))

/** Questions whose judge is shown a right answer. */
const withReference: readonly PyValue[] = ['math', 'reasoning', 'coding', 'arena-hard-200']

/** MT-Bench: chats of two questions, with the prompts of their judge. */
export const mtBench: Loader = {
  reads: 'a folder with {name}.json: dialogue, capability, others',
  takes: ['path', 'name', 'judge_type?', 'multi_turn?', 'wording?', '*'],
  async load(data, settings) {
    const path = await data.path(settings.path, { localMode: true })
    const [kind, isMulti] = [settings.text('judge_type', 'single'), settings.get('multi_turn') !== false]
    const entries = await data.list(joinPath(path, `${settings.name}.json`))
    return fromList(
      entries.flatMap((entry) => {
        if (!entry.has('dialogue')) return []
        const [dialogue, capability] = [listAt(entry, 'dialogue'), at(entry, 'capability')]
        const isMath = withReference.includes(capability)
        const text = (place: number) => textAt(dialogue[place], 'content')
        const reference = (place: number) => pyStr(at(at(at(entry, 'others'), 'reference'), place))
        const template = `${kind}${isMath ? '_math_v1' : kind === 'pair' ? '_v2' : '_v1'}${isMulti ? '_multi_turn' : ''}`
        const prompt = filled(wordingOf(settings, template, 'prompt_template'), {
          ...(isMulti ? { question_1: text(0), question_2: text(2) } : { question: text(0) }),
          ...(isMath ? { ref_answer_1: reference(0), ...(isMulti ? { ref_answer_2: reference(1) } : {}) } : {}),
        })
        const asked = dialogue.filter((turn) => get(turn, 'role') === 'user').map((turn) => textAt(turn, 'content'))
        const others = dictOf(at(entry, 'others'))
        others.set('round', Math.trunc(dialogue.length / 2)).set('question', asked.join(' '))
        return [
          row({
            dialogue,
            capability,
            system_prompt: wordingOf(settings, template, 'system_prompt'),
            prompt_template: prompt,
            others,
            judge: { capability, others },
          }),
        ]
      }),
    )
  },
}

/** Tasks whose first round is given. */
const givenFirst = ['FR', 'CR', 'AR', 'SA', 'SC', 'CM']

/** MT-Bench-101: a row for each round of a chat, judged on its own. Messages end with the question. */
function mtBench101(isRaw: boolean): Loader {
  return {
    reads: 'a folder with {name}.jsonl: id, task, history (user, bot)',
    takes: ['path', 'name', 'wording?', '*'],
    async load(data, settings) {
      const entries = await data.rows(await data.path(joinPath(settings.path, `${settings.name}.jsonl`), { localMode: true }))
      return fromList(entries.flatMap((entry) => roundsOf(entry, settings, isRaw)))
    },
  }
}

function roundsOf(entry: RowDict, settings: Settings, isRaw: boolean): RowDict[] {
  const [task, id] = [textAt(entry, 'task'), at(entry, 'id')]
  const turns: PyValue[] = []
  let history = ''
  return listAt(entry, 'history').flatMap((turn, index) => {
    const [user, bot] = [textAt(turn, 'user'), textAt(turn, 'bot')]
    turns.push({ role: 'user', content: user }, ...(bot === '' ? [] : [{ role: 'assistant', content: bot }]))
    const before = `${history}\n\n Human: ${user}\n\nAssistant: `
    history = before + bot
    if (index === 0 && givenFirst.includes(task)) return []
    const solution = ['MR', 'GR'].includes(task)
      ? `\n\n${' '.repeat(20)}The reference solution is: \n ### \n ${pyStr(turns)} \n ###\n\n`
      : ''
    const judge = { task, multi_id: id, turn_id: String(index + 1) }
    return [
      row({
        dialogue: isRaw && bot !== '' ? turns.slice(0, -1) : [...turns],
        ...judge,
        system_prompt: ['judge', ['unique_prompt', task], 'score_format'].map((name) => wordingOf(settings, ...[name].flat())).join(''),
        prompt_template: `The dialogue need to be judged is: \n *** \n ${before} {prediction} \n ***${solution}`,
        judge,
      }),
    ]
  })
}

export const mtBench101Chats = mtBench101(false)
export const mtBench101Messages = mtBench101(true)
