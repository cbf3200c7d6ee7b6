import { isDict, isList, pyStr, stringifyJson } from '@rolecall/core/internal/python'
import { joinPath } from '../files.ts'
import type { Loader, Settings } from '../loader.ts'
import type { Data } from '../loader-data.ts'
import { at, get, isTrue, type RowDict, row } from '../row-values.ts'
import { fromList } from '../table.ts'
import { judged } from './judged-questions.ts'

/** ELBench files: `path` is a folder inside its data, which the id locates. */
function elBench(change: (entry: RowDict, settings: Settings) => RowDict): Loader {
  return {
    reads: 'a folder below ./data/elbench with {name}.jsonl',
    takes: judged,
    async load(data: Data, settings) {
      const path = joinPath(await data.path('opencompass/ELBench'), settings.path, `${settings.name}.jsonl`)
      return fromList((await data.rows(path, { blank: 'skip' })).map((entry) => change(entry, settings)))
    },
  }
}

export const elBenchGeneral = elBench((entry) => {
  const input = get(entry, 'input', [])
  const turn = isList(input) && input.length > 0 ? at(input, 0) : input
  const question = isDict(turn) ? pyStr(get(turn, 'content', '')) : pyStr(turn)
  return row({ question, target: pyStr(get(entry, 'target', '')) }, entry)
})

export const elBenchSafety = elBench((entry, settings) => {
  const question = at(entry, 'question')
  const label = isTrue(get(entry, 'label')) ? get(entry, 'label') : get(entry, 'category', '')
  return row({ question, judge: { task: settings.name, label, subcategory: get(entry, 'subcategory', ''), question } }, entry)
})

/** The distinct letters of an answer, sorted. */
export const elBenchOmni = elBench((entry) => {
  const answer = get(entry, 'answer', '')
  const text = isList(answer) ? answer.map(pyStr).join('') : pyStr(answer ?? '')
  const letters = [...text.toUpperCase().matchAll(/(?<![A-Z])[A-Z](?![A-Z])|^[A-Z]+$/g)].flatMap(([found]) => [...found])
  return row({ question: at(entry, 'question'), answer: [...new Set(letters)].sort().join('') }, entry)
})

export const elBenchEducation = elBench((entry) => {
  const question = isTrue(get(entry, 'Question')) ? get(entry, 'Question') : get(entry, 'question', '')
  const reference = Object.fromEntries(['Score', 'Scoring Details'].filter((key) => entry.has(key)).map((key) => [key, at(entry, key)]))
  return row(
    {
      question,
      judge: {
        task: 'highlevel_edu',
        subject: get(entry, 'Subject', ''),
        reference: stringifyJson(reference, { ensureAscii: false }),
        question,
      },
    },
    entry,
  )
})
