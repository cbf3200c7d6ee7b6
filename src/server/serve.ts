import type { Hono } from 'hono'
import { compileChat } from '../compile-chat.ts'
import type { ModelConfig } from '../config/config-schema.ts'
import { runEnvironment } from '../node/run-environment.ts'
import { type AppOptions, createApp } from './create-app.ts'
import { type Listening, listen } from './listen.ts'
import type { ModelToServe } from './served-model.ts'

export type ServeOptions = Omit<AppOptions, 'models'> & {
  /** The models by their configs; those that are open already are served as they are. */
  models: readonly (ModelConfig | ModelToServe)[]
  /** 0, the default: any that is free. */
  port?: number
  /** By default only this machine is served. */
  host?: string
  /** Where paths in the configs begin; by default the current folder. */
  folder?: string
  /** Puts something of your own before the server: other routes, a log. */
  wrap?: (app: Hono) => Hono
}

/**
 * Serves models as OpenAI's servers do, until it is closed. Models that it opens itself are closed with it.
 *
 * @example
 * const server = await serve({ models: [{ type: 'embedded', format: 'internlm2' }] })
 * const { data } = await (await fetch(`${server.url}/v1/models`)).json()
 * data.map(({ id }) => id) // => ['tiny-chat']
 * await server.close()
 */
export async function serve({
  models,
  port,
  host,
  folder = process.cwd(),
  wrap = (app) => app,
  ...options
}: ServeOptions): Promise<Listening> {
  const environment = runEnvironment(folder)
  const opened: ModelToServe[] = []
  const closeModels = async () => {
    for (const { model } of opened) await model.close?.()
  }
  try {
    const toServe: ModelToServe[] = []
    for (const given of models) {
      if (isOpen(given)) toServe.push(given)
      else {
        const model = await environment.openModel(given, compileChat(given).format)
        opened.push({ model, config: given })
        toServe.push(opened.at(-1)!)
      }
    }
    const listening = await listen(wrap(createApp({ ...options, models: toServe })), {
      ...(port === undefined ? {} : { port }),
      ...(host === undefined ? {} : { host }),
    })
    return {
      ...listening,
      async close() {
        await listening.close()
        await closeModels()
      },
    }
  } catch (error) {
    await closeModels()
    throw error
  }
}

function isOpen(model: ModelConfig | ModelToServe): model is ModelToServe {
  return typeof (model as ModelToServe).model === 'object' && typeof (model as ModelToServe).config === 'object'
}
