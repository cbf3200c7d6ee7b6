import type { RuleText } from './rule.ts'

/** A comment of a template that says which findings its author knows of: `{# rolecall-ignore text-trimmed, name-dropped #}`. */
export type IgnoreComment = { rules: readonly string[]; start: number; end: number }

/** The comments of a template that ignore rules. They count for the whole template, wherever they stand. */
export function ignoreComments(source: string): IgnoreComment[] {
  return [...source.matchAll(/\{#[-+]?\s*rolecall-ignore\b([^#]*?)[-+]?#\}/g)].map(({ 0: comment, 1: names = '', index }) => ({
    rules: names.split(/[\s,]+/).filter((name) => name !== ''),
    start: index,
    end: index + comment.length,
  }))
}

/** A comment that ignores what is not there. */
export const ignoreComment: RuleText = {
  id: 'ignore-comment',
  severity: 'warning',
  finds: 'A `rolecall-ignore` comment names no rule, a rule that does not exist, or one that finds nothing here.',
  why: 'It ignores nothing today, and hides something new tomorrow.',
  fix: 'correct the name, or remove the comment',
}
