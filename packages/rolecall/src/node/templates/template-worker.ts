import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { PromptError } from '@rolecall/core/internal/errors'
import { compileTemplate, type JinjaTemplate, TemplateError } from '@rolecall/core/internal/jinja'
import type { PyValue } from '@rolecall/core/internal/python'
import { answered, asked, changed, fromMessage, ready, type TemplateThreadReply, type TemplateThreadRequest } from './thread-messages.ts'

// The thread that renders untrusted templates; `TemplateThread` terminates it when it takes too long.

const { port, counts } = workerData as { port: MessagePort; counts: Int32Array }

/** Recently compiled templates; a server has few. */
const compiled = new Map<string, JinjaTemplate>()
const mostCompiled = 32

Atomics.store(counts, ready, 1)
Atomics.notify(counts, ready)
for (let seen = 0; ; ) {
  // Wake-ups may be spurious: answering one would answer forever.
  seen = changed(counts, asked, seen)
  const received = receiveMessageOnPort(port) as { message: TemplateThreadRequest } | undefined
  port.postMessage(received === undefined ? failed('there was no question') : answer(received.message))
  Atomics.add(counts, answered, 1)
  Atomics.notify(counts, answered)
}

function answer(question: TemplateThreadRequest): TemplateThreadReply {
  try {
    const template = templateOf(question)
    const { render } = question
    if (render === undefined) return { kind: 'names', names: template.names }
    const { kind, clock, limits, origins, milliseconds } = render
    const variables = fromMessage(render.variables) as Readonly<Record<string, PyValue>>
    const options = {
      clock,
      ...(limits === undefined ? {} : { limits }),
      ...(milliseconds === undefined ? {} : { isOver: processorDeadline(milliseconds) }),
    }
    switch (kind) {
      case 'text':
        return { kind: 'rendered', rendered: { text: template.render(variables, options) } }
      case 'marked':
        return { kind: 'rendered', rendered: template.renderMarked(variables, options) }
      case 'pieces':
        return { kind: 'rendered', rendered: template.renderPieces(variables, (name) => origins[name]!, options) }
      default:
        return kind satisfies never
    }
  } catch (error) {
    if (error instanceof TemplateError) {
      const { type, reason, line, column, expression, where } = error
      // The error appends the position to the name again.
      return {
        kind: 'template-error',
        details: { type, reason, line, column, expression, name: where.replace(/, line \d+, column \d+$/, '') },
      }
    }
    if (error instanceof PromptError) {
      const { code, where, problem, fix } = error
      return { kind: 'prompt-error', code, where, problem, fix }
    }
    return failed(error instanceof Error ? error.message : String(error))
  }
}

/** The thread that asked waits, so that the time of the process is that of the render. */
function processorDeadline(milliseconds: number): () => boolean {
  const start = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000 > milliseconds
  }
}

function templateOf({ source, name, isTraced = false, changesLists = false }: TemplateThreadRequest): JinjaTemplate {
  const key = `${isTraced} ${changesLists} ${name}\n${source}`
  const found = compiled.get(key)
  if (found) return found
  const template = compileTemplate(source, { name, isTraced, changesLists })
  if (compiled.size >= mostCompiled) compiled.delete(compiled.keys().next().value!)
  compiled.set(key, template)
  return template
}

function failed(message: string): TemplateThreadReply {
  return { kind: 'failed', message }
}
