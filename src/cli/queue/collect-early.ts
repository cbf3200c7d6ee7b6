import { setFlagsFromString } from 'node:v8'

/**
 * Has Node collect garbage before it has grown by more than half of what is in use; by itself it lets the heap grow to four times that.
 * A coordinator holds little, and often runs beside a Redis on a small machine. The processor time for it is not measurable
 * (`npm run bench -- queue`).
 */
export function collectEarly(): void {
  setFlagsFromString('--heap-growing-percent=50')
}
