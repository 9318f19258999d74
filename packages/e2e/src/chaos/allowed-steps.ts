import type { StatusRead } from './history'

/** The statuses that may be read after each status of an attempt: later ones too, because reads skip some. */
export const attemptSteps: Readonly<Record<string, readonly string[]>> = {
  created: ['reserved', 'submitted', 'pending', 'completed', 'failed', 'expired'],
  reserved: ['submitted', 'pending', 'completed', 'failed', 'expired'],
  submitted: ['pending', 'completed', 'failed', 'expired'],
  pending: ['completed', 'failed', 'expired'],
  // Money may come after we gave up.
  failed: ['completed'],
  expired: ['completed', 'failed'],
  completed: ['reversed'],
  reversed: [],
}
export const checkoutSteps: Readonly<Record<string, readonly string[]>> = {
  open: ['completed', 'expired'],
  expired: ['completed'],
  completed: [],
}

/** Returns the steps that a reader saw and that `allowed` does not list. */
export function stepsOutside(
  reads: readonly StatusRead[],
  allowed: Readonly<Record<string, readonly string[]>>,
): string[] {
  const last = new Map<string, string>()
  return reads.flatMap(({ id, status, reader }) => {
    const sequence = `${reader} ${id}`
    const before = last.get(sequence) ?? status
    last.set(sequence, status)
    const isKnown = status in allowed
    if (isKnown && (before === status || allowed[before]?.includes(status) === true)) return []
    return [`${id} went from ${before} to ${status}`]
  })
}
