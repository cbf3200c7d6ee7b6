import { type ChatInput, type JinjaTemplate, type RenderedChatPieces, renderChatPieces, TemplateError } from '../../../base/jinja/index.ts'
import { textOf } from '../../../base/text/index.ts'

/** A template's capabilities, found by rendering small chats. */
export type Capabilities = {
  /** `shown`: a system message is part of the prompt; `dropped`: it is omitted; `rejected`: the template raises an error. */
  system: 'shown' | 'dropped' | 'rejected'
  /** Whether user and assistant must alternate. */
  alternates: boolean
  /** Whether it describes the offered tools. */
  tools: boolean
  /** Whether it writes calls of the assistant and tool results. */
  toolCalls: boolean
  toolResults: boolean
  /** Whether content may be a list of parts. */
  parts: boolean
  /** Whether it writes the model's reasoning in `reasoning_content`. */
  reasoning: boolean
  /** Whether `{% generation %}` marks the assistant's text. */
  generation: boolean
  /** Whether it has a generation prompt. */
  generationPrompt: boolean
  /** Whether the template itself writes BOS. */
  writesBos: boolean
  /** Text that ends the assistant's turn. */
  endOfTurn: string
  /** Texts that mark turns. */
  markers: readonly string[]
}

const clock = new Date(2024, 6, 26)
const user = (content: string) => ({ role: 'user', content })

/** Renders probes; their texts differ from anything a template would write. */
export function probeTemplate(
  template: JinjaTemplate,
  tokens: Readonly<Record<string, string>>,
  kwargs: ChatInput['kwargs'] = {},
): Capabilities {
  const render = (input: ChatInput): RenderedChatPieces | undefined => {
    try {
      return renderChatPieces(template, { tokens, kwargs, ...input }, { clock })
    } catch (error) {
      if (error instanceof TemplateError) return undefined
      throw error
    }
  }
  const shows = (text: string, input: ChatInput) => render(input)?.text.includes(text) ?? false
  const tool = {
    type: 'function',
    function: { name: 'qzTool', description: 'qzDescription', parameters: { type: 'object', properties: {} } },
  }
  const call = { id: 'qzcallid1', type: 'function', function: { name: 'qzCalled', arguments: { qzKey: 'qzValue' } } }
  const called = [user('qzUser'), { role: 'assistant', content: '', reasoning_content: 'qzReason', tool_calls: [call] }]
  const system = render({ messages: [{ role: 'system', content: 'qzSystem' }, user('qzUser')] })
  const plain = render({ messages: [user('qzUser')] })
  const asked = render({ messages: [user('qzUser')], addGenerationPrompt: true })
  const answered = render({ messages: [user('qzUser'), { role: 'assistant', content: 'qzAnswer' }] })
  const after = answered === undefined ? '' : answered.text.slice(answered.text.lastIndexOf('qzAnswer') + 'qzAnswer'.length)
  return {
    system: systemFate(system, plain),
    alternates: plain !== undefined && render({ messages: [user('qzUser'), user('qzAgain')] }) === undefined,
    tools: shows('qzTool', { messages: [user('qzUser')], tools: [tool] }),
    toolCalls: shows('qzCalled', { messages: called, tools: [tool] }),
    toolResults: shows('qzResult', {
      messages: [...called, { role: 'tool', name: 'qzCalled', tool_call_id: 'qzcallid1', content: 'qzResult' }],
      tools: [tool],
    }),
    parts: takesParts(render({ messages: [{ role: 'user', content: [{ type: 'text', text: 'qzPart' }] }] })),
    reasoning: shows('qzReason', { messages: called, tools: [tool] }),
    generation: (answered?.generation.length ?? 0) > 0,
    generationPrompt: asked !== undefined && plain !== undefined && asked.text !== plain.text,
    writesBos: tokens.bos_token !== undefined && (asked?.text.startsWith(tokens.bos_token) ?? false),
    endOfTurn: answered?.text.includes('qzAnswer') === true ? after.trim() : '',
    markers: markersIn(
      [system, asked, answered].filter((rendered) => rendered !== undefined),
      tokens,
    ),
  }
}

/** A template without support for parts may print the list as Python does. */
function takesParts(rendered: RenderedChatPieces | undefined): boolean {
  return rendered?.text.includes('qzPart') === true && !/['"]qzPart/.test(rendered.text)
}

function systemFate(withSystem: RenderedChatPieces | undefined, without: RenderedChatPieces | undefined): Capabilities['system'] {
  // If even a lone question is rejected, the template needs something else, and its error says what.
  if (withSystem === undefined) return without === undefined ? 'shown' : 'rejected'
  return withSystem.text.includes('qzSystem') ? 'shown' : 'dropped'
}

/** Special tokens, and what looks like one in the template's text. */
function markersIn(rendered: readonly RenderedChatPieces[], tokens: Readonly<Record<string, string>>): string[] {
  const written = rendered.flatMap(
    ({ pieces }) => textOf(pieces.filter(({ control }) => control)).match(/<[^<>\s]+>|\[\/?[A-Z_]+\]/g) ?? [],
  )
  return [...new Set([...Object.values(tokens), ...written])].filter((marker) => marker !== '')
}
