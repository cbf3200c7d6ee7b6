/**
 * Rules for where the parsers of serving stacks and Rolecall differ on a reply. They test the input (and which parser ran,
 * and how). `docs/replies.md` lists them as a table.
 */
export type ReplyInput = { parser: string; mode: string; input: string }

export const replyRules: Record<string, { reason: string; applies: (input: ReplyInput) => boolean }> = {
  'reply-stream-defective': {
    reason: 'Streamed calls lose or garble names and arguments, or leak marks into the text.',
    applies: ({ mode, input }) => mode === 'stream' && input.includes('<|'),
  },
  'reply-interpreter-as-text': {
    reason: 'Code for the interpreter is left in the text with its marks, or swallowed with them.',
    applies: ({ parser, input }) => isServer(parser) && input.includes(interpreter),
  },
  'reply-lagent-raw': {
    reason: 'The interpreter block is handed on with its fence, cut at the first closing mark or with the mark in it.',
    applies: ({ parser, input }) => parser.startsWith('lagent') && input.includes(interpreter),
  },
  'reply-several-calls': {
    reason: 'A second start mark is an error, or only the first call is read.',
    applies: ({ parser, input }) => parser !== 'lmdeploy-head' && input.split(plugin).length > 2,
  },
  'reply-malformed': {
    reason: 'A call that is not JSON with a name is an error, becomes text, or is handed on as if it were one.',
    applies: ({ input }) => bodiesOf(input).some((body) => !isCall(body)),
  },
  'reply-unterminated': {
    reason: 'Without the closing mark the call becomes text, although servers stop on that mark.',
    applies: ({ parser, input }) => parser === 'lmdeploy-head' && input.includes(plugin) && !input.includes(end),
  },
  'reply-text-after': {
    reason: 'Text after a call is dropped.',
    applies: ({ input }) => input.includes(plugin) && input.includes(end) && !input.endsWith(end),
  },
  'reply-end-mark': {
    reason: 'The mark that ends the turn is left in the text.',
    applies: ({ input }) => input.includes('<|im_end|>'),
  },
  'reply-two-names': {
    reason: 'Of two names the last counts, although a stream has already told the first.',
    applies: ({ input }) => input.includes(plugin) && (input.match(/"name"\s*:/g) ?? []).length > input.split(plugin).length - 1,
  },
  'reply-both-keys': {
    reason: "Of `parameters` and `arguments` the latter counts, contrary to InternLM's _对话格式_ (Chat Format).",
    applies: ({ parser, input }) => parser === 'lmdeploy-head' && input.includes('"arguments"') && input.includes('"parameters"'),
  },
  'reply-lagent-newline': {
    reason: 'lagent HEAD wants a newline after each mark: without it the call is text, or the closing mark is part of the call.',
    applies: ({ parser, input }) => parser === 'lagent-head' && (!input.includes(`${plugin}\n`) || !input.includes(`${end}\n`)),
  },
  'reply-lone-mark': {
    reason: 'A mark that opens nothing is dropped or an error.',
    applies: ({ parser, input }) =>
      parser === 'lagent-0.2.4' &&
      /<\|(?:action_start|plugin|interpreter)\|>/.test(input.replaceAll(plugin, '').replaceAll(interpreter, '')),
  },
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
