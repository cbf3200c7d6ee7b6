/** An object of an imported config. */
export type ImportedEntry = { [key: string]: unknown }
