import type { serverRules } from '../rules/replies.ts'

/** Which parser ran, how, and on what. */
export type ReplyInput = { parser: string; mode: string; input: string }

const conditions: Record<keyof typeof serverRules, (input: ReplyInput) => boolean> = {
  'reply-stream-defective': ({ mode, input }) => mode === 'stream' && input.includes('<|'),
  'reply-interpreter-as-text': ({ parser, input }) => isServer(parser) && input.includes(interpreter),
  'reply-lagent-raw': ({ parser, input }) => parser.startsWith('lagent') && input.includes(interpreter),
  'reply-several-calls': ({ parser, input }) => parser !== 'lmdeploy-head' && input.split(plugin).length > 2,
  'reply-malformed': ({ input }) => bodiesOf(input).some((body) => !isCall(body)),
  'reply-unterminated': ({ parser, input }) => parser === 'lmdeploy-head' && input.includes(plugin) && !input.includes(end),
  'reply-text-after': ({ input }) => input.includes(plugin) && input.includes(end) && !input.endsWith(end),
  'reply-end-mark': ({ input }) => input.includes('<|im_end|>'),
  'reply-two-names': ({ input }) => input.includes(plugin) && (input.match(/"name"\s*:/g) ?? []).length > input.split(plugin).length - 1,
  'reply-both-keys': ({ parser, input }) => parser === 'lmdeploy-head' && input.includes('"arguments"') && input.includes('"parameters"'),
  'reply-lagent-newline': ({ parser, input }) =>
    parser === 'lagent-head' && (!input.includes(`${plugin}\n`) || !input.includes(`${end}\n`)),
  'reply-lone-mark': ({ parser, input }) =>
    parser === 'lagent-0.2.4' && /<\|(?:action_start|plugin|interpreter)\|>/.test(input.replaceAll(plugin, '').replaceAll(interpreter, '')),
}

/** The rule by which Rolecall differs from a parser on an input, if any. */
export function ruleFor(input: ReplyInput): keyof typeof serverRules | undefined {
  return (Object.keys(conditions) as (keyof typeof serverRules)[]).find((name) => conditions[name](input))
}

const plugin = '<|action_start|><|plugin|>'
const interpreter = '<|action_start|><|interpreter|>'
const end = '<|action_end|>'

function isServer(parser: string): boolean {
  return parser.startsWith('vllm') || parser.startsWith('lmdeploy')
}

/** The text between each start mark and the next closing mark, as the references split it. */
function bodiesOf(input: string): string[] {
  return input
    .split(plugin)
    .slice(1)
    .map((rest) => rest.split(end)[0]!)
}

function isCall(body: string): boolean {
  try {
    const value: unknown = JSON.parse(body.replace(/<\|im_end\|>$/, ''))
    return isObject(value) && typeof value.name === 'string' && value.name !== ''
  } catch {
    return false
  }
}

function isObject(value: unknown): value is { name?: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
