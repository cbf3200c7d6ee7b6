import type { Schema } from '@rolecall/core/internal/schema'
import { type Command, InvalidArgumentError } from 'commander'
import { type SamplingName, type SamplingRow, samplingRows } from '../model/language-model/sampling-settings.ts'

/** What a flag of one command does differently. */
type OwnFlag = { does: string; read?: (text: string) => unknown }

/** A flag for each sampling setting: `--top-p` for `top_p`. Commander names its value as `Sampling` does. */
export function withSamplingFlags(command: Command, own: { readonly [Name in SamplingName]?: OwnFlag } = {}): Command {
  return samplingRows.reduce((flagged, row) => {
    const { does = flagText(row.doc.en), read = numberReader(row) } = own[row.name] ?? {}
    return flagged.option(`--${row.name.replaceAll('_', '-')} <number>`, does, read)
  }, command)
}

function flagText(doc: string): string {
  return doc.charAt(0).toLowerCase() + doc.slice(1)
}

/** Reads what the setting may be in a config. */
function numberReader({ schema }: Pick<SamplingRow, 'schema'>): (text: string) => number {
  return (text) => {
    const value = Number(text)
    const read = schema['~standard'].validate(value)
    if (text.trim() !== '' && !(read instanceof Promise) && read.issues === undefined) return value
    throw new InvalidArgumentError(`expected ${allowedNumbers(schema)}`)
  }
}

/** `a number above 0 and at most 1`. */
function allowedNumbers({ def, refines }: Schema<number>): string {
  const limits = (refines?.checks ?? []).flatMap(({ about }) => {
    if ('minimum' in about) return [`${about.isInclusive ? 'of at least' : 'above'} ${about.minimum}`]
    return 'maximum' in about ? [`at most ${about.maximum}`] : []
  })
  return [def.type === 'int' ? 'a whole number' : 'a number', limits.join(' and ')].filter((part) => part !== '').join(' ')
}
