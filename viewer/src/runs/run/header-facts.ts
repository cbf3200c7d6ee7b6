import type { ModelSite, RunStatus, Site } from '../../../../src/app/server/viewer/viewer-data.ts'
import { headerFactTexts } from '../../texts/header-facts.ts'
import { modelName } from '../../texts/model-name.ts'
import { showDecimal, showNumber } from '../../texts/numbers.ts'

/** The settings of a model that change its answers, in display order. */
const settings = ['path', 'format', 'temperature', 'top_p', 'max_out_len', 'max_seq_len', 'seed', 'revision'] as const

type HeaderProps = { site: Pick<Site, 'runs' | 'configs'>; number: number; state: RunStatus }

/** A name and its text; settings are in the words of the config, in any language. */
type Fact = [name: string, text: string, language?: 'en']

/** The facts at the top of a run's page: models with their settings, then totals. */
export function headerFacts({ site, number, state }: HeaderProps): Fact[] {
  const ui = headerFactTexts()
  const { config, pairs, options = {}, hub = [] } = site.runs[number]!
  const models = (site.configs[config]?.models ?? []).map((model, index) => {
    const pair = pairs.find(({ modelIndex }) => modelIndex === index)
    return { ...model, shown: pair ? modelName(pair) : model.name }
  })
  const results = state.pairs.flatMap(({ result }) => result ?? [])
  const sum = (of: (result: (typeof results)[number]) => number) => results.reduce((all, one) => all + of(one), 0)
  const rows = state.pairs.reduce((all, pair) => all + pair.rows, 0)
  const [prompt, reply, cut] = [sum(({ tokens }) => tokens.prompt), sum(({ tokens }) => tokens.reply), sum((result) => result.cut)]
  const costs = state.summary?.totals?.costs ?? []
  const seconds = state.summary?.seconds ?? 0
  const given = Object.entries(options).map(([name, value]) => `${name} ${value}`)
  return [
    ...modelFacts(models),
    ...(given.length > 0 ? [[ui.options, given.join(' · '), 'en'] as Fact] : []),
    ...(hub.length > 0 ? [[ui.hub, hub.join(' · '), 'en'] as Fact] : []),
    [ui.rows, showNumber(rows)],
    ...(prompt + reply > 0 ? [[ui.tokens, ui.tokensText(prompt, reply)] as Fact] : []),
    ...(costs.length > 0
      ? [[ui.cost, costs.map(({ amount, currency }) => `${showDecimal(amount, 4)} ${currency}`).join(' + ')] as Fact]
      : []),
    ...(seconds > 0 ? [[ui.time, ui.timeText(seconds, rows / seconds)] as Fact] : []),
    ...(results.length > 0 && rows > 0 ? [[ui.cut, ui.cutText(cut, (100 * cut) / rows)] as Fact] : []),
  ]
}

/** Models with the same settings share a fact; a path that repeats the name is left out. */
function modelFacts(models: readonly (ModelSite & { shown: string })[]): Fact[] {
  const names = new Map<string, string[]>()
  for (const { name, shown, config } of models) {
    const text = settingsText(config, name) || '–'
    names.set(text, [...(names.get(text) ?? []), shown])
  }
  return [...names].map(([text, own]) => [own.join(', '), text, 'en'])
}

function settingsText(model: Readonly<Record<string, unknown>>, own: string): string {
  return settings
    .flatMap((name) => {
      const value = model[name]
      if (name === 'path' && value === own) return []
      return typeof value === 'string' || typeof value === 'number' ? [name === 'path' ? String(value) : `${name} ${value}`] : []
    })
    .join(' · ')
}
