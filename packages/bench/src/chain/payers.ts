import { openSimulatorControl } from '@malipo/testing/simulator-control'

export interface Payer {
  /** The payer's number, of which its unique address is made. */
  readonly payer: number
  readonly phone: string
}

const firstPhone = 254_712_000_000
const phones = 10_000

/**
 * Opens a supply of payers who approve at once. Each makes one payment, because the interface bounds the prompts of a
 * phone and the tries of an address.
 */
export async function openPayers(simulatorUrl: string): Promise<() => Payer> {
  const policy = { answer: 'approve', after_ms: 0 } as const
  const simulator = openSimulatorControl(simulatorUrl)
  await simulator.addPhone({ msisdn: String(firstPhone), count: phones, policy })
  let taken = 0
  return () => {
    if (taken === phones) throw new Error('every phone has paid: ask for fewer units')
    taken += 1
    return { payer: taken, phone: String(firstPhone + taken - 1) }
  }
}
