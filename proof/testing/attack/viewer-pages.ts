import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import { openViewed } from '../../../packages/rolecall/src/cli/view/open-viewed.ts'
import { serveViewer } from '../../../packages/rolecall/src/server/viewer/serve-viewer.ts'
import { builtViewer } from '../../../packages/viewer/testing/built-viewer.ts'
import { makeRuns } from '../../../packages/viewer/testing/made-runs.ts'
import type { Attack, Chance } from './attack.ts'

const browser = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path))

/** Names no host: a request to it never leaves the machine. */
const elsewhere = 'http://attacked.invalid'

const run = 'window.attacked=1'
const payloads = [
  `<script>${run}</script>`,
  `"'><img src=x onerror=${run}>`,
  `</title></style></textarea></script><svg onload=${run}>`,
  `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
  `javascript:${run}`,
  `[a](javascript:${run}) ![b](${elsewhere}/b.png) <a href="javascript:${run}">c</a>`,
  `data:text/html,<script>opener.${run}</script>`,
  `${elsewhere}/a.png`,
  `</style><style>@import "${elsewhere}/a.css"; *{background:url(${elsewhere}/b.png)}</style>`,
  `$\\href{javascript:${run}}{x}$ \${${run}} {{constructor.constructor('${run}')()}}`,
  `__proto__" onmouseover="${run}" x="`,
]

const mostPages = 12

/** Runs whose fields contain scripts and addresses, in every page of the viewer that their links lead to. */
export const viewerPages: Attack = {
  name: 'viewer pages',
  holds: 'no text of a run becomes a script, a request or a link that runs: any field, every page, in Chromium',
  isLong: true,
  async run({ chance, goesOn, tried, gotThrough }) {
    if (browser === undefined) throw new Error('Chromium is not in /usr/bin')
    const folder = mkdtempSync(join(tmpdir(), 'rolecall-pages-'))
    const chromiumRun = await chromium.launch({ executablePath: browser, args: ['--no-sandbox'] })
    let [pages, shown] = [0, 0]
    try {
      const runs = await makeRuns(join(folder, 'made'))
      const fields = [...new Set(runs.flatMap((made) => jsonFiles(made).flatMap((file) => fieldsOf(readFileSync(file, 'utf8')))))]
      for (let number = 0; goesOn(); number++) {
        const hostile = Object.fromEntries(Array.from({ length: 15 }, () => [chance.pick(fields), chance.pick(payloads)]))
        const copy = join(folder, `copy-${number}`)
        runs.forEach((made, index) => {
          cpSync(made, join(copy, String(index)), { recursive: true })
        })
        for (const file of jsonFiles(copy)) writeFileSync(file, withPayloads(readFileSync(file, 'utf8'), hostile, chance))
        const problems = await visit(chromiumRun, copy, chance, (isShown) => {
          tried()
          pages++
          if (isShown) shown++
        })
        for (const problem of problems) gotThrough(`${problem}: ${JSON.stringify(hostile)}`)
        rmSync(copy, { recursive: true })
      }
      console.log(`${shown} of the pages show the texts`)
      if (shown === 0 && pages > 5 * mostPages) gotThrough('no page shows what was written')
    } finally {
      await chromiumRun.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function visit(opened: Browser, folder: string, chance: Chance, onPage: (isShown: boolean) => void): Promise<string[]> {
  const problems: string[] = []
  // What was written may leave no run that can be opened.
  const viewed = await openViewed([folder]).catch((error: unknown) => {
    if (error instanceof PromptError) return undefined
    throw error
  })
  if (viewed === undefined) {
    onPage(false)
    return problems
  }
  const server = await serveViewer({ version: 'test', ...viewed }, { folder: await builtViewer() })
  const context = await opened.newContext()
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(120_000)
    page.on('dialog', (dialog) => {
      problems.push(`a dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    await context.route(
      (url) => url.href.startsWith(elsewhere),
      (route) => {
        problems.push(`a request to ${route.request().url()}`)
        return route.abort()
      },
    )
    const left = new Set(['#/', '#/runs', '#/prompts'])
    const seen = new Set<string>()
    while (left.size > 0 && seen.size < mostPages) {
      const ofRuns = [...left].filter((link) => link.includes('run='))
      const address = seen.size < 3 || ofRuns.length === 0 ? [...left][0]! : chance.pick(ofRuns)
      left.delete(address)
      seen.add(address)
      await page.goto(`${server.url}${address}`)
      await page.reload()
      await page.locator('#content').waitFor()
      await page.waitForLoadState('networkidle')
      const { isAttacked, made, isShown, links } = await lookAt(page)
      onPage(isShown)
      if (isAttacked) problems.push(`a script ran on ${address}`)
      if (made !== undefined) problems.push(`an element on ${address}: ${made}`)
      for (const link of links) {
        if (link.startsWith('#')) {
          if (!seen.has(link)) left.add(link)
        } else if (/^\s*(javascript|data:text|vbscript)/i.test(link)) problems.push(`a link to ${link} on ${address}`)
      }
    }
  } finally {
    await context.close()
    await server.close()
  }
  return problems
}

/** What a page shows; everything that can be opened or hovered on it is, first. */
function lookAt(page: Page): Promise<{ isAttacked: boolean; made?: string; isShown: boolean; links: string[] }> {
  return page.evaluate(`(async () => {
    for (const one of document.querySelectorAll('details')) one.open = true
    for (const one of document.querySelectorAll('#content *')) one.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
    await new Promise((resolve) => setTimeout(resolve, 100))
    const links = [...document.querySelectorAll('[href], [src], [action]')].map((one) => one.getAttribute('href') ?? one.getAttribute('src') ?? one.getAttribute('action'))
    // The page's policy stops scripts; an element that a text has become is a hole all the same.
    const made = document.querySelector('[onerror], [onload], [onmouseover], iframe, #content script, #content style, [src*="attacked.invalid"]')
    return { isAttacked: window.attacked !== undefined, made: made?.outerHTML.slice(0, 200), isShown: /attacked/.test(document.body.innerText), links }
  })()`)
}

function jsonFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.jsonl?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** The names of all fields of a JSON or JSON Lines file that hold a text. */
function fieldsOf(text: string): string[] {
  return [...text.matchAll(/"(\w+)": ?(?:\[ ?)?"/g)].map(([, name]) => name!)
}

/** Some of the texts of the fields get their payload, or are it. */
function withPayloads(text: string, hostile: Readonly<Record<string, string>>, chance: Chance): string {
  const withPayload = (value: unknown, field: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => withPayload(one, field))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withPayload(one, key)]))
    const payload = hostile[field]
    if (typeof value !== 'string' || payload === undefined || chance.once(3)) return value
    return chance.once(2) ? payload : `${value} ${payload}`
  }
  const written = (json: string) => JSON.stringify(withPayload(JSON.parse(json), ''))
  const lines = text.trim().split('\n')
  const isLines = lines.length > 1 && lines.every((line) => line.startsWith('{') && line.endsWith('}'))
  return `${isLines ? lines.map(written).join('\n') : text.trim() === '' ? '' : written(text)}\n`
}
