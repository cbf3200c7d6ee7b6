import type { LoaderVector } from './vector.ts'

/** Rule → whether a vector's input falls under it. */
export const rules: Readonly<Record<string, (vector: LoaderVector) => boolean>> = {}
