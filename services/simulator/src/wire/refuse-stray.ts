import type { Request } from 'express'
import type { WireAnswer } from '../providers/rules/rail'
import type { Simulation } from '../sessions/simulation-host'

/** A longer path is not a typo of a client. */
const shownMax = 120

/**
 * Answers an unknown path or method as its provider would, and names the nearest known call, so that a tester sees a
 * typo at once. Undefined when the path belongs to no provider.
 */
export function refuseStray(
  simulation: Simulation,
  request: Request,
  isKnownPath: boolean,
): WireAnswer | undefined {
  const { rails, world } = simulation
  for (const rail of rails) {
    const answer = rail.stray(request.path, isKnownPath)
    if (answer === undefined) continue
    const { method, url: target, headers } = request
    const calls = rail.operations.map((operation) => `${operation.method} ${operation.path}`)
    world.events.append(
      'request_refused',
      {
        call: `${method} ${request.path.slice(0, shownMax)}`,
        why: isKnownPath ? 'wrong method' : 'no such path',
        near: nearest(`${method} ${request.path.slice(0, shownMax)}`, calls),
        status: answer.status,
      },
      { direction: 'in', method, target, headers, body: '', answer },
    )
    return answer
  }
  return undefined
}

function nearest(wanted: string, calls: readonly string[]): string {
  const distances = calls.map((call) => ({ call, steps: stepsBetween(wanted, call) }))
  return distances.sort((one, other) => one.steps - other.steps)[0]?.call ?? ''
}

/** The edit distance of two texts (Levenshtein). */
function stepsBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      const changed = (above[column - 1] ?? 0) + (isSame ? 0 : 1)
      line.push(Math.min(changed, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1))
    }
    above = line
  }
  return above[other.length] ?? 0
}
