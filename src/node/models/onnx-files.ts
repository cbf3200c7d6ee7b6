import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { packageFile } from '../own-files.ts'

const script = 'ort.wasm.bundle.min.mjs'

/**
 * The two files of onnxruntime-web that the embedded model needs. The shipped package carries them, the large one gzipped, which
 * spares every installation 10 MB; in a working copy they are in their own package.
 */
export const onnxFiles = [
  { folder: packageFile('dist/ort/'), code: 'ort-wasm-simd-threaded.wasm.gz' },
  { folder: packageFile('node_modules/onnxruntime-web/dist/'), code: 'ort-wasm-simd-threaded.wasm' },
]
  .map(({ folder, code }) => ({ script: fileURLToPath(new URL(script, folder)), code: fileURLToPath(new URL(code, folder)) }))
  .find((files) => existsSync(files.script) && existsSync(files.code))

/** What a file holds; one that ends in `.gz`, unpacked. */
export function readUnpacked(file: string): Uint8Array {
  const content = readFileSync(file)
  return file.endsWith('.gz') ? gunzipSync(content) : content
}
