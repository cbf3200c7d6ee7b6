import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { compareCodePoints } from '@rolecall/core/internal/python'
import { pathSteps } from '../platform.ts'

/**
 * Expands paths and glob patterns (`*`, `?`, `**`, `{a,b}`) in the given order; matches of a pattern are sorted by name. A path that
 * exists is taken literally, even if it contains such characters.
 */
export function expandPaths(given: string | readonly string[], folder: string, where: string): string[] {
  const patterns = typeof given === 'string' ? [given] : given
  return patterns.flatMap((pattern) => {
    const whole = resolve(folder, pattern)
    if (!isPattern(pattern) || existsSync(whole)) return [whole]
    const found = alternatives(whole)
      .flatMap((one) => {
        const { root, names } = pathSteps(one)
        return matching(root, names)
      })
      .sort(compareCodePoints)
    if (found.length > 0) return [...new Set(found)]
    throw new PromptError('no-file', {
      where,
      problem: `no file matches ${pattern}`,
      fix: `check the pattern; it is relative to ${folder}`,
    })
  })
}

/** Whether the names of a relative path match those of a pattern, without `**`. */
export function matchesPattern(path: string, pattern: string): boolean {
  const names = path.split('/')
  return alternatives(pattern).some((one) => {
    const parts = one.split('/')
    return parts.length === names.length && parts.every((part, index) => expressionOf(part).test(names[index]!))
  })
}

function isPattern(path: string): boolean {
  return /[*?{]/.test(path)
}

/** Expands `{a,b}`. */
function alternatives(pattern: string): string[] {
  const found = /\{([^{}]*)\}/.exec(pattern)
  if (!found) return [pattern]
  const [before, after] = [pattern.slice(0, found.index), pattern.slice(found.index + found[0].length)]
  return found[1]!.split(',').flatMap((one) => alternatives(before + one + after))
}

function matching(folder: string, [first, ...rest]: readonly string[]): string[] {
  if (first === undefined) return []
  if (first === '**') {
    return [...matching(folder, rest), ...foldersIn(folder).flatMap((name) => matching(join(folder, name), [first, ...rest]))]
  }
  const names = isPattern(first) ? namesIn(folder).filter((name) => expressionOf(first).test(name)) : [first]
  if (rest.length === 0)
    return names.map((name) => join(folder, name)).filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
  return names.flatMap((name) => matching(join(folder, name), rest))
}

/** Hidden files match only patterns that start with a dot. */
function expressionOf(pattern: string): RegExp {
  const text = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
  return new RegExp(`^${pattern.startsWith('.') ? '' : '(?!\\.)'}${text}$`, 'u')
}

function namesIn(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : []
}

function foldersIn(folder: string): string[] {
  return namesIn(folder).filter((name) => !name.startsWith('.') && statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory())
}
