import { spawn } from 'node:child_process'
import { InvalidArgumentError } from 'commander'
import { browserCommand } from '../../node/platform.ts'
import { Watchdog } from '../../node/watchdog/watchdog.ts'
import type { ViewerServer } from '../../server/viewer/serve-viewer.ts'
import { exitNow } from '../exit-codes.ts'
import { colors } from '../terminal.ts'

/** Prints the address of a page, opens it, and serves it until the command is interrupted. */
export async function servePage(server: ViewerServer, url: string, { open }: { open: boolean }): Promise<void> {
  process.stdout.write(`${url}\n`)
  if (server.controlToken !== undefined) process.stdout.write(`control token: ${server.controlToken}\n`)
  if (process.stdout.isTTY) {
    process.stdout.write(`${colors.dim('Press Ctrl+C to stop. The page is only accessible from this computer.')}\n`)
    if (open) openBrowser(url)
  }
  const watchdog = new Watchdog()
  await untilInterrupted(watchdog)
  await server.close()
  await watchdog.stop()
}

/** The first signal shuts down gracefully, the second immediately. */
function untilInterrupted(watchdog: Watchdog): Promise<void> {
  return new Promise((ended) => {
    watchdog.hear((signals) => (signals === 1 ? ended() : exitNow('stopped')))
  })
}

export function portNumber(text: string): number {
  if (/^\d+$/.test(text) && Number(text) < 65536) return Number(text)
  throw new InvalidArgumentError('expected a port number below 65536')
}

/** Opens the browser; failures are ignored, since the address was printed. */
function openBrowser(url: string): void {
  const [program, ...args] = browserCommand(url)
  const child = spawn(program, args, { stdio: 'ignore', detached: true })
  child.once('error', () => undefined)
  child.unref()
}
