import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import type { AgentEvent } from '../../model/agent/agent-event.ts'
import type { CodeOutput } from '../../model/agent/interpreter.ts'
import { savePrompt } from '../../model/agent/transcript.ts'
import { colors, noteLabel, type Paint, printable } from '../terminal.ts'
import { showPrompt } from './show-prompt.ts'

type Kind = 'text' | 'reasoning' | 'output'

/** Prints events of a chat to the terminal: text as it streams, everything else as blocks. */
export class EventWriter {
  readonly #write: (text: string) => void
  readonly #showsPrompt: boolean
  readonly #tokenizer: Tokenizer | undefined
  #open: Kind | undefined
  #atStart = true

  constructor(write: (text: string) => void, options: { showPrompt: boolean; tokenizer?: Tokenizer | undefined }) {
    this.#tokenizer = options.tokenizer
    this.#write = write
    this.#showsPrompt = options.showPrompt
  }

  show(event: AgentEvent): void {
    switch (event.type) {
      case 'prompt':
        if (this.#showsPrompt) this.#block(showPrompt(event.prompt, { turn: event.turn, tokenizer: this.#tokenizer }))
        break
      case 'text':
        this.#stream('text', event.text, (text) => text)
        break
      case 'reasoning':
        this.#stream('reasoning', event.text, colors.dim)
        break
      case 'call':
        this.#block(`${colors.cyan('→')} ${colors.bold(printable(event.name))} ${printable(event.argumentsText)}`)
        break
      case 'code':
        this.#block(withBar(event.code, colors.cyan))
        break
      case 'output':
        this.#output(event.output)
        break
      case 'result':
        // The output of code was already shown.
        if (event.name !== 'interpreter') this.#block(withMark(event.content, event.ok))
        break
      case 'image':
        this.#block(`${colors.green('▣')} ${printable(event.path)}`)
        break
      case 'problem':
        if (!event.sentToModel) this.#block(`${colors.yellow('problem')} ${printable(event.problem)}`)
        break
      case 'note':
        this.#block(`${noteLabel(event.note)} ${printable(event.note.text)}`)
        break
      case 'done':
        this.#done(event.result.reason)
        break
      case 'message':
        break
      default:
        event satisfies never
    }
  }

  #done(reason: string): void {
    const why: Readonly<Record<string, string>> = {
      aborted: 'stopped',
      'max-turns': 'stopped at the turn limit (--max-turns)',
      length: 'the reply was truncated at the token limit (--max-tokens)',
    }
    if (why[reason] !== undefined) this.#block(colors.dim(`[${why[reason]}]`))
    this.#close()
  }

  #output(output: CodeOutput): void {
    if (output.kind === 'text') this.#stream('output', output.text, output.stream === 'stderr' ? colors.yellow : colors.dim)
    if (output.kind === 'value') this.#block(withBar(output.text, colors.dim))
    if (output.kind === 'error') this.#block(withBar(output.text, colors.red))
    if (output.kind === 'note') this.#block(colors.yellow(`[${printable(output.text)}]`))
    if (output.kind === 'html') this.#block(`${colors.green('▣')} ${printable(output.path)}`)
  }

  #stream(kind: Kind, text: string, paint: Paint): void {
    if (this.#open !== kind) this.#close()
    this.#open = kind
    const bar = kind === 'output' ? `${colors.dim('│')} ` : ''
    for (const [index, line] of printable(text).split('\n').entries()) {
      if (index > 0) {
        this.#write('\n')
        this.#atStart = true
      }
      if (line === '') continue
      this.#write(`${this.#atStart ? bar : ''}${paint(line)}`)
      this.#atStart = false
    }
  }

  #close(): void {
    if (!this.#atStart) this.#write('\n')
    this.#atStart = true
    this.#open = undefined
  }

  #block(text: string): void {
    this.#close()
    this.#write(`${text}\n`)
  }
}

function withBar(text: string, paint: Paint): string {
  return printable(text)
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${colors.dim('│')} ${paint(line)}`)
    .join('\n')
}

function withMark(content: string, ok: boolean): string {
  const [first = '', ...rest] = printable(content).split('\n')
  const mark = ok ? colors.green('←') : colors.red('←')
  return [`${mark} ${first}`, ...rest.map((line) => `  ${line}`)].join('\n')
}

/** An event as a JSON line; undefined for redundant ones. Images are given by path. */
export function eventJson(event: AgentEvent, { showPrompt }: { showPrompt: boolean }): string | undefined {
  switch (event.type) {
    case 'prompt':
      return showPrompt ? JSON.stringify({ type: 'prompt', turn: event.turn, prompt: savePrompt(event.prompt) }) : undefined
    case 'image':
      return JSON.stringify({ type: 'image', id: event.id, path: event.path, mime: event.mime })
    case 'output': {
      const { output } = event
      return JSON.stringify({ ...event, output: output.kind === 'image' ? { ...output, data: undefined } : output })
    }
    case 'call':
      // `argumentsText` has the exact numbers.
      return JSON.stringify(event, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))
    case 'done': {
      const { reason, text, turns, tokens, dropped } = event.result
      return JSON.stringify({ type: 'done', reason, text, turns, tokens, dropped })
    }
    default:
      return JSON.stringify(event)
  }
}
