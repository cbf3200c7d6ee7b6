/**
 * How many levels lists and dicts may nest. Python stops at about the same depth (its recursion limit is 1,000), and code
 * that walks a value by recursion can rely on it not to run out of stack.
 */
export const maxDepth = 1000

export const tooDeep = `nested more than ${maxDepth.toLocaleString('en-US')} levels deep`
