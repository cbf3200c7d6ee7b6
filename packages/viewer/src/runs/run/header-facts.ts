import { totalsOf } from 'rolecall/internal/evaluation/run/record/cost'
import { samplingNames } from 'rolecall/internal/model/language-model/sampling-settings'
import type { ModelSite, RunStatus, Site } from 'rolecall/internal/server/viewer/viewer-data'
import { headerFactTexts } from '../../texts/header-facts.ts'
import { modelName } from '../../texts/model-name.ts'
import { showDecimal, showNumber } from '../../texts/numbers.ts'

/** The settings of a model that change its answers, in display order. */
const settings = [
  'path',
  'format',
  'conv_template',
  'conv_config',
  'mlc_config',
  'meta_template',
  'chat_template',
  ...samplingNames,
  'max_out_len',
  'max_seq_len',
  'revision',
]

type HeaderProps = { site: Pick<Site, 'runs' | 'configs'>; number: number; state: RunStatus }

/** A name and its text; settings are in the words of the config, in any language. */
type Fact = [name: string, text: string, language?: 'en']

/** The facts at the top of a run's page: models with their settings, then totals. */
export function headerFacts({ site, number, state }: HeaderProps): Fact[] {
  const ui = headerFactTexts()
  const { config, pairs, options = {}, hub = [] } = site.runs[number]!
  const { damage = [] } = state
  const models = (site.configs[config]?.models ?? []).map((model, index) => {
    const pair = pairs.find(({ modelIndex }) => modelIndex === index)
    return { ...model, shown: pair ? modelName(pair) : model.name }
  })
  const results = state.pairs.flatMap(({ result }) => result ?? [])
  const rows = state.pairs.reduce((all, pair) => all + pair.rows, 0)
  const missing = damage.reduce((all, one) => all + (one.kind === 'rows' ? one.missing : 0), 0)
  const cut = results.reduce((all, result) => all + result.cut, 0)
  const { tokens, judgeTokens, costs = [], unpriced = [] } = totalsOf(results)
  const seconds = state.summary?.seconds ?? 0
  const given = Object.entries(options).map(([name, value]) => `${name} ${value}`)
  return [
    ...modelFacts(models),
    ...(given.length > 0 ? [[ui.options, given.join(' · '), 'en'] as Fact] : []),
    ...(hub.length > 0 ? [[ui.hub, hub.join(' · '), 'en'] as Fact] : []),
    [ui.rows, missing > 0 ? ui.rowsOf(rows, rows + missing) : showNumber(rows)],
    ...(tokens.prompt + tokens.reply + (tokens.unreported ?? 0) > 0 ? [[ui.tokens, ui.tokensText(tokens, judgeTokens)] as Fact] : []),
    ...(costs.length > 0
      ? [[ui.cost, ui.costText(costs.map(({ amount, currency }) => `${showDecimal(amount, 4)} ${currency}`).join(' + '), unpriced)] as Fact]
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
      if (isTemplate(value)) return [`its own ${name}`]
      return typeof value === 'string' || typeof value === 'number' ? [name === 'path' ? String(value) : `${name} ${value}`] : []
    })
    .join(' · ')
}

/** A format that is written in the config, not named there. */
function isTemplate(value: unknown): boolean {
  return (typeof value === 'object' && value !== null) || (typeof value === 'string' && /[\n{]/.test(value))
}
