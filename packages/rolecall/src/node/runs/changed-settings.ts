import { isDeepStrictEqual } from 'node:util'

/** What a run was asked with: its config, and what flags added to it. */
export type AskedWith = { config: unknown; options: Readonly<Record<string, unknown>> }

/** Where a server stands, what it costs, which rows are run, and how answers are scored are not what a row was asked with. */
const isNotAsked: ReadonlySet<string> = new Set([
  'base_url',
  'price',
  'prices',
  'concurrency',
  'max_num_workers',
  'retries',
  'retry',
  'eval_cfg',
  'models',
  'datasets',
  'limit',
  'prompts',
  'logProbabilities',
  'shard',
  'workers',
  'cache',
  'allowUnscorable',
  'batch',
  'layout',
  'maxCost',
  'maxTokensTotal',
  'maxTime',
])

/** Longer values are only named. */
const longestValue = 40

/**
 * The settings that differ between two attempts at a run, as `good › max_out_len: 64 → 256`.
 *
 * @example
 * changedSettings({ config: { models: [{ abbr: 'good', seed: 1 }] }, options: {} }, { config: { models: [{ abbr: 'good', seed: 2 }] }, options: {} })
 * // => ['good › seed: 1 → 2']
 */
export function changedSettings(before: AskedWith, now: AskedWith): string[] {
  return [
    ...differences('', before.options, now.options),
    ...['models', 'datasets'].flatMap((kind) => {
      const earlier = entriesOf(before.config, kind)
      return entriesOf(now.config, kind).flatMap(([name, entry]) => {
        const [, other] = earlier.find(([same]) => same === name) ?? []
        return other === undefined ? [] : differences(`${name} › `, other, entry)
      })
    }),
  ]
}

type Fields = Readonly<Record<string, unknown>>

function entriesOf(config: unknown, kind: string): [name: string, entry: Fields][] {
  const entries = isFields(config) ? config[kind] : undefined
  if (!Array.isArray(entries)) return []
  return entries.filter(isFields).map((entry, index) => [typeof entry.abbr === 'string' ? entry.abbr : `${kind}[${index}]`, entry])
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function differences(place: string, before: Fields, now: Fields): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((key) => {
    const [one, other] = [settingIn(before, key), settingIn(now, key)]
    if (isNotAsked.has(key) || isDeepStrictEqual(one, other)) return []
    if (isFields(one) && isFields(other)) return differences(`${place}${key}.`, one, other)
    const texts = [one, other].map((value) => (value === undefined ? 'not set' : JSON.stringify(value)))
    return [texts.some((text) => text.length > longestValue) ? `${place}${key}` : `${place}${key}: ${texts.join(' → ')}`]
  })
}

function settingIn(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined
}
