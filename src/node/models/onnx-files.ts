import { existsSync } from 'node:fs'
import { packageFile } from '../own-files.ts'

/** The shipped package carries two files of onnxruntime-web; in a working copy they are in its own package. */
export const onnxFolder = ['dist/ort/', 'node_modules/onnxruntime-web/dist/']
  .map(packageFile)
  .find((folder) => existsSync(new URL('ort-wasm-simd-threaded.wasm', folder)))
