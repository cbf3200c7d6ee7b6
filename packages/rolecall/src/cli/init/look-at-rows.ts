import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { isIdName, isNamed, isWrongAnswerName, rankIn } from './column-names.ts'
import { FileColumns } from './file-columns.ts'
import { type FoundChoices, findChoices } from './find-choices.ts'
import { judgeGold } from './judge-gold.ts'
import { lookAtChats } from './look-at-chats.ts'
import { goldOfChoices, lookAtChoices } from './look-at-choices.ts'
import type { Column } from './profile-columns.ts'
import { compared, refuseCode, refuseUnused, textOf } from './refuse-unused.ts'
import { type Asked, mapOf, promptOf, type RowsLook } from './rows-look.ts'
import { type RowFlags, UnclearRows } from './unclear-rows.ts'

/** Recognises the kind of a file from its first rows. Throws `UnclearRows` where it would have to guess; flags decide. */
export function lookAtRows(rows: readonly Row[], given: RowFlags = {}): RowsLook {
  const columns = new FileColumns(rows)
  try {
    return lookAt(rows, columns, given)
  } catch (error) {
    if (error instanceof UnclearRows) error.uses = columns.uses
    throw error
  }
}

function lookAt(rows: readonly Row[], columns: FileColumns, given: RowFlags): RowsLook {
  for (const { path } of given.unused === undefined ? [] : columns.given(given.unused, '--unused'))
    columns.take(path, 'unused', 'by --unused')
  refuseCode(columns)
  const tools = takeTools(columns, given)
  const chats = columns.free.filter(({ kind }) => kind === 'chat')
  if (given.prompt === undefined && (given.question === undefined ? chats.length > 0 : chats.some(({ path }) => path === given.question))) {
    const look = lookAtChats(rows, columns, chats, given, tools)
    refuseUnused(columns, given)
    return { ...look, uses: columns.uses }
  }
  const choices = takeChoices(columns, given)
  const system = takeFirst(columns, 'system')
  const goldGiven = given.answer === undefined || given.answer === 'none' ? undefined : columns.given(given.answer, '--answer')[0]!
  if (goldGiven) columns.take(goldGiven.path, 'gold')
  const gold = goldGiven ?? (given.answer === 'none' ? undefined : likelyGold(columns, choices))
  if (gold) columns.take(gold.path, 'gold')
  const context = takeContext(columns, given)
  const questions = takeQuestions(columns, given)
  const asked: Asked = {
    contexts: context.map(({ path }) => columns.nameOf(path)),
    questions: questions.map(({ path }) => columns.nameOf(path)),
    isChinese: isChinese(questions),
    prompt: given.prompt?.replace(/\{([^{}]+)\}/g, (_, path: string) => `{${columns.nameOf(path)}}`),
    ...(system ? { system: `{${columns.nameOf(system.path)}}` } : {}),
    ...(tools ? { tools: columns.nameOf(tools.path) } : {}),
  }
  const isLettered = gold !== undefined && choices === undefined && given.choices !== 'none' && isLetters(gold)
  const look =
    choices || isLettered
      ? lookAtChoices(rows, columns, { choices, gold, questions, asked, form: given.answerIs })
      : lookAtQuestions(columns, gold, asked, given)
  refuseUnused(columns, given, gold)
  return { ...(asked.isChinese ? { system: '请简要回答。' } : {}), ...look, uses: columns.uses }
}

function lookAtQuestions(columns: FileColumns, gold: Column | undefined, asked: Asked, given: RowFlags): Omit<RowsLook, 'uses'> {
  const { contexts, questions, isChinese, system, tools } = asked
  const inputs = [...contexts, ...questions]
  const base = { inputs, ...(system ? { system } : {}), ...(tools ? { tools } : {}) }
  const about = questions[0] === 'instruction' ? 'instructions' : contexts.length === 0 ? 'questions' : 'questions about a text'
  if (!gold) {
    const others = columns.free.filter(({ path, kind }) => !isIdName(path) && kind !== 'empty' && !isNamed('about', path))
    if (given.answer !== 'none' && others.length > 0)
      throw new UnclearRows(
        'answer',
        'gold answers',
        `no column is known to be the gold answer (left over: ${others.map(({ path }) => path).join(', ')})`,
        'name it: --answer COLUMN, or --answer none to collect replies without scoring',
      )
    return { is: `${about}, without gold answers`, prompt: promptOf(asked), isSaid: false, ...base, ...mapOf(columns) }
  }
  if (gold.path === 'answers' && gold.kind === 'object' && given.answer === undefined)
    return {
      is: "questions with several right answers, as in SQuAD's files",
      rowFormat: 'squad',
      prompt: promptOf(asked),
      gold: 'answers',
      isSaid: false,
      evaluation: { evaluator: { type: 'SquadEvaluator' } },
      ...base,
      ...mapOf(columns),
    }
  const labels = given.labels?.split(',').map((label) => label.trim())
  const look = judgeGold(
    gold,
    labels,
    contexts.length > 0 || questions.some((name) => rankIn('question', name) <= rankIn('question', 'query')),
  )
  const name = columns.nameOf(gold.path)
  if (look.map !== undefined) columns.map[name] = look.map
  columns.take(gold.path, 'gold', look.is)
  const words = look.classes?.join(', ')
  const more = [
    ...(words === undefined ? [] : [isChinese ? `只回答其中一个：${words}` : `Answer with one of: ${words}`]),
    ...(look.asksFor === 'steps'
      ? [isChinese ? '请逐步思考，最后一行写“#### ”和答案。' : 'Think step by step. End with "#### " and the number.']
      : []),
    ...(look.asksFor === 'boxed'
      ? [isChinese ? '请逐步思考，把最终答案写在 \\boxed{} 中。' : 'Think step by step. Put the final answer in \\boxed{}.']
      : []),
  ]
  return {
    is: `${about} with answers (${gold.path})`,
    prompt: promptOf(asked, ...more),
    gold: name,
    isSaid: look.isSaid,
    evaluation: look.evaluation,
    ...base,
    ...(look.asksFor && !system ? { system: '' } : {}),
    ...mapOf(columns),
  }
}

function takeTools(columns: FileColumns, given: RowFlags): Column | undefined {
  if (given.tools === 'none') return undefined
  const found =
    given.tools === undefined
      ? columns.free.find(({ path, kind }) => isNamed('tools', path) && ['list', 'json'].includes(kind))
      : columns.given(given.tools, '--tools')[0]
  if (found) columns.take(found.path, 'tools')
  return found
}

function takeChoices(columns: FileColumns, given: RowFlags): FoundChoices | undefined {
  if (given.choices === 'none') return undefined
  const found = findChoices(columns.free, given.choices === undefined ? undefined : columns.given(given.choices, '--choices'))
  for (const [index, path] of found?.paths.entries() ?? [])
    columns.take(path, 'choices', found!.paths.length > 1 ? 'ABCDEFGHIJ'[index] : undefined)
  return found
}

function takeFirst(columns: FileColumns, group: 'system'): Column | undefined {
  const found = columns.free.find(({ path, kind }) => isNamed(group, path) && kind === 'text')
  if (found) columns.take(found.path, group)
  return found
}

function takeContext(columns: FileColumns, given: RowFlags): Column[] {
  if (given.prompt !== undefined || given.context === 'none') return []
  const isText = ({ kind }: Column) => kind === 'text'
  const found =
    given.context === undefined
      ? columns.free.filter((column) => isNamed('context', column.path) && isText(column))
      : columns.given(given.context, '--context')
  for (const { path } of found) columns.take(path, 'context')
  return found
}

/** The best gold column by its name; among multiple choice, one whose values name a choice. */
function likelyGold(columns: FileColumns, choices: FoundChoices | undefined): Column | undefined {
  const named = columns.free
    .filter(({ path, kind }) => kind !== 'empty' && kind !== 'chat' && isNamed('gold', path))
    .toSorted((a, b) => rankIn('gold', a.path) - rankIn('gold', b.path))
  return choices === undefined ? named[0] : goldOfChoices(columns, named, choices)
}

function takeQuestions(columns: FileColumns, given: RowFlags): Column[] {
  const found =
    given.prompt !== undefined
      ? fieldsIn(columns, given.prompt)
      : given.question !== undefined
        ? columns.given(given.question, '--question')
        : likelyQuestions(columns)
  for (const { path } of found) columns.take(path, 'question')
  return found
}

/** The columns in braces of a given prompt. */
function fieldsIn(columns: FileColumns, prompt: string): Column[] {
  const names = [...prompt.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]!)
  if (names.length > 0) return columns.given(names.join(','), '--prompt')
  throw new PromptError('no-column', {
    where: '--prompt',
    problem: 'the prompt has no column in braces',
    fix: 'write for example --prompt "Summarise: {document}"',
  })
}

function likelyQuestions(columns: FileColumns): Column[] {
  const texts = columns.free.filter(({ kind }) => kind === 'text')
  const named = texts
    .filter(({ path }) => isNamed('question', path))
    .toSorted((a, b) => rankIn('question', a.path) - rankIn('question', b.path))
  const instruction = named.find(({ path }) => path === 'instruction')
  const input = named.find(({ path }) => path === 'input')
  if (instruction) return input ? [instruction, input] : [instruction]
  if (named.length > 0) return [named[0]!]
  const others = texts.filter(
    ({ path }) => !isIdName(path) && !['about', 'explanation'].some((group) => isNamed(group as 'about', path)) && !isWrongAnswerName(path),
  )
  if (others.length === 1 && !columns.uses.some(({ use }) => use === 'context')) return others
  throw new UnclearRows(
    'question',
    'question',
    others.length === 0
      ? 'no column is known to be the question'
      : `several columns could be the question: ${others.map(({ path }) => path).join(', ')}`,
    'name it: --question COLUMN (several with commas), or write the prompt: --prompt "Summarise: {document}"',
  )
}

function isChinese(questions: readonly Column[]): boolean {
  const text = questions.flatMap(({ values }) => values.slice(0, compared).map(textOf)).join('')
  return (text.match(/\p{Script=Han}/gu)?.length ?? 0) * 3 > text.length
}

/** Letters as gold answers belong to choices. */
function isLetters({ values }: Column): boolean {
  return values.every((value) => typeof value === 'string' && /^[A-J]$/.test(value.trim()))
}
