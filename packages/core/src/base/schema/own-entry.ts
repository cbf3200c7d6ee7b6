/**
 * The entry of a table under a name from a file or a model; names such as "constructor" find no members of objects.
 *
 * @example
 * ownEntry({ A: 1 }, 'constructor') // => undefined
 */
export function ownEntry<Item>(table: Readonly<Record<string, Item>>, name: string): Item | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
