import { fileURLToPath } from 'node:url'

/**
 * Importing this lets the Python sandbox keep its snapshot between tests and runs of tests, as it does for users: a first start takes
 * ten times as long as a later one. Nothing else is kept there.
 */
process.env.ROLECALL_CACHE = fileURLToPath(new URL('../.cache/tests', import.meta.url))
