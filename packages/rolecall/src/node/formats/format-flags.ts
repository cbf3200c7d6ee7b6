import { PromptError } from '@rolecall/core/internal/errors'
import type { GivenFormat } from '../../evaluation/config/in-format.ts'
import { readSpecialTokens, tokensAlone, withSpecialTokens } from '../models/load-chat-template.ts'
import type { FormatReadOptions, FormatSource } from './format-source.ts'
import { formatSources } from './format-sources.ts'
import { formatWords, type ReadFormat, readFormat, readFrom, settingsOf } from './read-format.ts'

/** A flag that gives a format, as commands declare it. */
type FormatFlag = { name: `--${string}`; value: string; does: string; source?: FormatSource }

const sources: readonly FormatSource[] = formatSources

/** The flags that give a format, the same in all commands. */
export const formatFlags: readonly FormatFlag[] = [
  { name: '--format', value: 'format', does: `the conversation format: ${formatWords}` },
  ...sources.flatMap((source) =>
    source.flag ? [{ name: source.flag.name, value: source.flag.value, does: `as --format, but only ${source.what}`, source }] : [],
  ),
]

/** Belongs to a chat template that another flag gives. */
export const specialTokensFlag = {
  name: '--special-tokens',
  value: 'tokens',
  does: 'special tokens of the chat template that no file gives, e.g. "bos_token=<s>,eos_token=</s>"',
} as const

type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name
type SourceFlag = Extract<(typeof formatSources)[number], { flag: object }>['flag']['name']

/** The values of these flags, as commander names them. */
export type FormatFlags = {
  [Flag in '--format' | '--special-tokens' | SourceFlag as Flag extends `--${infer Name}` ? Camel<Name> : never]?: string | undefined
}

/** The key of a flag's value. */
export function flagKey(name: string): keyof FormatFlags {
  return name.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) as keyof FormatFlags
}

/** The format flags that were given, with their values. */
export function formatFlagsIn(flags: FormatFlags): [flag: string, value: string][] {
  return [...formatFlags, specialTokensFlag].flatMap(({ name }): [string, string][] => {
    const value = flags[flagKey(name)]
    return value === undefined ? [] : [[name, value]]
  })
}

/** The format that the flags give, as settings of a model, with the tokenizer beside it. */
export type FormatOfFlags = Required<GivenFormat> & { read: ReadFormat }

export function formatOfFlags(flags: FormatFlags, options: Omit<FormatReadOptions, 'where'> = {}): FormatOfFlags | undefined {
  const { specialTokens } = flags
  const given = formatFlags.flatMap((flag) => {
    const value = flags[flagKey(flag.name)]
    return value === undefined ? [] : [{ ...flag, value }]
  })
  refuseSeveral(given)
  const [first, second] = given.map(({ source, name, value }) =>
    source ? readFrom(source, value, { ...options, where: name }) : readFormat(value, { ...options, where: name }),
  )
  if (first === undefined) {
    if (specialTokens !== undefined) throw tokensAlone()
    return undefined
  }
  const settings = withTokens(first, specialTokens)
  const under = second && settingsOf(second)
  return { ...settings, read: first, model: { ...under?.model, ...settings.model }, notes: [...(under?.notes ?? []), ...settings.notes] }
}

/** Only a template by name may be given beside the file whose template it replaces. */
function refuseSeveral(given: readonly FormatFlag[]): void {
  const [first, ...others] = given
  if (others.length === 0 || (others.length === 1 && first?.source?.flag?.over === others[0]?.name)) return
  throw new PromptError('two-formats', {
    where: given.map(({ name }) => name).join(', '),
    problem: 'only one format can be set',
    fix: 'remove the others',
  })
}

/** Tokens that no file gives are an error here: a prompt without them would not be the model's. */
function withTokens(read: ReadFormat, tokens: string | undefined): Required<GivenFormat> {
  const settings = settingsOf(read, (templates) => withSpecialTokens(templates, tokens))
  if (read.kind === 'templates' || tokens === undefined) return settings
  if (settings.model.chat_template === undefined) throw tokensAlone()
  return { ...settings, model: { ...settings.model, special_tokens: readSpecialTokens(tokens) } }
}
