import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pictureOf, pictures } from './picture.ts'

for (const [file, args] of Object.entries(pictures))
  test(`${file} shows what \`rolecall ${args.join(' ')}\` prints; if not, run npm run proof -- pictures`, { timeout: 320_000 }, () => {
    expect(pictureOf(args)).toBe(readFileSync(new URL(file, import.meta.url), 'utf8'))
  })
