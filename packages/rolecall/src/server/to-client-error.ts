import type { PromptError } from '@rolecall/core/internal/errors'
import { openaiOverflow, overflowCode } from './context-overflow.ts'

/** An error as clients see it. */
export type ClientError = { status: number; message: string; param?: string; code: string }

/** Statuses of upstream failures: clients cannot fix them, and get no details. */
const upstreamFailures: Readonly<Record<string, number>> = {
  unauthorized: 502,
  'no-such-model': 502,
  'no-endpoint': 502,
  'request-failed': 502,
  'reply-differs': 502,
  'not-scored': 502,
  'bad-proxy': 502,
  'server-busy': 503,
  'server-down': 503,
}

/** Fixes for clients, by error code: those of the errors address the author of the config, and a client controls only its request. */
const clientFixes: Readonly<Record<string, string>> = {
  'too-long': 'send less: fewer or shorter messages, or a shorter prompt',
  'empty-prompt': 'send some text',
  'nothing-to-send': 'send a user message',
  'no-tools': 'remove them, or use another model',
  'calls-not-supported': 'remove the calls, or use another model',
  'no-images': 'send text only',
  'images-not-supported': 'send text only',
  'not-text': 'send text only',
  'part-not-written': 'leave it out, or use another model',
  'part-refused': 'leave it out, or use another model',
  'parts-not-supported': 'send its content as one text',
  'ids-in-text': 'send text only',
  'bad-arguments': 'send the arguments as JSON',
  'history-not-written': 'send only the last message, or use another model',
  'unknown-role': 'use one of its roles',
  'system-rejected': 'remove it, or move it into the first user message',
  'no-system-slot': 'remove it, or move it into the first user message',
  'roles-refused': 'change the messages accordingly, or use another model',
  'roles-must-alternate': 'merge the two messages',
  'unsupported-ask': 'remove continue_final_message',
  'nothing-to-continue': 'end with an assistant message, or remove continue_final_message',
  'marker-in-data': 'change the text',
  'cannot-score': 'do not request log-probabilities of the prompt',
  'no-room': 'send less',
  'text-left-out': 'remove it, or use another model',
  'template-raised': 'change the messages accordingly',
  'template-undefined': 'add the fields that the chat template needs to the messages, or use another model',
  'template-limit': 'send less',
  'template-unsafe': 'leave out what it cannot write (tool calls, for example), or use another model',
  'template-failed': 'change the messages accordingly, or use another model',
  'slow-tokenizer': 'send less',
  'examples-without-template': 'send an ice_template, or remove the examples',
  'examples-without-place': 'send ice_token, and put it into the template where the examples go',
  'ice-token-missing': 'send ice_token, and put it into the template where the examples go',
  'dialogue-in-string': 'make template and ice_template both strings or both dialogues',
  'missing-output-column': 'send output_column, and rows with that column',
  'masked-column': 'name another column, or another output_column',
}

/** Request fields: an error located in one of them is the client's. */
const requestField =
  /^(?:messages|tools|tool_choice|prompt|system|input|instructions|template|ice_template|ice_token|row|examples|label|mode|output_column|continue_final_message|chat_template_kwargs|stop|content|response_format|text\.format|output_config|guided_json|guided_regex|guided_choice|structured_outputs)\b/

/** Translates an error for the client; undefined if it must not be disclosed. */
export function toClientError(error: PromptError): ClientError | undefined {
  if (isOurFault(error)) return undefined
  const status = upstreamFailures[error.code]
  if (status !== undefined) return { status, message: `the upstream server failed (${error.code})`, code: error.code }
  if (error.code === 'refused') return rejectedUpstream(error)
  const isInRequest = requestField.test(error.where)
  const fix = clientFixes[error.code] ?? (isInRequest ? error.fix : undefined)
  if (fix === undefined) return undefined
  // Clients check for this code, or its words, and shorten the chat.
  const code = error.code === 'too-long' ? overflowCode : error.code
  const sentence = `${fix.charAt(0).toUpperCase()}${fix.slice(1)}${/[.?!…]$/.test(fix) ? '' : '.'}`
  return {
    status: 400,
    message: `${isInRequest ? `${error.where}: ` : placeInTemplate(error)}${overflowOf(error) ?? error.problem}. ${sentence}`,
    ...(isInRequest ? { param: error.where } : {}),
    code,
  }
}

function overflowOf({ code, problem }: PromptError): string | undefined {
  const [, prompt, most] = (code === 'too-long' && /^the prompt has (\d+) tokens, but the model's context is (\d+)$/.exec(problem)) || []
  return prompt === undefined ? undefined : openaiOverflow(Number(most), prompt)
}

/** Where a template failed, without the path of its file. */
function placeInTemplate({ code, where }: PromptError): string {
  const place = templatePlace.exec(where)?.[0]
  const isOfTemplate = code.startsWith('template-') || code === 'roles-refused'
  return place === undefined || !isOfTemplate ? '' : `chat template${place}: `
}

const templatePlace = /, line \d+, column \d+$/

/** A template that fails somewhere in its code fails because of what it was given; otherwise its thread has failed. */
function isOurFault({ code, where }: PromptError): boolean {
  return code === 'template-failed' && !templatePlace.test(where)
}

/** Quotes the upstream server's message without its address. */
function rejectedUpstream({ problem }: PromptError): ClientError {
  const said = /answered \d+: "(.*)"$/s.exec(problem)?.[1]
  const isTooLong =
    said !== undefined && /context[ _]length|context window|context size|maximum[^.]*tokens|too long|longer than/i.test(said)
  return {
    status: 400,
    message: `the upstream server rejected the request${said === undefined ? '' : `: ${said}`}`,
    code: isTooLong ? overflowCode : 'refused',
  }
}
