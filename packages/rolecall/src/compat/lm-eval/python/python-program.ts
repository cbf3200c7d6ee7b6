import { makeDict, pyFloat, pyRepr, Tuple, type Value } from '@rolecall/core/internal/python'
import type { Program } from '../../../evaluation/score/evaluate/evaluator.ts'
import type { TaskSpec } from '../dataset/task-spec.ts'
import type { FunctionMark } from '../yaml/function-mark.ts'
import { filesOf } from './function-host.ts'
import { type CallResults, neededCalls, RaisedInPython, type SandboxedCall } from './sandboxed-function.ts'

/** Libraries that task files import but do not need for scoring: their names can be imported; calling them is an error. */
const libraryStubs = ['datasets', 'evaluate', 'lm_eval', 'numpy', 'pandas', 'torch', 'tqdm', 'transformers', 'yaml']

/**
 * The code that makes the functions of a task callable in Python: it unpacks the wheels, writes the task's files, and defines a function that
 * calls functions by file and name. Results come back as JSON that keeps floats, tuples and numbers of any size.
 */
export function setupCode({ files, python }: TaskSpec, marks: readonly FunctionMark[]): string {
  const wheels = (python?.wheels ?? []).map(({ file, sha256 }) => [file.replace(/^.*[\\/]/s, ''), sha256])
  const load = marks.map((mark) => placeOf(mark, files).file)
  return `${setup}\n_set_up(${pyRepr(JSON.stringify({ wheels, files, load, stubs: libraryStubs }))})`
}

/** The file and the name of a function. */
function placeOf({ path, file }: FunctionMark, files: TaskSpec['files']): { file: string; name: string } {
  const dot = path.lastIndexOf('.')
  const candidates = filesOf(path.slice(0, dot), file)
  return { file: candidates.find((one) => Object.hasOwn(files, one)) ?? candidates[0]!, name: path.slice(dot + 1) }
}

/**
 * The program that makes the calls which these runs need. Where the result of a call decides on the next one (a filter, then a metric), other
 * programs follow, until all results are known. `collect` goes through the runs to find calls.
 */
export function callsProgram(spec: TaskSpec, runs: readonly (() => unknown)[], collect: Collect = once): Exclude<Program, string> {
  const known = new KnownResults(runs, collect)
  const programOf = (): Exclude<Program, string> => ({
    code: callsCode(known.needed, spec),
    leaves: 'left',
    next: (left) => (known.add(left) && known.needed.length > 0 ? programOf() : undefined),
  })
  return programOf()
}

/** The results that the programs for these runs left, a line each, by run; undefined if they are malformed. */
export function resultsIn(text: string, runs: readonly (() => unknown)[], collect: Collect = once): CallResults[] | undefined {
  const known = new KnownResults(runs, collect)
  return text.split('\n').every((line) => known.add(line)) ? known.results : undefined
}

/** Goes through runs that are repeated later. */
type Collect = <Result>(run: () => Result) => Result

const once: Collect = (run) => run()

/** The results of the calls of several runs, and the calls that are needed next. */
class KnownResults {
  readonly results: CallResults[]
  #needed: ReturnType<typeof neededCalls> | undefined

  constructor(
    readonly runs: readonly (() => unknown)[],
    readonly collect: Collect,
  ) {
    this.results = runs.map(() => [])
  }

  get needed(): SandboxedCall[] {
    return this.#collected().map(({ call }) => call)
  }

  /** Adds what a program for the needed calls left; false if that is malformed. */
  add(left: string): boolean {
    const found = readResults(left)
    const needed = this.#collected()
    if (found?.length !== needed.length) return false
    for (const [index, { run, call }] of needed.entries())
      this.results[run] = [...this.results[run]!, { mark: call.mark, result: found[index]! }]
    this.#needed = undefined
    return true
  }

  #collected(): ReturnType<typeof neededCalls> {
    this.#needed ??= this.collect(() => neededCalls(this.results, this.runs))
    return this.#needed
  }
}

function callsCode(calls: readonly SandboxedCall[], { files }: TaskSpec): string {
  const shown = calls.map(({ mark, args, kwargs, mayRaise }) => {
    const { file, name } = placeOf(mark, files)
    return [file, name, args, kwargs, mayRaise]
  })
  return `import sys\nleft = sys.modules['_rolecall_tasks'].run(${pyRepr(JSON.stringify(shown))})`
}

function readResults(text: string): (Value | RaisedInPython)[] | undefined {
  try {
    const found = JSON.parse(text) as unknown
    return Array.isArray(found) ? found.map((one) => raisedIn(one) ?? decoded(one)) : undefined
  } catch {
    return undefined
  }
}

function raisedIn(shown: unknown): RaisedInPython | undefined {
  if (typeof shown !== 'object' || shown === null || !('e' in shown)) return undefined
  const { e: found } = shown
  return Array.isArray(found) ? new RaisedInPython(String(found[0]), String(found[1])) : undefined
}

type Shown = null | boolean | string | { i: string } | { f: string } | { l: Shown[] } | { t: Shown[] } | { d: [Shown, Shown][] }

function decoded(shown: unknown): Value {
  const given = shown as Shown
  if (given === null || typeof given !== 'object') return given
  if ('i' in given) return Number.isSafeInteger(Number(given.i)) ? Number(given.i) : BigInt(given.i)
  if ('f' in given) return pyFloat(Number(given.f.replace('inf', 'Infinity')))
  if ('l' in given) return given.l.map(decoded)
  return 't' in given ? new Tuple(given.t.map(decoded)) : makeDict(given.d.map(([key, value]) => [decoded(key), decoded(value)]))
}

const setup = `
def _set_up(given):
    import importlib.machinery, importlib.util, json, logging, math, os, signal, sys, types, zipfile
    given = json.loads(given)
    home = os.getcwd()
    packages = os.path.join(home, 'packages')
    for name, sha in given['wheels']:
        if not os.path.exists(os.path.join(packages, sha)):
            zipfile.ZipFile(os.path.join(home, name)).extractall(packages)
            open(os.path.join(packages, sha), 'w').close()
    if packages not in sys.path:
        sys.path.insert(0, packages)
    for path, text in given['files'].items():
        place = os.path.join(home, 'tasks', path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, 'w') as file:
            file.write(text)

    # Timers that Python lacks here would fail, and some functions catch that; calls are limited from outside.
    for timer in ('alarm', 'setitimer'):
        if not hasattr(signal, timer):
            setattr(signal, timer, lambda *args: 0)

    def rounded(number, decimals=0):
        scale = 10.0 ** decimals
        scaled = float(number) * scale
        return round(scaled) / scale if math.isfinite(scaled) else float(number)

    class Absent(types.ModuleType):
        __path__ = []
        def __getattr__(self, name):
            if name.startswith('__') and name.endswith('__'):
                raise AttributeError(name)
            return Absent(f'{self.__name__}.{name}')
        def __call__(self, *args, **kwargs):
            raise ModuleNotFoundError(f"No module named '{self.__name__.split('.')[0]}'", name=self.__name__.split('.')[0])
        def __mro_entries__(self, bases):
            return (object,)
        def __or__(self, other):
            return self
        def __getitem__(self, key):
            return self

    class Finder:
        # After all others: a wheel that has the library comes first.
        def find_spec(self, name, path=None, target=None):
            if name.split('.')[0] in given['stubs']:
                return importlib.machinery.ModuleSpec(name, self, is_package=True)
        def create_module(self, spec):
            return Absent(spec.name)
        def exec_module(self, module):
            if module.__name__ == 'numpy':
                # What functions do with a number before they return it.
                module.nan, module.inf, module.isnan, module.round = math.nan, math.inf, math.isnan, rounded
            if module.__name__ == 'lm_eval.utils':
                module.eval_logger = logging.getLogger('lm_eval')
            if module.__name__ == 'lm_eval.tasks':
                for path in given['files']:
                    before, inside, _ = path.partition('lm_eval/tasks/')
                    if inside:
                        module.__path__ = [os.path.join(home, 'tasks', before, 'lm_eval', 'tasks')]

    if not any(type(finder).__name__ == 'Finder' for finder in sys.meta_path):
        sys.meta_path.append(Finder())

    def show(value):
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, int):
            return {'i': str(int(value))}
        if isinstance(value, float):
            return {'f': repr(float(value))}
        if isinstance(value, tuple):
            return {'t': [show(item) for item in value]}
        if isinstance(value, (list, set, frozenset)):
            return {'l': [show(item) for item in value]}
        if isinstance(value, dict):
            return {'d': [[show(key), show(item)] for key, item in value.items()]}
        raise TypeError(f'it returns a {type(value).__name__}, and not numbers or texts')

    def load(path):
        name = '_rolecall_task_' + path.replace('/', '_').replace('.', '_')
        if name not in sys.modules:
            spec = importlib.util.spec_from_file_location(name, os.path.join(home, 'tasks', path))
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module
            try:
                spec.loader.exec_module(module)
            except BaseException:
                del sys.modules[name]
                raise
        return sys.modules[name]

    def run(calls):
        names = {'nan': float('nan'), 'inf': float('inf')}
        results = []
        for path, name, args, kwargs, may_raise in json.loads(calls):
            try:
                results.append(show(getattr(load(path), name)(*eval(args, dict(names)), **eval(kwargs, dict(names)))))
            except Exception as error:
                if not may_raise:
                    raise
                results.append({'e': [type(error).__name__, str(error)]})
        return json.dumps(results, ensure_ascii=False)

    module = types.ModuleType('_rolecall_tasks')
    module.run = run
    sys.modules['_rolecall_tasks'] = module
    for path in given.get('load', []):
        load(path)
`
