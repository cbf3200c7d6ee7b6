/**
 * The datasets of a group, also those of groups in it, each once; a name that a group has in itself is a dataset.
 *
 * @example
 * const groups: Record<string, string[]> = { all: ['law', 'maths'], maths: ['algebra', 'law'] }
 * groupMembers('all', (name) => groups[name] ?? []) // => ['law', 'algebra']
 */
export function groupMembers(group: string, membersOf: (name: string) => readonly string[]): string[] {
  const inside = (name: string, within: readonly string[]): string[] => {
    const members = within.includes(name) ? [] : membersOf(name)
    return members.length === 0 ? [name] : members.flatMap((one) => inside(one, [...within, name]))
  }
  return [...new Set(inside(group, []))]
}
