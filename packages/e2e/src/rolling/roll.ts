import { eventually } from '@malipo/testing/eventually'
import { signUp } from '../account'
import type { RunningStack } from '../running-stack'
import { startPayments, type SteadyReport } from './steady-payments'

/** Every replica of Kenya, in the order in which they are restarted. */
const replicas = [
  ...['gateway-ke', 'gateway-ke-2', 'ledger-ke', 'ledger-ke-2', 'worker-ke', 'worker-ke-2'],
] as const

/**
 * How many payments an account begins in a minute. It may send 120 requests a minute, and each payment takes two of
 * them, so 50 payments leave some room.
 */
const paymentsOfAccountPerMinute = 50
/** At least this many payments begin between two restarts. */
const paymentsBetween = 3

/** Asks one replica after another to end, and waits until it serves again, under payments at a steady pace. */
export async function rollUnderPayments(
  stack: RunningStack,
  request: { readonly perSecond: number; readonly rounds: number },
): Promise<SteadyReport> {
  const count = Math.ceil((request.perSecond * 60) / paymentsOfAccountPerMinute)
  const secretKeys: string[] = []
  while (secretKeys.length < count) secretKeys.push((await signUp(stack.file, 'ke')).secretKey)
  const { perSecond } = request
  const payments = await startPayments({ stack: stack.file, secretKeys, perSecond })
  for (let round = 0; round < request.rounds; round++) {
    for (const name of replicas) {
      const wanted = payments.begun() + paymentsBetween
      await eventually('payments are under way', () => payments.begun() >= wanted)
      stack.signal(name, 'SIGTERM')
      await stack.untilWhole()
    }
  }
  return payments.stop()
}
