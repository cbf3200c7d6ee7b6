import { RunControl } from '../control/run-control.ts'
import { serveControl } from '../control/serve-control.ts'
import type { RunInFolder, SentRows } from './in-folder.ts'

/** A run that `rolecall runs ctl` may change. */
export type RunUnderControl = RunInFolder & { control?: RunControl }

/** Listens for `rolecall runs ctl` while rows are sent, if requested; a run that cannot listen goes on without. */
export async function underControl(run: RunInFolder, next: (run: RunUnderControl) => Promise<SentRows>): Promise<SentRows> {
  const { given, folder, pairs, budget } = run
  if (!given.control) return next(run)
  const control = new RunControl(folder, pairs, budget, given.onEvent)
  const socket = await serveControl(folder.path, control.answer)
  try {
    const sent = await next({ ...run, control })
    return socket.problem === undefined ? sent : { ...sent, remarks: [...sent.remarks, socket.problem] }
  } finally {
    socket.close()
  }
}
