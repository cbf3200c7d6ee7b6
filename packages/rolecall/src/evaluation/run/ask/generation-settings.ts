import { mlcSamplingNames, mlcSettingsOf } from '@rolecall/core/internal/format'
import { dictHas, isDict } from '@rolecall/core/internal/python'
import { camelCase } from '@rolecall/core/internal/text'
import {
  lmdeployNames,
  namedSampling,
  type Sampling,
  type SamplingName,
  samplingNames,
  samplingRows,
} from '../../../model/language-model/sampling-settings.ts'
import type { DatasetConfig, ModelConfig } from '../../config/config-schema.ts'
import { formatPrompts } from './format-prompts.ts'

/** Where generation settings come from, highest priority first. */
export const setters = ['flag', 'dataset', 'model', 'preset', 'default'] as const

export type Setter = (typeof setters)[number]

/** Generation settings by their names in configs. */
export type SettingValues = {
  /** The maximum number of tokens of an answer. */
  max_out_len: number
  /** The minimum number. */
  min_out_len: number
  /** Texts that end an answer, in addition to the format's stops: `stopping_criteria` of an inferencer. */
  stop: readonly string[]
} & Record<SamplingName, number>

export type SettingName = keyof SettingValues

type Given = { readonly [Name in SettingName]?: SettingValues[Name] | undefined }

/** Settings from command-line flags. */
export type SettingFlags = Given

/** A setting, its source, and differing values of lower priority. */
export type GenerationSetting<Value> = { value: Value; by: Setter; over?: readonly { value: Value; by: Setter }[] }

/** All settings, defaults included. */
export type GenerationSettings = { readonly [Name in SettingName]?: GenerationSetting<SettingValues[Name]> }

export const settingNames: readonly SettingName[] = ['max_out_len', 'min_out_len', 'stop', ...samplingNames]

/** Settings for a whole run, as options of `runEvaluation` and, spelled with dashes, flags of `rolecall run`. */
export type SettingOptions = Partial<Sampling> & {
  maxOutLen?: number | undefined
  /** Stop sequences, in addition to those of the format. */
  stopTexts?: readonly string[] | undefined
}

export const settingOptionNames: readonly (keyof SettingOptions)[] = [...samplingRows.map(({ field }) => field), 'maxOutLen', 'stopTexts']

/** Options by the names that configs have for them. */
export function settingFlags({ maxOutLen, stopTexts, ...sampling }: SettingOptions): SettingFlags {
  return { ...namedSampling(sampling), max_out_len: maxOutLen, stop: stopTexts }
}

/** OpenCompass's own default. */
const defaultLength = 512

/**
 * The generation settings of a model and a dataset: for each setting the value of the first source in `setters` that has one. The only
 * place that implements this order.
 *
 * @example
 * const dataset = { infer_cfg: {}, preset_cfg: { name: 'gsm8k', max_out_len: 512 } }
 * const { max_out_len } = settingsOf({ max_out_len: 8192 }, dataset)
 * max_out_len // => { value: 8192, by: 'model', over: [{ value: 512, by: 'preset' }] }
 */
export function settingsOf(model: ModelConfig, dataset: DatasetConfig, flags: SettingFlags = {}): GenerationSettings {
  const file = mlcValues(model)
  const ends = baseStops(model, dataset)
  const { preset_cfg: preset } = dataset
  const given: Readonly<Record<Setter, Given>> = {
    flag: flags,
    dataset: ofDataset(dataset, preset ? undefined : ends),
    model: { ...file.said, ...defined(ofModel(model)) },
    preset: preset ? ({ stop: ends, ...preset } as Given) : {},
    default: { max_out_len: defaultLength, temperature: 0, ...file.defaults },
  }
  const settings = Object.fromEntries(
    settingNames.flatMap((name) => {
      const said = setters.flatMap((by) => (given[by][name] === undefined ? [] : [{ value: given[by][name], by }]))
      const [first, ...others] = said
      if (!first) return []
      const over = others.filter(({ value, by }) => by !== 'default' && JSON.stringify(value) !== JSON.stringify(first.value))
      return [[name, over.length > 0 ? { ...first, over } : first]]
    }),
  ) as GenerationSettings
  return withStopWords(settings, stopWordsOf(model))
}

/** A model with settings that win over its own; a given temperature counts though the config says not to sample. */
export function withSettings(model: ModelConfig, given: Partial<Record<SamplingName, number>>): ModelConfig {
  if (Object.keys(given).length === 0) return model
  const settings = { ...model.generation_kwargs, ...given }
  return { ...model, generation_kwargs: given.temperature === undefined ? settings : { ...settings, do_sample: undefined } }
}

/** The texts that end every answer of a model, whatever the dataset. */
export function stopWordsOf({ stop_words: words = [], gen_config: settings }: ModelConfig): readonly string[] {
  return [...new Set([...words, ...(settings?.stop_words ?? [])])]
}

/** Stop words of a model are added to the other stops, as in OpenCompass. */
function withStopWords(settings: GenerationSettings, words: readonly string[]): GenerationSettings {
  if (words.length === 0) return settings
  const { stop = { value: [], by: 'model' } } = settings
  return { ...settings, stop: { ...stop, value: [...new Set([...stop.value, ...words])] } }
}

/** Stop texts of base models apply if the dataset has none; a preset has its own. */
function ofDataset({ infer_cfg: { inferencer = {} } }: DatasetConfig, ends: Given['stop']): Given {
  const { max_out_len, min_out_len, stopping_criteria: stop = ends } = inferencer
  return { ...sampling(inferencer), max_out_len, min_out_len, stop }
}

/** Directly or in `generation_kwargs` or `gen_config`, which win. */
function ofModel(model: ModelConfig): Given {
  const { gen_config: lmdeploy } = model
  const given = { ...model, ...ofGenConfig(lmdeploy), ...model.generation_kwargs }
  // Hugging Face's switch: without it a temperature means nothing.
  const greedy = given.do_sample === false ? { temperature: 0 } : {}
  return {
    ...sampling(given),
    ...greedy,
    max_out_len: model.max_out_len ?? lmdeploy?.max_new_tokens,
    min_out_len: lmdeploy?.min_new_tokens,
  }
}

/** LMDeploy's settings as OpenCompass passes them: greedy unless `do_sample` is true. */
function ofGenConfig(given: ModelConfig['gen_config']): Given & { do_sample?: boolean } {
  if (!given) return {}
  const renamed = Object.fromEntries(lmdeployNames.map(({ name, theirs }) => [name, given[theirs]]))
  return { ...defined(sampling({ ...renamed, ...given })), do_sample: given.do_sample ?? false }
}

function sampling(given: Given): Given {
  return Object.fromEntries(samplingNames.map((name) => [name, given[name]]))
}

/** Settings of mlc-chat-config.json, and MLC's defaults for the rest; greedy models only use its length. */
function mlcValues(model: ModelConfig): { said: Given; defaults: Given } {
  const settings = mlcSettingsOf({ mlc_config: model.mlc_config, abbr: model.abbr })
  if (!settings) return { said: {}, defaults: {} }
  const isGreedy = { ...model, ...model.generation_kwargs }.do_sample === false
  const values: readonly (readonly [key: string, name: SettingName, value: number])[] = [
    ['max_gen_len', 'max_out_len', settings.maxGenLen],
    ...(isGreedy ? [] : mlcSamplingNames.map((name) => [name, name, settings[camelCase(name)]] as const)),
  ]
  const file = model.mlc_config
  const isSaid = ([key]: (typeof values)[number]) => isDict(file) && dictHas(file as never, key)
  const named = (some: typeof values): Given => Object.fromEntries(some.map(([, name, value]) => [name, value]))
  return { said: named(values.filter(isSaid)), defaults: named(values.filter((one) => !isSaid(one))) }
}

function defined(given: Given): Given {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

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
