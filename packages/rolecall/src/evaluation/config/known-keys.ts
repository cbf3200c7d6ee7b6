import { modelTypeFields, modelTypeOf, modelTypes } from '../../model/model-types/index.ts'
import { settingsOfDatasetClass } from '../dataset/dataset-classes.ts'
import { retrieverSchema } from '../dataset/retrieve/retriever-schema.ts'
import { evalSchema } from '../score/eval-schema.ts'
import { datasetSchema, inferencerSchema, inferSchema, readerSchema } from './dataset-schema.ts'
import { ignoredKeys } from './ignored-keys.ts'
import { modelSchema } from './model-schema.ts'
import { otherNames } from './other-names.ts'
import type { KeysOfPlace } from './unread-keys.ts'

type Place = Exclude<keyof typeof otherNames, 'model' | 'generationKwargs'>

const keysOf = (place: Place, known: readonly string[]): KeysOfPlace => ({
  known,
  ignored: ignoredKeys[place],
  otherNames: otherNames[place],
})

/** The keys of each place; those of models depend on their type. */
export const knownKeys: Readonly<Record<Place, KeysOfPlace>> = {
  dataset: keysOf('dataset', Object.keys(datasetSchema.shape)),
  reader: keysOf('reader', Object.keys(readerSchema.shape)),
  infer: keysOf('infer', Object.keys(inferSchema.shape)),
  retriever: keysOf('retriever', Object.keys(retrieverSchema.shape)),
  inferencer: keysOf('inferencer', Object.keys(inferencerSchema.shape)),
  evaluation: keysOf('evaluation', Object.keys(evalSchema.shape)),
  summarizer: keysOf('summarizer', ['summary_groups', 'dataset_abbrs']),
}

/** The keys of a dataset, including those of the registered class that reads its rows. */
export function keysOfDataset(dataset: { type?: string; rows?: unknown }): { dataset: KeysOfPlace; reader: KeysOfPlace } {
  const settings = dataset.type === undefined || dataset.rows !== undefined ? undefined : settingsOfDatasetClass(dataset.type)
  if (!settings) return { dataset: knownKeys.dataset, reader: knownKeys.reader }
  const taken = settings.flatMap((name) => (name === '*' ? [] : [name.replace(/\?$/, '')]))
  return {
    dataset: { ...knownKeys.dataset, known: [...knownKeys.dataset.known, ...taken] },
    reader: { ...knownKeys.reader, known: [...knownKeys.reader.known, 'train_split', 'test_split'] },
  }
}

export const keysOfGenConfig: KeysOfPlace = {
  known: Object.keys(modelSchema.shape.gen_config.unwrap().shape),
  ignored: ignoredKeys.generationKwargs,
  otherNames: otherNames.generationKwargs,
}

export const keysOfGenerationKwargs: KeysOfPlace = {
  known: Object.keys(modelSchema.shape.generation_kwargs.unwrap().shape),
  ignored: ignoredKeys.generationKwargs,
  otherNames: otherNames.generationKwargs,
}

/** Settings of models whose files the user has. */
const ignoredByShipped = {
  add_bos_token: 'the embedded model gets the text that its format writes, and <s> only where the format writes it',
}

/** The keys of a model. Keys for one model type are ignored by the others, since OpenCompass sets batch_size and retry for all of them. */
export function keysOfModel(model: { type?: string }): KeysOfPlace {
  const { fields: own = {}, isShipped = false } = modelTypeOf(model) ?? {}
  const others = Object.keys(modelTypeFields).filter((key) => !Object.hasOwn(own, key))
  const ownerOf = (key: string) => modelTypes.find(({ fields }) => Object.hasOwn(fields, key))?.name
  return {
    known: Object.keys(modelSchema.shape).filter((key) => !others.includes(key) && !(isShipped && Object.hasOwn(ignoredByShipped, key))),
    ignored: {
      ...ignoredKeys.model,
      ...(isShipped ? ignoredByShipped : {}),
      ...Object.fromEntries(others.map((key) => [key, `it is for models of type "${ownerOf(key)}"`])),
    },
    otherNames: Object.fromEntries(
      Object.entries(otherNames.model).map(([name, meant]) => [
        name,
        others.includes(meant) ? `${meant}, for models of type "${ownerOf(meant)}"` : meant,
      ]),
    ),
  }
}

/** Whether an entry is for a class of OpenCompass or AISBench that Rolecall does not run, and that has its own keys. */
export function isForeignClass({ type }: { type?: string | undefined }): boolean {
  return type !== undefined && /^[A-Z]|\./.test(type) && modelTypeOf({ type }) === undefined
}
