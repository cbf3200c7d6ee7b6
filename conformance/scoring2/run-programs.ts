import { type PythonSandbox, pythonSandbox } from '../../src/app/node/interpreters/python/python-sandbox.ts'
import { isList, type PyDict, type PyValue, pyStr } from '../../src/base/python/index.ts'
import { programResult } from '../../src/evaluation/run/run-code.ts'
import { figuresOf } from '../../src/evaluation/score/evaluate/evaluate-answers.ts'
import type { Evaluator } from '../../src/evaluation/score/evaluate/evaluator.ts'

let sandbox: PythonSandbox | undefined

/** Stops the Python process that ran programs. */
export async function closePrograms(): Promise<void> {
  await sandbox?.close()
  sandbox = undefined
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
  sandbox ??= pythonSandbox({ softLimit: 9000, grace: 2000 })
  const judged = []
  for (const [index, prediction] of predictions.entries()) {
    const [row, reference] = [rows[index] ?? {}, references[index] ?? null]
    const said: string[] = []
    for (const answer of isList(prediction) ? prediction : [prediction]) {
      said.push(await programResult(sandbox, evaluator.runs!(row, pyStr(answer), reference)))
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
