import { answerQuestion } from '../engine/answer-question.ts'
import type { Answers, Problem, Question } from '../engine/contract.ts'
import { problemOf } from '../engine/problem-of.ts'

// In the lab as one file, which has no worker, this takes the place of `engine/engine.ts`: the limits of the template engine itself stop templates.

export class EngineError extends Error {
  override readonly name = 'EngineError'

  constructor(readonly problem: Problem) {
    super(problem.problem)
  }
}

export async function ask<Kind extends Question['kind']>(question: Question & { kind: Kind }): Promise<Answers[Kind]> {
  try {
    return (await answerQuestion(question)) as Answers[Kind]
  } catch (error) {
    throw new EngineError(problemOf(error))
  }
}
