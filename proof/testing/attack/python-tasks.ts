import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import { pyRepr } from '../../../packages/core/src/base/python/index.ts'
import { functionHost } from '../../../packages/rolecall/src/compat/lm-eval/python/function-host.ts'
import { FunctionMark } from '../../../packages/rolecall/src/compat/lm-eval/yaml/function-mark.ts'
import type { Attack, Chance } from './attack.ts'

/** CPU seconds that the two million steps of a row may take: usually two, and more as long as jiti compiles the code. */
const mostSeconds = 20

const secret = 'attacked-4f1c'

/** Functions of task files (`!function`) that do not end, fill the memory or reach for the machine. */
export const pythonTasks: Attack = {
  name: 'Python of tasks',
  holds: 'each ends in a value or an error, by the charge of steps, and reads nothing but its files',
  async run({ chance, goesOn, tried, gotThrough, slack }) {
    process.env.ROLECALL_ATTACKED = secret
    try {
      while (goesOn()) {
        const source = chance.once(4) ? reaching(chance) : endless(chance)
        const path = chance.once(10) ? chance.pick(paths) : 'utils.f'
        const before = process.cpuUsage()
        const said = outcomeOf(source, path)
        const { user, system } = process.cpuUsage(before)
        tried()
        const seconds = (user + system) / 1e6
        if (seconds > mostSeconds * slack) gotThrough(`${seconds.toFixed(1)} s of the processor: ${source}`)
        if (said instanceof Error) gotThrough(`${said.stack}: ${source}`)
        else if (said.includes(secret) || said.includes('root:')) gotThrough(`it read ${said.slice(0, 200)}: ${source}`)
        await new Promise((resolve) => setImmediate(resolve))
      }
    } finally {
      delete process.env.ROLECALL_ATTACKED
    }
  },
}

/** The text of the result or of the error; an `Error` that is not for users. */
function outcomeOf(source: string, path: string): string | Error {
  const read = (file: string) => ({ 'tasks/utils.py': source, 'tasks/self.py': 'import self' })[file]
  try {
    const { callForRow } = functionHost(read)(new FunctionMark(path, 'tasks/t.yaml'))
    return pyRepr(callForRow([{ q: 'x' } as never]) as never)
  } catch (error) {
    return error instanceof PromptError ? error.message : (error as Error)
  }
}

/** What a mark may name. */
const paths = [
  '../../../../etc/passwd.f',
  '/etc/passwd.f',
  'os.system',
  'utils.__class__',
  'utils.f.__globals__',
  'self.f',
  '..f',
  'utils',
  'numpy.f',
]

const values = [
  '"a" * 100000',
  '"a b " * 20000',
  '"\\U0001F600" * 20000',
  '"&amp;" * 10000',
  'list(range(20000))',
  'tuple(range(20000))',
  'set(range(2000))',
  '{i: i for i in range(5000)}',
  '[[1] * 100] * 100',
  '[str(i) for i in range(5000)]',
  '7 ** 30000',
  '"9" * 4000',
  'Endless()',
  'shared(60)',
  '"(" * 5000',
  'Equal()',
] as const

const operations = [
  'str(x)',
  'repr(x)',
  'len(x)',
  'sorted(x)',
  'sorted(x, key=lambda one: str(one))',
  'list(x)',
  'set(x)',
  'tuple(x)',
  'dict(x)',
  'sum(x)',
  'max(x)',
  'x == x',
  'x + x',
  'x * 3',
  'x[::-1]',
  'x[1:]',
  '5 in x',
  '"ab" in x',
  'x.find("aab")',
  'x.count("a")',
  'x.replace("a", "b")',
  'x.split()',
  'x.split("a")',
  '"".join(x)',
  'x.upper()',
  'x.strip("b")',
  'x.title()',
  'x.index("b")',
  'x.index(-1)',
  'x.insert(0, 1)',
  'x.append(x.pop(0))',
  'x.copy()',
  'x.keys()',
  'x.encode()',
  'x.translate(str.maketrans("a", "b"))',
  'x.format(1)',
  'x % 3',
  'x ** 3',
  'x // 7',
  'int(x)',
  'float(x)',
  'f"{x:>200}"',
  '"%s %s" % (x, x)',
  'json.dumps(x)',
  'json.loads(json.dumps(x))',
  'json.loads(x)',
  'copy.deepcopy(x)',
  'ast.literal_eval(x)',
  'eval(x)',
  'html.unescape(x)',
  'unicodedata.normalize("NFKD", x)',
  're.findall("(a|b)*c", x)',
  're.sub("a.*b", "", x)',
  're.sub(x, "", "a")',
  're.split("a*", x)',
  're.search("(?=a*b)a", x)',
  're.compile(x)',
  'collections.Counter(x)',
  'itertools.permutations(x)',
  'list(itertools.product(x, x))',
  'list(itertools.combinations(x, 3))',
  'random.shuffle(x)',
  'random.choices(x, k=10 ** 9)',
  'random.sample(x, 10)',
  'np.array(x).sum()',
  'np.zeros((3000, 3000))',
  'functools.reduce(lambda one, other: one + other, x)',
  'list(map(str, x))',
  'list(zip(x, x))',
  '{one: x for one in x}',
  '[one for one in x for other in x]',
  'hash(x)',
  'any(x)',
  'reversed(x)',
  'list(enumerate(x))',
  'x(x)',
  'x.x.x',
  'getattr(x, "a" * 10000)',
  'isinstance(x, str)',
  'print(x)',
] as const

const loops = [
  'while True:\n        OPERATION',
  'for i in range(10 ** 9):\n        OPERATION',
  'while True:\n        x = OPERATION',
  'while True:\n        try:\n            OPERATION\n            raise ValueError(x)\n        except Exception:\n            pass',
  'return f(OPERATION)',
  'return OPERATION',
  'return [OPERATION for i in range(10 ** 6)]',
] as const

function endless(chance: Chance): string {
  const body = chance.pick(loops).replace('OPERATION', () => chance.pick(operations))
  return `
import ast, collections, copy, functools, html, itertools, json, random, re, unicodedata
import numpy as np

class Endless:
    def __getitem__(self, place):
        return place

class Equal:
    def __eq__(self, other):
        return self == other
    def __len__(self):
        return len(self)
    def __call__(self, x):
        return self(x)

def shared(depth):
    x = [1]
    for i in range(depth):
        x = [x, x]
    return x

def f(doc):
    x = ${chance.pick(values)}
    ${body}
`
}

const reaches = [
  '__import__("os").environ',
  'open("/etc/passwd").read()',
  'open("../../../../etc/passwd").read()',
  '().__class__.__bases__[0].__subclasses__()',
  'f.__globals__',
  'f.__code__',
  '(lambda: 0).__class__.__call__',
  'os.environ["ROLECALL_ATTACKED"]',
  'os.environ.get("ROLECALL_ATTACKED")',
  'os.getenv("ROLECALL_ATTACKED")',
  'os.listdir("/")',
  'os.system("id")',
  'os.popen("id").read()',
  'subprocess.check_output(["id"])',
  'socket.socket()',
  'urllib.request.urlopen("http://127.0.0.1")',
  'sys.modules',
  'eval("__import__(\'os\')")',
  'exec("import os")',
  'globals()["__builtins__"]',
  'getattr(doc, "constructor")',
  'doc.__proto__',
  'doc["__proto__"]',
  '"".constructor.constructor("return process")()',
  '"{0.__class__.__init__.__globals__}".format(f)',
  '"{0.constructor}".format(doc)',
  'setattr(f, "__proto__", 1)',
  'doc.update({"__proto__": {"polluted": 1}})',
  'pathlib.Path("/etc/passwd").read_text()',
  'datasets.load_dataset("/etc/passwd")',
  'importlib.import_module("os").environ',
  'json.load(open("/etc/passwd"))',
] as const

function reaching(chance: Chance): string {
  const modules = ['os', 'sys', 'subprocess', 'socket', 'pathlib', 'datasets', 'importlib', 'json', 'urllib.request']
  const imported = modules.filter(() => chance.once(3))
  return `${imported.map((name) => `import ${name}\n`).join('')}
def f(doc):
    return ${chance.pick(reaches)}
`
}
