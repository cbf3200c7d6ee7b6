import { isListValue, type Value } from '@rolecall/core/internal/python'
import { isMutableDict, newDict } from '../../../python/interpreter/containers.ts'
import type { Session } from '../../../python/interpreter/session.ts'

type Dataset = ReturnType<typeof newDict>

/**
 * A `PromptList` as documents 001 and 002 print it: the turns of one conversation. Items before the first turn of the rounds (a
 * SYSTEM turn, text) become its beginning.
 */
export function datasetOfPromptList(session: Session, items: Value, file: string): Dataset {
  const turns = isListValue(items) ? [...items] : []
  const isSpoken = (item: Value) => isMutableDict(item) && ['HUMAN', 'BOT'].includes(String(item.get('role')))
  const first = turns.findIndex(isSpoken)
  const begin = first < 0 ? turns : turns.slice(0, first)
  const template = newDict(session, [
    ['begin', begin],
    ['round', first < 0 ? [] : turns.slice(first)],
  ])
  session.note('prompt-list', 'the PromptList is read as a conversation: a dataset with one row', { file, line: 1, column: 1 })
  return newDict(session, [
    ['abbr', 'prompt-list'],
    ['rows', [newDict(session)]],
    ['infer_cfg', newDict(session, [['prompt_template', newDict(session, [['template', template]])]])],
  ])
}

/** Column names for an example's answer, in the order of preference of the documents. */
const answerColumns = ['answer', 'target', 'label']

/** Whether a template has a place for examples. */
function hasPlace(infer: Dataset): boolean {
  return ['prompt_template', 'ice_template'].some((key) => {
    const template = infer.get(key)
    return template !== undefined && isMutableDict(template) && template.has('ice_token')
  })
}

/** Whether a template has a field, in braces or by a `column_token_map`. */
function hasField(value: Value, name: string): boolean {
  if (typeof value === 'string') return value.includes(`{${name}}`)
  if (isListValue(value)) return value.some((item) => hasField(item, name))
  if (!isMutableDict(value)) return false
  const tokens = value.get('column_token_map')
  return (tokens !== undefined && isMutableDict(tokens) && tokens.has(name)) || [...value.values()].some((item) => hasField(item, name))
}

/** Whether the template has a prompt for each label, as for a PPLInferencer. */
function mapsLabels(infer: Dataset): boolean {
  const named = infer.get('prompt_template') ?? infer.get('ice_template')
  const template = named !== undefined && isMutableDict(named) ? named.get('template') : undefined
  return template !== undefined && isMutableDict(template) && [...template.keys()].some((key) => !dialogueKeys.includes(String(key)))
}

const dialogueKeys: readonly string[] = ['begin', 'round', 'end']

/** Tokens as document 000 writes them, `</E>` and `</input>`, that nothing replaces: they would reach the model. */
function unfilledTokens(infer: Dataset, row: Value | undefined): string[] {
  const found = new Set<string>()
  for (const key of ['ice_template', 'prompt_template']) {
    const named = infer.get(key)
    if (named === undefined || !isMutableDict(named)) continue
    const [iceToken, columns] = [named.get('ice_token'), named.get('column_token_map')]
    const filled = new Set([iceToken, ...(columns !== undefined && isMutableDict(columns) ? columns.values() : [])])
    for (const text of textsIn(named.get('template') ?? null))
      for (const [token, name = ''] of text.matchAll(/<\/(\w{1,40})>/g)) {
        const isColumn = row !== undefined && isMutableDict(row) && row.has(name)
        if ((name === 'E' || isColumn) && !filled.has(token)) found.add(token)
      }
  }
  return [...found]
}

function textsIn(value: Value): string[] {
  if (typeof value === 'string') return [value]
  if (isListValue(value)) return [...value].flatMap(textsIn)
  return isMutableDict(value) ? [...value.values()].flatMap(textsIn) : []
}

/** What the documents state about their examples in prose, not in code: the answer column, and that the first rows are few-shot examples. */
export function assumeAsDocuments(session: Session, dataset: Dataset, file: string): void {
  const place = { file, line: 1, column: 1 }
  const infer = dataset.get('infer_cfg')
  const [rows, shown] = [dataset.get('rows'), dataset.get('train_rows')]
  const row = rows !== undefined && isListValue(rows) ? rows[0] : undefined
  const hasColumn = (name: string) => {
    if (row !== undefined && isMutableDict(row)) return row.has(name)
    // Without rows, only examples need to know which field is the answer.
    return infer !== undefined && isMutableDict(infer) && infer.has('retriever') && hasField(infer, name)
  }
  const answer = answerColumns.find(hasColumn)
  if (!dataset.has('reader_cfg') && answer !== undefined) {
    dataset.set('reader_cfg', newDict(session, [['output_column', answer]]))
    session.note('assumed', `there is no reader_cfg: "${answer}" is taken as its output_column, so that the prompt does not show it`, place)
  }
  if (infer === undefined || !isMutableDict(infer)) return
  if (!infer.has('inferencer') && mapsLabels(infer)) {
    infer.set('inferencer', newDict(session, [['type', 'PPLInferencer']]))
    session.note('assumed', 'there is no inferencer: the prompts of its labels are compared by perplexity, as PPLInferencer does', place)
  }
  for (const token of unfilledTokens(infer, row))
    session.note(
      'unfilled-token',
      `"${token}" is written as it stands: no ${token === '</E>' ? 'ice_token' : 'column_token_map'} names it`,
      place,
    )
  const count = shown !== undefined && isListValue(shown) ? shown.length : 0
  if (count === 0 || infer.has('retriever')) return
  const examples = count === 1 ? 'ex1' : `ex1 to ex${count}`
  if (!hasPlace(infer)) {
    session.note('examples-unshown', `${examples} ${count === 1 ? 'is' : 'are'} not shown: no template has an ice_token`, place)
    return
  }
  const retriever = newDict(session, [
    ['type', 'FixKRetriever'],
    ['fix_id_list', Array.from({ length: count }, (_, index) => index)],
  ])
  infer.set('retriever', retriever)
  session.note('assumed', `there is no retriever: ${examples} ${count === 1 ? 'is shown as an example' : 'are shown as examples'}`, place)
}
