import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { PromptError, suggestName } from '@rolecall/core/internal/errors'
import { showSize } from '../../model/agent/attached-file.ts'
import { colors, printable } from '../terminal.ts'
import type { ChatSession } from './chat-session.ts'
import { loadChat } from './load-chat.ts'
import { showPrompt } from './show-prompt.ts'

type Slash = { usage: string; help: string; run(session: ChatSession, rest: string): string | Promise<string> }

/** The slash commands of a chat. */
export const slashCommands: Readonly<Record<string, Slash>> = {
  help: {
    usage: '/help',
    help: 'show this list',
    run: () =>
      Object.values(slashCommands)
        .map(({ usage, help }) => `  ${usage.padEnd(18)} ${colors.dim(help)}`)
        .join('\n'),
  },
  system: {
    usage: '/system TEXT',
    help: 'set the system message; without TEXT, show it',
    run(session, rest) {
      if (rest === '') return session.system === undefined ? colors.dim('(no system message)') : printable(session.system)
      session.system = rest
      return colors.dim('system message set')
    },
  },
  file: {
    usage: '/file PATH',
    help: 'attach a file to the next message (needs --python or --jupyter)',
    async run(session, rest) {
      const { interpreter } = session.options
      if (!interpreter)
        throw new PromptError('no-interpreter', {
          where: '/file',
          problem: 'no code interpreter to read the file',
          fix: 'start with --python or --jupyter URL',
        })
      const data = readUserFile(rest, '/file')
      const file = { path: basename(rest), size: data.length }
      await interpreter.addFile(file.path, data)
      session.attached.push(file)
      return colors.dim(`attached ${printable(file.path)} (${showSize(file.size)}) to the next message`)
    },
  },
  files: {
    usage: '/files',
    help: 'list the files of the code interpreter',
    async run(session) {
      const files = (await session.options.interpreter?.listFiles()) ?? []
      return files.map(({ path, size }) => `  ${printable(path)} ${colors.dim(showSize(size))}`).join('\n') || colors.dim('(no files)')
    },
  },
  get: {
    usage: '/get NAME PATH',
    help: 'save a file written by code; PATH defaults to NAME in this folder',
    async run(session, rest) {
      const [name = '', path = basename(name)] = rest.split(/\s+/)
      const { interpreter } = session.options
      if (!interpreter || name === '')
        throw new PromptError('no-file', { where: '/get', problem: 'no such file', fix: 'list them with /files' })
      writeFileSync(path, await interpreter.readFile(name), { flag: 'wx' })
      return colors.dim(`saved to ${printable(path)}`)
    },
  },
  tools: {
    usage: '/tools',
    help: 'list the tools the model may call',
    run({ options: { tools, interpreter } }) {
      const lines = tools.map(
        ({ name, description = '', run }) =>
          `  ${printable(name)} ${colors.dim(printable(description) + (run ? '' : ' (you type the result)'))}`,
      )
      if (interpreter)
        lines.push(
          `  ${printable(interpreter.name)} ${colors.dim(interpreter.isSandbox ? 'a sandbox' : 'not a sandbox: code can do what you can')}`,
        )
      return lines.join('\n') || colors.dim('(none)')
    },
  },
  prompt: {
    usage: '/prompt',
    help: 'show the last prompt, coloured by source',
    run: ({ lastPrompt, options }) =>
      lastPrompt === undefined ? colors.dim('(nothing sent yet)') : showPrompt(lastPrompt, { tokenizer: options.opened.model.tokenizer }),
  },
  history: {
    usage: '/history',
    help: 'show the messages',
    run: ({ messages }) =>
      messages
        .map(
          ({ role, name, content }) =>
            `  ${colors.magenta(printable(name === undefined ? role : `${role} ${name}`))} ${printable(String(content ?? ''))}`,
        )
        .join('\n') || colors.dim('(no messages)'),
  },
  save: {
    usage: '/save PATH',
    help: 'save the chat with its exact prompts and raw replies as JSON',
    run(session, rest) {
      if (rest === '') throw new PromptError('missing', { where: '/save', problem: 'missing path', fix: 'for example: /save chat.json' })
      writeFileSync(rest, `${JSON.stringify(session.transcript(), null, 2)}\n`)
      return colors.dim(`saved to ${printable(rest)}`)
    },
  },
  load: {
    usage: '/load PATH',
    help: 'continue a saved chat, messages as JSON, or a transcript',
    run(session, rest) {
      const { messages, steps } = loadChat(rest, '/load')
      session.load(messages, steps)
      return colors.dim(`${messages.length} messages loaded`)
    },
  },
  reset: {
    usage: '/reset',
    help: 'clear the chat and the code interpreter; keep the system message',
    async run(session) {
      session.reset()
      await session.options.interpreter?.restart()
      return colors.dim('new chat')
    },
  },
  exit: { usage: '/exit', help: 'exit (also Ctrl-D)', run: () => '' },
}

/** Runs a slash command; returns what to print. */
export async function runSlash(line: string, session: ChatSession): Promise<string> {
  const [, name = '', rest = ''] = /^\/(\S*)\s*(.*)$/s.exec(line) ?? []
  if (Object.hasOwn(slashCommands, name)) return slashCommands[name]!.run(session, rest.trim())
  throw new PromptError('unknown-command', {
    where: `/${name}`,
    problem: 'unknown command',
    fix: suggestName(name, Object.keys(slashCommands)),
  })
}

function readUserFile(path: string, where: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new PromptError('no-file', { where, problem: `cannot read ${path}: ${(error as Error).message}`, fix: 'check the path' })
  }
}
