import { type Note, PromptError, renderPrompt } from '@rolecall/core'
import type { Constraint } from '@rolecall/core/internal/constrain'
import { coreNotes, type NoteTable } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import {
  closedThought,
  endOfArguments,
  endOfCall,
  findSyntax,
  forcedCall,
  hasCalls,
  offeredSyntax,
  openingOf,
  plainReplies,
  type ReplySyntax,
  syntaxOf,
  syntaxOfReply,
} from '@rolecall/core/internal/reply'
import { control, type Piece, textOf } from '@rolecall/core/internal/text'
import type { InferenceEngine } from 'rolecall'
import type { OfferedTool, TurnRequest } from './turn-request.ts'

/** A turn that is ready to be generated. */
export type OpenTurn = {
  engine: InferenceEngine
  request: TurnRequest
  prompt: Prompt
  /** What the format wrote before the reply, which may continue it. */
  opening: string
  syntax: ReplySyntax
  tools: readonly OfferedTool[]
  constraint?: Constraint
  /** The reply consists of the arguments of a call; this text closes the call. */
  endOfArguments?: string
  /** What of the request has no effect, for the framework's warnings. */
  warnings: readonly string[]
}

const notes: NoteTable = coreNotes

/** Renders the prompt of a turn, and decides what its reply may be. */
export function openTurn(engine: InferenceEngine, request: TurnRequest): OpenTurn {
  const { messages, variables, toolChoice = 'auto', json } = request
  const { model } = engine
  const tools = toolChoice === 'none' ? [] : (request.tools ?? [])
  const { rendered } = renderPrompt(model, messages, { tools: tools.length === 0 ? undefined : tools, variables })
  const syntax = syntaxOfReply(model.format, rendered.notes)?.syntax ?? syntaxOf(model.format, model.replySyntax)
  if (tools.length > 0 && model.format.kind === 'completion' && !hasCalls(syntax))
    throw new PromptError('unsupported', {
      where: 'tools',
      problem: `how ${model.name} writes calls is unknown`,
      fix: 'remove the tools, use another model, or define the model with roles: "auto", which writes tools as text',
    })
  const opened: OpenTurn = {
    engine,
    request,
    prompt: rendered,
    opening: openingOf(rendered),
    syntax: model.format.kind === 'chat' ? plainReplies : offeredSyntax(syntax, { functions: tools.length > 0, interpreter: false }),
    tools,
    warnings: rendered.notes.filter((note) => isLoss(note)).map(({ text }) => text),
  }
  if (toolChoice === 'required' || typeof toolChoice === 'object')
    return forced(json === undefined ? opened : withWarning(opened, 'the JSON format has no effect: the reply has to be a call'))
  return json === undefined ? opened : asJson(opened, json)
}

/** What a prompt lost, or what had no effect. */
export function isLoss({ code }: Note): boolean {
  return notes[code]?.isLoss === true || code === 'variable-unread'
}

/** The reply has to be a call: its beginning is written into the prompt. */
function forced(turn: OpenTurn): OpenTurn {
  const { tools, request, engine, syntax, opening, prompt } = turn
  const names = tools.map(({ function: { name } }) => name)
  const wanted = typeof request.toolChoice === 'object' ? request.toolChoice.name : names.length === 1 ? names[0] : undefined
  if (names.length === 0 || (wanted !== undefined && !names.includes(wanted)))
    throw new PromptError('unknown-tool', {
      where: 'toolChoice',
      problem: wanted === undefined ? 'a call is required, but there are no tools' : `"${wanted}" is not among the tools`,
      fix: `choose one of the tools (${names.join(', ') || 'there are none'}), or "auto"`,
    })
  if (prompt.kind === 'chat') return turn
  const pieces = forcedCall(syntax, opening, wanted, findSyntax(engine.model.format).example)
  if (pieces === undefined)
    throw new PromptError('unsupported', {
      where: 'toolChoice',
      problem: `a call cannot be enforced with the format of ${engine.model.name}`,
      fix: wanted === undefined ? 'name the tool, or use "auto"' : 'use "auto"',
    })
  const begun = continued(turn, pieces)
  const end = endOfCall(syntax, engine.tokenizer)
  const single = end === undefined ? begun : { ...begun, prompt: { ...begun.prompt, stop: [...begun.prompt.stop, end] } }
  const tool = wanted === undefined ? undefined : tools.find(({ function: { name } }) => name === wanted)
  const closing = endOfArguments(syntax)
  if (tool === undefined || closing === undefined)
    return withWarning(single, 'the arguments of the forced call are not constrained by their schema')
  const schema = { type: 'object', ...(tool.function.parameters as object | undefined) }
  const constraint: Constraint = { kind: 'json-schema', schema, where: `tools.${wanted}` }
  // Servers accept a constraint for the value, but not for the text that closes the call.
  return engine.drawsHere
    ? constrained(single, { kind: 'sequence', parts: [constraint, { kind: 'choice', choices: [closing] }] })
    : { ...constrained(single, constraint), endOfArguments: closing }
}

/** The reply has to be JSON: an open thought is closed, since a value inside it would not be part of the reply's text. */
function asJson(turn: OpenTurn, { schema }: { schema?: unknown }): OpenTurn {
  if (turn.tools.length > 0) return withWarning(turn, 'the JSON format is not enforced, since the reply may be a call')
  const constraint: Constraint =
    schema === undefined ? { kind: 'json-object' } : { kind: 'json-schema', schema, where: 'responseFormat.schema' }
  if (turn.prompt.kind === 'chat') return { ...turn, constraint }
  const closing = closedThought(turn.syntax, turn.opening).map((text) => control(text, { by: 'format', path: 'responseFormat' }))
  return constrained({ ...continued(turn, closing), opening: '', syntax: plainReplies }, constraint)
}

function constrained(turn: OpenTurn, constraint: Constraint): OpenTurn {
  turn.engine.checkConstraint?.(constraint)
  return { ...turn, constraint }
}

function continued(turn: OpenTurn, more: readonly Piece[]): OpenTurn {
  if (turn.prompt.kind === 'chat') return turn
  const pieces = [...turn.prompt.pieces, ...more]
  const prompt = { ...turn.prompt, pieces, answer: { start: pieces.length, end: pieces.length } }
  return { ...turn, prompt, opening: turn.opening + textOf(more) }
}

function withWarning(turn: OpenTurn, warning: string): OpenTurn {
  return { ...turn, warnings: [...turn.warnings, warning] }
}
