/**
 * Finds the entry for a dataset class by its name in a config: `GSM8KDataset` or `opencompass.datasets.GSM8KDataset`.
 * Earlier releases of OpenCompass spell some with other capitals and underscores (`hellaswagDataset_V2`). Undefined if unknown.
 */
export function byClassName<Value>(classes: Readonly<Record<string, Value>>): (type: string) => Value | undefined {
  // The first of two whose names differ only in capitals and underscores.
  const bySpelling = new Map(
    Object.entries(classes)
      .toReversed()
      .map(([name, value]) => [spelling(name), value]),
  )
  return (type) => {
    const name = type.slice(type.lastIndexOf('.') + 1)
    return Object.hasOwn(classes, name) ? classes[name] : bySpelling.get(spelling(name))
  }
}

const spelling = (name: string) => name.toLowerCase().replaceAll('_', '')
