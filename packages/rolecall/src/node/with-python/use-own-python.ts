import { resolve } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { isDict } from '@rolecall/core/internal/python'
import { usePythonHost } from '../../python/host/current-host.ts'
import { PythonWorkerHost } from './python-worker-host.ts'

/** The flags that run users' own classes in their own Python. */
export type PythonFlags = {
  /** An executable or an environment's folder; true: the one of ROLECALL_PYTHON, the active environment or the path. */
  withPython?: string | true
  /** The checkout of OpenCompass that has its classes. */
  opencompass?: string
  /** Names of variables, separated by commas. */
  pythonEnv?: string
  /** Seconds that a call may take. */
  pythonTime?: number
}

/** `with_python` of a config. */
type PythonSettings = { python?: string; environment?: readonly string[]; seconds?: number }

/** Where own classes are looked up, and how errors name the config. */
export type PythonPlace = { folder: string; where: string; checkout?: string | undefined }

let running: PythonWorkerHost | undefined

/**
 * Makes users' own classes and functions run in their own Python, if a flag or the config asks for it; otherwise nothing of theirs is
 * executed. The process starts with the first class that is needed.
 */
export function useOwnPython(flags: PythonFlags, written: unknown, place: PythonPlace): Note[] {
  const settings = settingsOf(flags, written, place)
  // Never the Python that another config asked for.
  stopOwnPython()
  if (settings === undefined) return []
  const { python, environment, seconds } = settings
  const folder = resolve(place.folder)
  running = new PythonWorkerHost({
    python,
    environment,
    seconds,
    paths: [...new Set([folder, process.cwd()])],
    checkout: place.checkout,
  })
  usePythonHost(running)
  const text = `own classes and functions are executed by ${running.executable}, with your rights`
  return [{ code: 'own-python', where: flags.withPython === undefined ? `${place.where} › with_python` : '--with-python', text }]
}

/** The host that runs, for its versions. */
export function ownPythonInUse(): PythonWorkerHost | undefined {
  return running
}

export function stopOwnPython(): void {
  running?.close()
  running = undefined
  usePythonHost(undefined)
}

function settingsOf(
  { withPython, pythonEnv, pythonTime }: PythonFlags,
  written: unknown,
  { folder, where }: { folder: string; where: string },
) {
  const environment = pythonEnv?.split(',').map((name) => name.trim())
  const fromFlags: PythonSettings = { ...(environment && { environment }), ...(pythonTime === undefined ? {} : { seconds: pythonTime }) }
  if (withPython !== undefined)
    return { ...fromFlags, ...(typeof withPython === 'string' && withPython !== 'true' ? { python: withPython } : {}) }
  if (written === undefined || written === false || written === null) {
    const [flag] = [pythonEnv && '--python-env', pythonTime && '--python-time'].filter(Boolean)
    if (flag) throw new PromptError('missing', { where: flag, problem: 'no Python is asked for', fix: 'add --with-python' })
    return undefined
  }
  if (written === true) return fromFlags
  // A path of a config is relative to its folder.
  const inFolder = (path: string) => (/[\\/]/.test(path) ? resolve(folder, path) : path)
  if (typeof written === 'string') return { ...fromFlags, python: inFolder(written) }
  if (isDict(written)) {
    const { python, environment: names, seconds } = written as { python?: unknown; environment?: unknown; seconds?: unknown }
    return {
      ...(typeof python === 'string' ? { python: inFolder(python) } : {}),
      ...(Array.isArray(names) ? { environment: names.map(String) } : {}),
      ...(typeof seconds === 'number' ? { seconds } : {}),
      ...fromFlags,
    }
  }
  throw new PromptError('bad-config', {
    where: `${where} › with_python`,
    problem: 'it is neither true, a path, nor an object with python, environment and seconds',
    fix: 'write with_python: true, or the path of a Python',
  })
}
