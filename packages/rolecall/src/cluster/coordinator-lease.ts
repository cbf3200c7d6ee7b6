import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { PromptError } from '@rolecall/core/internal/errors'
import { isAlive, pidsOfThisMachine, startOf } from '../node/runs/process-mark.ts'
import { keys, type Times } from './protocol.ts'
import { type Redis, runScript } from './redis.ts'
import { acquireLease, releaseLease } from './scripts.ts'

type Holder = { pid: number; host: string; pids?: string | undefined; started?: string | undefined; token: string }

/**
 * Acquires the lease of a run for this coordinator. A killed coordinator on this machine is replaced immediately, one elsewhere when its
 * lease expires; a live one keeps the run. Returns the value of the lease.
 */
export async function acquireRun(redis: Redis, run: string, { lock }: Times, onWait: (text: string) => void): Promise<string> {
  const mine = JSON.stringify({
    ...{ pid: process.pid, host: hostname(), pids: pidsOfThisMachine(), started: startOf(process.pid), token: randomUUID() },
  } satisfies Holder)
  const until = performance.now() + lock + 1000
  let dead = ''
  for (;;) {
    const held = await runScript<string>(redis, acquireLease, [keys.coordinator(run), mine, lock, dead])
    if (held === '') return mine
    const holder = readHolder(held)
    if (isGone(holder)) {
      dead = held
      continue
    }
    if (isHere(holder) || performance.now() > until) throw runInUse(run, holder)
    onWait(`another coordinator had this run (process ${holder.pid} on ${holder.host}): waiting for a sign of it`)
    await sleep(Math.min(500, lock / 4))
  }
}

export async function releaseRun(redis: Redis, run: string, mine: string): Promise<void> {
  await runScript<number>(redis, releaseLease, [keys.coordinator(run), mine])
}

export function runInUse(run: string, { pid, host }: Partial<Holder> = {}): PromptError {
  return new PromptError('run-in-use', {
    where: run,
    problem: `the run has another coordinator${pid === undefined ? '' : ` (process ${pid} on ${host})`}`,
    fix: 'wait for it or stop it; one run has one coordinator and any number of workers',
  })
}

/** The holder of a lease, for messages. */
export function holderText(lease: string | null): string | undefined {
  const { pid, host } = readHolder(lease ?? '')
  return pid === undefined ? undefined : `process ${pid} on ${host}`
}

function readHolder(text: string): Partial<Holder> {
  try {
    return JSON.parse(text) as Partial<Holder>
  } catch {
    return {}
  }
}

function isHere({ host, pids }: Partial<Holder>): boolean {
  return host === hostname() && pids === pidsOfThisMachine()
}

function isGone(holder: Partial<Holder>): boolean {
  if (!isHere(holder) || holder.pid === undefined) return false
  return !isAlive(holder.pid) || (holder.started !== undefined && holder.started !== startOf(holder.pid))
}
