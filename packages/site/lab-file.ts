import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The lab as one page that opens from disk: script, style and templates are inlined, and its content security policy forbids all requests.
 * Tokenizers are dropped in.
 */
export function buildLabFile(root: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'rolecall-lab-'))
  try {
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    const args = ['build', 'packages/viewer', '--mode', 'lab-file', '--logLevel', 'warn', '--emptyOutDir', '--outDir', folder]
    execFileSync(process.execPath, [vite, ...args], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    const models = join(root, 'packages/viewer/public/lab/models')
    const templates = readdirSync(models).map((name): [string, string] => [`lab/models/${name}`, readFileSync(join(models, name), 'utf8')])
    return labPage(readFileSync(join(folder, 'lab.js'), 'utf8'), readFileSync(join(folder, 'lab.css'), 'utf8'), templates)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The page with everything inlined. */
export function labPage(code: string, style: string, files: readonly (readonly [path: string, text: string])[]): string {
  // What would end an inline script occurs only in strings and patterns, where the escapes are equivalent.
  const script = code.replaceAll(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '\\x3c!--')
  const policy = `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; img-src data: blob:; base-uri 'none'; form-action 'none'`
  const inlined = files.map(
    ([path, text]) => `<script type="application/json" data-file="${path}">${JSON.stringify(text).replaceAll('<', '\\u003c')}</script>\n`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="content-security-policy" content="${policy}">
<title>Lab · Rolecall</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>This page renders prompts with JavaScript, which is off. 本页需要 JavaScript 才能显示提示词。</noscript>
${inlined.join('')}<script type="module">${script}</script>
</body>
</html>
`
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
