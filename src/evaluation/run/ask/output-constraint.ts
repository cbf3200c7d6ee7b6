import { PromptError } from '../../../base/errors/prompt-error.ts'
import { type Constraint, compileConstraint } from '../../../model/constrain/index.ts'
import { isServerType } from '../../../prompt/format/model-class.ts'
import type { DatasetConfig, ModelConfig } from '../../config/config-schema.ts'
import type { Inferencer } from './inferencer.ts'

export type OutputPlan = { model: ModelConfig; dataset: DatasetConfig; name: { dataset: string }; inferencer: Pick<Inferencer, 'needs'> }

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
