import { Command } from 'commander'
import { commandTools } from './command-tools.ts'
import { promptTools } from './prompt-tools.ts'
import { serveMcp } from './serve-mcp.ts'

export const mcpCommand = new Command('mcp')
  .description('offer render, tokens, parse, lint, diff and why to coding agents, as a server of the Model Context Protocol')
  .addHelpText(
    'after',
    `
Agents start it themselves, in the folder whose files it may read; it needs no network and runs no code of that folder:
  { "mcpServers": { "rolecall": { "command": "npx", "args": ["rolecall", "mcp"] } } }
  claude mcp add rolecall -- npx rolecall mcp`,
  )
  .action(() => serveMcp([...promptTools, ...commandTools], { input: process.stdin, output: process.stdout, folder: process.cwd() }))
