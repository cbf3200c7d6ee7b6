import { stringifyJson } from '../packages/core/src/base/python/index.ts'
import type { Retriever } from '../packages/rolecall/src/evaluation/dataset/retrieve/retriever.ts'
import type { EvaluatorExample } from '../packages/rolecall/src/evaluation/score/evaluate/evaluator.ts'
import type { JudgeExample } from '../packages/rolecall/src/evaluation/score/postprocess/judge-postprocessor.ts'
import type { PostprocessorExample } from '../packages/rolecall/src/evaluation/score/postprocess/postprocessor.ts'

// The worked examples of the definitions, as tables show them. Tests next to the definitions run them.

/** The words between the values of an example. */
type Words = { for: string; runs: string; judge: string; tokens: string; rows: string; ofLines: (lines: number) => string }

const english: Words = {
  for: 'for',
  runs: 'runs',
  judge: 'the judge says',
  tokens: 'tokens',
  rows: 'rows',
  ofLines: (lines) => `in a program of ${lines} lines that tests it`,
}

export const chineseWords: Words = {
  for: '对照',
  runs: '运行',
  judge: '裁判说',
  tokens: 'token 数',
  rows: '数据',
  ofLines: (lines) => `一个 ${lines} 行的测试程序`,
}

/** `answer → what it becomes`, in code marks. */
export function postprocessorExample({ options = {}, answer, becomes }: PostprocessorExample): string {
  const shown = Object.entries(options).map(([key, value]) => `${key}: ${JSON.stringify(value)}, `)
  return `${code(`${shown.join('')}${JSON.stringify(answer)}`)} → ${code(JSON.stringify(becomes))}`
}

/** Answers and gold answers, and the figures they come to. */
export function evaluatorExample(example: EvaluatorExample, words = english): string {
  if ('program' in example) return `${code(JSON.stringify(example.answer))} ${words.runs} ${programOf(example.program.trim(), words)}`
  const figures = Object.entries(example.figures).map(([metric, value]) => `${metric} ${value}`)
  return `${given(example, words)} → ${figures.join(', ')}`
}

function given(example: Exclude<EvaluatorExample, { program: string }>, words: Words): string {
  const list = (values: Parameters<typeof stringifyJson>[0]) => code(stringifyJson(values, { ensureAscii: false }))
  if ('verdicts' in example) return `${words.judge} ${list(example.verdicts)}`
  const { answers, gold, rows, tokens } = example
  if (gold) return `${list(answers)} ${words.for} ${list(gold)}`
  return [list(answers), ...(tokens ? [`${words.tokens} ${list(tokens)}`] : []), ...(rows ? [`${words.rows} ${list(rows)}`] : [])].join(
    ', ',
  )
}

/** What a judge says, with the gold answer or the row where they matter, and the figures it comes to. */
export function judgeExample({ judged, figures }: JudgeExample, words = english): string {
  const shown = judged.map(({ said, gold, row }) => {
    const beside = gold ?? row
    return `${code(JSON.stringify(said))}${beside === undefined ? '' : ` ${words.for} ${code(stringifyJson(beside, { ensureAscii: false }))}`}`
  })
  const results = Object.entries(figures).map(([metric, value]) => `${metric} ${value}`)
  return `${shown.join(', ')} → ${results.join(', ')}`
}

/** The options, and the numbers of the rows that are shown. */
export function retrieverExample({ options, shows }: Retriever['example']): string {
  const shown = Object.entries(options).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  return `${code(shown.join(', '))} → ${shows.join(', ')}`
}

function code(text: string): string {
  const inTable = text.replaceAll('\n', '\\n').replaceAll('|', '\\|')
  return inTable.includes('`') ? `\`\` ${inTable} \`\`` : `\`${inTable}\``
}

/** A program as it is, or its length where it would fill the page. */
function programOf(program: string, words: Words): string {
  const lines = program.split('\n').length
  return program.length <= longestProgram ? code(program) : words.ofLines(lines)
}

const longestProgram = 400
