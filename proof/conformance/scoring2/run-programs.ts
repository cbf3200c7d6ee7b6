import { isList, type PyDict, type PyValue, pyStr } from '../../../packages/core/src/base/python/index.ts'
import { followPrograms, programResult } from '../../../packages/rolecall/src/evaluation/run/run-code.ts'
import { figuresOf } from '../../../packages/rolecall/src/evaluation/score/evaluate/evaluate-answers.ts'
import type { Evaluator, Program } from '../../../packages/rolecall/src/evaluation/score/evaluate/evaluator.ts'
import { type PythonSandbox, pythonSandbox } from '../../../packages/rolecall/src/node/interpreters/python/python-sandbox.ts'

let sandbox: PythonSandbox | undefined
let patient: PythonSandbox | undefined

/** Stops the Python processes that ran programs. */
export async function closePrograms(): Promise<void> {
  await Promise.all([sandbox?.close(), patient?.close()])
  sandbox = patient = undefined
}

/** Programs take milliseconds. One that is interrupted on a busy machine gets more time, unless it is written to loop for ever. */
async function resultOf(program: Program): Promise<string> {
  sandbox ??= pythonSandbox({ softLimit: 1000, grace: 10_000 })
  const said = await programResult(sandbox, program)
  const code = typeof program === 'string' ? program : program.code
  if (!/^failed: (?:KeyboardInterrupt|interrupted)/.test(said) || code.includes('while True')) return said
  patient ??= pythonSandbox({ softLimit: 20_000, grace: 10_000 })
  return programResult(patient, program)
}

/**
 * Judges answers by running them. The vectors' programs are trusted: they share one Python process with separate namespaces and
 * take milliseconds. A real run starts a separate Python process for each program.
 */
export async function judgePrograms(
  evaluator: Evaluator<unknown>,
  predictions: readonly PyValue[],
  references: readonly PyValue[],
  rows: readonly PyDict[],
) {
  const judged = []
  for (const [index, prediction] of predictions.entries()) {
    const [row, reference] = [rows[index] ?? {}, references[index] ?? null]
    const said: string[] = []
    for (const answer of isList(prediction) ? prediction : [prediction]) {
      said.push(await followPrograms(evaluator.runs!(row, pyStr(answer), reference), resultOf))
    }
    judged.push(evaluator.judge({ prediction: isList(prediction) ? said : said[0]!, reference, row }))
  }
  const figures = figuresOf(
    evaluator,
    judged.map(({ score }) => score),
    judged.map(({ keep }) => keep),
  )
  return { figures, details: judged.map(({ detail }) => detail) }
}
