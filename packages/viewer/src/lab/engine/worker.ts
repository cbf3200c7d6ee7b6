import { answerQuestion } from './answer-question.ts'
import type { Question } from './contract.ts'
import { problemOf } from './problem-of.ts'

// The engine of the lab in a worker: a template that never ends is stopped with it.

type Scope = { onmessage: (event: { data: { id: number; question: Question } }) => void; postMessage(answer: unknown): void }
// The page's types declare a window; a worker's `postMessage` has no target origin.
const scope = globalThis as unknown as Scope

scope.onmessage = async ({ data: { id, question } }) => {
  try {
    scope.postMessage({ id, answer: await answerQuestion(question) })
  } catch (error) {
    scope.postMessage({ id, problem: problemOf(error) })
  }
}
