import { expect, test } from 'vitest'
import { explain } from '../../workbench/why/explain.ts'
import type { WhySide } from '../../workbench/why/why-row.ts'
import { whyPage } from './why-page.ts'

const hostile = `"'><img src=x onerror=alert(1)><script>alert(1)</script>&lt;</pre></style>`

/** A side whose texts all try to become elements of the page. */
function side(score: number, more: object): WhySide {
  const setting = { [hostile]: `${hostile}${score}` }
  return {
    name: hostile,
    model: hostile,
    dataset: hostile,
    metric: hostile,
    setup: {
      harness: hostile,
      rows: setting,
      prompt: setting,
      sampling: setting,
      scoring: { [hostile]: { extraction: setting, metric: `${hostile}${score}` } },
    },
    count: 2,
    row: (id) => ({
      id,
      keys: { [hostile]: `${hostile}${id}` },
      isExtracted: false,
      prompt: id === 0 ? `${hostile}${score}` : [{ role: hostile, content: hostile }],
      reply: `${hostile}${score}`,
      pred: hostile,
      gold: hostile,
      score,
      ...(id === 1 ? more : {}),
    }),
  }
}

test('no text of rows, names and settings becomes an element of the page, and its policy lets nothing run', () => {
  const sides = [side(1, {}), side(0, { error: hostile, score: undefined })] as const
  const report = explain(...sides)
  const page = whyPage({ ...report, notes: [...report.notes, hostile] }, sides, 10)
  expect(page).toContain('&lt;script&gt;')
  const names = new Set([...page.matchAll(/<(\/?[a-z][^\s>]*)/gi)].map(([, name]) => name!.replace('/', '')))
  expect([...names].filter((name) => /script|img|svg|iframe|object|link|form/i.test(name))).toEqual([])
  expect(page.match(/<\/style>/g)).toHaveLength(1)
  expect(page).toContain(`<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">`)
})
