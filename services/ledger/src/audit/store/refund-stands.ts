import { refundEvents, refundMachine, type RefundStatus } from '../../refunds/rules/refund'

type Stand = readonly [status: RefundStatus, isSent: boolean]

/** All such pairs that the table of refunds leads to, from a refund that was asked for. */
export function refundStands(): readonly Stand[] {
  const reached = new Map<string, Stand>()
  const open: Stand[] = [['asked', false]]
  for (let stand = open.pop(); stand !== undefined; stand = open.pop()) {
    if (reached.has(String(stand))) continue
    reached.set(String(stand), stand)
    const [status, isSent] = stand
    for (const event of refundEvents) {
      const next = refundMachine[status][event]
      if (next !== null) open.push([next, isSent || event === 'sent'])
    }
  }
  return Array.from(reached.values())
}
