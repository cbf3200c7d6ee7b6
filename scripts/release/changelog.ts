/** The changelog of a release, or the problem with it. */
export type MovedChangelog = { text: string; notes: string } | { problem: string }

const heading = /^## (?:Unreleased|(\d+\.\d+\.\d+) \(unreleased\))$/m
const nothing = 'Nothing yet.'

/** Moves the unreleased changes under the version and its date, and adds an empty section for the next ones. */
export function moveUnreleased(changelog: string, version: string, date: string): MovedChangelog {
  const found = heading.exec(changelog)
  if (!found) return { problem: 'CHANGELOG.md has no section "Unreleased"' }
  const [line, planned] = found
  if (planned !== undefined && planned !== version) return { problem: `CHANGELOG.md plans ${planned}, not ${version}` }
  const start = found.index + line.length
  const next = changelog.indexOf('\n## ', start)
  const notes = changelog.slice(start, next === -1 ? undefined : next).trim()
  if (notes === '' || notes === nothing) return { problem: 'CHANGELOG.md says nothing under "Unreleased"' }
  const [before, after] = [changelog.slice(0, found.index), next === -1 ? '' : changelog.slice(next)]
  return { text: `${before}## Unreleased\n\n${nothing}\n\n## ${version} (${date})\n\n${notes}\n${after}`, notes }
}
