import { PromptError } from '@rolecall/core/internal/errors'

type Environment = Readonly<Record<string, string | undefined>>

/** What a Python, its packages and the loaders of OpenCompass need to find programs, libraries and data. */
const needed =
  /^(?:PATH|HOME|USERPROFILE|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|LD_LIBRARY_PATH|DYLD_\w+|PYTHON(?:PATH|HOME|HASHSEED|UTF8|IOENCODING|USERBASE|NOUSERSITE|DONTWRITEBYTECODE)|VIRTUAL_ENV|CONDA_PREFIX|CUDA_VISIBLE_DEVICES|OMP_NUM_THREADS|HF_HOME|HF_DATASETS_CACHE|HF_HUB_CACHE|HF_HUB_OFFLINE|HF_DATASETS_OFFLINE|TRANSFORMERS_OFFLINE|MODELSCOPE_CACHE|NLTK_DATA|TIKTOKEN_CACHE_DIR|COMPASS_DATA_CACHE|DATASET_SOURCE|XDG_CACHE_HOME)$/

const secret = /key|token|secret|passw|credential|auth|cookie/i

/**
 * The environment of the user's own Python: what it needs to run, and the variables that were asked for. Keys are never passed: the code
 * scores replies, and what it prints is shown.
 */
export function pythonEnvironment(asked: readonly string[] = [], environment: Environment = process.env): Record<string, string> {
  for (const name of asked)
    if (secret.test(name))
      throw new PromptError('no-secrets', {
        where: `--python-env ${name}`,
        problem: 'by its name it is a key, and keys are not passed to Python',
        fix: 'let the code read it from a file of yours, or name the variable differently if it is none',
      })
  const wanted = new Set(asked)
  const passed = Object.entries(environment).filter(([name]) => needed.test(name) || wanted.has(name))
  // Output is shown as it is written, and is UTF-8 wherever it goes.
  return {
    ...Object.fromEntries(passed.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    PYTHONUTF8: '1',
    PYTHONUNBUFFERED: '1',
  }
}
