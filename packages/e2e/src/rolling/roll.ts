import { ask } from '@malipo/stack/ask'
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

/**
 * A ledger serves again once both gateways have connected to it, which takes a busy machine longer than a call waits for
 * a connection. After this many creates, one after the other to either gateway, both have.
 */
const createsOfConnected = 6

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
      if (name.startsWith('ledger'))
        await eventually('the gateways call the ledger again', async () => {
          return (await createsOf(stack, name)) >= createsOfConnected
        })
    }
  }
  return payments.stop()
}

/** How many checkouts a ledger has created since it began. */
async function createsOf({ file }: RunningStack, name: string): Promise<number> {
  const { body } = await ask(file.processes[name]?.metrics_url ?? '', 15_000)
  const counts = body.matchAll(/^malipo_rpc_seconds_count\{method="createCheckout".*\} (\d+)$/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}
