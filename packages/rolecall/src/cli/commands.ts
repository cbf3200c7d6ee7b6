import type { Command } from 'commander'

type Entry = readonly [does: string, load: () => Promise<Command>]

/** The commands as `rolecall --help` lists them, by task. A command is a file and a line here. */
const tasks: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  Evaluate: {
    run: ['send prompts to models and score the answers', async () => (await import('./run/run-command.ts')).runCommand],
    ctl: ['pause, resume, limit or stop a run in progress', async () => (await import('./ctl-command.ts')).ctlCommand],
    init: ['write a config for your data and a model you can run', async () => (await import('./init/init-command.ts')).initCommand],
    compare: ['show what changed from one run to another', async () => (await import('./compare/compare-command.ts')).compareCommand],
    why: ['explain why two scores differ, cause by cause', async () => (await import('./why/why-command.ts')).whyCommand],
    score: ['score a run again without running any model', async () => (await import('./score-command.ts')).scoreCommand],
    annotations: [
      'show what reviewers noted on rows, and how far scores agree',
      async () => (await import('./annotations/annotations-command.ts')).annotationsCommand,
    ],
    publish: ['write the results of a run for other tools', async () => (await import('./publish/publish-command.ts')).publishCommand],
    merge: ['join the parts of a run that was split with --shard', async () => (await import('./merge-command.ts')).mergeCommand],
    worker: ['work for runs started with `run --queue`', async () => (await import('./queue/worker-command.ts')).workerCommand],
    queue: ['show the runs, jobs and workers of a queue', async () => (await import('./queue/queue-command.ts')).queueCommand],
  },
  'Look at prompts': {
    render: ['print the exact prompt of any row for any model', async () => (await import('./render/render-command.ts')).renderCommand],
    tokens: ['print the tokens of prompts with their ids', async () => (await import('./tokens/tokens-command.ts')).tokensCommand],
    view: ['view prompts, tokens and results in the browser', async () => (await import('./view/view-command.ts')).viewCommand],
    lab: ['try chats on chat templates in the browser', async () => (await import('./lab/lab-command.ts')).labCommand],
    diff: ['show how the prompts of two templates or runs differ', async () => (await import('./diff/diff-command.ts')).diffCommand],
  },
  'Work on templates': {
    list: ['list models, formats, presets, tasks or evaluators', async () => (await import('./list-command.ts')).listCommand],
    formats: ['list the built-in formats; show what a template can do', async () => (await import('./formats-command.ts')).formatsCommand],
    lint: ['find what chat templates and configs drop or alter', async () => (await import('./lint/lint-command.ts')).lintCommand],
    convert: [
      "convert a format to another system's, with proof",
      async () => (await import('./convert/convert-command.ts')).convertCommand,
    ],
    verify: ['check how a running server renders chats', async () => (await import('./verify/verify-command.ts')).verifyCommand],
  },
  'Serve and chat': {
    serve: ['serve models to OpenAI and Anthropic clients', async () => (await import('./serve/serve-command.ts')).serveCommand],
    chat: ['chat with a model, with tools and Python', async () => (await import('./chat/chat-command.ts')).chatCommand],
    mcp: ['offer prompts, tokens and lint as tools to coding agents', async () => (await import('./mcp/mcp-command.ts')).mcpCommand],
  },
  'Prepare data': {
    import: ['convert OpenCompass and AISBench configs', async () => (await import('./import/import-command.ts')).importCommand],
    presets: ['list the known benchmarks and their files', async () => (await import('./presets-command.ts')).presetsCommand],
    hub: ['download models and datasets by name; lock and pack them', async () => (await import('./hub/hub-command.ts')).hubCommand],
    export: ['write conversations as training rows', async () => (await import('./export/export-command.ts')).exportCommand],
  },
  Housekeeping: {
    doctor: [
      'print versions, packages and caches, for bug reports',
      async () => (await import('./doctor/doctor-command.ts')).doctorCommand,
    ],
    completion: [
      'print shell completions',
      async () =>
        (await import('./completion/completion-command.ts')).completionCommand(() => Promise.all(commands.map(({ load }) => load()))),
    ],
  },
}

/** A command: its line in `rolecall --help`, and how to load it. */
type CommandEntry = { name: string; task: string; does: string; load: () => Promise<Command> }

export const commands: readonly CommandEntry[] = Object.entries(tasks).flatMap(([task, entries]) =>
  Object.entries(entries).map(([name, [does, load]]) => ({ name, task, does, load })),
)
