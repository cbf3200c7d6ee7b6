import { PromptError } from '@rolecall/core/internal/errors'
import { modelTypeOf, modelTypes } from '../../model/model-types/index.ts'
import type { ModelConfig } from '../config/config-schema.ts'

/** Requests in batches cost this share of the price. */
const share = 0.5

/** Whether a model's requests go through the batch endpoint of its service. */
export function isInBatches(model: object): boolean {
  return 'batch' in model && model.batch === true
}

/** Models whose requests go in batches, all if asked for, with what their tokens then cost: estimates, limits and records count with it. */
export function inBatches(models: readonly ModelConfig[], areAll = false): ModelConfig[] {
  return models.map((model) => {
    if (!areAll && !isInBatches(model)) return model
    if (!('batch' in (modelTypeOf(model)?.fields ?? {}))) throw noBatches(model)
    return { ...model, batch: true, price: batchPrice(model.price) }
  })
}

/** The price of requests in batches. */
export function batchPrice(price: ModelConfig['price']): ModelConfig['price'] {
  if (price === undefined) return undefined
  const { input, output, cached_input: cached } = price
  return { ...price, input: share * input, output: share * output, ...(cached === undefined ? {} : { cached_input: share * cached }) }
}

function noBatches({ abbr, path, type }: ModelConfig): PromptError {
  const having = modelTypes.filter(({ fields }) => 'batch' in fields).map(({ name }) => name)
  return new PromptError('no-batch', {
    where: `${abbr ?? path ?? 'model'} › batch`,
    problem: `models of type "${type ?? 'none'}" have no batch endpoint here`,
    fix: `leave out --batch, or run it for the others alone (--models): ${having.join(' and ')} have one`,
  })
}
