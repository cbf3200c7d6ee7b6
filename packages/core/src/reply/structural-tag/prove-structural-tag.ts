import { compileConstraint } from '../../constrain/compile-constraint.ts'
import type { Format } from '../../prompt/format/format.ts'
import { deriveSyntax } from '../derive/derive-syntax.ts'
import { callProbe, callsProbe, probeTools, valueProbes, words } from '../derive/probes.ts'
import { isReadable } from '../derive/prove-syntax.ts'
import { findSyntax } from '../find-syntax.ts'
import { parseExactReply } from '../parse/reply-parser.ts'
import { structuralTag } from './structural-tag.ts'
import { constraintOf, type StructuralTag } from './tag-format.ts'

/** A reply that the chat template wrote: whether the structural tag accepts it, and refuses each of its mutations. */
export type StructuralTagTrial = { probe: string; reply: string; isAccepted: boolean; accepted: readonly string[] }

/** The tools of the probes; nested values are of any kind. */
const openTools = probeTools.map(({ function: { parameters, ...tool } }) => ({
  ...tool,
  parameters: {
    ...parameters,
    properties: { ...parameters.properties, items: { type: 'array' }, more: { type: 'object', additionalProperties: true } },
  },
}))

/**
 * Tries the structural tag of a format, for required calls, on what its chat template writes: and on mutations of it, which
 * it must refuse.
 */
export function* structuralTagTrials(
  format: Format,
): Generator<{ probe: string; reply: string; tag: StructuralTag; mutations: readonly string[] }> {
  const { syntax } = findSyntax(format)
  const writer = deriveSyntax(format)?.writer
  if (writer === undefined) return
  for (const probe of [callProbe, callsProbe, ...valueProbes]) {
    const written = writer.write(probe)
    if (written === undefined || !isReadable(written, probe, syntax)) continue
    const tag = structuralTag(format, { tools: openTools, choice: 'required', parallel: probe.calls.length > 1 })
    const { calls } = parseExactReply(written.reply, syntax, { prompt: written.prompt, tools: probeTools })
    const behind = calls.at(-1)?.at[1] ?? 0
    const at = Math.min(...syntax.ends.map((end) => written.reply.indexOf(end, behind)).filter((found) => found >= 0), written.reply.length)
    const reply = written.reply.slice(0, at).trimEnd()
    yield {
      probe: probe.name,
      reply,
      tag,
      mutations: mutationsOf(
        reply,
        syntax.blocks.flatMap(({ open, close }) => [...open, close ?? '']),
      ),
    }
  }
}

/** The proof by our own constrained decoding. */
export function proveStructuralTag(format: Format): StructuralTagTrial[] {
  const accepters = new Map<string, (text: string) => boolean>()
  return [...structuralTagTrials(format)].map(({ probe, reply, tag, mutations }) => {
    const key = JSON.stringify(tag)
    const accepts = accepters.get(key) ?? compileConstraint(constraintOf(tag.format, 'structural tag')).accepts
    accepters.set(key, accepts)
    return { probe, reply, isAccepted: accepts(reply), accepted: mutations.filter(accepts) }
  })
}

/** The reply with another tool, without a mark, cut, with more behind it, with another name for an argument: none of them is a call. */
function mutationsOf(reply: string, marks: readonly string[]): string[] {
  const [alpha] = words.tools
  const [key] = words.keys
  const without = (text: string) => (text === '' ? [] : [reply.replace(text, ''), reply.replace(text, text.slice(0, -1))])
  return [
    reply.replaceAll(alpha, 'qzOther'),
    reply.replaceAll(key, 'qzNoKey'),
    reply.slice(0, -1),
    reply.slice(0, Math.floor(reply.length / 3)),
    `${reply}qz`,
    `qz${reply}`,
    ...marks.filter((mark) => reply.includes(mark)).flatMap(without),
  ].filter((mutation) => mutation !== reply)
}
