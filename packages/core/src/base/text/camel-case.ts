/** A name of a config in TypeScript: `topP` for `top_p`. */
export type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<CamelCase<Rest>>}` : Name

/**
 * A name of a config as it is spelled in TypeScript.
 *
 * @example
 * camelCase('repetition_penalty') // => 'repetitionPenalty'
 */
export function camelCase<const Name extends string>(name: Name): CamelCase<Name> {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<Name>
}
