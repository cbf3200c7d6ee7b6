import type { Constraint } from '@rolecall/core/internal/constrain'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { closedThought, endOfArguments, plainReplies } from '@rolecall/core/internal/reply'
import { control } from '@rolecall/core/internal/text'
import { badField } from '../api-error.ts'
import { checkConstraint, constraintPlace, type Requested } from '../response-format.ts'
import type { ServedModel } from '../served-model.ts'
import type { ChatPrompt } from './chat-prompt.ts'
import type { ChatSettings } from './chat-request.ts'
import type { RequestedChat } from './requested-chat.ts'
import { type FunctionTool, strictCalls } from './strict-calls.ts'

/** A chat prompt with a constraint that the model has to be able to enforce. */
type Wanted = {
  chatPrompt: ChatPrompt
  constraint?: Constraint
  /** What replaces it if the model is not: by default, the request is rejected. */
  otherwise?: (problem: string) => ChatPrompt
}

/** Adds the constraint on the reply: the response format of the request, or the schema of a forced call's arguments. */
export async function constrainChat(
  chatPrompt: ChatPrompt,
  { settings, constraint }: RequestedChat,
  served: ServedModel,
  by: Requested,
): Promise<ChatPrompt> {
  const { forcedFrom, candidates = [] } = chatPrompt
  if (forcedFrom === undefined) {
    const wanted = constraint ? wantedReply(chatPrompt, settings, constraint) : wantedCalls(chatPrompt, settings, served)
    return enforced(wanted, served, by)
  }
  const [first = chatPrompt, ...rest] = await Promise.all(
    [chatPrompt, ...candidates].map((one) => enforced(wantedArguments(one, settings, served), served, by)),
  )
  const constrained = rest.length === 0 ? first : { ...first, candidates: rest }
  if (!constraint) return constrained
  return withNote(constrained, {
    code: 'format-unused',
    where: constraintPlace(constraint),
    text: 'ignored, because the reply must be a tool call',
  })
}

async function enforced({ chatPrompt, constraint, otherwise }: Wanted, served: ServedModel, by: Requested): Promise<ChatPrompt> {
  try {
    await checkConstraint(constraint, served, by)
    return chatPrompt
  } catch (error) {
    if (!otherwise || !(error instanceof PromptError)) throw error
    return otherwise(error.problem)
  }
}

/** The whole reply is constrained. */
function wantedReply(chatPrompt: ChatPrompt, request: ChatSettings, constraint: Constraint): Wanted {
  if (chatPrompt.prompt.kind === 'chat') return { chatPrompt: { ...chatPrompt, constraint }, constraint }
  const where = constraintPlace(constraint)
  const refuse = (problem: string) => badField(where, problem, 'unsupported')
  if (chatPrompt.tools.length > 0) {
    if (constraint.kind !== 'json-schema' && constraint.kind !== 'json-object')
      throw refuse('a constrained reply cannot be a tool call; set tool_choice to "none", or remove the tools')
    // Agents send the schema of their last answer with every request.
    const text = 'not enforced, since the reply may be a tool call; a text that violates it is reported'
    return { chatPrompt: withNote({ ...chatPrompt, expected: constraint }, { code: 'format-unenforced', where, text }) }
  }
  if (request.continue_final_message) throw refuse('a continued reply cannot be constrained; remove continue_final_message')
  // An open thought is closed: a value inside it would not be part of the reply's text.
  const closing = closedThought(chatPrompt.syntax, chatPrompt.opening).map((text) => control(text, { by: 'format', path: where }))
  const pieces = [...chatPrompt.prompt.pieces, ...closing]
  const prompt = { ...chatPrompt.prompt, pieces, answer: { start: pieces.length, end: pieces.length } }
  return { chatPrompt: { ...chatPrompt, prompt, opening: '', syntax: plainReplies, constraint }, constraint }
}

/** The arguments of a forced call, if the format writes them as JSON. */
function wantedArguments(chatPrompt: ChatPrompt, { tools }: ChatSettings, served: ServedModel): Wanted {
  const { forcedTool } = chatPrompt
  const given = (tools ?? []).map(functionIn)
  const index = given.findIndex(({ name }) => name === forcedTool)
  const tool = given[index]
  if (!tool || forcedTool === undefined) return { chatPrompt }
  const where = `tools[${index}].function.parameters`
  const unenforced = (text: string) => withNote(chatPrompt, { code: 'not-enforced', where, text })
  const end = endOfArguments(chatPrompt.syntax)
  if (end === undefined) {
    const isStrict = tool.strict === true
    return { chatPrompt: isStrict ? unenforced('strict is not enforced: the format does not write arguments as JSON') : chatPrompt }
  }
  const json: Constraint = { kind: 'json-schema', schema: { type: 'object', ...((tool.parameters ?? {}) as object) }, where }
  // Upstream servers accept a constraint for the value, but not for the text that closes the call.
  const wanted: ChatPrompt = served.model.drawsHere
    ? { ...chatPrompt, constraint: { kind: 'sequence', parts: [json, { kind: 'choice', choices: [end] }] } }
    : { ...chatPrompt, constraint: json, endOfArguments: end }
  // Without strict, enforcement is best effort.
  const otherwise = (problem: string) => unenforced(`the arguments are not constrained: ${problem}`)
  return { chatPrompt: wanted, constraint: wanted.constraint, otherwise: tool.strict === true ? undefined : otherwise }
}

/** With tool_choice "auto", strict tools constrain the reply from the marker of a call on. */
function wantedCalls(chatPrompt: ChatPrompt, { tools }: ChatSettings, served: ServedModel): Wanted {
  const given = (tools ?? []).map(functionIn)
  const index = given.findIndex(({ strict }) => strict === true)
  if (index < 0 || chatPrompt.tools.length === 0 || chatPrompt.prompt.kind === 'chat') return { chatPrompt }
  const where = `tools[${index}].function.strict`
  const unenforced = (text: string) => withNote(chatPrompt, { code: 'not-enforced', where, text })
  const later = served.model.drawsHere ? strictCalls(chatPrompt, given, where) : undefined
  if (!later) return { chatPrompt: unenforced('strict is enforced only with tool_choice "required" or a named tool') }
  const otherwise = (problem: string) => unenforced(`strict is not enforced: ${problem}`)
  return { chatPrompt: { ...chatPrompt, later }, constraint: later.constraint, otherwise }
}

function functionIn(tool: object): FunctionTool {
  return (tool as { function?: FunctionTool }).function ?? (tool as FunctionTool)
}

function withNote(chatPrompt: ChatPrompt, note: Note): ChatPrompt {
  const { prompt } = chatPrompt
  return { ...chatPrompt, prompt: { ...prompt, notes: [...prompt.notes, note] } }
}
