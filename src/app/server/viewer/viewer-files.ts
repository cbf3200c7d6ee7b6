import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { packageFile } from '../../node/own-files.ts'

/** The built page; `npm run build` makes it. */
export const builtViewer = fileURLToPath(packageFile('dist/viewer/'))

/** What the page needs to run the embedded model, by its path on the site. */
export function embeddedFiles(): Map<string, string> {
  return new Map([
    ['embedded/model.safetensors', fileURLToPath(packageFile('embedded-model/model.int8.safetensors'))],
    ['embedded/tokenizer.json', fileURLToPath(packageFile('embedded-model/tokenizer.json'))],
  ])
}

/** The folder of the built page, or what to do without one. */
export function viewerFolder(folder = builtViewer): string {
  if (existsSync(new URL('index.html', `file://${folder.endsWith('/') ? folder : `${folder}/`}`))) return folder
  throw new PromptError('not-built', {
    where: folder,
    problem: 'the viewer is not built',
    fix: 'run `npm run build`, or install rolecall again',
  })
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The media type of a file. */
export function typeOf(path: string): string {
  return types[extname(path)] ?? 'application/octet-stream'
}
