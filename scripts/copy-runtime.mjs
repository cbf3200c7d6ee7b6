// Puts the two files of onnxruntime-web that the embedded model needs into dist/ort, with their licence: the whole package
// has 139 MB, these have 14.
import { copyFileSync, mkdirSync } from 'node:fs'

const from = new URL('../node_modules/onnxruntime-web/dist/', import.meta.url)
const to = new URL('../dist/ort/', import.meta.url)
mkdirSync(to, { recursive: true })
for (const file of ['ort.wasm.bundle.min.mjs', 'ort-wasm-simd-threaded.wasm']) copyFileSync(new URL(file, from), new URL(file, to))
copyFileSync(new URL('onnxruntime-LICENSE.txt', import.meta.url), new URL('LICENSE.txt', to))
