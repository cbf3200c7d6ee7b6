/** How another program's class writes a model's prompts. */
export type PromptWriter =
  /** With the chat template of the model's tokenizer. */
  | 'chat-template'
  /** With the config's `meta_template`; without one as plain text. */
  | 'meta-template'
  /** Not at all: it sends messages to a server, or a text rendered by the `meta_template`. */
  | 'server'
  /** In a custom protocol or layout. */
  | 'own'

/** Classes that a config may name as the type of a model, and how Rolecall handles them. */
export type ModelClasses = {
  program: 'OpenCompass' | 'AISBench'
  classes: readonly string[]
  writes: PromptWriter
  /** Which of its prompts Rolecall writes, for the docs. */
  prompts: string
  /** How Rolecall runs it, and which settings are not used. */
  runs: string
}

const onServer = 'on a server that you start: `--models NAME=URL`, or one `--base-url` for all'

/** Model classes of OpenCompass and AISBench, as data: the docs print it, and prompt rendering depends on it. */
export const modelClasses: readonly ModelClasses[] = [
  {
    program: 'OpenCompass',
    classes: ['HuggingFacewithChatTemplate', 'VLLMwithChatTemplate', 'TurboMindModelwithChatTemplate', 'HuggingFaceAboveV433Chat'],
    writes: 'chat-template',
    prompts:
      'by the chat template of the tokenizer, which is looked for in `tokenizer_path` and `path`, where they are folders, or given by `chat_template` or `--chat-template`; without it they are refused',
    runs: `${onServer}; without the template the server writes it. \`model_kwargs\`, \`engine_config\` and \`run_cfg\` are not used`,
  },
  {
    program: 'OpenCompass',
    classes: [
      ...['HuggingFace', 'HuggingFaceCausalLM', 'HuggingFaceBaseModel', 'HuggingFaceAboveV433Base', 'VLLM', 'TurboMindModel'],
      ...['TurboMindTisModel', 'LmdeployPytorchModel', 'InternLM', 'Llama2', 'GLM130B', 'AlayaLM'],
    ],
    writes: 'meta-template',
    prompts: 'by `meta_template`; as plain text where there is none, as the class does',
    runs: `${onServer}, with the prompt as it is rendered. \`model_kwargs\`, \`engine_config\`, \`run_cfg\` and \`batch_padding\` are not used`,
  },
  {
    program: 'OpenCompass',
    classes: ['HuggingFaceChatGLM3', 'Llama2Chat'],
    writes: 'own',
    prompts: 'messages, which the class writes in its own layout',
    runs: `${onServer}, which writes the messages`,
  },
  {
    program: 'OpenCompass',
    classes: ['OpenAI', 'OpenAISDK', 'OpenAISDKStreaming'],
    writes: 'server',
    prompts: 'messages, or the text that `meta_template` writes',
    runs: "as `type: 'openai'`; `openai_api_base`, `query_per_second`, `max_workers`, `batch_size` (requests at once) and `retry` keep their names, `openai_extra_kwargs` is `extra_body`",
  },
  {
    program: 'OpenCompass',
    classes: ['Claude', 'ClaudeSDK', 'Gemini'],
    writes: 'own',
    prompts: 'messages',
    runs: "not as the class; the services run as `type: 'anthropic'` and `type: 'google'` (docs/servers.md)",
  },
  {
    program: 'OpenCompass',
    classes: ['OpenAISDKResponse', 'Qwen', 'ZhiPuAI', 'ZhiPuV2AI', 'DeepseekAPI', 'MoonShot', 'YiAPI'],
    writes: 'own',
    prompts: 'messages',
    runs: `no: the services have their own protocols. If one has an OpenAI-compatible address, ${onServer.replace('on a server that you start: ', '')}`,
  },
  {
    program: 'AISBench',
    classes: ['VLLMCustomAPIChat', 'VLLMCustomAPIChatStream', 'VLLMFunctionCallAPIChat', 'VllmMultiturnAPIChatStream'],
    writes: 'server',
    prompts: 'messages',
    runs: "as `type: 'openai'`, at the address that `host_ip`, `host_port` and `enable_ssl`, or `url`, say",
  },
  {
    program: 'AISBench',
    classes: ['VLLMCustomAPI', 'VLLMCustomAPIStream'],
    writes: 'server',
    prompts: 'the text that `meta_template` writes',
    runs: "as `type: 'openai'` with `endpoint: 'completions'`",
  },
  {
    program: 'AISBench',
    classes: ['MindieStreamApi', 'TGICustomAPI', 'TGICustomAPIStream', 'TritonCustomAPI', 'TritonCustomAPIStream', 'MindFormerModel'],
    writes: 'meta-template',
    prompts: 'the text that `meta_template` writes',
    runs: `not at their own endpoints (\`/infer\`, \`/generate\`, \`/v2/models\`); ${onServer}, which MindIE and TGI answer at \`/v1\``,
  },
]

const byClass: ReadonlyMap<string, ModelClasses> = new Map(modelClasses.flatMap((one) => one.classes.map((name) => [name, one] as const)))

/** The entry for the class that a model's type names, with or without its module. */
export function modelClassOf(type: string | undefined): ModelClasses | undefined {
  return byClass.get(type?.split('.').at(-1) ?? '')
}
