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
  /** What follows the end of the last message: how the model's reply begins. */
  reply: string
}
