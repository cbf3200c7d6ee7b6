import { PromptError } from '@rolecall/core/internal/errors'
import type { SeenFacts } from './recorded-steps.ts'

/** What a trainer's row is made of. */
export type TrainableRow = {
  ids: readonly number[]
  mask: readonly (0 | 1)[]
  logprobs?: readonly number[] | undefined
  /** The number of ids in front of the first reply. */
  promptLength: number
  turns: number
  facts: SeenFacts
}

type Row = Readonly<Record<string, unknown>>

/** The columns that a trainer reads, and what a row must have for it. */
type Trainer = {
  reads: string
  needsLogprobs?: true
  /** Whether rewards have a place. */
  takesReward?: true
  row(row: TrainableRow): Row
}

const ignored = -100

const labelled = ({ ids, mask }: TrainableRow): Row => ({
  input_ids: ids,
  attention_mask: ids.map(() => 1),
  labels: ids.map((id, index) => (mask[index] === 1 ? id : ignored)),
})

/** The trainers whose rows `export training --for` writes. */
export const trainers = {
  trl: {
    reads: 'SFTTrainer: input_ids, labels',
    row(row) {
      const { input_ids, labels } = labelled(row)
      return { input_ids, labels }
    },
  },
  'trl-grpo': {
    reads: 'what a rollout_func of GRPOTrainer returns, a row each: prompt_ids, completion_ids, logprobs, env_mask',
    needsLogprobs: true,
    takesReward: true,
    row: ({ ids, mask, logprobs, promptLength, facts: { reward } }) => ({
      prompt_ids: ids.slice(0, promptLength),
      completion_ids: ids.slice(promptLength),
      logprobs: logprobs?.slice(promptLength),
      env_mask: mask.slice(promptLength),
      reward,
    }),
  },
  verl: {
    reads: 'AgentLoopOutput: prompt_ids, response_ids, response_mask, response_logprobs, reward_score',
    takesReward: true,
    row: ({ ids, mask, logprobs, promptLength, turns, facts: { reward } }) => ({
      prompt_ids: ids.slice(0, promptLength),
      response_ids: ids.slice(promptLength),
      response_mask: mask.slice(promptLength),
      response_logprobs: logprobs?.slice(promptLength),
      reward_score: reward,
      num_turns: turns,
      metrics: {},
    }),
  },
  'prime-rl': {
    reads: 'TrainingSample: token_ids, mask, logprobs, temperatures, env_name',
    needsLogprobs: true,
    row: ({ ids, mask, logprobs, facts: { temperature = 1, env_name: name = 'rolecall' } }) => ({
      token_ids: ids,
      mask: mask.map((one) => one === 1),
      logprobs,
      temperatures: ids.map(() => temperature),
      env_name: name,
    }),
  },
  axolotl: { reads: 'a dataset that is tokenised already: input_ids, attention_mask, labels', row: labelled },
  'llama-factory': { reads: 'the rows of a tokenized_path: input_ids, attention_mask, labels', row: labelled },
} satisfies Readonly<Record<string, Trainer>>

export type TrainerName = keyof typeof trainers

/** A row in a trainer's columns, and what it has no place for. */
export function trainerRow(name: TrainerName, row: TrainableRow, where: string): { row: Row; leftOut: string[] } {
  const { row: write, needsLogprobs, takesReward }: Trainer = trainers[name]
  if (needsLogprobs && row.logprobs === undefined)
    throw new PromptError('no-logprobs', {
      where,
      problem: `${name} needs the log-probability of each sampled id, and this row has none`,
      fix: 'record logprobs with the replies, or export for a trainer that learns without: --for trl, verl, axolotl',
    })
  const leftOut = [
    ...(row.facts.reward !== undefined && !takesReward ? [`the reward is left out: ${name} has no column for it`] : []),
    ...(name === 'prime-rl' && row.facts.temperature === undefined ? ['no temperature is recorded: 1 is written'] : []),
  ]
  return { row: write(row), leftOut }
}
