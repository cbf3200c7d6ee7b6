#!/usr/bin/env node
import { Command } from 'commander'

const program = new Command('rolecall').description('The exact prompt, for every model.').version('0.1.0')

await program.parseAsync()
