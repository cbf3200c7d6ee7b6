import { expect, test } from 'vitest'
import { generatePages } from './generate.ts'

for (const { path, current, generated } of generatePages()) {
  test(`${path.pathname.split('/').at(-1)} is in step with the code; if not, run npm run docs`, () => expect(current).toBe(generated))
}
