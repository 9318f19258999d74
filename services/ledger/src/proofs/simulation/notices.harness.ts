import { type Event, type Intent, ofHandle, type Step } from './tables.harness'

/** What merchants have to be notified of: a checkout that is completed, once, and each attempt that fails before. */
export class Notices {
  private seen = 0
  private readonly given = new Map<string, number>()
  private readonly due = new Map<string, number>()

  /** What a step of an intent makes due; steps come in their order. */
  expect({ from, to }: Step, { checkoutId, settled }: Intent): void {
    if (checkoutId === ofHandle) return
    const completed = `checkout.completed ${String(checkoutId)}`
    if (to === 'completed' && settled?.disposition === 'merchant') this.due.set(completed, 1)
    if (to === 'failed' && from !== 'failed' && !this.due.has(completed)) {
      count(this.due, `payment.failed ${String(checkoutId)}`)
    }
  }

  /** Whether the events are those that are due. */
  areGiven(events: readonly Event[]): boolean {
    for (const { type, checkoutId } of events.slice(this.seen)) {
      count(this.given, `${type} ${String(checkoutId)}`)
    }
    this.seen = events.length
    return (
      this.given.size === this.due.size &&
      [...this.due].every(([event, times]) => this.given.get(event) === times)
    )
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
