import { readFileSync } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import { openConfig } from '../../server/viewer/config-site.ts'
import { serveViewer } from '../../server/viewer/serve-viewer.ts'
import type { Viewed } from '../../server/viewer/viewer-app.ts'
import { loadOrExample } from '../render/collect-views.ts'
import { colors } from '../terminal.ts'
import { openBrowser } from './open-browser.ts'

type Options = { port?: number; open: boolean }

export const viewCommand = new Command('view')
  .description('look at prompts, tokens and results in the browser')
  .argument('[config]', 'a config file; by default the nearest rolecall.config.ts, .js, .json or .yaml, else a shipped example')
  .option('--port <number>', 'the port on 127.0.0.1; a free one by default', portNumber)
  .option('--no-open', 'print the address and do not open a browser')
  .addHelpText(
    'after',
    `
Examples:
  rolecall view                        the prompts of the config in this folder, or the shipped example
  rolecall view eval.yaml --no-open    print the address only`,
  )
  .action(async (config: string | undefined, options: Options) => {
    const viewed: Viewed = { version: version(), configs: [openConfig(await loadOrExample(config), 0)] }
    const server = await serveViewer(viewed, options.port === undefined ? {} : { port: options.port })
    process.stdout.write(`${server.url}\n`)
    if (process.stdout.isTTY) {
      process.stdout.write(`${colors.dim('Ctrl+C ends it. The page is only for this computer.')}\n`)
      if (options.open) openBrowser(server.url)
    }
    await untilInterrupted()
    await server.close()
  })

function untilInterrupted(): Promise<void> {
  return new Promise((ended) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended())
  })
}

function version(): string {
  return (JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }).version
}

function portNumber(text: string): number {
  if (/^\d+$/.test(text) && Number(text) < 65536) return Number(text)
  throw new InvalidArgumentError('a number below 65536 is needed')
}
