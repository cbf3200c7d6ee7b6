import type { Note } from '../../../base/errors/note.ts'
import {
  dictEntries,
  dictFromEntries,
  dictGet,
  dictKeys,
  isDict,
  isList,
  PythonRandom,
  type PyValue,
  stringifyJson,
} from '../../../base/python/index.ts'
import { makeDict } from '../../../base/python/values/dict.ts'
import type { Value } from '../../../base/python/values/value.ts'
import type { FunctionHost } from '../python/function-host.ts'
import type { Doc } from '../task/field.ts'
import { readFields } from '../task/fields-in-order.ts'
import { type KeptFields, keepFields } from '../task/kept-fields.ts'
import type { Task } from '../task/task.ts'
import type { TaskFunction } from '../task/task-function.ts'

/** The column that holds the indices of a row's examples. */
export const examplesColumn = 'fewshot_examples'

/** The column that holds what the fields of a document, and then of its examples, gave, if functions draw random numbers for them. */
const fieldsColumn = 'drawn_fields'

/** Between the reading of a task and its requests, the harness makes a name of eight random letters three times, and does not use it. */
const namingDraws = 3 * 8

function afterNaming(generator: PythonRandom): PythonRandom {
  const later = new PythonRandom(generator)
  for (let drawn = 0; drawn < namingDraws; drawn++) later.random()
  return later
}

const isOwn = (name: string) => name === examplesColumn || name === fieldsColumn

/**
 * The documents of a task as rows, and those that are examples. If its functions draw from the generator of `random`, the prompts depend
 * on the order of all calls: then the rows also hold what their fields gave in the order of lm-evaluation-harness.
 */
export function rowsOfTask(
  task: Task,
  { random }: Pick<FunctionHost, 'random'>,
  shots: number,
  examplesOf: (doc: Doc) => readonly Doc[],
  sources: Readonly<Record<string, string>>,
): { rows: string[]; pool: string[]; notes: readonly Note[] } {
  const used = new Map<Doc, number>()
  const [first] = functionsOf(task)
  const mayDraw = first !== undefined && Object.values(sources).some((text) => /\brandom\b/.test(text))
  const generator = random.random
  if (mayDraw) random.random = afterNaming(generator)
  const before = first?.draws().shared
  const made = task.docs.map((doc) => {
    const examples = examplesOf(doc)
    for (const example of examples) if (!used.has(example)) used.set(example, used.size)
    return { doc, examples, fields: mayDraw ? readFields(task, doc, examples) : [] }
  })
  const isDrawn = first?.draws().shared !== before
  // The harness makes requests when all tasks are read: the next one goes on from here.
  random.random = generator
  const rows = made.map(({ doc, examples, fields }) => {
    const entries: [string, Value][] = [...dictEntries(doc)]
    if (shots > 0) entries.push([examplesColumn, examples.map((example) => used.get(example)!)])
    if (isDrawn)
      entries.push([
        fieldsColumn,
        fields.map(({ text, target, choices }) =>
          makeDict([['text', text], ['target', target], ...(choices ? [['choices', choices] as const] : [])]),
        ),
      ])
    return stringifyJson(makeDict(entries))
  })
  return { rows, pool: [...used.keys()].map((doc) => stringifyJson(doc)), notes: isDrawn ? [drawnFields] : [] }
}

const drawnFields: Note = {
  code: 'prompts-vary',
  text: 'its functions draw random numbers whenever they are called: the prompts are those of lm-evaluation-harness if the task runs alone, which draws again to score the answers; here they are scored with the choices of the prompts',
}

/** The functions that make the prompts of a task; those of a class have their own order. */
function functionsOf({ asked, examples, config }: Task): TaskFunction[] {
  if (config.own) return []
  const fields = [asked, examples].flatMap(({ textField, targetField, choiceField }) => [textField, targetField, choiceField])
  return fields.flatMap((field) => (field?.kind === 'function' ? [field.run] : []))
}

/** The document of a row: all columns of the dataset. */
export function docIn(row: Doc): Doc {
  const [own] = fieldsIn(row)
  const doc = row instanceof Map ? withoutColumns(row) : plainDoc(row)
  return own ? keepFields(doc, own) : doc
}

/** The fast way for rows that are plain objects, as nearly all are. */
function plainDoc(row: Doc): Doc {
  const { [examplesColumn]: _, [fieldsColumn]: __, ...doc } = row as Readonly<Record<string, PyValue>>
  return doc
}

function withoutColumns(row: Doc): Doc {
  return dictFromEntries(dictKeys(row).flatMap((name) => (isOwn(name) ? [] : [[name, dictGet(row, name) ?? null] as const])))
}

/** The examples of a row, among the documents that are examples. */
export function examplesIn(row: Doc, pool: readonly Doc[]): Doc[] {
  const numbers = dictGet(row, examplesColumn)
  if (!isList(numbers)) return []
  const [, ...fields] = fieldsIn(row)
  return numbers.map((number, place) => {
    const example = pool[Number(number)]!
    const own = fields[place]
    return own ? keepFields(dictFromEntries(dictEntries(example)), own) : example
  })
}

function fieldsIn(row: Doc): KeptFields[] {
  const given = dictGet(row, fieldsColumn)
  if (!isList(given)) return []
  return given.filter(isDict).map((one) => {
    const choices = dictGet(one, 'choices')
    return { text: dictGet(one, 'text') ?? null, target: dictGet(one, 'target') ?? null, ...(isList(choices) ? { choices } : {}) }
  })
}
