import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkConfig } from '../config/check-config.ts'
import { importConfig } from './import-config.ts'

// The Python of documents 000, 001 and 002 as it stands there, in its order; what it says was compared with cases/document-00*.json.
const folder = new URL('snippets/', import.meta.url)
const expected = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')) as Record<
  string,
  { models: unknown; datasets: unknown; notes: unknown }
>

describe('snippets pasted from the documents work, their slips included', () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.py'))) {
    test(file, () => {
      const { config, notes } = importConfig(file, {
        read: (path) => (path === file ? readFileSync(new URL(file, folder), 'utf8') : undefined),
      })
      expect({ ...config, notes: notes.map(({ code, where }) => `${code} ${where}`) }).toEqual(expected[file])
      checkConfig(config, file, { foreignKeys: true })
    })
  }
})
