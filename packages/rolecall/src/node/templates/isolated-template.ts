import { limits, PromptError } from '@rolecall/core/internal/errors'
import type { InputOrigin } from '@rolecall/core/internal/jinja'
import {
  type CompileOptions,
  type JinjaTemplate,
  type Rendered,
  type RenderedPieces,
  type RenderOptions,
  TemplateError,
} from '@rolecall/core/internal/jinja'
import type { PyValue } from '@rolecall/core/internal/python'
import { TemplateThread } from './template-thread.ts'
import type { TemplateThreadReply, TemplateThreadRequest } from './thread-messages.ts'
import { toMessage } from './thread-messages.ts'

/** One per process: templates are rendered one at a time. */
const shared = new TemplateThread()

/**
 * Compiles and renders an untrusted chat template in a separate thread, which is terminated when a render exceeds `templateSeconds`
 * or `templateMemory`. Output is identical to rendering in-process, at about 0.1 ms more per render.
 *
 * @example
 * const template = isolatedTemplate("{{ messages[0].content | upper }}")
 * template.render({ messages: [{ role: 'user', content: 'hi' }] }) // => 'HI'
 */
export function isolatedTemplate(
  source: string,
  options: CompileOptions & { thread?: TemplateThread; seconds?: number } = {},
): JinjaTemplate {
  const { name = 'chat_template', isTraced, changesLists, thread = shared, seconds } = options
  const ask = (render?: TemplateThreadRequest['render']) => {
    const limited = render && timeLeft !== undefined ? { ...render, milliseconds: timeLeft } : render
    const before = process.cpuUsage()
    const settings = { ...(isTraced ? { isTraced } : {}), ...(changesLists ? { changesLists } : {}) }
    const answer = thread.ask({ source, name, ...settings, ...(limited ? { render: limited } : {}) }, seconds)
    if (isOverBudget(before)) throw overBudget(answer.kind === 'template-error' ? new TemplateError(answer.details).where : name)
    if (answer.kind === 'stopped') throw tooSlow(name, answer.seconds)
    return checked(answer, name)
  }
  const names = ask()
  if (names.kind !== 'names') throw new Error(`the template's thread answered ${names.kind}`)

  const rendered = (
    kind: 'text' | 'marked' | 'pieces',
    variables: Variables,
    options?: RenderOptions,
    originOf?: (name: string) => InputOrigin,
  ) => {
    const answer = ask({
      kind,
      variables: messageOf(variables, names.names),
      origins: originOf === undefined ? {} : Object.fromEntries(names.names.map((input) => [input, originOf(input)])),
      clock: options?.clock ?? new Date(),
      ...(options?.limits === undefined ? {} : { limits: options.limits }),
    })
    if (answer.kind !== 'rendered') throw new Error(`the template's thread answered ${answer.kind}`)
    return answer.rendered
  }
  return {
    names: names.names,
    render: (variables, options) => rendered('text', variables, options).text,
    renderMarked: (variables, options) => rendered('marked', variables, options) as Rendered,
    renderPieces: (variables, originOf, options) => rendered('pieces', variables, options, originOf) as RenderedPieces,
  }
}

/** Processor time that the templates of the command have left, in milliseconds, if it is limited. */
let timeLeft: number | undefined

/** Renders of ordinary templates take less and are free: a command may show thousands of them. */
const freeMilliseconds = 20

/** Limits the processor time of all templates from here on, for a command that renders those of strangers; undefined lifts the limit. */
export function limitTemplateTime(seconds: number | undefined): void {
  timeLeft = seconds === undefined ? undefined : 1000 * seconds
}

/** Charges the time since `before`. The thread may stop at its limit a little early. */
function isOverBudget(before: NodeJS.CpuUsage): boolean {
  if (timeLeft === undefined) return false
  const { user, system } = process.cpuUsage(before)
  const spent = (user + system) / 1000
  if (spent > freeMilliseconds) timeLeft -= spent
  return timeLeft < 1
}

/** Not a template error: what tries whether a template takes something must not go on. */
function overBudget(where: string): PromptError {
  return new PromptError('templates-too-slow', {
    where,
    problem: `the templates of this command took more than ${limits.commandTemplateSeconds} s of processor time together; it was rendering this one`,
    fix: 'leave this template out, or simplify what it does at this place',
  })
}

type Variables = Readonly<Record<string, PyValue>>

/** Sends only the variables that the template uses. */
function messageOf(variables: Variables, names: readonly string[]): Record<string, unknown> {
  const wanted = names.filter((name) => Object.hasOwn(variables, name))
  return Object.fromEntries(wanted.map((name) => [name, toMessage(variables[name] ?? null)]))
}

function checked(answer: TemplateThreadReply, name: string): TemplateThreadReply {
  switch (answer.kind) {
    case 'template-error':
      throw new TemplateError(answer.details)
    case 'prompt-error':
      throw new PromptError(answer.code, answer)
    case 'failed':
      throw new PromptError('template-failed', { where: name, problem: answer.message, fix: 'change the template or its input' })
    default:
      return answer
  }
}

function tooSlow(name: string, seconds: number): TemplateError {
  const reason = `the template was stopped: it exceeded ${seconds} s or its memory limit`
  return new TemplateError({ type: 'LimitError', reason, line: 1, column: 1, expression: '', name })
}
