import type { ControlRequest, ControlStatus } from 'rolecall/internal/node/runs/control/control-messages'
import type { Site } from 'rolecall/internal/server/viewer/viewer-data'
import { change, load } from './load.ts'

export async function loadControl(run: number, signal?: AbortSignal): Promise<ControlStatus> {
  return (await load(`data/runs/${run}/control.json`, signal)).json()
}

/** Changes a run in progress; returns its status afterwards. */
export async function controlRun(site: Site, run: number, token: string, request: ControlRequest): Promise<ControlStatus> {
  return (await change(site, `data/runs/${run}/control`, request, { 'x-rolecall-control': token })).json()
}
