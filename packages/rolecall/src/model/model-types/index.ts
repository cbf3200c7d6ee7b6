import { PromptError } from '@rolecall/core/internal/errors'
import { anthropic } from './anthropic.ts'
import { embedded } from './embedded.ts'
import { gguf } from './gguf.ts'
import { google } from './google.ts'
import type { ModelSettings } from './model-settings.ts'
import type { ModelType, shippedTokenizer } from './model-type.ts'
import { openai } from './openai.ts'

const types = [embedded, gguf, openai, anthropic, google] as const

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void ? All : never

/** The settings of all types, for the schema. */
export const modelTypeFields = Object.assign({}, ...types.map(({ fields }) => fields)) as Intersection<(typeof types)[number]['fields']>

/** The types of models that can be run. */
export const modelTypes: readonly ModelType[] = types

/** How `--model` names models: `embedded, gguf:PATH, openai:NAME@URL, anthropic:NAME@URL or google:NAME@URL`. */
export const modelFlagUsage = modelTypes
  .map(({ flag }) => flag.usage)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' or ')

/** The type of a model, which its config may name by a class of OpenCompass; undefined if nothing here runs it. */
export function modelTypeOf({ type }: { type?: string | undefined }): ModelType | undefined {
  return modelTypeNamed(type) ?? modelTypes.find(({ classes }) => classes?.includes(type?.split('.').at(-1) ?? ''))
}

/** The type with exactly this name. */
export function modelTypeNamed(name: string | undefined): ModelType | undefined {
  return modelTypes.find((type) => type.name === name)
}

/** The file or folder of a model's tokenizer, or the built-in one; undefined if its config names none. */
export function tokenizerNamed(config: ModelSettings): string | typeof shippedTokenizer | undefined {
  const type = modelTypeOf(config)
  return type?.tokenizer ? type.tokenizer(config) : config.tokenizer_path
}

/** The type that runs a model, or an error that lists the types. */
export function runnableType({ abbr, type }: Pick<ModelSettings, 'abbr' | 'type'>, where = abbr ?? 'model'): ModelType {
  const found = modelTypeOf({ type })
  if (found) return found
  throw new PromptError('not-runnable', {
    where: `${where} › type`,
    problem: type === undefined ? 'the model has no type, so nothing can run it' : `nothing here can run a model of type "${type}"`,
    fix: `set type to ${modelTypes.map(({ name }) => `"${name}"`).join(' or ')}, or look at its prompts with \`rolecall render\``,
  })
}
