import type { PromptError } from '@rolecall/core/internal/errors'

/** Errors that every other row would have, too: the server is down, the key is wrong, the model is missing or not installed. */
const codes: ReadonlySet<string> = new Set([
  ...[
    'server-down',
    'server-busy',
    'unauthorized',
    'no-such-model',
    'no-endpoint',
    'bad-proxy',
    'cannot-score',
    'no-usage',
    'batch-failed',
  ],
  // Workers on a queue: none can serve this run, or the run belongs to someone else.
  ...['run-in-use', 'other-key', 'other-version', 'other-config', 'config-with-functions', 'bad-setup', 'worker-failed', 'no-workers'],
  ...['not-installed', 'peer-missing', 'peer-broken', 'missing-peer', 'no-interpreter'],
])

/**
 * Whether the error ends the run, because it is not specific to the row.
 *
 * @example
 * stopsRun(new PromptError('server-down', { where: 'qwen', problem: 'no answer', fix: 'start it' })) // => true
 */
export function stopsRun({ code }: PromptError): boolean {
  return codes.has(code)
}
