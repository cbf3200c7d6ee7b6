import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { builtViewer } from './built-viewer.ts'

/** The browser for viewer tests; undefined if not installed. */
export const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path))

/** For the titles of tests that are skipped without it. */
export const inChromium = 'in Chromium (skipped where there is none in /usr/bin)'

/** Polls until the condition holds; busy machines are slow. */
export function eventually<Value>(look: () => Promise<Value>, { timeout = 30_000 } = {}) {
  return expect.poll(look, { timeout, interval: 50 })
}

/** A browser, the built viewer, and a folder for the files of a test. */
export class TriedViewer {
  /** Requests to other hosts, and errors in pages: must stay empty. */
  readonly wrong: string[] = []
  readonly folder = mkdtempSync(join(tmpdir(), 'rolecall-viewer-'))
  /** The folder of the built viewer. */
  built = ''
  #browser: Browser | undefined
  #shared: BrowserContext | undefined

  async start(): Promise<void> {
    this.built = await builtViewer()
    this.#browser = await chromium.launch({ executablePath: chromiumPath!, args: ['--no-sandbox'] })
    this.#shared = await this.#context({})
  }

  /** A page with empty storage; with `options`, in a separate browser window. */
  async open(url: string, options?: BrowserContextOptions): Promise<Page> {
    const context = options ? await this.#context(options) : this.#shared!
    const page = await context.newPage()
    const home = url.startsWith('file:') ? 'file:' : url.startsWith('about:') ? 'http://127.0.0.1:' : new URL(url).origin
    // Pages share the browser's compiled code, but no storage.
    if (!options && home.startsWith('http:') && home !== 'http://127.0.0.1:') {
      const session = await context.newCDPSession(page)
      await session.send('Storage.clearDataForOrigin', { origin: home, storageTypes: 'local_storage' })
    }
    page.on('request', (asked) => {
      if (!asked.url().startsWith(home) && !/^(data|blob):/.test(asked.url())) this.wrong.push(asked.url())
    })
    page.on('pageerror', (error) => this.wrong.push(`error: ${error.message}`))
    await page.goto(url)
    return page
  }

  async #context(options: BrowserContextOptions): Promise<BrowserContext> {
    const context = await this.#browser!.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US', ...options })
    context.setDefaultTimeout(30_000)
    return context
  }

  async stop(): Promise<void> {
    await this.#browser?.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
