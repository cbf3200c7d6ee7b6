import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { build } from 'vite'

/** The browser that the viewer is tried in; undefined where there is none. */
export const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path))

/** For the names of tests that are skipped without it. */
export const inChromium = 'in Chromium (skipped where there is none in /usr/bin)'

/** A browser, a folder for files, and the viewer built into it. */
export class TriedViewer {
  /** Requests to others, and errors in pages: there must be none. */
  readonly wrong: string[] = []
  readonly folder = mkdtempSync(join(tmpdir(), 'rolecall-viewer-'))
  readonly built = join(this.folder, 'viewer')
  #browser: Browser | undefined

  /** Builds it, for `--export report.html` too if that is asked for, and starts the browser. */
  async start({ report = false } = {}): Promise<void> {
    const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url))
    const into = (outDir: string) => ({ configFile, logLevel: 'error' as const, build: { outDir, minify: false, emptyOutDir: true } })
    await build(into(this.built))
    if (report) await build({ ...into(join(this.built, 'report')), mode: 'report' })
    this.#browser = await chromium.launch({ executablePath: chromiumPath!, args: ['--no-sandbox'] })
  }

  /** A page of its own, with nothing kept from others. */
  async open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser!.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US', ...options })
    context.setDefaultTimeout(10_000)
    const page = await context.newPage()
    const home = url.startsWith('file:') ? 'file:' : url.startsWith('about:') ? 'http://127.0.0.1:' : new URL(url).origin
    page.on('request', (asked) => {
      if (!asked.url().startsWith(home) && !/^(data|blob):/.test(asked.url())) this.wrong.push(asked.url())
    })
    page.on('pageerror', (error) => this.wrong.push(`error: ${error.message}`))
    await page.goto(url)
    return page
  }

  async stop(): Promise<void> {
    await this.#browser?.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
