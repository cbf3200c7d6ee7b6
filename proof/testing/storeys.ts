/**
 * The floor plan of the packages: storeys from bottom to top, and in each its rooms from bottom to top. A room imports only itself, rooms
 * listed before it in its storey, and lower storeys. CONTRIBUTING.md and ARCHITECTURE.md print this table.
 */
export const storeys: readonly Readonly<Record<string, Readonly<Record<string, string>>>>[] = [
  {
    'core/base': {
      fidelity: 'the quirks of OpenCompass that compat reproduces, by name',
      schema: 'what users may write about prompts and scores, checked and described in little code',
      errors: 'PromptError, notes, limits, suggestions, redacted secrets',
      text: 'pieces: text that remembers who wrote it; joining, slicing, the byte sink',
      pattern: 'regular expressions in linear time, for patterns from strangers',
      python: 'Python values in TypeScript: operators, repr, methods, JSON',
      jinja: 'the language of chat templates: syntax, compiler to closures, filters, origins',
      'go-template': "the part of Go's text/template that Ollama's templates need",
    },
  },
  {
    'core/prompt': {
      conversation: 'rows, examples, messages and prompt templates → conversation',
      format: 'conversation → prompt: adapt/, meta templates, API messages, MLC, InternLM2, chat templates; presets as data',
      tokenizer: 'prompt → token ids; protected tokens, offsets, look-alikes',
      compile: 'dataset × format, compiled once for many rows; fitting examples into a context',
    },
  },
  {
    core: {
      constrain: 'JSON Schemas, patterns and choices as automata, and which tokens they allow',
      reply: 'reply → text, reasoning, tool calls, code; whole or streamed',
      masks: 'which tokens a model learns from; chats continued token by token',
      model: 'the public functions over one model: define it, render prompts, read replies, count tokens',
    },
  },
  { rolecall: { python: "Python's syntax, interpreter and library, for configs, tasks and scoring" } },
  {
    'rolecall/model': {
      'language-model': 'what every model does: generate, score, sample, stop',
      gguf: 'the tokenizer and metadata in a GGUF file',
      embedded: 'the network of the embedded model',
      openai: 'OpenAI-compatible servers, and http/: limits, retries, back-off',
      'chat-apis': "Anthropic's Messages API and Gemini's generateContent: requests written, replies read",
      batch: 'the batch endpoints of OpenAI and Anthropic: collected, submitted, polled, resumed',
      'model-types': 'the types of models a config can name, in a registry',
      agent: 'the loop of a model with tools and code; transcripts',
    },
  },
  {
    'rolecall/evaluation': {
      dataset: 'rows, splits, row formats, retrievers',
      score: 'postprocessors, evaluators, statistics',
      config: 'what a user writes: the schemas of all rooms composed, checks, defineConfig',
      run: 'inferencers ask/, models answer, records keep, results compare',
    },
  },
  {
    'rolecall/compat': {
      benchmarks: 'configs of known datasets',
      opencompass: 'Python configs, dataset classes, evaluators, postprocessors, model classes',
      'lm-eval': 'tasks of lm-evaluation-harness: YAML, prompts, filters, metrics, groups',
      'own-python': "users' own classes and functions: the interpreter as a host, and what a config names to run them",
      results: 'results of other harnesses, read as rows of our run records',
      promptfoo: 'promptfoo configs: prompts, providers, tests and assertions',
      inspect: 'tasks of Inspect in eval.yaml of a dataset: solvers as prompts, scorers',
      publish: 'results of runs in the formats of other tools',
    },
    'rolecall/workbench': {
      training: 'conversations of datasets and runs as training rows',
      lint: 'rules that examine chat templates and datasets',
      'training-twin': 'chat templates that mark what the model writes, and the proof',
      diff: 'how two prompts of one conversation differ',
      why: 'why two scores differ, row by row, cause by cause',
      convert: 'a format written in another language, and the proof',
      verify: 'how a server writes chats, and why that differs from a template',
    },
  },
  {
    rolecall: {
      node: 'files, configs, runs on disk, local models, the Python sandbox',
      cluster: 'runs on a Redis queue: coordinator, workers, leases',
      server: 'the OpenAI-compatible server; viewer/ is the back end of the viewer',
      cli: 'the commands',
    },
  },
  {
    adapters: {
      turn: 'one turn of a model, for every framework',
      'ai-sdk': 'a model and a middleware for the AI SDK',
      langchain: 'a chat model for LangChain',
      'node-llama-cpp': 'a chat wrapper for node-llama-cpp',
      transformers: 'chat templates in transformers.js',
      vitest: 'snapshots of prompts, matchers',
    },
  },
]

export type Room = {
  storey: string
  room: string
  holds: string /** From the project's root. */
  folder: string
  height: number
  place: number
}

/** All rooms, from bottom to top. */
export const rooms: readonly Room[] = storeys.flatMap((level, height) =>
  Object.entries(level).flatMap(([storey, its]) =>
    Object.entries(its).map(([room, holds], place) => ({ storey, room, holds, folder: folderOf(storey, room), height, place })),
  ),
)

function folderOf(storey: string, room: string): string {
  const [name, ...folders] = storey.split('/')
  return ['packages', name, 'src', ...folders, room].join('/')
}

/** Folders whose files call each other recursively, as the grammars they read do: the only import circles. */
export const recursiveFolders: readonly string[] = [
  'packages/core/src/base/jinja/compile',
  'packages/core/src/base/jinja/syntax',
  'packages/core/src/constrain/machine',
  'packages/rolecall/src/python/interpreter',
  'packages/rolecall/src/python/syntax',
]
