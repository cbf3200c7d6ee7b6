import type { CheckedKeysOf } from './checked-config.ts'
import type { Config, DatasetConfig } from './config-schema.ts'
import type { ShortConfig } from './short/short-schema.ts'

/**
 * Types a configuration, for `rolecall.config.ts`: keys are completed and checked as they are typed. An unread key, an
 * unknown name, and a template that names a field outside the declared columns are type errors.
 *
 * @example
 * const config = defineConfig({
 *   datasets: [{
 *     abbr: 'sums',
 *     reader_cfg: { input_columns: ['question'], output_column: 'answer' },
 *     infer_cfg: { prompt_template: { template: 'Q: {question}\nA: {answer}' } },
 *   }],
 * })
 * config.datasets.length // => 1
 */
export function defineConfig<const Given extends ShortConfig & InShortForm>(config: Given): Given
export function defineConfig<const Given extends Config>(
  config: Given & CheckedKeysOf<Given> & { datasets?: CheckedDatasets<Given['datasets']> },
): Given
export function defineConfig<Given>(config: Given): Given {
  return config
}

/** One of the keys that only the short form has; otherwise a mistake in the full form would be a config in the short form. */
type InShortForm = { data: unknown } | { prompts: unknown } | { prompt: unknown } | { tests: unknown }

type CheckedDatasets<Datasets> = {
  [Index in keyof Datasets]: Datasets[Index] extends DatasetConfig ? CheckedDataset<Datasets[Index]> : Datasets[Index]
}

/** Only datasets that declare their columns can be checked. */
type CheckedDataset<Dataset extends DatasetConfig> = Dataset extends { reader_cfg: { input_columns: infer Inputs } }
  ? Dataset & { infer_cfg: CheckedTemplates<Dataset['infer_cfg'], ColumnsOf<Inputs> | OutputOf<Dataset>> }
  : Dataset

type ColumnsOf<Inputs> = Inputs extends readonly string[] ? Inputs[number] : Inputs
type OutputOf<Dataset> = Dataset extends { reader_cfg: { output_column: infer Output } } ? Output : never

type CheckedTemplates<Infer, Column> = {
  [Key in keyof Infer]: Key extends 'prompt_template' | 'ice_template' ? CheckedText<Infer[Key], Column> : Infer[Key]
}

type CheckedText<Value, Column> = Value extends string
  ? string extends Value
    ? Value
    : [UnknownField<FieldsOf<Value>, Column>] extends [never]
      ? Value
      : `{${UnknownField<FieldsOf<Value>, Column>}} is not among the declared columns`
  : { [Key in keyof Value]: CheckedText<Value[Key], Column> }

/** A field is known if some column has its name; a column list that is not literal accepts every field. */
type UnknownField<Field extends string, Column> = string extends Column ? never : Exclude<Field, Column>

/**
 * The names in braces that are fields of the row, as `fieldsInText` finds them: TeX, JSON, nested braces and code are left alone.
 * `AfterTex`: the text directly before is a group of a TeX command.
 */
type FieldsOf<Text extends string, AfterTex extends boolean = false> = Text extends `${string}\`\`\`${string}`
  ? never
  : Text extends `${infer Before}{${infer Rest}`
    ? Rest extends `{${string}}${infer More}`
      ? FieldsOf<More>
      : Rest extends `${infer Name}}${infer More}`
        ? IsTex<Before, AfterTex> extends true
          ? FieldsOf<Name extends `${string}{${string}` ? Rest : More, true>
          :
              | (Name extends '' | `${string}${NotInNames}${string}` ? never : More extends `}${string}` ? never : Name)
              | FieldsOf<Name extends `${string}{${string}` ? Rest : More>
        : never
    : never

/** Whether braces after this text belong to TeX or a shell. */
type IsTex<Before extends string, AfterTex extends boolean> = Before extends ''
  ? AfterTex
  : Before extends `${string}${'\\' | '^' | '_' | '$'}`
    ? true
    : Before extends `${string}\\${infer Tail}`
      ? IsCommand<Tail>
      : false

/** Whether a text ends in a command name after its last backslash; a literal `\n` is not a command. */
type IsCommand<Tail extends string> = Tail extends `${string}\\${infer Last}`
  ? IsCommand<Last>
  : Tail extends `${infer Name} ` | `${infer Name}*` | `${infer Name}[${string}]`
    ? IsCommand<Name>
    : Tail extends '' | 'n' | 'r' | 't' | `${string}${NotInNames | '}'}${string}`
      ? false
      : true

type NotInNames =
  | ' '
  | '\n'
  | '\\'
  | '{'
  | '"'
  | "'"
  | ':'
  | ','
  | ';'
  | '.'
  | '+'
  | '-'
  | '*'
  | '/'
  | '='
  | '('
  | ')'
  | '['
  | ']'
  | '<'
  | '>'
  | '^'
  | '$'
  | '|'
  | '!'
  | '?'
  | '&'
  | '%'
  | '#'
  | '@'
