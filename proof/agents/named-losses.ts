import type { Note } from '@rolecall/core/internal/errors'
import type { RequestedChat } from '../../packages/rolecall/src/server/chat/requested-chat.ts'

/**
 * Words that a prompt lacks and that no report names: a note on a loss names the message or the tool that had the word. Words that the
 * reader of the API has left out are named by its problems, which are texts.
 */
export function unnamedLosses(lost: readonly string[], { exact, problems }: RequestedChat, losses: readonly Note[]): string[] {
  const { messages, tools } = exact
  return lost.filter((word) => {
    const places = [...placesOf(messages, 'messages', word), ...placesOf(tools ?? [], 'tools', word)]
    if (places.length === 0) return problems.length === 0
    return !losses.some(({ where = '' }) => places.some((place) => where === place || where.startsWith(`${place}.`)))
  })
}

function placesOf(list: readonly unknown[], name: string, word: string): string[] {
  return list.flatMap((item, index) => (hasWord(item, word) ? [`${name}[${index}]`] : []))
}

function hasWord(value: unknown, word: string): boolean {
  return JSON.stringify(value, plainValue)?.includes(word) === true
}

/** Python's dictionaries are maps. */
function plainValue(_: string, value: unknown): unknown {
  return value instanceof Map ? [...value] : value
}
