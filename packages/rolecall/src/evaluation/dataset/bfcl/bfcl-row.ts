import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { dictEntries, dictFromEntries, dictGet, isDict, isList, type PyDict, type PyValue } from '@rolecall/core/internal/python'
import { functionsToTools } from './functions-to-tools.ts'
import { withLanguageHint } from './language-hint.ts'

/** The documentation of a class of the multi-turn categories: its functions, as `multi_turn_func_doc/` has them. */
export type ClassFunctions = (className: string) => readonly PyValue[] | undefined

/** Classes whose file name does not follow from the class name. */
const classFiles: Readonly<Record<string, string>> = {
  TwitterAPI: 'posting_api',
  TravelAPI: 'travel_booking',
  VehicleControlAPI: 'vehicle_control',
  WebSearchAPI: 'web_search',
}

/**
 * The file in `multi_turn_func_doc/` with the functions of a class.
 *
 * @example
 * classFile('GorillaFileSystem') // => 'gorilla_file_system.json'
 */
export function classFile(name: string): string {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
  return `${classFiles[name] ?? words.toLowerCase()}.json`
}

/**
 * A row of the Berkeley Function Calling Leaderboard's files, with its `ground_truth` if it has one: the functions as they are
 * scored, the tools as they are described to a model. Multi-turn rows name classes; `classFunctions` finds their functions.
 */
export function bfclRow(entry: PyDict, classFunctions?: ClassFunctions): Row {
  const id = dictGet(entry, 'id')
  const question = dictGet(entry, 'question')
  if (typeof id !== 'string' || !isList(question) || !question.every(isList)) {
    throw badEntry('the row has no id, or no question that is a list of turns')
  }
  const category = categoryOf(id)
  const { functions, missed } = functionsOf(entry, classFunctions)
  const row: [string, PyValue][] = [
    ['id', id],
    ['category', category],
    ['question', question],
    ['messages', question[0] ?? []],
    ['functions', functions],
    ['tools', functionsToTools(withLanguageHint(functions, category))],
    ['ground_truth', dictGet(entry, 'ground_truth') ?? null],
  ]
  if (missed) {
    const added = dictEntries(missed)
    row.push(['missed_functions', missed])
    // Functions added later get no hint.
    row.push(['missed_tools', dictFromEntries(added.map(([turn, given]) => [turn, functionsToTools(given as readonly PyValue[])]))])
  }
  for (const key of ['involved_classes', 'initial_config']) {
    const value = dictGet(entry, key)
    if (value !== undefined) row.push([key, value])
  }
  return dictFromEntries(row)
}

/** `live_multiple_3-1-2` has the category `live_multiple`. */
function categoryOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('_')))
}

type Functions = { functions: readonly PyValue[]; missed?: PyDict }

function functionsOf(entry: PyDict, classFunctions: ClassFunctions | undefined): Functions {
  const own = dictGet(entry, 'function')
  if (isList(own)) return { functions: own }
  const classes = dictGet(entry, 'involved_classes')
  if (!isList(classes)) throw badEntry('the row has no function')
  const all = classes.flatMap((name) => {
    const found = classFunctions?.(String(name))
    if (found) return found
    throw badEntry(`its turns call functions of ${String(name)}, which are run there and not compared`)
  })
  const held = dictGet(entry, 'missed_function')
  if (!isDict(held)) return { functions: all }
  const names = dictEntries(held).flatMap(([, given]) => (isList(given) ? given : []))
  const named = (one: PyValue) => (isDict(one) ? (dictGet(one, 'name') ?? null) : null)
  return {
    functions: all.filter((one) => !names.includes(named(one))),
    missed: dictFromEntries(
      dictEntries(held).map(([turn, given]) => [turn, all.filter((one) => isList(given) && given.includes(named(one)))]),
    ),
  }
}

function badEntry(problem: string): PromptError {
  return new PromptError('bad-row', { where: 'bfcl', problem, fix: 'use the single-turn files of the leaderboard as they were published' })
}
