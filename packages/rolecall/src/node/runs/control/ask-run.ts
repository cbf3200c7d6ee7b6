import { createConnection } from 'node:net'
import { PromptError } from '@rolecall/core/internal/errors'
import { quoteWord } from '../../platform.ts'
import { openRun } from '../run-reader.ts'
import { ownAddress, recordedAddress } from './control-address.ts'
import { type ControlReply, type ControlRequest, type ControlStatus, controlReplySchema } from './control-messages.ts'

/** How long the process of a run may take to reply, in milliseconds; an evaluator may block it for a moment. */
const patience = 10_000

/** Sends a request to the process that works on the run in a folder; returns the run's status afterwards. */
export async function askRun(folder: string, request: ControlRequest, milliseconds = patience): Promise<ControlStatus> {
  const address = recordedAddress(folder) ?? ownAddress(folder)
  if (address === undefined) throw notRunning(folder)
  const line = await exchange(address, `${JSON.stringify(request)}\n`, milliseconds).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') throw notRunning(folder)
    throw unreachable(folder, error.code === 'EACCES' ? 'its process belongs to another user' : error.message)
  })
  const reply = readReply(line)
  if (reply === undefined) throw unreachable(folder, 'its process ended, or replied with something else than a status')
  if ('status' in reply) return reply.status
  const { code, ...details } = reply.error
  throw new PromptError(code, details)
}

function exchange(address: string, text: string, milliseconds: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = ''
    const socket = createConnection(address, () => socket.write(text))
    socket.setEncoding('utf8')
    socket.setTimeout(milliseconds, () =>
      socket.destroy(new Error(`no reply within ${milliseconds / 1000} s: its process may be suspended or busy`)),
    )
    socket.on('data', (chunk: string) => (reply += chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(reply))
  })
}

function readReply(line: string): ControlReply | undefined {
  try {
    return controlReplySchema.parse(JSON.parse(line))
  } catch {
    return undefined
  }
}

function notRunning(folder: string): PromptError {
  if (openRun(folder).isLive)
    return unreachable(
      folder,
      'its process has no control socket on this machine: it runs elsewhere, is starting or ending, or was started from TypeScript without `control`',
    )
  const [problem, fix] = isComplete(folder)
    ? ['the run is complete', `look at its results: rolecall view ${quoteWord(folder)}`]
    : ['no process is working on this run', 'resume it: rolecall run -r, with its config']
  return new PromptError('not-running', { where: folder, problem, fix })
}

function isComplete(folder: string): boolean {
  try {
    const summary = openRun(folder).summary()
    return summary !== undefined && !('unfinished' in summary)
  } catch {
    return false
  }
}

function unreachable(folder: string, problem: string): PromptError {
  return new PromptError('no-control', {
    where: folder,
    problem: `the run cannot be controlled: ${problem}`,
    fix: 'try again, or on the machine where it runs',
  })
}
