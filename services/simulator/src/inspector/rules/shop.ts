import type { SimEvent } from './event-log'

/** The name by which the merchant of a payment is shown to its payer, when the merchant has sent one. */
export function shopOf(events: readonly SimEvent[]): string | undefined {
  for (const { exchange } of events) {
    if (exchange?.direction !== 'in') continue
    for (const shape of shapes) {
      const [, name] = shape.exec(exchange.body) ?? []
      if (name !== undefined) return name
    }
  }
  return undefined
}

/** By provider: Daraja's TransactionDesc, MTN's payerMessage, the merchant of a card session. */
const shapes = [
  /"TransactionDesc"\s*:\s*"([^"\\]{1,60})"/,
  /"payerMessage"\s*:\s*"([^"\\]{1,60})"/,
  /"merchant"\s*:\s*\{\s*"name"\s*:\s*"([^"\\]{1,60})"/,
]
