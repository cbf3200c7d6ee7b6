// Puts the two files of onnxruntime-web that the embedded model needs into dist/ort, with their licence: the whole package
// has 139 MB, these have 14, and 4 with the large one packed.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const from = new URL('../node_modules/onnxruntime-web/dist/', import.meta.url)
const to = new URL('../dist/ort/', import.meta.url)
mkdirSync(to, { recursive: true })
copyFileSync(new URL('ort.wasm.bundle.min.mjs', from), new URL('ort.wasm.bundle.min.mjs', to))
const code = readFileSync(new URL('ort-wasm-simd-threaded.wasm', from))
writeFileSync(new URL('ort-wasm-simd-threaded.wasm.gz', to), gzipSync(code, { level: 9 }))
copyFileSync(new URL('onnxruntime-LICENSE.txt', import.meta.url), new URL('LICENSE.txt', to))
