import { readFileSync } from 'node:fs'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { ModelConfig } from '../../../evaluation/config/config-schema.ts'
import type { LoadedConfig } from './load-config.ts'

type Price = NonNullable<ModelConfig['price']>
type Named = Pick<ModelConfig, 'path' | 'abbr' | 'price'>
type Entries = Readonly<Record<string, unknown>>

/**
 * A config whose models and judges without a `price` have that of a file in LiteLLM's shape: by model name, `input_cost_per_token`,
 * `output_cost_per_token` and optionally `cache_read_input_token_cost`, in USD.
 */
export function withPrices(loaded: LoadedConfig, file: string): LoadedConfig {
  const entries = readEntries(file)
  const priced = <Model extends Named>(model: Model): Model => {
    const price = model.price ?? priceOf(model, entries, file)
    return price ? { ...model, price } : model
  }
  const { config } = loaded
  return {
    ...loaded,
    config: {
      ...config,
      models: config.models.map(priced),
      datasets: config.datasets.map((dataset) =>
        dataset.eval_cfg ? { ...dataset, eval_cfg: pricedJudges(dataset.eval_cfg, priced) } : dataset,
      ),
    },
  }
}

/** Judges may be anywhere in an evaluator: a cascade contains others. */
function pricedJudges<Value>(value: Value, priced: (model: Named) => Named): Value {
  if (Array.isArray(value)) return value.map((one) => pricedJudges(one, priced)) as Value
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  const entries = Object.entries(value).map(([key, one]) => [
    key,
    key === 'judge_cfg' && typeof one === 'object' && one !== null ? priced(one as Named) : pricedJudges(one, priced),
  ])
  return Object.fromEntries(entries) as Value
}

function readEntries(file: string): Entries {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const problem = error instanceof SyntaxError ? `this is not JSON: ${error.message}` : 'there is no such file'
    throw new PromptError('bad-prices', { where: file, problem, fix })
  }
  if (isObject(content)) return content
  throw new PromptError('bad-prices', { where: file, problem: 'this is not an object with model names as keys', fix })
}

/** The entry of a model: by its name on the server, its short name, or the only one that ends with `/name`. */
function priceOf({ path, abbr }: Named, entries: Entries, file: string): Price | undefined {
  const names = [path, abbr].filter((name): name is string => typeof name === 'string' && name !== '')
  const exact = names.find((name) => Object.hasOwn(entries, name))
  const ofProviders = Object.keys(entries).filter((key) => names.some((name) => key.endsWith(`/${name}`)))
  const key = exact ?? (ofProviders.length === 1 ? ofProviders[0] : undefined)
  return key === undefined ? undefined : readPrice(entries[key], `${file} › ${key}`)
}

function readPrice(entry: unknown, where: string): Price {
  if (!isObject(entry)) throw new PromptError('bad-prices', { where, problem: 'this is not an object with prices', fix })
  const perMillion = (name: string, value: unknown) => {
    if (typeof value === 'number' && value >= 0) return Number((value * 1e6).toPrecision(12))
    const problem = value === undefined ? 'the price is missing' : `${JSON.stringify(value)} is not a price`
    throw new PromptError('bad-prices', { where: `${where} › ${name}`, problem, fix })
  }
  const cached = entry.cache_read_input_token_cost
  return {
    input: perMillion('input_cost_per_token', entry.input_cost_per_token),
    output: perMillion('output_cost_per_token', entry.output_cost_per_token),
    ...(cached === undefined || cached === null ? {} : { cached_input: perMillion('cache_read_input_token_cost', cached) }),
  }
}

const fix =
  'give a JSON file in the shape of LiteLLM\'s: {"model name": {"input_cost_per_token": 0.000002, "output_cost_per_token": 0.000008}}'

function isObject(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
