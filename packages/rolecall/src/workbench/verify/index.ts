export { openServer } from './open-server.ts'
export { ServerRequests } from './server-requests.ts'
export type { Switches, VerifiedServer } from './verified-server.ts'
export { type OurRenderer, type Verification, verifyServer } from './verify-server.ts'
