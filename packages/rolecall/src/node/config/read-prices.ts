import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import type { LoadedConfig } from './load-config.ts'
import { readText } from './read-text.ts'

type Price = NonNullable<ModelConfig['price']>
type Named = Pick<ModelConfig, 'path' | 'abbr' | 'price'>
type Entries = Readonly<Record<string, unknown>>

/**
 * A config whose models and judges without a `price` have that of a file in LiteLLM's format: by model name, `input_cost_per_token`,
 * `output_cost_per_token` and optionally `cache_read_input_token_cost`, in USD.
 */
export function withPrices(loaded: LoadedConfig, file: string): LoadedConfig {
  const entries = readEntries(file)
  const notes: Note[] = []
  const priced = <Model extends Named>(model: Model): Model => {
    const price = model.price ?? priceOf(model, entries, file, (note) => notes.push(note))
    return price ? { ...model, price } : model
  }
  const { config } = loaded
  const models = config.models.map(priced)
  const datasets = config.datasets.map((dataset) =>
    dataset.eval_cfg ? { ...dataset, eval_cfg: pricedJudges(dataset.eval_cfg, priced) } : dataset,
  )
  return { ...loaded, config: { ...config, models, datasets, warnings: [...config.warnings, ...distinct(notes)] } }
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
    content = JSON.parse(readText(file, file))
  } catch (error) {
    if (error instanceof PromptError) throw new PromptError('bad-prices', { where: file, problem: error.problem, fix })
    throw new PromptError('bad-prices', { where: file, problem: `this is not JSON: ${(error as Error).message}`, fix })
  }
  if (!isObject(content))
    throw new PromptError('bad-prices', { where: file, problem: 'this is not an object with model names as keys', fix })
  for (const [name, entry] of Object.entries(content)) if (!isObject(entry)) throw notPrices(`${file} › ${name}`)
  return content
}

/** The price of a model: by its name on the server, its short name, or that of all entries that end with `/name`. */
function priceOf({ path, abbr }: Named, entries: Entries, file: string, onNote: (note: Note) => void): Price | undefined {
  const names = [path, abbr].filter((name): name is string => typeof name === 'string' && name !== '')
  const exact = names.find((name) => Object.hasOwn(entries, name))
  const price = (key: string) => readPrice(entries[key], `${file} › ${key}`, onNote)
  if (exact !== undefined) return price(exact)
  const ofProviders = Object.keys(entries).filter((key) => names.some((name) => key.endsWith(`/${name}`)))
  const isPriced = (key: string) => typeof (entries[key] as Entries | null)?.input_cost_per_token === 'number'
  if (ofProviders.length === 0) {
    const name = names[0] ?? 'a model'
    onNote({ code: 'no-price', where: file, text: `the price of ${name} is unknown: no entry is named ${name} or ends with /${name}` })
  }
  const chosen = ofProviders.length === 1 ? ofProviders : ofProviders.filter(isPriced)
  const prices = chosen.map(price)
  if (new Set(prices.map((price) => JSON.stringify(price))).size < 2) return prices[0]
  const shown = `${chosen.slice(0, 5).join(', ')}${chosen.length > 5 ? ', …' : ''}`
  onNote({
    code: 'several-prices',
    where: file,
    text: `the price of ${abbr ?? path} is unknown: ${chosen.length} entries end with its name and differ in price (${shown}); set \`price\` on the model`,
  })
  return undefined
}

/** A model may judge several datasets. */
function distinct(notes: readonly Note[]): Note[] {
  return notes.filter(({ text }, index) => notes.findIndex((one) => one.text === text) === index)
}

function readPrice(entry: unknown, where: string, onNote: (note: Note) => void): Price {
  if (!isObject(entry)) throw notPrices(where)
  const ignored = Object.keys(entry).filter((name) => /cost|pricing/.test(name) && !read.has(name) && entry[name])
  if (ignored.length > 0) onNote(ignoredPrices(where, ignored))
  const perMillion = (name: string, value: unknown) => {
    if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return Number((value * 1e6).toPrecision(12))
    const problem =
      value === undefined ? 'the price is missing' : `${typeof value === 'number' ? value : JSON.stringify(value)} is not a price`
    throw new PromptError('bad-prices', { where: `${where} › ${name}`, problem, fix })
  }
  const cached = entry.cache_read_input_token_cost
  const input = perMillion('input_cost_per_token', entry.input_cost_per_token)
  const output = perMillion('output_cost_per_token', entry.output_cost_per_token)
  const highest = Math.max(input, output)
  if (highest >= implausible)
    onNote({
      code: 'high-price',
      where,
      text: `${highest.toLocaleString('en')} USD for a million tokens is implausible: prices in this file are for one token, not for a million`,
    })
  return {
    input,
    output,
    ...(cached === undefined || cached === null ? {} : { cached_input: perMillion('cache_read_input_token_cost', cached) }),
  }
}

/** In USD per million tokens; the most expensive models cost a few hundred. */
const implausible = 10_000

/** Prices of tokens: a row counts with these. */
const read: ReadonlySet<string> = new Set(['input_cost_per_token', 'output_cost_per_token', 'cache_read_input_token_cost'])

/** Prices above a number of tokens, of batches, images or searches. */
function ignoredPrices(where: string, names: readonly string[]): Note {
  const shown = `${names.slice(0, 4).join(', ')}${names.length > 4 ? ` and ${names.length - 4} more` : ''}`
  const isTiered = names.some((name) => /_above_|tiered/.test(name))
  const effect = isTiered ? ': rows with long prompts may cost more than is counted' : ''
  return { code: 'ignored-prices', where, text: `every token counts with the price per token; others are ignored (${shown})${effect}` }
}

function notPrices(where: string): PromptError {
  return new PromptError('bad-prices', { where, problem: 'this is not an object with prices', fix })
}

const fix =
  'give a JSON file in the shape of LiteLLM\'s: {"model name": {"input_cost_per_token": 0.000002, "output_cost_per_token": 0.000008}}'

function isObject(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
