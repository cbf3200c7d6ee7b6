import type { Reply } from '../../model/language-model/language-model.ts'

/** What came of a request: never what was said. */
export type RequestEntry = {
  id: string
  method: string
  path: string
  /** 499: the client went away. */
  status: number
  milliseconds: number
  /** The name of the key it carried, where clients have keys. */
  client?: string
  model?: string
  tokens?: Reply['tokens']
}

/**
 * An entry as a line of a log.
 *
 * @example
 * requestLine({ id: 'req_1', method: 'POST', path: '/v1/messages', status: 200, milliseconds: 8.4 }) // => 'req_1 POST /v1/messages 200 8 ms'
 */
export function requestLine({ id, method, path, status, milliseconds, client, model, tokens }: RequestEntry): string {
  const who = client === undefined ? '' : ` by ${client}`
  const counted = tokens ? ` ${tokens.prompt}+${tokens.reply} tokens, ${tokens.reused} reused` : ''
  return `${id} ${method} ${path} ${status} ${Math.round(milliseconds)} ms${who}${model === undefined ? '' : ` ${model}`}${counted}`
}
