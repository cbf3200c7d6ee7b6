import type { PromptError } from '../../base/errors/prompt-error.ts'

/** What a client is told of an error. */
export type ToldError = { status: number; message: string; param?: string; code: string }

/** What is wrong between this server and the one behind it: nothing that a client could mend, or should hear more of. */
const behind: Readonly<Record<string, number>> = {
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

/**
 * What a client can do about an error, where the error itself speaks to whoever wrote the config or the program. Errors say what to do
 * in the words of their first reader; a client has only its request.
 */
const advice: Readonly<Record<string, string>> = {
  'too-long': 'send less: fewer or shorter messages, or a shorter prompt',
  'empty-prompt': 'say something',
  'nothing-to-send': 'send a message of the user',
  'no-tools': 'leave them out, or ask another model',
  'calls-not-supported': 'leave the calls out, or ask another model',
  'no-images': 'send text only',
  'images-not-supported': 'send text only',
  'not-text': 'send text only',
  'ids-in-text': 'send text only',
  'bad-arguments': 'send the arguments as JSON',
  'history-not-written': 'send only the last message, or ask another model',
  'unknown-role': 'use one of the roles that it has',
  'system-rejected': 'leave it out, or say it in the first message of the user',
  'no-system-slot': 'leave it out, or say it in the first message of the user',
  'roles-must-alternate': 'join the two messages',
  'unsupported-ask': 'leave continue_final_message out',
  'nothing-to-continue': 'end with a message of the assistant, or leave continue_final_message out',
  'marker-in-data': 'change the text',
  'cannot-score': 'ask without the log-probabilities of a prompt',
  'no-room': 'send less',
  'template-raised': 'change the messages as it says',
  'template-undefined': 'give the messages what the chat template asks for, or ask another model',
  'template-limit': 'send less',
  'examples-without-template': 'send an ice_template, or leave the examples out',
  'examples-without-place': 'send ice_token, and write it into the template where the examples go',
  'ice-token-missing': 'send ice_token, and write it into the template where the examples go',
  'dialogue-in-string': 'write both template and ice_template as texts, or both as dialogues',
  'missing-output-column': 'send output_column, and rows that have it',
  'masked-column': 'name another column, or another output_column',
}

/** The fields of requests: an error at such a place is the client's. */
const inRequest =
  /^(?:messages|tools|tool_choice|prompt|system|input|instructions|template|ice_template|ice_token|row|examples|label|mode|output_column|continue_final_message|chat_template_kwargs|stop|content|response_format|text\.format|output_config|guided_json|guided_regex|guided_choice|structured_outputs)\b/

/** What a client is told of a mistake that was found in this library; undefined where it is none of the client's business. */
export function tellClient(error: PromptError): ToldError | undefined {
  const status = behind[error.code]
  if (status !== undefined) return { status, message: `the model's own server cannot be asked (${error.code})`, code: error.code }
  if (error.code === 'refused') return refusedBehind(error)
  const isPlaced = inRequest.test(error.where)
  const fix = advice[error.code] ?? (isPlaced ? error.fix : undefined)
  if (fix === undefined) return undefined
  // Clients look for this code, to make the chat shorter.
  const code = error.code === 'too-long' ? 'context_length_exceeded' : error.code
  const sentence = `${fix.charAt(0).toUpperCase()}${fix.slice(1)}${/[.?!…]$/.test(fix) ? '' : '.'}`
  return {
    status: 400,
    message: `${isPlaced ? `${error.where}: ` : ''}${error.problem}. ${sentence}`,
    ...(isPlaced ? { param: error.where } : {}),
    code,
  }
}

/** The words of the server behind are about the request; its address is not for clients. */
function refusedBehind({ problem }: PromptError): ToldError {
  const said = /answered \d+: "(.*)"$/s.exec(problem)?.[1]
  const isTooLong = said !== undefined && /context[ _]length|context window|maximum[^.]*tokens|too long/i.test(said)
  return {
    status: 400,
    message: `the model's own server refuses the request${said === undefined ? '' : `: ${said}`}`,
    code: isTooLong ? 'context_length_exceeded' : 'refused',
  }
}
