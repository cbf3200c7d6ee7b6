import { expect } from 'vitest'
import { registerOpenCompass } from '../../packages/rolecall/src/compat/opencompass/register-opencompass.ts'
import { figuresOf } from '../../packages/rolecall/src/evaluation/score/evaluate/evaluate-answers.ts'
import type { EvaluatorDefinition } from '../../packages/rolecall/src/evaluation/score/evaluate/evaluator.ts'
import { evaluatorOf } from '../../packages/rolecall/src/evaluation/score/evaluate/evaluators.ts'
import type { ScoringPeers } from '../../packages/rolecall/src/python/word-split/word-tokenize.ts'

registerOpenCompass()

/** Runs the worked example of an evaluator and checks its metrics. */
export function runExample({ names, example }: EvaluatorDefinition, peers: ScoringPeers = {}): void {
  const evaluator = evaluatorOf({ type: names[0]!, ...example.options }, true, 'the example', peers)
  if ('program' in example) {
    const program = evaluator.runs!(example.row, example.answer, example.gold ?? null)
    const code = typeof program === 'string' ? program : program.code
    // Of a long program, only the end is shown.
    if (example.program.startsWith('…')) expect(code.endsWith(example.program.slice(1))).toBe(true)
    else expect(code).toBe(example.program)
    return
  }
  const {
    answers,
    gold = [],
    rows = [],
    tokens = [],
  } = 'verdicts' in example ? { answers: example.verdicts, gold: example.gold ?? [] } : example
  const answered = 'verdicts' in example ? (example.answered ?? []) : []
  expect(evaluator.needsReference).toBe(gold.length > 0)
  const judged = answers.map((prediction, index) =>
    evaluator.judge({
      prediction,
      reference: gold[index] ?? null,
      row: rows[index] ?? {},
      tokens: tokens[index] ?? 0,
      answered: answered[index] ?? null,
    }),
  )
  const figures = figuresOf(
    evaluator,
    judged.map(({ score }) => score),
    judged.map(({ keep }) => keep),
  )
  const [main, ...others] = Object.entries(example.figures)
  expect(others).toEqual([])
  expect(Object.keys(figures)[0]).toBe(main![0])
  expect(Number(figures[main![0]]!.toFixed(2))).toBe(main![1])
}
