import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PromptError } from '../../prompt-error.ts'

const root = new URL('../../../', import.meta.url)

/** The built page; `npm run build` makes it. */
export const builtViewer = fileURLToPath(new URL('dist/viewer/', root))

/** What the page needs to run the embedded model, by its path on the site. Built, onnxruntime-web lies in dist/ort. */
export function embeddedFiles(): Map<string, string> {
  const runtime = [new URL('dist/ort/', root), new URL('node_modules/onnxruntime-web/dist/', root)].find((folder) =>
    existsSync(new URL('ort-wasm-simd-threaded.wasm', folder)),
  )
  const files = new Map([
    ['embedded/model.onnx', fileURLToPath(new URL('model/model.int8.onnx', root))],
    ['embedded/tokenizer.json', fileURLToPath(new URL('model/tokenizer.json', root))],
  ])
  if (!runtime) return files
  files.set('embedded/ort.js', fileURLToPath(new URL('ort.wasm.bundle.min.mjs', runtime)))
  return files.set('embedded/ort.wasm', fileURLToPath(new URL('ort-wasm-simd-threaded.wasm', runtime)))
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
  '.wasm': 'application/wasm',
}

export function typeOf(path: string): string {
  return types[extname(path)] ?? 'application/octet-stream'
}
