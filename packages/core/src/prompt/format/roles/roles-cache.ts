import type { TemplateCompiler } from '../../../base/jinja/index.ts'
import { type PyValue, stringifyJson } from '../../../base/python/index.ts'
import { type RenderProbe, TemplateRoles } from './template-roles.ts'

type Probed = {
  source: string
  compile: TemplateCompiler
  settings: { tokens: Readonly<Record<string, string>>; kwargs: Readonly<Record<string, PyValue>> }
}

/** By engine and template: a server compiles a template again for the variables of a request. */
const probed = new WeakMap<TemplateCompiler, Map<string, TemplateRoles>>()
const mostTemplates = 64

/** What a template does with roles; templates with the same text and variables share what was found out. */
export function rolesOf({ source, compile, settings }: Probed, render: RenderProbe): TemplateRoles {
  const known = probed.get(compile) ?? new Map<string, TemplateRoles>()
  probed.set(compile, known)
  const key = `${stringifyJson(settings)}\n${source}`
  const roles = known.get(key) ?? new TemplateRoles(render)
  known.delete(key)
  known.set(key, roles)
  if (known.size > mostTemplates) known.delete(known.keys().next().value!)
  return roles
}
