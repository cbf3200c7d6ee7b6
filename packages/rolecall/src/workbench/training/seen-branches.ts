/** A request as the model saw it: the ids that were sent, and those that it wrote. */
export type SeenStep = {
  promptIds: readonly number[]
  replyIds: readonly number[]
  /** 1 for ids to train; without it, all of the reply. */
  replyMask?: readonly (0 | 1)[] | undefined
  /** The log-probability of each id of the reply. */
  logprobs?: readonly number[] | undefined
}

/** A prompt that was really seen, with its replies: one row for a trainer. */
export type SeenBranch = {
  ids: readonly number[]
  /** 1 for ids that were sampled in this branch; replies of earlier branches are context. */
  mask: readonly (0 | 1)[]
  /** The log-probability of each sampled id and 0 for all others; undefined if a reply came without. */
  logprobs?: readonly number[] | undefined
  /** The number of ids in front of the first reply of this branch. */
  promptLength: number
  /** The number of replies of this branch. */
  turns: number
}

type Open = { ids: number[]; mask: (0 | 1)[]; logprobs: number[]; hasLogprobs: boolean; promptLength: number; turns: number }

/**
 * Requests of one chat as branches. A prompt that begins with a whole branch continues it; any other begins a new one, as a sample of the same
 * prompt does. Takes time in proportion to the ids: branches are found by a hash of their ids.
 */
export function seenBranches(steps: readonly SeenStep[]): SeenBranch[] {
  const branches: Open[] = []
  /** Branches by length and hash of their ids. */
  const ends = new Map<string, number>()
  for (const { promptIds, replyIds, replyMask, logprobs } of steps) {
    const continued = longestStart(promptIds, branches, ends)
    const number = continued ?? branches.length
    const open = branches[number] ?? { ids: [], mask: [], logprobs: [], hasLogprobs: true, promptLength: promptIds.length, turns: 0 }
    branches[number] = open
    for (let index = open.ids.length; index < promptIds.length; index++) add(open, promptIds[index] ?? 0, 0, 0)
    for (const [index, id] of replyIds.entries()) add(open, id, replyMask?.[index] ?? 1, logprobs?.[index] ?? 0)
    if (logprobs === undefined && replyIds.length > 0) open.hasLogprobs = false
    open.turns++
    ends.set(keyOf(open.ids.length, hashOf(open.ids)), number)
  }
  return branches.map(({ hasLogprobs, logprobs, ...branch }) => ({ ...branch, logprobs: hasLogprobs ? logprobs : undefined }))
}

function add(open: Open, id: number, trained: 0 | 1, logprob: number): void {
  open.ids.push(id)
  open.mask.push(trained)
  open.logprobs.push(logprob)
}

/** The longest branch with which a prompt begins, whole. */
function longestStart(ids: readonly number[], branches: readonly Open[], ends: ReadonlyMap<string, number>): number | undefined {
  let hash = 0
  let found: number | undefined
  for (const [index, id] of ids.entries()) {
    hash = mixed(hash, id)
    const number = ends.get(keyOf(index + 1, hash))
    const branch = number === undefined ? undefined : branches[number]
    if (branch?.ids.length === index + 1 && commonStart(branch.ids, ids) === index + 1) found = number
  }
  return found
}

/** The earlier branch that shares most ids with one, and how many. */
function sharedStart(branches: readonly SeenBranch[], number: number): { branch: number; ids: number } | undefined {
  const own = branches[number]
  let shares: ReturnType<typeof sharedStart>
  for (let branch = Math.max(0, number - comparedBranches); branch < number; branch++) {
    const other = branches[branch]
    if (own === undefined || other === undefined) continue
    const common = commonStart(other.ids, own.ids)
    // What only this branch trains cannot be stored as context.
    const differing = own.mask.findIndex((trained, index) => index < common && trained === 1 && other.mask[index] === 0)
    const ids = differing === -1 ? common : differing
    if (ids > (shares?.ids ?? 0)) shares = { branch, ids }
  }
  return shares
}

/** Bounds the comparison of hostile sessions with thousands of forks. */
const comparedBranches = 64

function commonStart(one: readonly number[], other: readonly number[]): number {
  const limit = Math.min(one.length, other.length)
  let at = 0
  while (at < limit && one[at] === other[at]) at++
  return at
}

function hashOf(ids: readonly number[]): number {
  let hash = 0
  for (const id of ids) hash = mixed(hash, id)
  return hash
}

function mixed(hash: number, id: number): number {
  return (Math.imul(hash ^ id, 0x01_00_01_93) + 0x9e_37_79_b9) | 0
}

function keyOf(length: number, hash: number): string {
  return `${length}:${hash}`
}

/** A stretch of ids behind another one; a branch is the path from the root to a leaf. */
export type SeenNode = {
  parent: number | null
  token_ids: readonly number[]
  mask: readonly boolean[]
  logprobs?: readonly number[] | undefined
}

/** Branches as a tree, in which a shared start is stored once. */
export function seenTree(branches: readonly SeenBranch[]): { nodes: SeenNode[]; leaves: number[] } {
  const nodes: SeenNode[] = []
  /** The nodes of each branch, with the position where each ends in it. */
  const paths: { node: number; end: number }[][] = []
  for (const [number, { ids, mask, logprobs }] of branches.entries()) {
    const shares = sharedStart(branches, number)
    const path = shares === undefined ? [] : (paths[shares.branch] ?? []).filter(({ end }) => end <= shares.ids)
    const from = path.at(-1)?.end ?? 0
    const cuts = [from, ...cutsOf(mask, from), ids.length]
    for (const [index, end] of cuts.entries()) {
      const start = cuts[index - 1]
      if (start === undefined || end === start) continue
      const parent = path.at(-1)?.node ?? null
      const trained = mask.slice(start, end).map((one) => one === 1)
      path.push({ node: nodes.length, end })
      nodes.push({ parent, token_ids: ids.slice(start, end), mask: trained, logprobs: logprobs?.slice(start, end) })
    }
    paths.push(path)
  }
  return { nodes, leaves: paths.flatMap((path) => path.at(-1)?.node ?? []) }
}

/** Where replies begin and end. */
function cutsOf(mask: readonly (0 | 1)[], from: number): number[] {
  return mask.flatMap((one, index) => (index > from && one !== mask[index - 1] ? [index] : []))
}
