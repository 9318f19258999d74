import type { Log } from '@malipo/runtime/log'
import { notableEvents } from '@malipo/runtime/metrics'
import { repeat } from '@malipo/runtime/repeat'
import type { Use } from './rules/key'

/** One query a second writes the uses of all keys. */
const everyMs = 1_000
/**
 * The most keys whose uses wait to be written. A dropped use does no harm: the next use of the key, a minute later, is
 * written.
 */
const waitingMax = 5_000

/** Queues uses of keys and writes them in the background, so that no request waits for "last used". */
export interface UseRecorder {
  note(use: Use): void
  /** Writes what is still queued. */
  close(): Promise<void>
}

export function openUseRecorder(
  write: (uses: readonly Use[]) => Promise<void>,
  log: Log,
): UseRecorder {
  const waiting = new Map<string, Use>()
  const writeWaiting = async () => {
    if (waiting.size === 0) return
    const uses = [...waiting.values()]
    await write(uses)
    // Keys used again during the write stay in the map, and so does the whole batch after a failed write.
    for (const use of uses) if (waiting.get(use.keyId) === use) waiting.delete(use.keyId)
  }
  const writing = repeat({ what: 'write last uses of keys', everyMs, log }, writeWaiting)
  return {
    note(use) {
      if (waiting.size < waitingMax || waiting.has(use.keyId)) waiting.set(use.keyId, use)
      else notableEvents.inc({ name: 'key_use_dropped' })
    },
    async close() {
      await writing.stop()
      await writeWaiting()
    },
  }
}
