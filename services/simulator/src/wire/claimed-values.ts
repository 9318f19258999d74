import type { Request } from 'express'

/** Deep enough for every provider's bodies; deeper values are not searched. */
const depthMax = 3

/** All values of a call by which a session may claim it: in its path, its reference header and its body. */
export function* valuesOf(
  request: Request,
  params: Readonly<Record<string, string>>,
  json: unknown,
): Iterable<string> {
  yield* Object.values(params)
  yield request.get('x-reference-id')?.toLowerCase() ?? ''
  yield* leavesOf(json, depthMax)
}

function* leavesOf(value: unknown, depth: number): Iterable<string> {
  if (typeof value === 'string' || typeof value === 'number') yield String(value)
  else if (typeof value === 'object' && value !== null && depth > 0) {
    for (const part of Object.values(value) as unknown[]) yield* leavesOf(part, depth - 1)
  }
}
