import { stringifyJson } from '../../python/index.ts'
import type { Tool } from '../../template/conversation.ts'

/** The tools of a request as the present generation shows them to a model: a JSON list, as Python writes it. */
export function functionList(tools: readonly Tool[]): string {
  return stringifyJson(tools.map(({ schema }) => schema))
}
