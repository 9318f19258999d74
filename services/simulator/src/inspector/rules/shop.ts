import type { SimEvent } from './event-log'

/** The name of the shop that the payer sees, if the merchant sent one with the payment. */
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

/** Where each provider's call names the shop: Daraja's TransactionDesc, MTN's payerMessage, a card session. */
const shapes = [
  /"TransactionDesc"\s*:\s*"([^"\\]{1,60})"/,
  /"payerMessage"\s*:\s*"([^"\\]{1,60})"/,
  /"merchant"\s*:\s*\{\s*"name"\s*:\s*"([^"\\]{1,60})"/,
]
