import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, readSync, renameSync, writeSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { makeFolder } from '../../node/runs/disk-error.ts'
import type { SiteSink } from './site-folder.ts'
import { embeddedFiles } from './viewer-files.ts'

/** Larger tokenizer files are omitted, so that reports can be sent by mail. */
const maxTokenizerBytes = 2_000_000

const mark = '<!doctype html>\n<!-- a report of rolecall view -->\n'

/** Whether `--export` names a single file. */
export function isReport(target: string): boolean {
  return /\.html?$/i.test(target)
}

/**
 * A site as one HTML file that opens from disk. Script, style and data are inline, and its content security policy forbids all requests. The
 * embedded model and the lab are omitted.
 */
export class ReportFile implements SiteSink {
  readonly #path: string
  readonly #file: number
  readonly #script: string
  readonly #leftOut: string[] = []
  #bytes = 0

  constructor(target: string, viewer: string) {
    this.#path = resolve(target)
    refuseOther(this.#path)
    this.#script = inlineScript(read(viewer, 'report.js'))
    const style = read(viewer, 'report.css')
    makeFolder(dirname(this.#path))
    this.#file = openSync(partOf(this.#path), 'w')
    const icon = readFileSync(join(viewer, 'icon.svg')).toString('base64')
    const policy = [
      "default-src 'none'",
      `script-src '${hashOf(this.#script)}'`,
      `style-src '${hashOf(style)}'`,
      'img-src data: blob:',
      'media-src data:',
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; ')
    this.#write(`${mark}<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="content-security-policy" content="${policy}">
<title>Rolecall</title>
<link rel="icon" href="data:image/svg+xml;base64,${icon}">
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>This page shows prompts with JavaScript, which is off. 本页需要 JavaScript 才能显示提示词。</noscript>
`)
    const tokenizer = embeddedFiles().get('embedded/tokenizer.json')
    if (tokenizer !== undefined) this.#embed('embedded/tokenizer.json', readFileSync(tokenizer, 'utf8'))
  }

  add(path: string, content: string | Uint8Array): void {
    if (path.startsWith('tokenizers/') && content.length > maxTokenizerBytes) {
      this.#leftOut.push(`${path} (${(content.length / 1_000_000).toFixed(1)} MB)`)
      return
    }
    this.#embed(`data/${path}`, content)
  }

  finish() {
    this.#write(`<script type="module">${this.#script}</script>\n</body>\n</html>\n`)
    closeSync(this.#file)
    renameSync(partOf(this.#path), this.#path)
    return { path: this.#path, bytes: this.#bytes, leftOut: this.#leftOut }
  }

  /** JSON is embedded as text, anything else as base64. */
  #embed(path: string, content: string | Uint8Array): void {
    const text = typeof content === 'string' ? content : jsonText(content)
    const name = path.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
    if (text === undefined)
      this.#write(
        `<script type="text/plain" data-file="${name}" data-base64>${Buffer.from(content as Uint8Array).toString('base64')}</script>\n`,
      )
    // `<` occurs only in JSON strings, where it can be escaped; `</script` would end the element.
    else this.#write(`<script type="application/json" data-file="${name}">${text.replaceAll('<', '\\u003c')}</script>\n`)
  }

  #write(text: string): void {
    this.#bytes += writeSync(this.#file, text)
  }
}

/** The name while it is being written, so that a partial report is not mistaken for a complete one. */
function partOf(path: string): string {
  return `${path}.part`
}

function jsonText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    JSON.parse(text)
    return text
  } catch {
    return undefined
  }
}

/** Escapes what would end an inline script; in code it occurs only in strings and patterns, where the escapes are equivalent. */
function inlineScript(code: string): string {
  return code.replaceAll(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '\\x3c!--')
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function read(viewer: string, name: string): string {
  const file = join(viewer, 'report', name)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  throw new PromptError('not-built', {
    where: file,
    problem: 'the single-file viewer is not built',
    fix: 'run `npm run build:viewer` in a clone, or reinstall rolecall',
  })
}

/** Overwrites only reports, never other pages. */
function refuseOther(path: string): void {
  if (!existsSync(path)) return
  const start = Buffer.alloc(mark.length)
  const file = openSync(path, 'r')
  const length = readSync(file, start)
  closeSync(file)
  if (length === 0 || start.toString('utf8', 0, length) === mark) return
  throw new PromptError('not-empty', {
    where: path,
    problem: 'the file exists and is not a report of rolecall',
    fix: 'choose another name',
  })
}
