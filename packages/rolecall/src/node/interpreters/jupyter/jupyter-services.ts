import { PromptError } from '@rolecall/core/internal/errors'
import { importPeer } from '../../find-peer.ts'

/** The part of the optional package @jupyterlab/services that is used. */
export type JupyterMessage = { header: { msg_type: string }; content: Record<string, unknown> }
export type JupyterFuture = { onIOPub: (message: JupyterMessage) => void; done: Promise<JupyterMessage | undefined>; dispose(): void }
export type JupyterKernel = {
  requestExecute(content: { code: string; store_history?: boolean; silent?: boolean; allow_stdin?: boolean }): JupyterFuture
  interrupt(): Promise<void>
  restart(): Promise<void>
  shutdown(): Promise<void>
  dispose(): void
  info: Promise<unknown>
}
export type JupyterServices = {
  KernelManager: new (options: {
    serverSettings: unknown
  }) => { ready: Promise<void>; startNew(options: { name?: string }): Promise<JupyterKernel>; dispose(): void }
  ServerConnection: {
    makeSettings(settings: { baseUrl: string; wsUrl: string; token: string; appendToken: boolean }): unknown
  }
}

export async function loadJupyterServices(): Promise<JupyterServices> {
  const loaded = (await importPeer('@jupyterlab/services')) as (JupyterServices & { default?: JupyterServices }) | undefined
  if (loaded) return loaded.default ?? loaded
  throw new PromptError('missing-peer', {
    where: 'Jupyter',
    problem: '@jupyterlab/services is not installed',
    fix: 'run npm install @jupyterlab/services',
  })
}
