import type { Note } from '@rolecall/core/internal/errors'
import { networkMetrics } from './text-metrics.ts'

/** Libraries whose part in a score is computed by other means here. */
const replaced = ['langdetect', 'math_verify', 'sympy']

/** Notes on libraries that the Python files of a task import and that Rolecall replaces, or that they work without. */
export function libraryNotes(files: Readonly<Record<string, string>>, absent: ReadonlyMap<string, unknown>): Note[] {
  const missing = [...absent.keys()].map((name): Note => {
    return { code: 'absent-library', text: `its functions work without ${name}, as where it is not installed in Python` }
  })
  return [...replacedLibraryNotes(files), ...networkNotes(files), ...missing]
}

function networkNotes(files: Readonly<Record<string, string>>): Note[] {
  const loaded = networkMetrics.filter((name) =>
    Object.values(files).some((text) => new RegExp(`\\bload\\(\\s*["']${name}["']`).test(text)),
  )
  if (loaded.length === 0) return []
  const text = `its functions load ${loaded.join(' and ')}, which networks compute: they fail here, and the score is what the functions give then, mostly nan`
  return [{ code: 'network-metric', text }]
}

function replacedLibraryNotes(files: Readonly<Record<string, string>>): Note[] {
  const imported = replaced.filter((name) =>
    Object.values(files).some((text) => new RegExp(`^\\s*(?:import|from)\\s+${name}\\b`, 'm').test(text)),
  )
  if (imported.length === 0) return []
  return [
    {
      code: 'replaced-library',
      text: `its functions import ${imported.join(' and ')}: Rolecall computes this itself, and rare answers may be judged otherwise`,
    },
  ]
}
