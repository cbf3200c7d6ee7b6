import { spawnSync } from 'node:child_process'
import { Template as Peer } from '@huggingface/jinja'
import { compileTemplate, renderChatPieces } from '../../../packages/core/src/base/jinja/index.ts'
import { perSecond } from '../measure.ts'
import { sized } from '../sizes.ts'
import type { JinjaCase } from './cases.ts'
import { pythonBenchmark } from './python.ts'

export type JinjaMeasurement = {
  perSecond: number
  characters: number
  /** Speedup over `@huggingface/jinja` and, if installed, Python's Jinja2, in the same run. */
  ratios: { huggingfaceJinja: number; python?: number }
}

/** A case without and with origins; first checks that all engines give the same text. */
export function measureJinja({ name, template: source, variables, tokens }: JinjaCase): [string, JinjaMeasurement][] {
  const template = compileTemplate(source)
  const peer = new Peer(source)
  const given = { ...variables, ...tokens }
  const input = {
    messages: variables.messages as never[],
    tools: (variables.tools ?? null) as never,
    addGenerationPrompt: true,
    tokens,
  }
  const text = template.render(given)
  if (peer.render(given as Record<string, unknown>) !== text) throw new Error(`${name}: @huggingface/jinja renders another text`)
  if (renderChatPieces(template, input).text !== text) throw new Error(`${name}: the pieces are another text`)
  // The text is inspected, so that no engine defers work.
  let looked = 0
  const look = (rendered: string) => {
    looked += rendered.charCodeAt(rendered.length - 1)
  }
  const theirs = perSecond(() => look(peer.render(given as Record<string, unknown>)))
  const ours = perSecond(() => look(template.render(given)))
  const pieces = perSecond(() => {
    looked += renderChatPieces(template, input).pieces.length
  })
  const python = pythonRate(source, given, text)
  if (looked === 0) throw new Error('nothing was rendered')
  const measurement = (rate: number): JinjaMeasurement => ({
    perSecond: Math.round(rate),
    characters: text.length,
    ratios: {
      huggingfaceJinja: Number((rate / theirs).toFixed(1)),
      ...(python === undefined ? {} : { python: Number((rate / python).toFixed(1)) }),
    },
  })
  return [
    [name, measurement(ours)],
    [`${name}-origins`, measurement(pieces)],
  ]
}

/** Renders per second of Python's Jinja2, configured like transformers; undefined if not installed. */
function pythonRate(template: string, variables: object, expected: string): number | undefined {
  const { status, stdout } = spawnSync('python3', ['-W', 'ignore', '-c', pythonBenchmark], {
    input: JSON.stringify({ template, variables, seconds: sized(0.25, 0.001) }),
    encoding: 'utf8',
    maxBuffer: 1 << 24,
  })
  if (status !== 0) return undefined
  const { rate, text } = JSON.parse(stdout) as { rate: number; text: string }
  if (text !== expected) throw new Error(`Python renders another text:\n${text}\n---\n${expected}`)
  return rate
}
