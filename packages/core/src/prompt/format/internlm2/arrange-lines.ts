import { plain, type TextPiece } from '../../../base/text/index.ts'
import type { ToolCall } from '../../conversation/conversation.ts'
import type { Line, Turns } from '../adapt/script.ts'
import type { InternLM2Options } from './internlm2-options-schema.ts'
import { interpreterInstructions } from './interpreter-instructions.ts'
import { writeTools } from './write-tools.ts'

/**
 * The lines of a script, plus lines for the tools, the interpreter and the default system text. Tool results get the environment role. The
 * script is not changed.
 */
export function arrangeLines({ lines: given, tools = [], interpreter }: Turns, options: InternLM2Options, path: string): readonly Line[] {
  const lines = namedResults(given as readonly Line[])
  if (tools.length === 0 && !interpreter && options.system === undefined) return lines
  const added: Line[] = []
  if (interpreter && !lines.some(isInstruction)) added.push({ role: 'system', name: 'interpreter', path: interpreter.path })
  if (tools.length > 0) {
    const end = options.end_newlines?.includes('tools') ? [plain('\n', { by: 'format', path: `${path}.tools` })] : []
    const content: TextPiece[] = [...writeTools(tools, options.tools_layout ?? 'line'), ...end]
    added.push({ role: 'system', name: 'plugin', content, path: 'tools' })
  }
  if (options.tools_order === 'plugin-first') added.reverse()
  // An empty chat gets no default system text, as in lmdeploy.
  if (options.system !== undefined && lines.length > 0 && lines[0]!.role !== 'system') {
    const content = [plain(options.system, { by: 'format', path: `${path}_options.system` })]
    return [{ role: 'system', content, path }, ...added, ...lines]
  }
  const at = placeOfTools(lines, options.tools_place ?? 'after-first-system')
  return [...lines.slice(0, at), ...added, ...lines.slice(at)]
}

/** After the first system turn, or after all, but never inside an example. */
function placeOfTools(lines: readonly Line[], place: NonNullable<InternLM2Options['tools_place']>): number {
  if (place === 'start') return 0
  const other = lines.findIndex(({ role, example }) => role !== 'system' || example !== undefined)
  const systems = other < 0 ? lines.length : other
  return place === 'after-systems' ? systems : Math.min(systems, 1)
}

function isInstruction({ role, name }: Line): boolean {
  return role === 'system' && name === 'interpreter'
}

/** OpenAI's `tool` is document 004's `environment name=<|plugin|>`, or `<|interpreter|>` where it answers a call that runs code. */
function namedResults(lines: readonly Line[]): readonly Line[] {
  if (!lines.some(isResult)) return lines
  // A result answers the call with its id, or the first unanswered one.
  let open: ToolCall[] = []
  return lines.map((line) => {
    if (line.calls) open = [...line.calls]
    if (!isResult(line)) return line
    const answered = line.callId === undefined ? open[0] : open.find(({ id }) => id === line.callId)
    open = open.filter((call) => call !== answered)
    const isCode = line.name === 'interpreter' || (line.name !== 'plugin' && answered?.code !== undefined)
    return { ...line, role: 'environment', name: isCode ? 'interpreter' : 'plugin' }
  })
}

function isResult({ role }: Line): boolean {
  return role === 'tool' || role === 'function'
}

/** The text of an empty interpreter turn. */
export function instruction(options: InternLM2Options, path: string): TextPiece[] {
  const text = interpreterInstructions[options.language ?? 'zh']
  const end = options.end_newlines?.includes('interpreter') ? '\n' : ''
  return [plain(text + end, { by: 'format', path: `${path}.interpreter` })]
}
