import type { PromptMaker } from '@rolecall/core/internal/compile'
import { compileWithSharedFormat, promptCounter } from '@rolecall/core/internal/compile'
import { type Constraint, compileConstraint } from '@rolecall/core/internal/constrain'
import { PromptError } from '@rolecall/core/internal/errors'
import { quirksOf } from '@rolecall/core/internal/fidelity'
import { isServerType } from '@rolecall/core/internal/format'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { cannotScoreMessages } from '../../../model/language-model/cannot-score.ts'
import { modelTypeOf } from '../../../model/model-types/index.ts'
import type { DatasetConfig, ModelConfig } from '../../config/config-schema.ts'
import { neededFields } from './check-columns.ts'
import { generationBy } from './generation.ts'
import { type GenerationSettings, type SettingFlags, settingsOf } from './generation-settings.ts'
import type { Inferencer, RequestPlan } from './inferencer.ts'
import { inferencerOf } from './inferencers.ts'

/** A model and a dataset, compiled; names are for errors. */
export type CompiledPair = {
  model: ModelConfig
  dataset: DatasetConfig
  name: { model: string; dataset: string }
  maker: PromptMaker
  inferencer: Inferencer
  /** The generation settings and their sources. */
  settings: GenerationSettings
  /** Whether tool calls are parsed from replies; by default if the dataset has tools. */
  readsCalls?: boolean
}

/** Compiles a model and a dataset. */
export function compilePair(model: ModelConfig, dataset: DatasetConfig, name: CompiledPair['name'], flags?: SettingFlags): CompiledPair {
  // Compile the prompt first: its error names the missing plug-in, which the error for an unknown inferencer would not.
  const maker = compileWithSharedFormat(model, dataset)
  const inferencer = inferencerOf(dataset.infer_cfg.inferencer, name.dataset)
  return { model, dataset, name, maker, inferencer, settings: settingsOf(model, dataset, flags) }
}

export type PlanOptions = {
  tokenizer?: Tokenizer | undefined
  /** The columns of the dataset's first rows, if checked: a row that lacks one of them is refused. */
  columns?: ReadonlySet<string> | undefined
  /** For previews: each prompt comes with its conversation and its notes. */
  isPreview?: boolean
}

/**
 * What the rows of a model and a dataset share. Throws if the inferencer cannot be used with this model.
 */
export function planRequests(planned: CompiledPair, { tokenizer, columns, isPreview: isShown = false }: PlanOptions = {}): RequestPlan {
  const { maker, model, dataset, name, inferencer, settings, readsCalls = maker.tools !== undefined } = planned
  const plan: RequestPlan = {
    inferencer,
    maker,
    model,
    dataset,
    where: name.dataset,
    generation: { ...generationBy(settings, model), forwarded: dataset.infer_cfg.inferencer?.generation_body },
    constraint: outputConstraint(planned),
    samples: dataset.n ?? 1,
    quirks: quirksOf(dataset.compat),
    readsCalls: readsCalls && inferencer.needs === 'generate',
    tokenizer,
    needed: neededFields(dataset, inferencer, columns),
    count: promptCounter(tokenizer, maker.format),
    write: isShown ? ({ label, ...question }) => maker.render({ ...question, label }) : writer(maker),
  }
  refuseText(planned)
  if (inferencer.needs === 'score') checkScoring(planned)
  inferencer.check?.(plan)
  return plan
}

function writer(maker: PromptMaker): RequestPlan['write'] {
  return ({ row, examples, mode, label, keepSeparator }) => {
    if (keepSeparator) return { prompt: maker.render({ row, examples, mode, keepSeparator, label }).prompt }
    return maker.prepare(label === undefined ? { mode } : { mode, label }).both(row, examples)
  }
}

/** A model whose API takes messages only can neither complete nor score a text. */
function refuseText({ maker, model, inferencer, name }: CompiledPair): void {
  const { takesMessages } = modelTypeOf(model) ?? {}
  if (takesMessages === undefined || maker.format.kind === 'chat') return
  throw new PromptError('wrong-kind', {
    where: `${name.model} › format`,
    problem: `${takesMessages.api} takes messages: it neither completes a text nor ${inferencer.needs === 'score' ? 'returns how likely one is' : 'scores one'}`,
    fix: "use format: 'messages' and generation (GenInferencer), or a model on an OpenAI-compatible server or on this machine",
  })
}

function checkScoring({ maker, dataset, name }: CompiledPair): void {
  if (maker.format.kind === 'chat') throw cannotScoreMessages(`${name.dataset} › infer_cfg.inferencer.type`, name.model)
  const { n = 1 } = dataset
  if (n === 1) return
  throw new PromptError('samples-of-scores', {
    where: `${name.dataset} › n`,
    problem: `n asks for ${n} answers per row, but a likelihood is the same each time`,
    fix: 'leave n out, or use GenInferencer',
  })
}

type OutputPlan = { model: ModelConfig; dataset: DatasetConfig; name: { dataset: string }; inferencer: Pick<Inferencer, 'needs'> }

/** The constraint on the answers of a dataset. Unsupported constraints are reported here; servers decide for themselves. */
export function outputConstraint({ model, dataset, name, inferencer }: OutputPlan): Constraint | undefined {
  const { output_schema: schema } = dataset
  if (schema === undefined) return undefined
  const where = `${name.dataset} › output_schema`
  if (inferencer.needs === 'score') {
    throw new PromptError('cannot-constrain', {
      where,
      problem: 'the model only computes likelihoods and writes no text',
      fix: 'leave output_schema out, or use GenInferencer',
    })
  }
  if (typeof schema === 'string') {
    throw new PromptError('no-file', {
      where,
      problem: `it is a path (${schema}), but files cannot be read here`,
      fix: 'write the schema itself, or load the config by the command line or loadConfig of rolecall/node',
    })
  }
  const constraint: Constraint = { kind: 'json-schema', schema, where }
  if (!isServerType(model.type)) compileConstraint(constraint)
  return constraint
}
