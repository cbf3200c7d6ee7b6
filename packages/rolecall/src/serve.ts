// `rolecall/serve`: an OpenAI-compatible server for any model in its own format. It needs Node.
export { type AppOptions, createApp } from './server/create-app.ts'
export type { Listening } from './server/listen.ts'
export { type ServeOptions, serve } from './server/serve-models.ts'
export type { ModelToServe } from './server/served-model.ts'
export type { ServerLimits } from './server/server-limits.ts'
