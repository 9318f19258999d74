import type { Changes } from '@malipo/runtime/changes'

export type WatchedChanges = Pick<Changes, 'watch' | 'collect'>

/** Lets one request sleep until its subject may have changed. */
export class Waker {
  readonly #changes: WatchedChanges
  readonly #watches = new Map<string, () => void>()
  #isWoken = false
  #isEnded = false
  #wake: (() => void) | undefined

  constructor(changes: WatchedChanges) {
    this.#changes = changes
  }

  /** False when the id is already watched. Earlier announcements are lost: read again after this. */
  watch(id: string): boolean {
    if (this.#watches.has(id)) return false
    const unwatch = this.#changes.watch(id, () => {
      this.wake()
    })
    this.#watches.set(id, unwatch)
    return true
  }

  /**
   * Reads, and watches the id that was read. Its announcements during the read wake as well, so nothing is missed
   * between the read and the watch. Rejects as `read` does.
   */
  async read<Answer>(
    read: () => Promise<Answer>,
    idOf: (answer: Answer) => string | undefined,
  ): Promise<Answer> {
    const announced = this.#changes.collect()
    const answer = await read().finally(() => {
      announced.end()
    })
    const id = idOf(answer)
    if (id !== undefined && this.watch(id) && announced.has(id)) this.wake()
    return answer
  }

  /** Resolves with the first announcement since the last call, or after `milliseconds`. */
  async next(milliseconds: number): Promise<void> {
    if (!this.#isWoken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#isWoken = this.#isEnded
    this.#wake = undefined
  }

  wake(): void {
    this.#isWoken = true
    this.#wake?.()
  }

  /** Ends the wait: the client has left or the process stops, so `next` resolves at once. */
  end(): void {
    this.#isEnded = true
    this.wake()
  }

  isEnded(): boolean {
    return this.#isEnded
  }

  close(): void {
    for (const unwatch of this.#watches.values()) unwatch()
    this.#watches.clear()
  }
}
