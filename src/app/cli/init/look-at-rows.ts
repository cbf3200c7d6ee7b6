import { dictGet, dictHas, dictKeys, isDict, isList, type PyValue } from '../../../base/python/index.ts'
import { isUnfit, rowFormats } from '../../../evaluation/dataset/row-formats/index.ts'
import type { Row } from '../../../prompt/conversation/row.ts'

/** The recognised kind of a file of rows, and the prompt and evaluation for it. */
export type RowsLook = {
  /** A description. */
  is: string
  rowFormat?: string
  /** The input columns. */
  inputs: readonly string[]
  /** The column with the gold answer. */
  gold?: string
  /** The user's prompt; absent if the rows are chats. */
  prompt?: string
  /** The gold answer is a single text, usable as the model's turn. */
  isSaid: boolean
  evaluation?: { evaluator: { type: string }; pred_postprocessor?: { type: string; options?: string } }
}

/** Common column names, most likely first. */
const names = {
  question: ['question', 'query', 'problem', 'prompt', 'input', 'text', 'q', '问题', '题目'],
  context: ['context', 'passage', 'article', 'document', 'background', '材料', '背景', '文章'],
  gold: ['answer', 'answers', 'output', 'target', 'label', 'response', 'completion', 'gold', 'reference', 'solution', 'a', '答案'],
}

/** Recognises the kind of a file from its first rows; `question` and `gold` override the columns. */
export function lookAtRows(rows: readonly Row[], given: { question?: string; gold?: string } = {}): RowsLook {
  const first = rows[0]!
  if (given.question === undefined) {
    const chat = chatLook(rows, first)
    if (chat) return chat
    if (isOf('choices', first)) return choicesLook(first)
    if (isOf('squad', first) && isText(first, 'question')) return squadLook(first)
    if (isText(first, 'instruction') && dictHas(first, 'output')) return instructionLook(rows)
  }
  const columns = fieldColumns(first)
  const question = given.question ?? likely(columns, names.question) ?? columns[0]!
  const others = columns.filter((column) => column !== question)
  const gold = given.gold === 'none' ? undefined : (given.gold ?? likely(others, names.gold))
  const context = given.question === undefined ? likely(others, names.context) : undefined
  const inputs = [...(context === undefined ? [] : [context]), question]
  return {
    is: `${context === undefined ? 'questions' : 'questions about a text'}${gold === undefined ? ', without gold answers' : ` with answers (${gold})`}`,
    inputs,
    prompt: inputs.map((name) => `{${name}}`).join('\n\n'),
    ...scored(rows, gold),
  }
}

/** Columns usable in a template. */
export function fieldColumns(row: Row): string[] {
  return dictKeys(row).filter((column) => !/[{}]/.test(column))
}

function chatLook(rows: readonly Row[], first: Row): RowsLook | undefined {
  const [name, is] = isChat(dictGet(first, 'messages'), 'role')
    ? (['messages', 'chats as messages'] as const)
    : isChat(dictGet(first, 'conversations'), 'from')
      ? (['sharegpt', "chats as ShareGPT's conversations"] as const)
      : []
  if (name === undefined) return undefined
  const read = rows.map((row) => rowFormats[name]!.read(row)).filter((row): row is Row => row !== undefined && !isUnfit(row))
  const hasAnswer = read.length > 0 && read.every((row) => dictHas(row, 'answer'))
  return { is, rowFormat: name, inputs: ['messages'], ...scored(read, hasAnswer ? 'answer' : undefined) }
}

function isChat(value: PyValue | undefined, key: string): boolean {
  return isList(value) && value.length > 0 && value.every((turn) => isDict(turn) && dictHas(turn, key))
}

function isOf(format: string, row: Row): boolean {
  const read = rowFormats[format]!.read(row)
  return read !== undefined && !isUnfit(read)
}

function choicesLook(row: Row): RowsLook {
  const hasAnswer = dictHas(rowFormats.choices!.read(row) as Row, 'answer')
  return {
    is: 'multiple choice',
    rowFormat: 'choices',
    inputs: ['question', 'options'],
    prompt: '{question}\n{options}\nAnswer with the letter of the right choice.',
    isSaid: hasAnswer,
    ...(hasAnswer && {
      gold: 'answer',
      evaluation: { evaluator: { type: 'AccEvaluator' }, pred_postprocessor: { type: 'choice_answer', options: 'ABCDEFGHIJ' } },
    }),
  }
}

function squadLook(row: Row): RowsLook {
  const inputs = [...(isText(row, 'context') ? ['context'] : []), 'question']
  return {
    is: "questions with several right answers, as in SQuAD's files",
    rowFormat: 'squad',
    inputs,
    prompt: inputs.map((name) => `{${name}}`).join('\n\n'),
    gold: 'answers',
    isSaid: false,
    evaluation: { evaluator: { type: 'SquadEvaluator' } },
  }
}

function instructionLook(rows: readonly Row[]): RowsLook {
  const hasInput = rows.some((row) => isText(row, 'input') && dictGet(row, 'input') !== '')
  return {
    is: "instructions, as in Alpaca's files",
    inputs: hasInput ? ['instruction', 'input'] : ['instruction'],
    prompt: hasInput ? '{instruction}\n\n{input}' : '{instruction}',
    ...scored(rows, 'output'),
  }
}

/** Longer answers are scored with ROUGE. */
const maxExactLength = 80

function scored(rows: readonly Row[], gold: string | undefined): Pick<RowsLook, 'gold' | 'isSaid' | 'evaluation'> {
  if (gold === undefined) return { isSaid: false }
  const values = rows.map((row) => dictGet(row, gold) ?? '')
  const isSaid = values.every((value) => !isList(value) && !isDict(value))
  const isShort = values.flatMap((value) => (isList(value) ? value : [value])).every((value) => String(value).length <= maxExactLength)
  return { gold, isSaid, evaluation: { evaluator: { type: isShort ? 'EMEvaluator' : 'RougeEvaluator' } } }
}

function isText(row: Row, column: string): boolean {
  return typeof dictGet(row, column) === 'string'
}

function likely(columns: readonly string[], wanted: readonly string[]): string | undefined {
  return wanted.flatMap((name) => columns.filter((column) => column.toLowerCase() === name))[0]
}
