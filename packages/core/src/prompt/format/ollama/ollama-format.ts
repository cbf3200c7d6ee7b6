import type { Note } from '../../../base/errors/note.ts'
import {
  evaluateGoTemplate,
  GoBudget,
  type GoPiece,
  type GoValue,
  type Node,
  parseGoTemplate,
  Said,
} from '../../../base/go-template/index.ts'
import { control, isText, type Piece, plain, textOf } from '../../../base/text/index.ts'
import { adaptConversation } from '../adapt/adapt-conversation.ts'
import { type Line, type Turns, wordsOf } from '../adapt/script.ts'
import { answeredBy, type Traits } from '../adapt/traits.ts'
import { lostText } from '../chat-template/lost-texts.ts'
import type { Format } from '../format.ts'
import { cutAtResponse, usesField } from './response.ts'

export type OllamaOptions = {
  where?: string
  /** The SYSTEM of the Modelfile, for conversations without a system text. */
  system?: string
  stops?: readonly string[]
}

type Spoken = { role: string; content: readonly Piece[] }

/**
 * A template of Ollama as a format, rendered as Ollama does: consecutive messages of one role are joined by an empty line, a last message
 * of the assistant stays open, and a template without messages is executed once per round.
 */
export function ollamaFormat(source: string, options: OllamaOptions = {}): Format {
  const where = options.where ?? 'TEMPLATE'
  const given = parseGoTemplate(source, where)
  const usesMessages = usesField(given, 'Messages')
  const nodes: Node[] = usesMessages || usesField(given, 'Response') ? given : [...given, ...parseGoTemplate('{{ .Response }}', where)]
  const traits: Traits = {
    formatName: 'the template of Ollama',
    roles: ['system', 'user', 'assistant', 'tool'],
    userRole: 'user',
    looseText: 'as-user',
    rounds: answeredBy('assistant', ['user', 'tool']),
    replyRole: 'assistant',
    refusesCalls: true,
    fields: [],
    alternates: { joint: { text: '\n\n', control: false }, roles: ['system', 'user', 'assistant'] },
    joinsParts: true,
    readsContent: true,
    rewritesContent: true,
  }
  return {
    name: 'the template of Ollama',
    kind: 'completion',
    traits,
    template: source,
    markers: markersOf(nodes),
    render(conversation, ask) {
      const script = adaptConversation(conversation, ask, traits)
      const stop = (options.stops ?? []).map((text) => ({ text, source: { by: 'format', path: 'PARAMETER stop' } as const }))
      if (script.kind === 'text') return { kind: 'completion', pieces: script.content, bos: 'tokenizer', stop, notes: script.notes }
      const spoken = linesOf(script, options.system)
      const written = usesMessages ? evaluateGoTemplate(nodes, messagesData(spoken), where) : inRounds(nodes, spoken, where)
      const pieces = written.flatMap((piece) => tracedPiece(piece, where)).filter((piece) => !isText(piece) || piece.text !== '')
      const end = { start: pieces.length, end: pieces.length }
      return {
        kind: 'completion',
        pieces,
        bos: 'tokenizer',
        stop,
        notes: [...script.notes, ...leftOut(spoken, pieces)],
        ...(ask.want === 'complete' ? {} : { answer: end }),
      }
    },
  }
}

/** Notes on texts of the conversation that the template does not write, such as a system text that it has no place for. */
function leftOut(spoken: readonly Spoken[], pieces: readonly Piece[]): Note[] {
  const written = new Set(pieces)
  let body: string | undefined
  const given = spoken.flatMap(({ content }) => content.filter(isText)).filter(({ source }) => source.by !== 'format')
  return given.flatMap((piece): Note[] => {
    const said = piece.text.trim()
    if (said === '' || written.has(piece)) return []
    // Functions such as `json` and `slice` write texts anew.
    body ??= textOf(pieces.filter(isText))
    return body.includes(said) || body.includes(JSON.stringify(said).slice(1, -1)) ? [] : [lostText(piece.source.path, 'the text', said)]
  })
}

function linesOf({ lines }: Turns, system: string | undefined): Spoken[] {
  const spoken = (lines as readonly Line[]).map((line): Spoken => ({ role: line.role, content: wordsOf(line) }))
  if (system === undefined || spoken[0]?.role === 'system') return spoken
  return [{ role: 'system', content: [control(system, { by: 'format', path: 'SYSTEM' })] }, ...spoken]
}

function said({ content }: Spoken): GoValue {
  return new Said(textOf(content.filter(isText)), content)
}

/** Ollama's input for a template that iterates over messages. */
function messagesData(spoken: readonly Spoken[]): GoValue {
  const systems = spoken
    .filter(({ role }) => role === 'system')
    .flatMap(({ content }, index) => [...(index === 0 ? [] : [joint]), ...content])
  const empty = { Thinking: '', Images: [], ToolCalls: [], ToolName: '', ToolCallID: '' } as const
  return new Map<string, GoValue>([
    ['System', new Said(textOf(systems.filter(isText)), systems)],
    ['Messages', spoken.map((one) => ({ ...empty, Role: one.role, Content: said(one) }))],
    ['Tools', []],
    ['Response', ''],
    ['Prompt', ''],
    ['Suffix', ''],
  ])
}

const joint: Piece = { text: '\n\n', control: false, source: { by: 'format', path: 'merge' } }

/** A template without messages is executed for every round: a system text, the user's text, and the reply. */
function inRounds(nodes: readonly Node[], spoken: readonly Spoken[], where: string): GoPiece[] {
  const written: GoPiece[] = []
  const budget = new GoBudget(where)
  let round: Partial<Record<'System' | 'Prompt' | 'Response', GoValue>> = {}
  const data = (): GoValue => new Map(Object.entries({ System: '', Prompt: '', Response: '', ...round }) as [string, GoValue][])
  const flush = () => {
    for (const piece of evaluateGoTemplate(nodes, data(), where, budget)) written.push(piece)
    round = {}
  }
  for (const one of spoken) {
    if (one.role === 'system') {
      if (isSaid(round.Prompt) || isSaid(round.Response)) flush()
      round.System = said(one)
    } else if (one.role === 'user') {
      if (isSaid(round.Response)) flush()
      round.Prompt = said(one)
    } else if (one.role === 'assistant') round.Response = said(one)
  }
  return [...written, ...evaluateGoTemplate(cutAtResponse(nodes), data(), where, budget)]
}

function isSaid(value: GoValue | undefined): boolean {
  return value instanceof Said && value.text !== ''
}

function tracedPiece({ text, of }: GoPiece, where: string): readonly Piece[] {
  if (of === undefined) return [control(text, { by: 'format', path: where })]
  const pieces = of as readonly Piece[]
  const texts = pieces.filter(isText)
  // What `slice` and `json` make of a text is text, too.
  return textOf(texts) === text ? pieces : [plain(text, texts[0]?.source ?? { by: 'format', path: where })]
}

function markersOf(nodes: readonly Node[]): string[] {
  const texts = nodes.flatMap((node): string[] => {
    if (node.kind === 'text') return [node.text]
    if (node.kind === 'write')
      return node.pipeline.commands.flat().flatMap((one) => (one.kind === 'literal' && typeof one.value === 'string' ? [one.value] : []))
    return 'body' in node ? markersOf([...node.body, ...node.otherwise]) : []
  })
  return [...new Set(texts.flatMap((text) => text.match(/<[^<>\s]+>|\[\/?[A-Z_]+\]/g) ?? []))]
}
