import { readChat } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Format, MetaTemplateConfig } from '@rolecall/core/internal/format'
import { chatTemplateFormat, compileFormat, ollamaFormat, readModelfile } from '@rolecall/core/internal/format'
import type { TemplateCompiler } from '@rolecall/core/internal/jinja'
import type { PyValue } from '@rolecall/core/internal/python'
import { toPyValue } from '../../python/interpreter/convert.ts'
import { runModule } from '../../python/interpreter/import-module.ts'
import { Session } from '../../python/interpreter/session.ts'
import { deriveLayout } from './derive-layout.ts'
import type { Layout, StopsAndPrefix } from './format-layout.ts'
import type { ConversationCase } from './generate-conversations.ts'
import { type Loss, lossesOf } from './losses.ts'
import { type Difference, excerpts, type Proof, type ProveOptions, proveSame } from './prove-same.ts'
import { textWriter, type Write, writeConversation } from './write-conversation.ts'
import { writeJinja } from './write-jinja.ts'
import { writeLayout } from './write-layout.ts'
import { writeMeta } from './write-meta.ts'
import { writeMlc } from './write-mlc.ts'
import { writeOllama } from './write-ollama.ts'
import { writeOpenCompass } from './write-opencompass.ts'

/** The languages a format can be converted to. */
export const targets = ['jinja', 'meta', 'mlc', 'opencompass', 'ollama'] as const
/** A target language. */
export type Target = (typeof targets)[number]

/** A converted format, and how it compares with the source. */
export type Conversion = {
  target: Target
  /** The converted format: a template, JSON or Python. */
  output: string
  /** The output read back as a format. */
  format: Format
  layout: Layout
  /** What the format needs in addition to its text. */
  stopsAndPrefix: StopsAndPrefix
  /** Those the output cannot express. */
  notCarried: readonly (keyof StopsAndPrefix)[]
  proof: Proof
}

/** Options for a conversion. */
export type ConvertOptions = Pick<ProveOptions, 'idsOf'> & {
  /** The name of the converted format. */
  name?: string
  /** Stops and ids known from elsewhere. */
  stopsAndPrefix?: Partial<StopsAndPrefix>
  /** Losses are listed instead of being an error. */
  approximate?: boolean
  /** Compiles chat templates; by default in this process. */
  compile?: TemplateCompiler
  /** The meta or conversation template of the source; a conversion to its own language keeps it unchanged. */
  own?: { meta_template: unknown } | { conv_template: unknown }
  /** The source is an Ollama template, which is compared only on conversations Ollama accepts. */
  isOllama?: boolean
  /** The source rendered on another day, to detect a date that the conversion would freeze. */
  onAnotherDay?: Format
}

/**
 * Converts a conversation format to another language and verifies it: both render generated conversations, which are compared. What the
 * language cannot express is an error or, with `approximate`, a listed loss.
 *
 * @example
 * const format = chatTemplateFormat("{% for m in messages %}<{{ m.role }}>{{ m.content }}\n{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}")
 * const { output, proof } = convertFormat(format, 'meta')
 * JSON.parse(output).round[0] // => { role: 'HUMAN', begin: '<user>', end: '\n' }
 * proof.losses.length // => 0
 */
export function convertFormat(source: Format, target: Target, options: ConvertOptions = {}): Conversion {
  const name = options.name ?? source.name
  const layout = deriveLayout(textWriter(source), name, { completes: !options.isOllama })
  const stopsAndPrefix = { ...stopsAndPrefixOf(source), ...options.stopsAndPrefix }
  const candidates = [...ownCandidates(target, name, options), ...writeAs[target](layout, stopsAndPrefix, options)]
  const rounds = roundsOf(source)
  const plain: Write = ({ messages }, want) => writeLayout(layout, messages, want)
  const isOfSource = options.isOllama ? isAskedOfOllama : () => true
  const dated = options.onAnotherDay === undefined ? [] : datesIn(source, options.onAnotherDay)
  const proven = candidates.map((candidate) => {
    const proof = proveSame(source, candidate.format, {
      ...options,
      plain,
      known: [...candidate.losses, ...rounds],
      isCompared: (one) => isOfSource(one) && (candidate.isCompared?.(one) ?? true),
    })
    return { ...candidate, proof: { ...proof, losses: [...dated, ...proof.losses] } }
  })
  const best = proven.toSorted((one, other) => lostIn(one.proof) - lostIn(other.proof))[0]!
  if (best.proof.losses.length > 0 && !options.approximate) throw notExpressible(name, target, best.proof)
  const { output, format, proof, notCarried } = best
  return { target, output, format, layout, stopsAndPrefix, notCarried: notCarried.filter((key) => isSet(stopsAndPrefix[key])), proof }
}

type Candidate = {
  output: string
  format: Format
  losses: readonly Loss[]
  notCarried: readonly (keyof StopsAndPrefix)[]
  isCompared?(one: ConversationCase): boolean
}

/** Ollama always generates a reply, and continues a final assistant message. */
function isAskedOfOllama({ features }: ConversationCase): boolean {
  return !features.includes('complete') && !features.includes('ends-with-answer')
}

const writeAs: Readonly<Record<Target, (layout: Layout, stopsAndPrefix: StopsAndPrefix, options: ConvertOptions) => Candidate[]>> = {
  jinja(layout, _, { compile }) {
    const output = writeJinja(layout)
    const losses = lossesOf(layout, {
      language: 'a chat template',
      trims: true,
      joinsNeighbours: true,
      stripsReasoning: ['newlines', 'spaces'],
      endsByPosition: true,
      completeEnd: true,
      systemAnywhere: true,
      emptySystem: true,
      noReplyAfterAnswer: true,
      tools: true,
    })
    const format = chatTemplateFormat(output, { where: 'the converted template', neighbours: 'error', compile })
    return [{ output, format, losses, notCarried: ['prefixIds', 'bos', 'stopTexts', 'stopTokens', 'stopIds'] }]
  },
  meta(layout, stopsAndPrefix) {
    const { config, losses } = writeMeta(layout, stopsAndPrefix)
    return [{ output: `${JSON.stringify(config, null, 2)}\n`, format: metaFormatOf(config), losses, notCarried: [] }]
  },
  opencompass(layout, stopsAndPrefix) {
    const { config, losses } = writeMeta(layout, stopsAndPrefix)
    const output = writeOpenCompass(config, layout.name)
    return [{ output, format: metaFormatOf(readMeta('opencompass', output)), losses, notCarried: [] }]
  },
  ollama(layout, stopsAndPrefix) {
    const { modelfile, losses } = writeOllama(layout, stopsAndPrefix)
    const { template, stops } = readModelfile(modelfile, 'the converted Modelfile')
    const format = ollamaFormat(template, { where: 'the converted Modelfile', stops })
    return [{ output: modelfile, format, losses, notCarried: ['prefixIds', 'stopIds'], isCompared: isAskedOfOllama }]
  },
  mlc(layout, stopsAndPrefix) {
    return writeMlc(layout, stopsAndPrefix).map(({ config, losses }) => {
      const output = `${JSON.stringify(config, null, 2)}\n`
      const format = compileFormat({ conv_template: JSON.parse(output) as PyValue }, new Set())
      return { output, format, losses, notCarried: [] }
    })
  },
}

/** A meta template can also be written for OpenCompass. */
function ownCandidates(target: Target, name: string, { own }: ConvertOptions): Candidate[] {
  if (own === undefined) return []
  if ('meta_template' in own && (target === 'meta' || target === 'opencompass')) {
    const config = own.meta_template as MetaTemplateConfig
    const output = target === 'meta' ? `${JSON.stringify(config, null, 2)}\n` : writeOpenCompass(config, name)
    return [{ output, format: metaFormatOf(readMeta(target, output)), losses: [], notCarried: [] }]
  }
  if (!('conv_template' in own) || target !== 'mlc') return []
  const output = `${JSON.stringify(own.conv_template, null, 2)}\n`
  return [{ output, format: compileFormat({ conv_template: JSON.parse(output) as PyValue }, new Set()), losses: [], notCarried: [] }]
}

/** Reads the output back, so that the proof covers the text itself; Python is interpreted. */
function readMeta(target: 'meta' | 'opencompass', output: string): unknown {
  if (target === 'meta') return JSON.parse(output)
  const session = new Session({ read: () => output })
  const module = session.readModule('format.py')!
  return toPyValue(runModule(session, module.file, module).names.get('_meta_template')!)
}

/** Rounds of datasets may have more roles than user and assistant. */
function roundsOf({ traits }: Format): Loss[] {
  const order = traits.rounds?.isWhole ? traits.rounds.order : []
  const more = order.flatMap((entry) =>
    'name' in entry ? (['HUMAN', 'BOT', 'user', 'assistant'].includes(entry.name) ? [] : [entry.name]) : ['text'],
  )
  if (more.length === 0) return []
  return [
    {
      features: ['rounds'],
      why: `every round has more roles than user and assistant (${more.join(', ')}), which only meta templates can express`,
    },
  ]
}

/** Detects dates, which a conversion would freeze. */
function datesIn(today: Format, anotherDay: Format): Difference[] {
  const conversation = readChat({ messages: [{ role: 'user', content: 'Hi' }] })
  const [one, other] = [today, anotherDay].map((format) => writeConversation(format, conversation, 'generate'))
  if ('refused' in one! || 'refused' in other! || one!.text === other!.text) return []
  return [
    {
      outcome: 'different',
      conversations: 'rendered on another day',
      features: [],
      count: 1,
      why: "the template writes the current date, and the converted format has today's",
      example: { messages: 'user', ...excerpts(other!.text, one!.text) },
    },
  ]
}

function metaFormatOf(config: unknown): Format {
  return compileFormat({ meta_template: config, is_api: false }, new Set())
}

function isSet(value: StopsAndPrefix[keyof StopsAndPrefix]): boolean {
  return typeof value === 'string' ? value === 'tokenizer' : value.length > 0
}

function lostIn({ losses }: Proof): number {
  return losses.reduce((sum, { count }) => sum + count, 0)
}

function notExpressible(name: string, target: Target, { losses, total }: Proof): PromptError {
  const shown = losses.slice(0, 3).map(({ conversations, why }) => `${conversations}: ${why}`)
  const more = losses.length > 3 ? [`${losses.length - 3} more kinds`] : []
  const count = losses.reduce((sum, loss) => sum + loss.count, 0)
  return new PromptError('not-expressible', {
    where: name,
    problem: [`${target} cannot express ${count} of ${total} generated conversations:`, ...shown, ...more].join('\n'),
    fix: 'convert anyway with --approximate, which lists the losses, or choose another language with --to',
  })
}

/** What a format needs in addition to its text: prefix ids, who adds BOS, and where generation stops. */
export function stopsAndPrefixOf(format: Format): StopsAndPrefix {
  const written = writeConversation(format, readChat({ messages: [{ role: 'user', content: 'Hi' }] }), 'generate')
  if ('refused' in written) return { prefixIds: [], bos: 'none', stopTexts: [], stopTokens: [], stopIds: [] }
  const { pieces, stop, bos } = written.prompt
  const firstText = pieces.findIndex((piece) => 'text' in piece && piece.text !== '')
  const inFront = pieces.slice(0, firstText < 0 ? pieces.length : firstText)
  return {
    prefixIds: inFront.flatMap((piece) => ('ids' in piece ? piece.ids : [])),
    bos,
    stopTexts: stop.flatMap((one) => ('text' in one ? [one.text] : [])),
    stopTokens: stop.flatMap((one) => ('token' in one ? [one.token] : [])),
    stopIds: stop.flatMap((one) => ('id' in one ? [one.id] : [])),
  }
}
