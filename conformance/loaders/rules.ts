import type { LoaderVector } from './vector.ts'

/** Rule → whether it applies to a vector's input. */
export const rules: Readonly<Record<string, (vector: LoaderVector) => boolean>> = {}
