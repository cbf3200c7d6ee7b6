import type { PyValue } from '../../../packages/core/src/base/python/index.ts'
import type { Row } from '../../../packages/core/src/prompt/conversation/row.ts'
import { registerOpenCompass } from '../../../packages/rolecall/src/compat/opencompass/register-opencompass.ts'
import { followPrograms, programResult } from '../../../packages/rolecall/src/evaluation/run/run-code.ts'
import { evaluatorOf } from '../../../packages/rolecall/src/evaluation/score/evaluate/evaluators.ts'
import { pythonSandbox } from '../../../packages/rolecall/src/node/interpreters/python/python-sandbox.ts'
import { codeCheats } from '../code-cheats.ts'
import type { Attack } from './attack.ts'

type Task = { type: string; row: Row; gold?: PyValue }

const evalPlus = {
  prompt: 'def largest(numbers):\n',
  canonical_solution: '    return max(numbers)\n',
  entry_point: 'largest',
  atol: 0,
  base_input: [[[1, 3, 2]], [[9, 4]]],
  plus_input: [[[-1]], [[7, 8]]],
}
const asserts = 'assert largest([1, 3, 2]) == 3\nassert largest([9, 4]) == 9\nassert largest([-1]) == -1'
const check = `def check(candidate):\n    ${asserts.replaceAll('\n', '\n    ').replaceAll('largest(', 'candidate(')}\n`
const cases = JSON.stringify({ inputs: ['[1, 3, 2]', '[9, 4]'], outputs: ['3', '9'], fn_name: 'largest' })

const tasks: readonly Task[] = [
  { type: 'HumanEvalEvaluator', row: { prompt: 'def largest(numbers):\n', test: check, entry_point: 'largest' } },
  { type: 'HumanEvalPlusEvaluator', row: { prompt: 'def largest(numbers):\n', task_id: 'HumanEval/0', evalplus: evalPlus } },
  { type: 'MBPPEvaluator', row: {}, gold: asserts },
  { type: 'HumanevalProEvaluator', row: { test_code: asserts } },
  { type: 'LCBCodeGenerationEvaluator', row: { evaluation_sample: cases } },
]

/** Wrong code that replaces, reads or imitates what tests it, in every evaluator that runs code. */
export const cheatsOfCode: Attack = {
  name: 'code cheats',
  holds: 'no wrong answer is counted as right',
  async run({ chance, goesOn, tried, gotThrough }) {
    registerOpenCompass()
    const sandbox = pythonSandbox({ softLimit: 4000, grace: 4000 })
    const names = Object.keys(codeCheats)
    try {
      while (goesOn()) {
        const { type, row, gold = null } = chance.pick(tasks)
        const chosen = [chance.pick(names), ...(chance.once(3) ? [chance.pick(names)] : [])]
        const code = chosen.map((name) => (codeCheats[name] ?? '').replaceAll('FUNCTION', 'largest')).join('\n')
        const evaluator = evaluatorOf({ type }, true, 'the attack')
        const answer = `\`\`\`python\n${code}\n\`\`\``
        const prediction = await followPrograms(evaluator.runs?.(row, answer, gold) ?? '', async (program) => {
          await sandbox.restart()
          return programResult(sandbox, program)
        })
        tried()
        if (evaluator.judge({ prediction, reference: gold, row }).score > 0) gotThrough(`${type}: ${chosen.join(', ')}`)
      }
    } finally {
      await sandbox.close()
    }
  },
}
