import { PromptError } from '@rolecall/core/internal/errors'
import { firstUnavailable, sandboxHint } from '../../compat/lm-eval/python/download-command.ts'
import { isOfPython } from '../../python/interpreter/session.ts'
import { importsOf } from './python-packages.ts'

/** Says of an unknown filter that a Python file of the task registers it, and what that file needs. */
export function explainFilter(error: unknown, sources: () => Readonly<Record<string, string>>): unknown {
  const [, name] =
    (error instanceof PromptError && error.code === 'unknown-filter' && /^there is no filter "(.+)"$/.exec(error.problem)) || []
  if (!(error instanceof PromptError) || name === undefined) return error
  const found = Object.entries(sources()).find(([, text]) => text.includes(`@register_filter("${name}")`))
  if (found === undefined) return error
  const [file, text] = found
  const packages = [...new Set(importsOf(text))].filter((module) => !isOfPython(module) && module !== 'lm_eval')
  const needs = packages.length === 0 ? '' : `, with the packages ${packages.join(', ')}`
  const without = firstUnavailable(packages)
  return new PromptError(error.code, {
    where: error.where,
    problem: `the filter "${name}" is a class that ${file.replace(/^.*\//, '')} registers when Python runs it${needs}`,
    fix: `${without === undefined ? '' : `${sandboxHint(without)}; `}write "function: !function module.name" in its place, or leave the task out`,
  })
}
