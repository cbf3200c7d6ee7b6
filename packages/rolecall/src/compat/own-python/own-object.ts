import { PromptError } from '@rolecall/core/internal/errors'
import type { PyDict } from '@rolecall/core/internal/python'
import * as z from '@rolecall/core/internal/schema'
import { chosenPythonHost } from '../../python/host/current-host.ts'
import type { PythonHost } from '../../python/host/python-host.ts'

/** A class or function of a user's own in a config: how it is named, where its code is, and what its config says besides `type`. */
export type OwnPython = {
  /** `package.module.Name`, `file.py:name`, or the name it is registered under. */
  object: string
  /** The folder of the config, and the file in it that names the object. */
  folder: string
  from?: string | undefined
  /** The hash of the code that was read to load it: another code is another config. */
  code?: string | undefined
  settings?: Record<string, unknown> | undefined
}

/** The settings of the types `PythonEvaluator`, `PythonPostprocessor` and `PythonDataset`. */
export const ownPythonSchema = z.strictObject({
  object: z.string(),
  folder: z.string(),
  from: z.optional(z.string()),
  code: z.optional(z.string()),
  settings: z.optional(z.custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null, 'expected an object')),
})

let makeHost: ((folder: string) => PythonHost) | undefined

/** Says how the code of a folder is read; without it, nothing is run. */
export function setOwnPythonHosts(make: (folder: string) => PythonHost): void {
  makeHost = make
}

/** The host that runs the code of a folder: the one that was asked for, else the interpreter. */
export function hostOf({ folder, object }: OwnPython): PythonHost {
  const host = chosenPythonHost() ?? makeHost?.(folder)
  if (host !== undefined) return host
  throw new PromptError('python-missing', {
    where: object,
    problem: `the code in ${folder} cannot be read here`,
    fix: 'run it where the files are',
  })
}

/** The arguments that a config gives. */
export function settingsOf({ settings = {} }: OwnPython): PyDict {
  return settings as PyDict
}
