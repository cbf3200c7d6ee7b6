import { stringifyJson } from '../src/base/python/index.ts'
import type { Retriever } from '../src/evaluation/dataset/retrieve/retriever.ts'
import type { EvaluatorExample } from '../src/evaluation/score/evaluate/evaluator.ts'
import type { JudgeExample } from '../src/evaluation/score/postprocess/judge-postprocessor.ts'
import type { PostprocessorExample } from '../src/evaluation/score/postprocess/postprocessor.ts'

// The worked examples that stand at the definitions, as they are shown in tables. Tests beside the definitions run them.

/** `answer → what it becomes`, in code marks. */
export function postprocessorExample({ options = {}, answer, becomes }: PostprocessorExample): string {
  const shown = Object.entries(options).map(([key, value]) => `${key}: ${JSON.stringify(value)}, `)
  return `${code(`${shown.join('')}${JSON.stringify(answer)}`)} → ${code(JSON.stringify(becomes))}`
}

/** Answers and gold answers, and the figures they come to. */
export function evaluatorExample(example: EvaluatorExample): string {
  if ('program' in example) return `${code(JSON.stringify(example.answer))} runs ${programOf(example.program.trim())}`
  const figures = Object.entries(example.figures).map(([metric, value]) => `${metric} ${value}`)
  return `${given(example)} → ${figures.join(', ')}`
}

function given(example: Exclude<EvaluatorExample, { program: string }>): string {
  const list = (values: Parameters<typeof stringifyJson>[0]) => code(stringifyJson(values, { ensureAscii: false }))
  if ('verdicts' in example) return `the judge says ${list(example.verdicts)}`
  const { answers, gold, rows, tokens } = example
  if (gold) return `${list(answers)} for ${list(gold)}`
  return [list(answers), ...(tokens ? [`tokens ${list(tokens)}`] : []), ...(rows ? [`rows ${list(rows)}`] : [])].join(', ')
}

/** What a judge says, with the gold answer or the row where they matter, and the figures it comes to. */
export function judgeExample({ judged, figures }: JudgeExample): string {
  const shown = judged.map(({ said, gold, row }) => {
    const beside = gold ?? row
    return `${code(JSON.stringify(said))}${beside === undefined ? '' : ` for ${code(stringifyJson(beside, { ensureAscii: false }))}`}`
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
function programOf(program: string): string {
  const lines = program.split('\n').length
  return program.length <= longestProgram ? code(program) : `in a program of ${lines} lines that tests it`
}

const longestProgram = 400
