import { afterEach, beforeEach, vi } from 'vitest'
import { folderWith } from './folder-with.ts'
import { type HubRepo, type HubServer, hubServer } from './hub-server.ts'

/** Serves these repositories as Hugging Face to each test of a file, with an empty cache. */
export function serveHub(repos: Readonly<Record<string, HubRepo>>): void {
  let server: HubServer
  beforeEach(async () => {
    server = await hubServer(repos)
    vi.stubEnv('HF_ENDPOINT', server.url)
    vi.stubEnv('HF_HOME', folderWith({}))
    vi.stubEnv('HF_HUB_OFFLINE', '')
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await server.close()
  })
}
