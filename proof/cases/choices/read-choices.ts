import { readFileSync } from 'node:fs'
import { readerOf } from '../../../packages/rolecall/src/evaluation/score/postprocess/postprocessors.ts'

/** A reply to a multiple-choice question and the option it states; `is` is null if it states none. */
export type LabelledReply = {
  style: string
  is: string | null
  /** ABCD by default. */
  options?: string
  /** The texts of the options, if the reader knows them. */
  choices?: readonly string[]
  /** The reply ended at its length limit. */
  cut?: true
  said: string
}

export function readChoices(name: 'english' | 'chinese' | 'held-back' | 'held-back-2'): LabelledReply[] {
  const lines = readFileSync(new URL(`${name}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => JSON.parse(line) as LabelledReply)
}

/** The option that `choice_answer` reads; null if it reads none. */
export function choiceRead({ said, options = 'ABCD', choices, cut }: LabelledReply): string | null {
  const read = readerOf({ type: 'choice_answer', options, ...(choices ? { choices: 'choices' } : {}) }, 'proof/cases/choices')
  const { value, isFound } = read(said, choices ? { choices: [...choices] } : undefined, cut)
  return isFound ? (value as string) : null
}

/** The first option in the text, as OpenCompass's `first_option_postprocess` finds it. */
export function firstOption({ said, options = 'ABCD' }: LabelledReply): string | null {
  return (readerOf({ type: 'first_option_postprocess', options }, 'proof/cases/choices')(said).value as string) || null
}

/** MMLU-Pro's three steps: "answer is (X)", "answer: X", and the last single capital A–J. */
export function mmluProOption({ said }: LabelledReply): string | null {
  const announced = /answer is \(?([A-J])\)?/.exec(said) ?? /.*[aA]nswer:\s*([A-J])/.exec(said)
  return announced?.[1] ?? said.match(/\b[A-J]\b/g)?.at(-1) ?? null
}

export type Measured = { given: number; right: number; stated: number; precision: number; recall: number }

/** Precision: correct among the options read. Recall: correct among the replies that state one. */
export function measureReader(replies: readonly LabelledReply[], read: (reply: LabelledReply) => string | null): Measured {
  const results = replies.map((reply) => ({ reply, found: read(reply) }))
  const given = results.filter(({ found }) => found !== null).length
  const right = results.filter(({ reply, found }) => found !== null && found === reply.is).length
  const stated = replies.filter(({ is }) => is !== null).length
  return { given, right, stated, precision: right / given, recall: right / stated }
}
