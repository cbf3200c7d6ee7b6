/** Where a client finds the server, and which model it is to use. */
export type ClientTarget = {
  /** Without a path: `http://127.0.0.1:8017`. */
  url: string
  model: string
  /** Maximum tokens of a prompt and its reply, if known. */
  context?: number | undefined
  /** Requests have to carry a key. */
  hasKey: boolean
}

/** What a coding agent needs in order to use the server. */
export type ClientSettings = {
  /** Files by their place, `~` being the home folder. */
  files: Readonly<Record<string, string>>
  /** Environment variables. */
  env: Readonly<Record<string, string>>
  /** Commands that are run once. */
  setup: readonly (readonly string[])[]
  /** The command that starts it. */
  start: readonly string[]
}

/** The key in a client's settings: they want one even if the server does not. */
const noKey = 'none'
const keyVariable = 'ROLECALL_API_KEY'

const tokensOfReply = 8192

/** The coding agents whose settings `rolecall serve --for` prints. */
export const clientSettings = {
  'claude-code': ({ url, model, hasKey }) => ({
    files: {},
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: hasKey ? `$${keyVariable}` : noKey,
      ANTHROPIC_MODEL: model,
      // Its small tasks, and its sub-agents.
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      ANTHROPIC_DEFAULT_SONNET_MODEL: model,
      ANTHROPIC_DEFAULT_OPUS_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
    setup: [],
    start: ['claude'],
  }),
  codex: ({ url, model, context, hasKey }) => ({
    files: {
      '~/.codex/config.toml': [
        `model = ${JSON.stringify(model)}`,
        'model_provider = "rolecall"',
        ...(context === undefined ? [] : [`model_context_window = ${context}`]),
        '',
        '[model_providers.rolecall]',
        'name = "Rolecall"',
        `base_url = ${JSON.stringify(`${url}/v1`)}`,
        'wire_api = "responses"',
        ...(hasKey ? [`env_key = ${JSON.stringify(keyVariable)}`] : []),
        '',
      ].join('\n'),
    },
    env: {},
    setup: [],
    start: ['codex'],
  }),
  opencode: ({ url, model, context, hasKey }) => ({
    files: {
      '~/.config/opencode/opencode.json': jsonText({
        $schema: 'https://opencode.ai/config.json',
        model: `rolecall/${model}`,
        small_model: `rolecall/${model}`,
        provider: {
          rolecall: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Rolecall',
            options: { baseURL: `${url}/v1`, apiKey: hasKey ? `{env:${keyVariable}}` : noKey },
            models: {
              [model]: {
                name: model,
                tool_call: true,
                reasoning: true,
                interleaved: { field: 'reasoning_content' },
                limit: context === undefined ? undefined : { context, output: Math.min(tokensOfReply, context) },
              },
            },
          },
        },
      }),
    },
    env: {},
    setup: [],
    start: ['opencode'],
  }),
  'qwen-code': ({ url, model, hasKey }) => ({
    files: {},
    env: { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: hasKey ? `$${keyVariable}` : noKey, OPENAI_MODEL: model },
    setup: [],
    start: ['qwen', '--auth-type', 'openai'],
  }),
  cline: ({ url, model, hasKey }) => ({
    files: {},
    env: {},
    setup: [
      [
        'cline',
        'auth',
        '--provider',
        'openai',
        '--apikey',
        hasKey ? `$${keyVariable}` : noKey,
        '--modelid',
        model,
        '--baseurl',
        `${url}/v1`,
      ],
    ],
    start: ['cline'],
  }),
  pi: ({ url, model, context, hasKey }) => ({
    files: {
      '~/.pi/agent/models.json': jsonText({
        providers: {
          rolecall: {
            baseUrl: `${url}/v1`,
            api: 'openai-completions',
            apiKey: hasKey ? keyVariable : noKey,
            models: [{ id: model, name: model, contextWindow: context, maxTokens: context && Math.min(tokensOfReply, context) }],
          },
        },
      }),
    },
    env: {},
    setup: [],
    start: ['pi', '--provider', 'rolecall', '--model', model],
  }),
} as const satisfies Readonly<Record<string, (target: ClientTarget) => ClientSettings>>

export type ClientName = keyof typeof clientSettings

export const clientNames = Object.keys(clientSettings) as readonly ClientName[]

/** The settings as text to paste into a shell and into files. */
export function showClientSettings(client: ClientName, target: ClientTarget): string {
  const { files, env, setup, start }: ClientSettings = clientSettings[client](target)
  return [
    ...Object.entries(files).map(([path, text]) => `# ${path}\n${text.trimEnd()}\n`),
    ...Object.entries(env).map(([name, value]) => `export ${name}=${shellWord(value)}`),
    ...[...setup, start].map((command) => command.map(shellWord).join(' ')),
  ].join('\n')
}

/** Variables stay variables. */
function shellWord(word: string): string {
  if (/^\$[A-Z_]+$/.test(word)) return `"${word}"`
  return /^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
