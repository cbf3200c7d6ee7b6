import type { z } from 'zod'
import { mlcTemplates } from '../packages/core/src/prompt/format/mlc/summary.ts'
import { presets } from '../packages/core/src/prompt/format/presets/index.ts'
import { registerLmEval } from '../packages/rolecall/src/compat/lm-eval/register.ts'
import { registerOpenCompass } from '../packages/rolecall/src/compat/opencompass/register-opencompass.ts'
import { configSchema } from '../packages/rolecall/src/evaluation/config/config-schema.ts'
import { datasetSchema, inferencerSchema, inferSchema, readerSchema } from '../packages/rolecall/src/evaluation/config/dataset-schema.ts'
import { ignoredKeys } from '../packages/rolecall/src/evaluation/config/ignored-keys.ts'
import { keysOfGenerationKwargs, knownKeys } from '../packages/rolecall/src/evaluation/config/known-keys.ts'
import { modelSchema } from '../packages/rolecall/src/evaluation/config/model-schema.ts'
import { otherNames } from '../packages/rolecall/src/evaluation/config/other-names.ts'
import type { KeysOfPlace } from '../packages/rolecall/src/evaluation/config/unread-keys.ts'
import { retrieverSchema } from '../packages/rolecall/src/evaluation/dataset/retrieve/retriever-schema.ts'
import { retrievers } from '../packages/rolecall/src/evaluation/dataset/retrieve/retrievers.ts'
import { rowFormats } from '../packages/rolecall/src/evaluation/dataset/row-formats/index.ts'
import { inferencers } from '../packages/rolecall/src/evaluation/run/ask/inferencers.ts'
import { evalSchema } from '../packages/rolecall/src/evaluation/score/eval-schema.ts'
import { evaluators } from '../packages/rolecall/src/evaluation/score/evaluate/evaluators.ts'
import { postprocessors } from '../packages/rolecall/src/evaluation/score/postprocess/postprocessors.ts'
import { modelTypes } from '../packages/rolecall/src/model/model-types/index.ts'

registerLmEval()
registerOpenCompass()

type Json = { [key: string]: unknown; properties?: Record<string, Json> }
type Place = Pick<KeysOfPlace, 'ignored' | 'otherNames'> & {
  /** It may be written for a class of OpenCompass, which has keys of its own. */
  hasClasses?: true
  /** Settings whose values are names. */
  names?: Readonly<Record<string, Json>>
}

/** What there is to choose from. */
export const knownNames = {
  FormatName: {
    what: 'A shipped conversation format, or a conversation template of MLC.',
    names: [...new Set([...Object.keys(presets), ...mlcTemplates().map(({ name }) => name)])].sort(),
  },
  ModelTypeName: { what: 'The type of a model.', names: modelTypes.map(({ name }) => name).sort() },
  RetrieverName: { what: 'What chooses examples.', names: ['ZeroRetriever', 'FixKRetriever', ...Object.keys(retrievers)].sort() },
  InferencerName: { what: 'The inferencer of a dataset.', names: Object.keys(inferencers).sort() },
  EvaluatorName: { what: 'What compares answers.', names: [...evaluators.keys()].sort() },
  PostprocessorName: { what: 'What reads the answer in a reply.', names: [...postprocessors.keys()].sort() },
  RowFormatName: { what: 'How rows are written in a file.', names: Object.keys(rowFormats).sort() },
} as const

/** A class of OpenCompass with its module. */
const path = { pattern: '\\.' }
const oneOf = (name: keyof typeof knownNames, ...others: Json[]): Json => ({ anyOf: [{ enum: knownNames[name].names }, ...others] })
const postprocessor = {
  anyOf: [
    oneOf('PostprocessorName', { type: 'string', ...path }),
    { type: 'object', properties: { type: oneOf('PostprocessorName', path) }, required: ['type'] },
  ],
}
const postprocessorList = { anyOf: [postprocessor, { type: 'array', items: postprocessor }] }

const places = new Map<z.core.$ZodType, Place>([
  [
    modelSchema,
    {
      ignored: ignoredKeys.model,
      otherNames: otherNames.model,
      hasClasses: true,
      names: {
        type: oneOf('ModelTypeName', { pattern: '^[A-Z]|\\.' }),
        format: { enum: knownNames.FormatName.names },
        pred_postprocessor: postprocessorList,
      },
    },
  ],
  [modelSchema.shape.generation_kwargs.unwrap(), keysOfGenerationKwargs],
  [datasetSchema, { ...knownKeys.dataset, hasClasses: true, names: { row_format: { enum: knownNames.RowFormatName.names } } }],
  [readerSchema, knownKeys.reader],
  [inferSchema, knownKeys.infer],
  [retrieverSchema, { ...knownKeys.retriever, names: { type: oneOf('RetrieverName', path) } }],
  [inferencerSchema, { ...knownKeys.inferencer, names: { type: oneOf('InferencerName', path) } }],
  [evalSchema, { ...knownKeys.evaluation, names: { pred_postprocessor: postprocessorList, dataset_postprocessor: postprocessorList } }],
  [configSchema.shape.summarizer.unwrap(), knownKeys.summarizer],
])
const evaluatorSchema = evalSchema.shape.evaluator.unwrap().options[0]

/**
 * Makes the JSON Schema as strict as the commands are: at every place it knows the keys that are read and those that are knowingly
 * not, refuses what means another key, and names what there is to choose from.
 */
export function strictSchema({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: object }): void {
  const schema = jsonSchema as Json
  const { def } = zodSchema._zod
  // A function is not JSON: without this, everything would do in its place.
  if (def.type === 'union' && Array.isArray(schema.anyOf))
    schema.anyOf = schema.anyOf.filter((_, index) => def.options[index]?._zod.def.type !== 'custom')
  if (zodSchema === evaluatorSchema) name(schema, { type: oneOf('EvaluatorName', path) })
  const place = places.get(zodSchema)
  if (!place) return
  name(schema, place.names ?? {})
  for (const [key, why] of Object.entries(place.ignored)) {
    if (!Object.hasOwn(schema.properties!, key)) schema.properties![key] = { description: `Not used: ${why}.`, deprecated: true }
  }
  if (!place.hasClasses) {
    schema.additionalProperties = false
    return
  }
  delete schema.additionalProperties
  schema.if = { properties: { type: { pattern: '^[A-Z]|\\.' } }, required: ['type'] }
  schema.else = { propertyNames: { enum: Object.keys(schema.properties!) } }
}

function name(schema: Json, names: Readonly<Record<string, Json>>): void {
  for (const [key, allowed] of Object.entries(names)) {
    const before = schema.properties![key]!
    // Beside a $ref nothing else counts.
    schema.properties![key] = { ...('$ref' in before ? { allOf: [before] } : before), ...allowed }
  }
}
