// `rolecall/models`: language models as all of Rolecall uses them (the embedded one, servers), and how tokens are sampled.

export { mlcSampling } from './evaluation/run/ask/mlc-sampling.ts'
export { openAnthropic, openGoogle } from './model/chat-apis/open-chat-api.ts'
export { type EmbeddedFiles, openEmbedded } from './model/embedded/open-embedded.ts'
export type { GenerateOptions, LanguageModel, ModelReply, ScoredPrompt } from './model/language-model/language-model.ts'
export type { ModelNotes } from './model/language-model/model-notes.ts'
export { greedy, pickToken, type Sampling, sampleToken, seededRandom, softmax } from './model/language-model/sampling.ts'
export { StopFilter } from './model/language-model/stop-filter.ts'
export { fetchClient } from './model/openai/http/fetch-client.ts'
export { type HttpClient, HttpFailure, type HttpReply, type HttpRequest } from './model/openai/http/http-client.ts'
export type { Wait } from './model/openai/http/wait.ts'
export { type OpenAIOptions, openOpenAI } from './model/openai/open-openai.ts'
