import { parseHubName, repositoryOf } from '../hub/hub-name.ts'
import type { HubSource } from '../hub/hub-site.ts'

/**
 * Repositories of which two runs used different commits, whether a branch moved on or another revision was named; or one branch with
 * different files, because ModelScope has no commits.
 */
export function differentRevisions(first: readonly HubSource[] = [], second: readonly HubSource[] = []): string[] {
  const isIn = (sources: readonly HubSource[], repository: string) => sources.some((one) => one.repository === repository)
  return first.flatMap(({ repository, commit, files }) => {
    const same = second.find((source) => source.repository === repository)
    if (same?.commit === commit) {
      const changed = Object.keys(files).filter((path) => same.files[path] !== undefined && same.files[path] !== files[path])
      return changed.length === 0 ? [] : [`${repository} with different contents of ${changed.join(', ')}`]
    }
    const shown = `${repository} at ${commit.slice(0, 12)} in the first run and`
    if (same !== undefined) return [`${shown} at ${same.commit.slice(0, 12)} in the second`]
    const others = second.filter((one) => idOf(one) === idOf({ repository }) && !isIn(first, one.repository))
    if (others.length === 0 || others.some((one) => one.commit === commit)) return []
    return [`${shown} ${others.map((one) => `${one.repository} at ${one.commit.slice(0, 12)}`).join(', ')} in the second`]
  })
}

/** The repository without its revision. */
function idOf({ repository }: Pick<HubSource, 'repository'>): string {
  const { revision: _, ...name } = parseHubName(repository)!
  return repositoryOf(name)
}
