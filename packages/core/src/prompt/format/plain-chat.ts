import type { PyValue } from '../../base/python/index.ts'
import type { Tool } from '../conversation/conversation.ts'

/**
 * How a format writes chats whose messages are only a role and a text, without making pieces. A chat with anything else is
 * rendered.
 */
export type PlainChat = {
  /** The roles of messages. */
  roles: readonly string[]
  /** Consecutive messages of one role are joined, which is left to `render`. */
  alternates: boolean
  /** The text between messages depends on their position, and repeats with this period. */
  period: number
  /** A system message is a turn like any other (`system` is among the roles), comes before all turns, or is not supported. */
  system: 'turn' | 'slot' | 'none'
  /** Everything before the text of the first message, which has this role; `system` is given only if it has a slot. */
  start(system: string | undefined, first: string): string
  begin(role: string): string
  end(index: number, role: string): string
  /** How tools, calls and their results are written, if each is independent of the others. */
  tools?: PlainTools
  /** The text after the last message: how the model's reply begins. */
  reply: string
}

/** How a format writes tools, calls and results. Chats with code, names or anything else are rendered. */
export type PlainTools = {
  /** The whole turn that describes the tools to the model. */
  list(tools: readonly Tool[]): string
  /** Where that turn goes: before everything, after the first system turn, or after all system turns at the start. */
  place: 'start' | 'after-first-system' | 'after-systems'
  /** A call, written after the text of its turn. */
  call(name: string, given: PyValue): string
  /** The text before a result. */
  result: string
}
