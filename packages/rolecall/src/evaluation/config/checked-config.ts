import type { Config, DatasetConfig, ModelConfig } from './config-schema.ts'
import type { ignoredKeys } from './ignored-keys.ts'
import type {
  EvaluatorName,
  FormatName,
  InferencerName,
  ModelTypeName,
  PostprocessorName,
  RetrieverName,
  RowFormatName,
} from './known-names.ts'
import type { otherNames } from './other-names.ts'

// Type-level checks of `defineConfig`: the type of a mistake describes it.

/** A config in which every unread key and unknown name has an impossible type. */
export type CheckedKeysOf<Given> = {
  [Key in keyof Given]: Key extends 'models'
    ? Each<Given[Key], 'model'>
    : Key extends 'datasets'
      ? Each<Given[Key], 'dataset'>
      : Key extends 'summarizer'
        ? Checked<Given[Key], KeysOf<NonNullable<Config['summarizer']>>, 'summarizer'>
        : string extends Key
          ? Given[Key]
          : Key extends keyof Config
            ? Given[Key]
            : `"${Key & string}" is not known here`
}

type Each<Entries, Kind extends 'model' | 'dataset'> = {
  [Index in keyof Entries]: Kind extends 'model' ? CheckedModel<Entries[Index]> : CheckedDataset<Entries[Index]>
}

type CheckedModel<Model> = Model extends object
  ? {
      [Key in keyof Model]: Key extends 'type'
        ? Named<Model[Key], ModelTypeName | Class, 'model type'>
        : Key extends 'format'
          ? Named<Model[Key], FormatName, 'format'>
          : Key extends 'pred_postprocessor'
            ? CheckedPostprocessor<Model[Key]>
            : Key extends 'generation_kwargs'
              ? Checked<Model[Key], KeysOf<NonNullable<ModelConfig['generation_kwargs']>>, 'generationKwargs', HasClass<Model>>
              : CheckedKey<Key, Model[Key], KeysOf<ModelConfig>, 'model', HasClass<Model>>
    }
  : Model

type CheckedDataset<Dataset> = Dataset extends { preset: unknown }
  ? Dataset
  : Dataset extends object
    ? {
        [Key in keyof Dataset]: Key extends 'reader_cfg'
          ? Checked<Dataset[Key], KeysOf<NonNullable<DatasetConfig['reader_cfg']>>, 'reader'>
          : Key extends 'infer_cfg'
            ? CheckedInfer<Dataset[Key]>
            : Key extends 'eval_cfg'
              ? CheckedEvaluation<Dataset[Key]>
              : Key extends 'row_format'
                ? Named<Dataset[Key], RowFormatName, 'row format'>
                : CheckedKey<Key, Dataset[Key], KeysOf<DatasetConfig>, 'dataset', HasClass<Dataset>>
      }
    : Dataset

type Infer = DatasetConfig['infer_cfg']

type CheckedInfer<Given> = {
  [Key in keyof Given]: Key extends 'retriever'
    ? CheckedTyped<Given[Key], KeysOf<NonNullable<Infer['retriever']>>, 'retriever', RetrieverName>
    : Key extends 'inferencer'
      ? CheckedTyped<Given[Key], KeysOf<NonNullable<Infer['inferencer']>>, 'inferencer', InferencerName>
      : CheckedKey<Key, Given[Key], KeysOf<Infer>, 'infer'>
}

type CheckedTyped<Given, Known, Place extends keyof typeof otherNames, Name> = {
  [Key in keyof Given]: Key extends 'type' ? Named<Given[Key], Name | Path, Place> : CheckedKey<Key, Given[Key], Known, Place>
}

type CheckedEvaluation<Given> = {
  [Key in keyof Given]: Key extends 'evaluator'
    ? CheckedEvaluator<Given[Key]>
    : Key extends 'pred_postprocessor' | 'dataset_postprocessor'
      ? CheckedPostprocessor<Given[Key]>
      : CheckedKey<Key, Given[Key], KeysOf<NonNullable<DatasetConfig['eval_cfg']>>, 'evaluation'>
}

type CheckedEvaluator<Given> = Given extends (...given: never) => unknown
  ? Given
  : {
      [Key in keyof Given]: Key extends 'type'
        ? Named<Given[Key], EvaluatorName | Path, 'evaluator'>
        : Key extends 'judge_cfg'
          ? CheckedModel<Given[Key]>
          : Given[Key]
    }

type CheckedPostprocessor<Given> = Given extends string
  ? Named<Given, PostprocessorName | Path, 'postprocessor'>
  : Given extends readonly unknown[]
    ? { [Index in keyof Given]: CheckedPostprocessor<Given[Index]> }
    : Given extends { type: infer Type }
      ? Omit<Given, 'type'> & { type: Named<Type, PostprocessorName | Path, 'postprocessor'> }
      : Given

/** The keys of an object at a place of a config. */
type Checked<Given, Known, Place extends keyof typeof otherNames, IsForeign = false> = {
  [Key in keyof Given]: CheckedKey<Key, Given[Key], Known, Place, IsForeign>
}

type CheckedKey<Key, Value, Known, Place extends keyof typeof otherNames, IsForeign = false> = string extends Key
  ? Value
  : Key extends Known
    ? Value
    : IsForeign extends true
      ? Value
      : Key extends keyof (typeof otherNames)[Place]
        ? `"${Key & string}" is not known here: write it as ${(typeof otherNames)[Place][Key] & string}`
        : Key extends keyof (typeof ignoredKeys)[Place]
          ? Value
          : `"${Key & string}" is not known here`

/** A name that is not literal cannot be checked. */
type Named<Given, Known, What extends string> = Given extends string
  ? string extends Given
    ? Given
    : Given extends Known
      ? Given
      : `there is no ${What} "${Given}"`
  : Given

/** The literal keys. */
type KeysOf<Given> = keyof { [Key in keyof Given as string extends Key ? never : Key]: Given[Key] }

/** A class of OpenCompass with its module, or by its bare name. */
type Path = `${string}.${string}`
type Class = Path | `${Capital}${string}`
type HasClass<Entry> = Entry extends { type: Class } ? true : false
type Capital =
  | ('A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'H' | 'I' | 'J' | 'K' | 'L' | 'M')
  | ('N' | 'O' | 'P' | 'Q' | 'R' | 'S' | 'T' | 'U' | 'V' | 'W' | 'X' | 'Y' | 'Z')
