import { isList, type PyValue, pyFloat, pyStr } from '@rolecall/core/internal/python'
import type { Embedder } from '../dataset/retrieve/embedder.ts'
import type { Embeds } from '../score/evaluate/evaluator.ts'
import type { JudgeVerdict } from './ask-judge.ts'
import type { AnswerToJudge } from './judge-prompts.ts'
import type { RowRecord } from './record/run-record.ts'
import type { RunEnvironment } from './run-types.ts'

export type TextsContext = { embeds: Embeds; embed: Embedder; environment: Pick<RunEnvironment, 'hash'> }

/** The cosine similarities of the texts that an evaluator compares, for an answer or each of several; earlier ones are reused. */
export async function compareTexts(
  { embeds, embed, environment }: TextsContext,
  { prediction, reference }: AnswerToJudge,
  before: RowRecord | undefined,
): Promise<JudgeVerdict> {
  const answers = isList(prediction) ? prediction : [prediction]
  const pairs = answers.map((answer) => embeds.pairs(pyStr(answer), reference ?? null))
  const key = environment.hash(JSON.stringify([embeds.source, pairs])).slice(0, 32)
  const { judge_key: known, judge_said: said } = before?.details ?? {}
  if (known === key && said !== undefined) return { said, key }
  const texts = [...new Set(pairs.flat(2))]
  const vectors = texts.length === 0 ? undefined : await embed(texts)
  const places = new Map(texts.map((text, place) => [text, place]))
  const at = (text: string) => vectors![places.get(text)!]!
  const likeness = pairs.map((some): PyValue => some.map(([one, other]) => pyFloat(cosine(at(one), at(other)))))
  return { said: isList(prediction) ? likeness : likeness[0]!, key }
}

function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let [product, first, second] = [0, 0, 0]
  for (let index = 0; index < one.length; index++) {
    const [a, b] = [one[index]!, other[index]!]
    product += a * b
    first += a * a
    second += b * b
  }
  return first === 0 || second === 0 ? 0 : product / Math.sqrt(first * second)
}
