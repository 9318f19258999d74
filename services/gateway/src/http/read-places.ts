import type { ServerResponse } from 'node:http'

const places = new WeakMap<ServerResponse, () => void>()

export function noteReadPlace(response: ServerResponse, leave: () => void): void {
  places.set(response, leave)
}

/** A request that only waits from here on gives its place to others before its answer. */
export function leaveReadPlace(response: ServerResponse): void {
  places.get(response)?.()
}
