import type { Note } from '../../../base/errors/note.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { control } from '../../../base/text/index.ts'
import type { Constraint } from '../../../model/constrain/index.ts'
import { plainReplies } from '../../../model/reply/index.ts'
import { ApiError } from '../api-error.ts'
import { checkConstraint, constraintOf, type FormatPlaces } from '../response-format.ts'
import type { ServedModel } from '../served-model.ts'
import type { ChatPrompt } from './chat-prompt.ts'
import type { ChatRequest } from './chat-request.ts'
import { closedThought, endOfArguments } from './forced-call.ts'
import { type FunctionTool, strictCalls } from './strict-calls.ts'

/** The chat with what its reply has to be: what the request asks for, or the arguments of the call that was begun. */
export function constrainChat(asked: ChatPrompt, request: ChatRequest, served: ServedModel, places?: FormatPlaces): ChatPrompt {
  const wanted = constraintOf(request, places)
  const { candidates } = asked
  if (asked.forcedFrom !== undefined) {
    const unused: Note[] = wanted
      ? [{ code: 'format-unused', where: whereOf(wanted), text: 'the reply has to be a call, so it is not constrained' }]
      : []
    const constrained = withNotes(constrainArguments(asked, request, served), unused)
    return candidates ? { ...constrained, candidates: candidates.map((one) => constrainArguments(one, request, served)) } : constrained
  }
  if (!wanted) return withStrictCalls(asked, request, served)
  checkConstraint(wanted, served)
  if (asked.prompt.kind === 'chat') return { ...asked, constraint: wanted }
  refuseBeside(asked, request, wanted)
  // A value inside a thought would be one that was only thought of.
  const closing = closedThought(asked.syntax, asked.opening).map((text) => control(text, { by: 'format', path: whereOf(wanted) }))
  const pieces = [...asked.prompt.pieces, ...closing]
  const prompt = { ...asked.prompt, pieces, answer: { start: pieces.length, end: pieces.length } }
  return { ...asked, prompt, opening: '', syntax: plainReplies, constraint: wanted }
}

function whereOf(constraint: Constraint): string {
  return ('where' in constraint ? constraint.where : undefined) ?? 'response_format'
}

function withNotes(asked: ChatPrompt, notes: readonly Note[]): ChatPrompt {
  return notes.length === 0 ? asked : { ...asked, prompt: { ...asked.prompt, notes: [...asked.prompt.notes, ...notes] } }
}

function refuseBeside({ tools }: ChatPrompt, request: ChatRequest, wanted: Constraint): void {
  const where = whereOf(wanted)
  const refuse = (problem: string) => new ApiError(400, { message: `${where}: ${problem}`, param: where, code: 'unsupported' })
  if (tools.length > 0) throw refuse('a constrained reply cannot be a call: set tool_choice to "none", or leave out the tools')
  if (request.continue_final_message) throw refuse('a reply that was begun cannot be constrained: leave out continue_final_message')
}

function functionIn(tool: object): FunctionTool {
  return (tool as { function?: FunctionTool }).function ?? (tool as FunctionTool)
}

/** The arguments of a call that was begun with its name, where they are written as JSON. */
function constrainArguments(asked: ChatPrompt, { tools }: ChatRequest, served: ServedModel): ChatPrompt {
  const index = (tools ?? []).findIndex((tool) => functionIn(tool).name === asked.forcedTool)
  const end = endOfArguments(asked.syntax)
  const tool = index < 0 ? undefined : functionIn(tools![index]!)
  if (!tool || asked.forcedTool === undefined) return asked
  const where = `tools[${index}].function.parameters`
  if (end === undefined) {
    const text = 'strict is not enforced: the format writes arguments in its own way'
    return tool.strict === true ? withNotes(asked, [{ code: 'not-enforced', where, text }]) : asked
  }
  const json: Constraint = { kind: 'json-schema', schema: { type: 'object', ...((tool.parameters ?? {}) as object) }, where }
  try {
    // Other servers have a word for a value, but none for what closes the call behind it.
    const constraint: Constraint = served.model.drawsHere ? { kind: 'sequence', parts: [json, { kind: 'choice', choices: [end] }] } : json
    served.model.checkConstraint?.(constraint)
    return { ...asked, constraint, ...(served.model.drawsHere ? {} : { endOfArguments: end }) }
  } catch (error) {
    // What is not strict is done as well as can be.
    if (!(error instanceof PromptError) || tool.strict === true) throw error
    return withNotes(asked, [{ code: 'not-enforced', where, text: `the arguments are not constrained: ${error.problem}` }])
  }
}

/** A model that is free to call or not: once it has written the mark of a call, strict tools bind it. */
function withStrictCalls(asked: ChatPrompt, { tools = [] }: ChatRequest, served: ServedModel): ChatPrompt {
  const given = (tools ?? []).map(functionIn)
  const index = given.findIndex(({ strict }) => strict === true)
  if (index < 0 || asked.tools.length === 0 || asked.prompt.kind === 'chat') return asked
  const where = `tools[${index}].function.strict`
  const told = (text: string) => withNotes(asked, [{ code: 'not-enforced', where, text }])
  const later = served.model.drawsHere ? strictCalls(asked, given, where) : undefined
  if (!later) return told('strict is enforced here only where a call has to come: with tool_choice "required" or a named tool')
  try {
    served.model.checkConstraint?.(later.constraint)
    return { ...asked, later }
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    return told(`strict is not enforced: ${error.problem}`)
  }
}
