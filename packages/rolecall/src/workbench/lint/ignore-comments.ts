import type { RuleText } from './rule.ts'

/** A template comment that ignores rules: `{# rolecall-ignore text-trimmed, name-dropped #}`. */
export type IgnoreComment = { rules: readonly string[]; start: number; end: number }

/** The ignore comments of a template. They apply to the whole template. */
export function ignoreComments(source: string): IgnoreComment[] {
  return [...source.matchAll(/\{#[-+]?\s*rolecall-ignore\b([^#]*?)[-+]?#\}/g)].map(({ 0: comment, 1: names = '', index }) => ({
    rules: names.split(/[\s,]+/).filter((name) => name !== ''),
    start: index,
    end: index + comment.length,
  }))
}

/** An ignore comment without effect. */
export const ignoreComment: RuleText = {
  id: 'ignore-comment',
  severity: 'warning',
  finds: 'A `rolecall-ignore` comment names no rule, a rule that does not exist, or one that finds nothing here.',
  why: 'It ignores nothing now, and would hide a new finding later.',
  fix: 'correct the name, or remove the comment',
}
