import type { PyValue } from '../../base/python/index.ts'
import type { Tool } from '../conversation/conversation.ts'

/**
 * How a format writes chats of which every message is a role and a text: enough to write them without making pieces. Where more than
 * that decides what is written, a chat is rendered.
 */
export type PlainChat = {
  /** The roles of messages. */
  roles: readonly string[]
  /** What one role says twice in a row is joined, which is left to `render`. */
  alternates: boolean
  /** What stands between messages goes by position and repeats after so many. */
  period: number
  /** A system message is a turn like any other (`system` is among the roles), stands before them all, or has no place. */
  system: 'turn' | 'slot' | 'none'
  /** Everything up to the words of the first message, which this role says; `system` is given only where it has a slot. */
  start(system: string | undefined, first: string): string
  begin(role: string): string
  end(index: number, role: string): string
  /** How tools, calls and their results are written, where that can be told for each by itself. */
  tools?: PlainTools
  /** What follows the end of the last message: how the model's reply begins. */
  reply: string
}

/** How a format writes what a chat with tools has besides roles and texts. Code, names and whatever else there may be is rendered. */
export type PlainTools = {
  /** The whole turn that tells the model of its tools. */
  list(tools: readonly Tool[]): string
  /** Where that turn stands: before everything, behind the first of the system's turns, or behind all of them at the start. */
  place: 'start' | 'after-first-system' | 'after-systems'
  /** A call, behind the words of its turn. */
  call(name: string, given: PyValue): string
  /** What stands before the words of a result. */
  result: string
}
