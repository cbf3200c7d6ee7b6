import { setFlagsFromString } from 'node:v8'

/**
 * Makes Node collect garbage when the heap has grown by half instead of fourfold, for commands that stream many rows: a coordinator, which
 * often shares a small machine with Redis, and exports, which hold a tokenizer. The CPU cost is not measurable (`npm run bench -- queue`).
 */
export function collectEarly(): void {
  setFlagsFromString('--heap-growing-percent=50')
}
