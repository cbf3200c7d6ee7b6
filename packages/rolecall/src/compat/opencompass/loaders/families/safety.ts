import { isList } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { readTable } from '../load-dataset.ts'
import type { Loader } from '../loader.ts'
import { at, dictOf, integer, isTrue, letter, lookUp, type RowDict, set, textAt } from '../row-values.ts'
import { dictsOf, fromList, mapTable } from '../table.ts'

/** Questions with the answer that a model with a certain behaviour gives: ` (A)` becomes A. */
function behaviours(answers: Readonly<Record<string, string>>): Loader {
  return {
    reads: 'a .jsonl file: question, answer_matching_behavior, answer_not_matching_behavior',
    takes: ['path'],
    async load(data, settings) {
      const table = await readTable(data, settings.path, 'json')
      return {
        train: mapTable(table, (entry) => {
          const answer = at(entry, 'answer_matching_behavior')
          return typeof answer === 'string' && Object.hasOwn(answers, answer)
            ? set(entry, { answer_matching_behavior: answers[answer]! })
            : entry
        }),
      }
    },
  }
}

function letters(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [` (${letter(index)})`, letter(index)]))
}

export const aiRisk = behaviours(letters(4))
export const persona = behaviours({ ...letters(2), ' Yes': 'A', ' No': 'B' })
export const sycophancy = behaviours(letters(7))

export const cValues: Loader = {
  reads: 'a .jsonl file: prompt, label',
  takes: ['path'],
  async load(data, settings) {
    const table = await readTable(data, await data.path(settings.path), 'json')
    const named = { 回复1: 'A', 回复2: 'B' }
    return {
      train: mapTable(table, (entry) => {
        const prompt = textAt(entry, 'prompt').replaceAll('回复1', '回复A').replaceAll('回复2', '回复B')
        return set(entry, { prompt, label: lookUp(named, at(entry, 'label')) })
      }),
    }
  },
}

/** An AdvGLUE task: the adversarial rows, then the originals. */
export function advGlue(task: string, ...originals: readonly string[]): Loader {
  return {
    reads: `a .json file, whose "${task}" is a list of rows`,
    takes: ['path'],
    async load(data, settings) {
      const path = await data.path(settings.path)
      const found = at(await data.json(path), task)
      if (!isList(found)) throw new BadData(`"${task}" is not a list`, path)
      const rows = found.map((entry, index) => dictOf(entry, `${path} › ${task} › ${index}`))
      const [first] = rows
      if (!first) throw new BadData(`"${task}" is empty`, path)
      for (const key of originals) if (!first.has(key)) first.set(key, null)
      const kept = dictsOf(fromList(rows)).filter((entry) => originals.some((key) => isTrue(at(entry, key))))
      for (const entry of kept) entry.set('type', null)
      const before = kept.map((entry) => {
        const changed: RowDict = new Map(entry)
        for (const key of originals) if (isTrue(at(entry, key))) changed.set(key.replace(/^.*original_/, ''), at(entry, key))
        return set(changed, { type: 'original' })
      })
      return fromList([...kept, ...before].map((entry) => set(entry, { label_option: letter(integer(at(entry, 'label'))) })))
    },
  }
}

/** OpenCompass's class returns nothing, so a run with it fails. */
export const safety: Loader = {
  reads: 'a text file, of which OpenCompass makes no rows',
  takes: ['path'],
  async load() {
    throw new BadData('OpenCompass makes no rows of its file: its class returns nothing')
  },
}
