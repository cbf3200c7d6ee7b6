import type { DatasetConfig, ModelConfig } from '../../config/config-schema.ts'
import { formatPrompts } from './format-prompts.ts'

/**
 * The texts that end the answers of a base model, by the dataset's inferencer: a model whose format does not end a turn continues with
 * the next question. Undefined if the format ends turns, or none are configured.
 */
export function baseStops(model: ModelConfig, { infer_cfg: { inferencer } }: DatasetConfig): readonly string[] | undefined {
  const stops = inferencer?.base_stopping_criteria
  return stops && !endsTurns(model) ? stops : undefined
}

const known = new WeakMap<ModelConfig, boolean>()

/** Whether something ends the model's turn: a stop of its format, or the server that formats the messages. */
function endsTurns(model: ModelConfig): boolean {
  const before = known.get(model)
  if (before !== undefined) return before
  const { prompt } = formatPrompts(model).prompts[0]!.rendered
  const ends = prompt.kind === 'chat' || prompt.stop.length > 0
  known.set(model, ends)
  return ends
}
