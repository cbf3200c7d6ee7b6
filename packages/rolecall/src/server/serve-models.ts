import { PromptError } from '@rolecall/core/internal/errors'
import { withCompiler } from '@rolecall/core/internal/format'
import type { Hono } from 'hono'
import type { ModelConfig } from '../evaluation/config/config-schema.ts'
import type { LanguageModel } from '../model/language-model/language-model.ts'
import { ConstraintThreads } from '../node/constraints/threaded-guides.ts'
import { tokenizerOf } from '../node/models/load-tokenizer.ts'
import { openModel } from '../node/models/model-flags.ts'
import { isolatedTemplate } from '../node/templates/isolated-template.ts'
import { type AppOptions, createApp } from './create-app.ts'
import { guard } from './guard.ts'
import { type Listening, listen } from './listen.ts'
import type { PromptModelSource } from './prompts/prompt-messages.ts'
import { PromptThread } from './prompts/prompt-thread.ts'
import { type ModelToServe, nameOf, withServedRoles } from './served-model.ts'
import { defaultServerLimits } from './server-limits.ts'
import { openRenderer } from './token-service/open-renderer.ts'

/** Options of {@link serve}. */
export type ServeOptions = Omit<AppOptions, 'models'> & {
  /** Model configs, or models that are already open. */
  models: readonly (ModelConfig | ModelToServe)[]
  /** 0, the default: any free port. */
  port?: number
  /** 127.0.0.1 by default: reachable from this machine only. */
  host?: string
  /** Serve other machines without a key. */
  allowAnyone?: boolean
  /** Opens no engine: the models need a tokenizer, and only what builds prompts and reads token ids is answered. */
  renderOnly?: boolean
  /** Base folder of relative paths in the configs; the working directory by default. */
  folder?: string
  /** Wraps the app, e.g. to add routes or logging. */
  wrap?: (app: Hono) => Hono
}

const loopback = ['127.0.0.1', 'localhost', '::1', '[::1]']

/**
 * Starts an OpenAI-compatible server. Closing it also closes the models that it opened.
 *
 * @example
 * const server = await serve({ models: [{ type: 'embedded', format: 'internlm2' }] })
 * const { data } = await (await fetch(`${server.url}/v1/models`)).json()
 * data.map(({ id }) => id) // => ['tiny-chat']
 * await server.close()
 */
export async function serve(options: ServeOptions): Promise<Listening> {
  const {
    models,
    port = 0,
    host = '127.0.0.1',
    allowAnyone = false,
    folder = process.cwd(),
    hosts = [],
    wrap = (app) => app,
    renderOnly = false,
    ...rest
  } = options
  const isLocal = loopback.includes(host)
  // Checks the options before any model is opened.
  guard(rest)
  if (!isLocal && rest.apiKey === undefined && !rest.keys?.length && !allowAnyone) {
    throw new PromptError('no-key', {
      where: '--host',
      problem: `on ${host}, other machines could use the model without a key`,
      fix: 'set a key with --api-key, or use --allow-anyone',
    })
  }
  const names = isLocal ? [...loopback, ...hosts] : hosts
  const opened: ModelToServe[] = []
  const constraints = new ConstraintThreads(rest.limits?.constraintSeconds ?? defaultServerLimits.constraintSeconds)
  const sources: PromptModelSource[] = []
  let prompts: PromptThread | undefined
  const closeModels = async () => {
    await Promise.all([constraints.stop(), prompts?.stop()])
    for (const { model } of opened) await model.close?.()
  }
  try {
    const toServe: ModelToServe[] = []
    for (const given of models) {
      if (isOpen(given)) {
        toServe.push(given)
        continue
      }
      const compiled = withCompiler(given, isolatedTemplate)
      const { config: opening, model } = renderOnly ? openRenderer(compiled, folder) : await openModel(compiled, folder)
      const config = withServedRoles(opening)
      opened.push({ config, model })
      toServe.push({ config, model })
      const source = promptSource(withServedRoles(given), model, folder)
      if (source) sources.push(source)
    }
    prompts = new PromptThread(sources)
    const app = wrap(createApp({ ...rest, constraints, prompts, models: toServe, ...(names.length === 0 ? {} : { hosts: names }) }))
    // A connection is idle while a reply is being generated.
    const listening = await listen(app, { port, host, idleSeconds: (rest.limits?.seconds ?? defaultServerLimits.seconds) + 60 })
    // The first request would wait for it; what fails now fails again then, where it can be reported.
    void prompts.prepare().catch(() => {})
    let ended: Promise<void> | undefined
    return {
      ...listening,
      close(how) {
        const closed = listening.close(how)
        ended ??= closed.then(closeModels)
        return ended
      },
    }
  } catch (error) {
    await closeModels()
    throw error
  }
}

/** For the thread that builds prompts; undefined if that cannot have the model's format or tokenizer. */
function promptSource(config: ModelConfig, model: LanguageModel, folder: string): PromptModelSource | undefined {
  if (model.tokenizer && !tokenizerOf(config, folder)) return undefined
  const { context } = model
  const source = { name: nameOf({ config, model }), config, folder, forwards: model.forward !== undefined }
  try {
    return structuredClone({ ...source, ...(context === undefined ? {} : { context }) })
  } catch {
    // A format with functions, by a program that uses the library.
    return undefined
  }
}

function isOpen(model: ModelConfig | ModelToServe): model is ModelToServe {
  return typeof (model as ModelToServe).model === 'object' && typeof (model as ModelToServe).config === 'object'
}
