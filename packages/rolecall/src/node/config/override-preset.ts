import { PromptError } from '@rolecall/core/internal/errors'
import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import type { PresetUse } from '../../evaluation/config/preset-schema.ts'
import { settingNames } from '../../evaluation/run/ask/generation-settings.ts'

type Made = Pick<DatasetConfig, 'infer_cfg' | 'eval_cfg'>
type InferConfig = DatasetConfig['infer_cfg']

/**
 * Applies a user's overrides to a preset's dataset. Generation settings of the preset rank below those of the model, those of the user
 * above, so the two are kept separate.
 */
export function overridePreset(
  made: Made,
  preset: string,
  use: PresetUse,
  where: string,
): Made & Pick<DatasetConfig, 'preset_cfg' | 'n' | 'k'> {
  refuseTwice(use, where)
  const { shipped, inferencer: ownInferencer } = withoutSettings(made.infer_cfg.inferencer)
  const { max_out_len, stop, n, k, infer_cfg: given = {}, eval_cfg } = use
  const inferencer = {
    ...merged(ownInferencer, given.inferencer),
    ...(max_out_len === undefined ? {} : { max_out_len }),
    ...(stop === undefined ? {} : { stopping_criteria: [stop].flat() }),
  }
  const retriever = merged(made.infer_cfg.retriever, given.retriever)
  return {
    infer_cfg: { ...made.infer_cfg, ...given, inferencer, ...(retriever ? { retriever } : {}) },
    ...(made.eval_cfg || eval_cfg ? { eval_cfg: { ...made.eval_cfg, ...eval_cfg } } : {}),
    preset_cfg: { name: preset, ...shipped },
    ...(n === undefined ? {} : { n }),
    ...(k === undefined ? {} : { k }),
  }
}

/** Splits a preset's inferencer into its generation settings and the rest. */
function withoutSettings({ stopping_criteria: stop, ...given }: NonNullable<InferConfig['inferencer']> = {}) {
  const entries = Object.entries({ ...given, stop }).filter(([, value]) => value !== undefined)
  const isSetting = ([name]: readonly [string, unknown]) => (settingNames as readonly string[]).includes(name)
  return {
    shipped: Object.fromEntries(entries.filter(isSetting)) as Omit<NonNullable<DatasetConfig['preset_cfg']>, 'name'>,
    inferencer: Object.fromEntries(entries.filter((entry) => !isSetting(entry))) as typeof given,
  }
}

/** Merges only entries of the same type: keys of another type have no meaning. */
function merged<Part extends { type?: string | undefined }>(own: Part | undefined, given: Part | undefined): Part | undefined {
  if (!given) return own
  return given.type === undefined || given.type === own?.type ? ({ ...own, ...given } as Part) : given
}

function refuseTwice({ max_out_len, stop, infer_cfg: { inferencer = {} } = {} }: PresetUse, where: string): void {
  const twice =
    max_out_len !== undefined && inferencer.max_out_len !== undefined
      ? 'max_out_len'
      : stop !== undefined && inferencer.stopping_criteria !== undefined
        ? 'stop'
        : undefined
  if (twice === undefined) return
  const other = twice === 'stop' ? 'stopping_criteria' : twice
  throw new PromptError('twice', {
    where: `${where}.${twice}`,
    problem: `infer_cfg.inferencer.${other} sets the same thing`,
    fix: `keep one of them`,
  })
}
