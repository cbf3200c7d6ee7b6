import type { MetaTemplateConfig } from '@rolecall/core/internal/format'
import { pyRepr } from '@rolecall/core/internal/python'

/** Writes a meta template as an OpenCompass Python config with one model. */
export function writeOpenCompass(config: MetaTemplateConfig, name: string): string {
  return `_meta_template = ${dict(config as Fields, '')}\n\nmodels = [dict(abbr=${pyRepr(name)}, meta_template=_meta_template)]\n`
}

type Fields = Readonly<Record<string, unknown>>

function dict(fields: Fields, indent: string): string {
  const inner = `${indent}    `
  const entries = Object.entries(fields).map(([key, value]) => `${inner}${key}=${written(value, inner)},\n`)
  return entries.length === 0 ? 'dict()' : `dict(\n${entries.join('')}${indent})`
}

function written(value: unknown, indent: string): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return list(value, indent)
  if (typeof value === 'object' && value !== null) return flatDict(value as Fields)
  return pyRepr(value as string | number)
}

function list(values: readonly unknown[], indent: string): string {
  if (values.every((value) => typeof value !== 'object')) return `[${values.map((value) => written(value, indent)).join(', ')}]`
  const inner = `${indent}    `
  return `[\n${values.map((value) => `${inner}${written(value, inner)},\n`).join('')}${indent}]`
}

/** One line per role, as in OpenCompass's configs. */
function flatDict(fields: Fields): string {
  return `dict(${Object.entries(fields)
    .map(([key, value]) => `${key}=${written(value, '')}`)
    .join(', ')})`
}
