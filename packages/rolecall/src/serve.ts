// `rolecall/serve`: an OpenAI-compatible server for any model in its own format. It needs Node.
export { type AppOptions, createApp } from './app/server/create-app.ts'
export type { Listening } from './app/server/listen.ts'
export { type ServeOptions, serve } from './app/server/serve-models.ts'
export type { ModelToServe } from './app/server/served-model.ts'
export type { ServerLimits } from './app/server/server-context.ts'
