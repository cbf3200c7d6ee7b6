export const quoteKind = 1
export const openKind = 2
export const closeKind = 3
export const numberKind = 4
export const markKind = 5
/** What a character is outside strings, by its code; 0: nothing that counts. The last entry is for all beyond ASCII. */
export const kinds = new Uint8Array(129)
for (const [characters, kind] of [
  ['"', quoteKind],
  ['{[', openKind],
  ['}]', closeKind],
  ['0123456789.-eE', numberKind],
] as const)
  for (const character of characters) kinds[character.charCodeAt(0)] = kind
