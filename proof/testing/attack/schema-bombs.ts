/** A schema of a few kilobytes whose alternatives multiply when they are combined: 2 to the power of `count`, each with all properties. */
export function schemaBomb(count: number, names: number): object {
  return {
    allOf: Array.from({ length: count }, (_, at) => ({
      anyOf: [0, 1].map((side) => ({
        properties: Object.fromEntries(Array.from({ length: names }, (__, index) => [`p${at}_${side}_${index}`, { type: 'integer' }])),
      })),
    })),
  }
}
