import type { ModelPrompt, Source } from '@rolecall/core'
import { callsOf } from './calls-of.ts'
import { promptLines } from './prompt-lines.ts'
import { isPrompt } from './prompt-serializer.ts'

/** The matchers, for `expect(…)`. */
export interface PromptMatchers<R = unknown> {
  /** The prompt is exactly this text. */
  toRenderAs(text: string): R
  /** Only these authors wrote text that may hold control tokens; mostly `'format'` alone. */
  toHaveControlOnlyFrom(...authors: Source['by'][]): R
  /** The prompt has at most so many tokens. */
  toFitIn(tokens: number): R
  /** The reply, agent run or AI SDK result calls this tool, with these arguments if they are given. */
  toCall(tool: string, args?: unknown): R
  /** The result of a task has at least this score, between 0 and 1. */
  toScore(atLeast: number): R
}

/** What Vitest and Jest give a matcher. */
type MatcherContext = {
  isNot?: boolean
  equals(a: unknown, b: unknown): boolean
  utils: { diff(a: unknown, b: unknown): string | null | undefined; stringify(value: unknown): string }
}

type Outcome = { pass: boolean; message: () => string; actual?: unknown; expected?: unknown }

/** The matchers as functions, for `expect.extend`. */
export const matchers = {
  toRenderAs(this: MatcherContext, received: unknown, text: string): Outcome {
    const prompt = promptOf(received, 'toRenderAs')
    return {
      pass: prompt.text === text,
      message: () => (this.isNot ? 'the prompt is this text' : `the prompt is another text:\n${promptLines(prompt)}`),
      actual: prompt.text,
      expected: text,
    }
  },
  toHaveControlOnlyFrom(this: MatcherContext, received: unknown, ...authors: Source['by'][]): Outcome {
    const prompt = promptOf(received, 'toHaveControlOnlyFrom')
    const others = prompt.pieces.filter(
      (piece) => ('ids' in piece || ('text' in piece && piece.control)) && !authors.includes(piece.source.by),
    )
    const shown = others.map((piece) => `${piece.source.by} ${piece.source.path}: ${JSON.stringify('text' in piece ? piece.text : '')}`)
    return {
      pass: others.length === 0,
      message: () =>
        this.isNot ? `all control text is written by: ${authors.join(', ')}` : `control text is also written by\n${shown.join('\n')}`,
    }
  },
  toFitIn(this: MatcherContext, received: unknown, tokens: number): Outcome {
    const count = promptOf(received, 'toFitIn').ids().length
    return {
      pass: count <= tokens,
      message: () => `the prompt has ${count} tokens, ${this.isNot ? 'no more than' : 'more than'} ${tokens}`,
    }
  },
  toCall(this: MatcherContext, received: unknown, tool: string, ...args: [args?: unknown]): Outcome {
    const calls = callsOf(received)
    const named = calls.filter(({ name }) => name === tool)
    const pass = named.some((call) => args.length === 0 || this.equals(call.arguments, args[0]))
    const list = calls.map(({ name, arguments: given }) => `${name}(${JSON.stringify(given)})`).join(', ') || 'nothing'
    const message = () =>
      this.isNot
        ? `it calls ${list}`
        : `it does not call ${tool}${args.length === 0 ? '' : ` with ${this.utils.stringify(args[0])}`}; it calls ${list}`
    return { pass, message, ...(named.length === 1 && args.length > 0 ? { actual: named[0]?.arguments, expected: args[0] } : {}) }
  },
  toScore(this: MatcherContext, received: unknown, atLeast: number): Outcome {
    const score = (received as { score?: unknown } | null)?.score
    if (typeof score !== 'number') throw new TypeError('toScore: give the result of runTask, which has a score; runTask returns a promise')
    return { pass: score >= atLeast, message: () => `the score is ${score}, ${this.isNot ? 'at least' : 'less than'} ${atLeast}` }
  },
}

function promptOf(received: unknown, matcher: string): ModelPrompt {
  if (isPrompt(received)) return received
  throw new TypeError(`${matcher}: give a prompt of renderPrompt`)
}
