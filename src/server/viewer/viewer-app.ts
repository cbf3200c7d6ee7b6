import { createReadStream, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Hono } from 'hono'
import { PromptError } from '../../prompt-error.ts'
import { embeddedFiles, typeOf, viewerFolder } from './assets.ts'
import type { OpenConfig } from './config-site.ts'
import { onlyOwnPage } from './security.ts'
import type { Site, WireError } from './wire.ts'

/** What is looked at. */
export type Viewed = { version: string; configs: readonly OpenConfig[] }

/** The viewer's server: the page, and what it shows as JSON, read when it is asked for. */
export function viewerApp({ version, configs }: Viewed, folder = viewerFolder()): Hono {
  const app = new Hono()
  const embedded = embeddedFiles()
  app.use(onlyOwnPage())
  app.onError((error, context) => {
    if (!(error instanceof PromptError)) return context.json(failure('the server', error.message, 'look at its terminal'), 500)
    return context.json(failure(error.where, error.problem, error.fix), error.code === 'no-row' ? 404 : 422)
  })

  app.get('/data/site.json', (context) =>
    context.json({ version, configs: configs.map(({ site }) => site), rowsPerFile: 1 } satisfies Site),
  )
  app.get('/data/configs/:config/datasets/:dataset/list/:part{\\d+\\.json}', async (context) => {
    const { config, dataset, part } = context.req.param()
    return context.json(await rowsOf(config, dataset).list(Number.parseInt(part, 10)))
  })
  app.get('/data/configs/:config/datasets/:dataset/rows/:row{\\d+\\.json}', async (context) => {
    const { config, dataset, row } = context.req.param()
    return context.json(await rowsOf(config, dataset).rows(Number.parseInt(row, 10), 1))
  })
  app.get('/data/tokenizers/*', (context) => {
    const name = context.req.path.slice('/data/'.length)
    return file(configs.map(({ tokenizers }) => tokenizers.get(name)).find((path) => path !== undefined))
  })
  app.get('/embedded/:name', (context) => file(embedded.get(`embedded/${context.req.param('name')}`)))
  app.get('/', () => file(join(folder, 'index.html')))
  app.get('/assets/:name{[\\w.-]+}', (context) => file(join(folder, 'assets', context.req.param('name')), 'max-age=31536000, immutable'))
  app.get('/:name{[\\w-]+\\.(svg|json)}', (context) => file(join(folder, context.req.param('name'))))
  return app

  function rowsOf(config: string, dataset: string) {
    const found = configs[Number(config)]?.rows[Number(dataset)]
    if (found) return found
    throw new PromptError('no-row', { where: 'the viewer', problem: 'there is no such dataset', fix: 'load the page again' })
  }
}

/** A file as it is, streamed: weights have megabytes. */
function file(path: string | undefined, cache = 'no-cache'): Response {
  if (path === undefined || !existsSync(path) || !statSync(path).isFile()) return new Response('not found', { status: 404 })
  const body = Readable.toWeb(createReadStream(path)) as ReadableStream
  return new Response(body, {
    headers: { 'content-type': typeOf(path), 'content-length': String(statSync(path).size), 'cache-control': cache },
  })
}

function failure(where: string, problem: string, fix: string): WireError {
  return { error: { where, problem, fix } }
}
