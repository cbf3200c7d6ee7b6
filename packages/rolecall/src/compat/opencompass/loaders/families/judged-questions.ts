import { isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Loader, Settings } from '../loader.ts'
import { at, get, isTrue, listAt, pick, type RowDict, row, set, textAt } from '../row-values.ts'
import { oneFile } from '../simple.ts'
import { fromList } from '../table.ts'

/** Settings of a dataset judged by another model: the other settings belong to the judge. */
export const judged = ['path', 'name', '*']

/** A list of questions in {name}.json, each with information for the judge. */
export function questions(change: (entry: RowDict, settings: Settings) => RowDict, { lines = false } = {}): Loader {
  return oneFile({
    file: lines ? '{name}.jsonl' : '{name}.json',
    takes: judged,
    as: lines ? 'lines' : 'list',
    change: (entry, _, settings) => change(entry, settings),
  })
}

function judge(entry: RowDict): Record<string, PyValue> {
  return { capability: at(entry, 'capability'), question: at(entry, 'question') }
}

const known = (entry: RowDict) => pick(entry, 'question', 'capability', 'others')

export const compared = questions((entry) => set(known(entry), { judge: judge(entry) }))

export const alignment = questions((entry) => {
  const others = at(entry, 'others')
  return set(known(entry), { judge: { ...judge(entry), others }, ref: at(others, 'reference') })
})

/** A question without a reference is judged by its usefulness to the user. */
export const compassArena = questions((entry) => {
  const reference = get(at(entry, 'others'), 'reference')
  return set(known(entry), { judge: judge(entry), ref: isTrue(reference) ? reference : '满足用户需求，言之有理即可' })
})

export const arenaHard = questions(
  (entry) => {
    const question = at(at(listAt(entry, 'turns'), 0), 'content')
    const capability = at(entry, 'cluster')
    return row({ question, capability, judge: { capability, question, question_id: at(entry, 'question_id') } }, entry)
  },
  { lines: true },
)

export const fofo = questions((entry, settings) => {
  const question = at(entry, 'instruction')
  const details = Object.fromEntries(['id', 'domain', 'sub_domain', 'format', 'format_type'].map((key) => [key, at(entry, key)]))
  return row({ question, judge: { lan: settings.name.includes('cn') ? 'cn' : 'en', ...details, question } }, entry)
})

export const followBench: Loader = {
  reads: 'a folder with {name}.json: instruction, judge_prompt',
  takes: [...judged, 'cate'],
  async load(data, settings) {
    const category = settings.text('cate')
    if (category !== 'llm') throw new BadData(`the category "${category}" is not there`)
    const rows = await data.list(joinPath(await data.path(settings.path), `${settings.name}.json`))
    return fromList(rows.map((entry) => set(pick(entry, 'instruction', 'judge_prompt'), { judge: new Map(entry) })))
  },
}

export const helloBench = oneFile({
  file: '{category_name}.jsonl',
  takes: ['path', 'category_name', '*'],
  change(entry, _, settings) {
    const category = settings.text('category_name')
    return set(entry, { judgement: { category, subcategory: at(entry, 'category'), num_checklist: at(entry, 'num_checklist') } })
  },
})

export const checklist = questions((entry) => {
  const question = at(entry, 'instruction')
  const points = get(entry, 'checklist')
  const details = { category: get(entry, 'category'), lan: get(entry, 'lan'), id: get(entry, 'id'), question }
  return row({ question, checklist: isList(points) ? points.map((point) => `- ${pyStr(point)}\n`).join('') : '', judge: details }, entry)
})

/** A text file next to it contains the rules of a subject. */
export const flames: Loader = {
  reads: 'a folder with {name}.json and {name}_config.txt',
  takes: judged,
  async load(data, settings) {
    const path = await data.path(settings.path)
    const rules = await data.text(joinPath(path, `${settings.name}_config.txt`))
    const rows = await data.list(joinPath(path, `${settings.name}.json`))
    return fromList(
      rows.map((entry) =>
        set(entry, {
          instruction: `${rules}${textAt(entry, 'prompt')}\n回答: `,
          judge: { dimension: at(entry, 'dimension'), subcomponent: at(entry, 'subcomponent') },
        }),
      ),
    )
  },
}
