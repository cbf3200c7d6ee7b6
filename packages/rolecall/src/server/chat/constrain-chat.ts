import type { Constraint } from '@rolecall/core/internal/constrain'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { plainReplies } from '@rolecall/core/internal/reply'
import { control } from '@rolecall/core/internal/text'
import { badField } from '../api-error.ts'
import { checkConstraint, constraintOf, constraintPlace, type FormatPlaces, type Requested } from '../response-format.ts'
import type { ServedModel } from '../served-model.ts'
import type { ChatPrompt } from './chat-prompt.ts'
import type { ChatSettings } from './chat-request.ts'
import { closedThought, endOfArguments } from './forced-call.ts'
import { type FunctionTool, strictCalls } from './strict-calls.ts'

/** Adds the constraint on the reply: the response format of the request, or the schema of a forced call's arguments. */
export async function constrainChat(
  chatPrompt: ChatPrompt,
  request: ChatSettings,
  served: ServedModel,
  { places, ...by }: Requested & { places?: FormatPlaces | undefined },
): Promise<ChatPrompt> {
  const wanted = constraintOf(request, places)
  const { candidates } = chatPrompt
  if (chatPrompt.forcedFrom !== undefined) {
    const unused: Note[] = wanted
      ? [{ code: 'format-unused', where: constraintPlace(wanted), text: 'ignored, because the reply must be a tool call' }]
      : []
    const constrained = withNotes(await constrainArguments(chatPrompt, request, served, by), unused)
    if (!candidates) return constrained
    return { ...constrained, candidates: await Promise.all(candidates.map((one) => constrainArguments(one, request, served, by))) }
  }
  if (!wanted) return withStrictCalls(chatPrompt, request, served, by)
  await checkConstraint(wanted, served, by)
  if (chatPrompt.prompt.kind === 'chat') return { ...chatPrompt, constraint: wanted }
  refuseConflicts(chatPrompt, request, wanted)
  // An open thought is closed: a value inside it would not be part of the reply's text.
  const closing = closedThought(chatPrompt.syntax, chatPrompt.opening).map((text) =>
    control(text, { by: 'format', path: constraintPlace(wanted) }),
  )
  const pieces = [...chatPrompt.prompt.pieces, ...closing]
  const prompt = { ...chatPrompt.prompt, pieces, answer: { start: pieces.length, end: pieces.length } }
  return { ...chatPrompt, prompt, opening: '', syntax: plainReplies, constraint: wanted }
}

function withNotes(chatPrompt: ChatPrompt, notes: readonly Note[]): ChatPrompt {
  return notes.length === 0
    ? chatPrompt
    : { ...chatPrompt, prompt: { ...chatPrompt.prompt, notes: [...chatPrompt.prompt.notes, ...notes] } }
}

function refuseConflicts({ tools }: ChatPrompt, request: ChatSettings, wanted: Constraint): void {
  const refuse = (problem: string) => badField(constraintPlace(wanted), problem, 'unsupported')
  if (tools.length > 0) throw refuse('a constrained reply cannot be a tool call; set tool_choice to "none", or remove the tools')
  if (request.continue_final_message) throw refuse('a continued reply cannot be constrained; remove continue_final_message')
}

function functionIn(tool: object): FunctionTool {
  return (tool as { function?: FunctionTool }).function ?? (tool as FunctionTool)
}

/** Constrains the arguments of a forced call, if the format writes them as JSON. */
async function constrainArguments(
  chatPrompt: ChatPrompt,
  { tools }: ChatSettings,
  served: ServedModel,
  by: Requested,
): Promise<ChatPrompt> {
  const index = (tools ?? []).findIndex((tool) => functionIn(tool).name === chatPrompt.forcedTool)
  const end = endOfArguments(chatPrompt.syntax)
  const tool = index < 0 ? undefined : functionIn(tools![index]!)
  if (!tool || chatPrompt.forcedTool === undefined) return chatPrompt
  const where = `tools[${index}].function.parameters`
  if (end === undefined) {
    const text = 'strict is not enforced: the format does not write arguments as JSON'
    return tool.strict === true ? withNotes(chatPrompt, [{ code: 'not-enforced', where, text }]) : chatPrompt
  }
  const json: Constraint = { kind: 'json-schema', schema: { type: 'object', ...((tool.parameters ?? {}) as object) }, where }
  try {
    // Upstream servers accept a constraint for the value, but not for the text that closes the call.
    const constraint: Constraint = served.model.drawsHere ? { kind: 'sequence', parts: [json, { kind: 'choice', choices: [end] }] } : json
    await checkConstraint(constraint, served, by)
    return { ...chatPrompt, constraint, ...(served.model.drawsHere ? {} : { endOfArguments: end }) }
  } catch (error) {
    // Without strict, enforcement is best effort.
    if (!(error instanceof PromptError) || tool.strict === true) throw error
    return withNotes(chatPrompt, [{ code: 'not-enforced', where, text: `the arguments are not constrained: ${error.problem}` }])
  }
}

/** With tool_choice "auto", strict tools constrain the reply from the marker of a call on. */
async function withStrictCalls(
  chatPrompt: ChatPrompt,
  { tools = [] }: ChatSettings,
  served: ServedModel,
  by: Requested,
): Promise<ChatPrompt> {
  const given = (tools ?? []).map(functionIn)
  const index = given.findIndex(({ strict }) => strict === true)
  if (index < 0 || chatPrompt.tools.length === 0 || chatPrompt.prompt.kind === 'chat') return chatPrompt
  const where = `tools[${index}].function.strict`
  const unenforced = (text: string) => withNotes(chatPrompt, [{ code: 'not-enforced', where, text }])
  const later = served.model.drawsHere ? strictCalls(chatPrompt, given, where) : undefined
  if (!later) return unenforced('strict is enforced only with tool_choice "required" or a named tool')
  try {
    await checkConstraint(later.constraint, served, by)
    return { ...chatPrompt, later }
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    return unenforced(`strict is not enforced: ${error.problem}`)
  }
}
