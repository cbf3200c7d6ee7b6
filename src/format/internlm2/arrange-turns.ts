import type { InternLM2Options } from '../../config/internlm2-options-schema.ts'
import { type Conversation, type Item, isLoose, isTurn, type Section, type ToolCall, type Turn } from '../../conversation/conversation.ts'
import { PromptError } from '../../prompt-error.ts'
import { plain, type TextPiece } from '../../text/index.ts'
import { interpreterInstructions } from './instructions.ts'
import type { InternLM2Layout } from './layout.ts'
import { writeTools } from './write-tools.ts'

export type Dialogue = Conversation & { kind: 'dialogue' }

type Origin = { path: string; name: string }

/**
 * Says in turns what a conversation has beside them: the tools, the interpreter, the default system text. Results of tools
 * become turns of the environment. The conversation is not changed.
 */
export function arrangeTurns(conversation: Dialogue, layout: InternLM2Layout, options: InternLM2Options, origin: Origin): Dialogue {
  const { tools = [], interpreter } = conversation
  if ((tools.length > 0 || interpreter) && !layout.action) throw noTools(tools[0]?.path ?? interpreter!.path, origin)
  const sections = namedResults(conversation.sections)
  if (tools.length === 0 && !interpreter && options.system === undefined)
    return sections === conversation.sections ? conversation : { ...conversation, sections }
  const first = firstTurn(sections)
  const added: Turn[] = []
  if (interpreter && !isInstructed(sections)) added.push({ role: 'system', name: 'interpreter', path: interpreter.path })
  if (tools.length > 0) {
    const end = options.end_newlines?.includes('tools') ? [plain('\n', { by: 'format', path: `${origin.path}.tools` })] : []
    const content: TextPiece[] = [...writeTools(tools, options.tools_layout ?? 'line'), ...end]
    added.push({ role: 'system', name: 'plugin', content, path: 'tools' })
  }
  if (options.tools_order === 'plugin-first') added.reverse()
  const system: Turn[] =
    options.system !== undefined && !(first && isSystem(first))
      ? [{ role: 'system', content: [plain(options.system, { by: 'format', path: `${origin.path}_options.system` })], path: origin.path }]
      : []
  return {
    kind: 'dialogue',
    notes: conversation.notes,
    sections: insert(sections, [...system, ...added], system.length, options.tools_place ?? 'after-first-system'),
  }
}

/** Puts turns where tools go. A default system turn comes before everything. */
function insert(
  sections: readonly Section[],
  turns: readonly Turn[],
  atStart: number,
  place: NonNullable<InternLM2Options['tools_place']>,
): readonly Section[] {
  if (turns.length === 0) return sections
  const at = sections.findIndex(({ items }) => items.length > 0)
  const section = sections[Math.max(at, 0)] ?? { kind: 'chat', items: [] }
  const leading = section.items.findIndex((item) => isLoose(item) || !isSystem(item))
  const systems = leading < 0 ? section.items.length : leading
  const index = atStart > 0 || place === 'start' ? 0 : place === 'after-systems' ? systems : Math.min(systems, 1)
  // Not inside the first section, which may be an example.
  if (index === 0) return [{ kind: 'begin', items: turns }, ...sections]
  const items: Item[] = [...section.items.slice(0, index), ...turns, ...section.items.slice(index)]
  return sections.map((other, number) => (number === at ? { ...section, items } : other))
}

function isInstructed(sections: readonly Section[]): boolean {
  return sections.some(({ items }) => items.some((item) => isTurn(item) && isSystem(item) && item.name === 'interpreter'))
}

function firstTurn(sections: readonly Section[]): Turn | undefined {
  const first = sections.find(({ items }) => items.length > 0)?.items[0]
  return first && isTurn(first) ? first : undefined
}

/** `developer` is OpenAI's newer name for the system. */
function isSystem({ role }: Turn): boolean {
  return role === 'system' || role === 'SYSTEM' || role === 'developer'
}

/** OpenAI's `tool` is document 004's `environment name=<|plugin|>`, or `<|interpreter|>` where it answers a call that runs code. */
function namedResults(sections: readonly Section[]): readonly Section[] {
  if (!sections.some(({ items }) => items.some((item) => isTurn(item) && isResult(item)))) return sections
  // A result answers the call of its id, or the first that no result has answered yet.
  let open: ToolCall[] = []
  return sections.map((section) => ({
    ...section,
    items: section.items.map((item) => {
      if (isLoose(item)) return item
      if (item.calls) open = [...item.calls]
      if (!isResult(item)) return item
      const answered = item.callId === undefined ? open[0] : open.find(({ id }) => id === item.callId)
      open = open.filter((call) => call !== answered)
      const isCode = item.name === 'interpreter' || (item.name !== 'plugin' && answered?.code !== undefined)
      return { ...item, role: 'environment', name: isCode ? 'interpreter' : 'plugin' }
    }),
  }))
}

function isResult({ role }: Turn): boolean {
  return role === 'tool' || role === 'function'
}

export function noTools(where: string, { name }: Pick<Origin, 'name'>): PromptError {
  return new PromptError('no-tools', {
    where,
    problem: `the format "${name}" has no way to speak of tools, interpreters or calls`,
    fix: 'leave them out, or use another format',
  })
}

/** What a turn of the interpreter says when nothing is written there. */
export function instruction(options: InternLM2Options, path: string): TextPiece[] {
  const text = interpreterInstructions[options.language ?? 'zh']
  const end = options.end_newlines?.includes('interpreter') ? '\n' : ''
  return [plain(text + end, { by: 'format', path: `${path}.interpreter` })]
}
