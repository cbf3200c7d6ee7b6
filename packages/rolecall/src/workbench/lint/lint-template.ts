import { nearestName, PromptError } from '@rolecall/core/internal/errors'
import type { Span } from '@rolecall/core/internal/jinja'
import { compileTemplate, type TemplateCompiler, TemplateError } from '@rolecall/core/internal/jinja'
import type { Finding, Place, Whose } from './finding.ts'
import { type IgnoreComment, ignoreComment, ignoreComments } from './ignore-comments.ts'
import { isSelected, type Linted, type LintSettings, settle } from './lint-settings.ts'
import { findingOf } from './rule.ts'
import { messageLoop } from './template-code.ts'
import { broken } from './template-rules/broken.ts'
import { fastGrowth } from './template-rules/work.ts'
import { templateRules } from './template-rules.ts'
import { TemplateSubject, type TokenizerFacts } from './template-subject.ts'

/** A chat template to lint, and facts about its tokenizer. */
export type TemplateToLint = TokenizerFacts & {
  source: string
  /** ShownPrompt in findings: the file, and the part of it. */
  name?: string
  part?: string
  /** Compiles and renders it; by default in this process. `isolatedTemplate` of `rolecall/node` has a time limit. */
  compile?: TemplateCompiler
}

/**
 * Lints a chat template by rendering small conversations: finds what it drops, changes, or rewrites as a chat continues, and what does
 * not match its tokenizer.
 *
 * @example
 * const source = "{% for m in messages if m.role != 'system' %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}"
 * lintTemplate({ source }, { only: ['system-dropped'] }).findings.map(({ rule }) => rule) // => ['system-dropped']
 */
export function lintTemplate(
  { name = 'chat_template', part, source, compile = compileTemplate, ...facts }: TemplateToLint,
  settings: LintSettings = {},
): Linted {
  const where = { subject: name, ...(part === undefined ? {} : { part }) }
  const subject = read(source, facts, compile, part === undefined ? name : `${name} › ${part}`)
  if (subject instanceof PromptError) return settle(isSelected(broken.id, settings) ? [unreadable(subject, where)] : [], settings)
  const elsewhere = messageLoop(subject.body, subject.source) ?? { start: 0, end: 0 }
  const findings = templateRules
    .filter(({ id }) => isSelected(id, settings))
    .flatMap((rule) => rule.check(subject).map((found) => findingOf(rule, found, where, placeIn(subject.source, found.at ?? elsewhere))))
  if (subject.exhausted && !findings.some(({ rule }) => rule === broken.id) && isSelected(fastGrowth.id, settings)) {
    const problem = `a small conversation needs ${subject.exhausted.problem}: the template was not checked further`
    findings.push(findingOf(fastGrowth, { problem, severity: 'error' }, where, placeIn(subject.source, elsewhere)))
  }
  const comments = ignoreComments(subject.source)
  const idle = isSelected(ignoreComment.id, settings) ? idleComments(comments, findings, settings, subject.source, where) : []
  return settle([...findings, ...idle], settings, new Set(comments.flatMap(({ rules }) => rules)))
}

function read(source: string, facts: TokenizerFacts, compile: TemplateCompiler, name: string): TemplateSubject | PromptError {
  try {
    return new TemplateSubject(source, facts, compile, { name })
  } catch (error) {
    if (error instanceof PromptError) return error
    throw error
  }
}

function unreadable(error: PromptError, where: Whose): Finding {
  const [line, column, code] = error instanceof TemplateError ? [error.line, error.column, error.expression] : [1, 1, '']
  const { id: rule, severity } = broken
  return { rule, severity, ...where, place: { kind: 'template', line, column, code }, problem: error.problem, fix: error.fix }
}

const ids = templateRules.map(({ id }) => id)

/** Ignore comments without effect; rules that did not run are not reported. */
function idleComments(
  comments: readonly IgnoreComment[],
  findings: readonly Finding[],
  settings: LintSettings,
  source: string,
  where: Whose,
): Finding[] {
  const found = new Set(findings.map(({ rule }) => rule))
  return comments.flatMap((comment) => {
    const idle = (problem: string) => findingOf(ignoreComment, { problem }, where, placeIn(source, comment))
    if (comment.rules.length === 0) return [idle('the comment names no rule')]
    return comment.rules.flatMap((rule) => {
      const near = nearestName(rule, ids)
      if (!ids.includes(rule)) return [idle(`there is no rule "${rule}"${near ? `; did you mean "${near}"?` : ''}`)]
      return found.has(rule) || !isSelected(rule, settings) ? [] : [idle(`the rule "${rule}" finds nothing here`)]
    })
  })
}

/** Maximum length of code shown in a location. */
const mostCode = 80

function placeIn(source: string, { start, end }: Span): Place {
  const before = source.slice(0, start)
  const code = source.slice(start, end)
  return {
    kind: 'template',
    line: before.split('\n').length,
    column: [...before.slice(before.lastIndexOf('\n') + 1)].length + 1,
    code: code.length > mostCode ? `${code.slice(0, mostCode - 1)}…` : code,
  }
}
