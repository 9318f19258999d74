import { Fault } from '@malipo/kernel/errors'
import type { GiveBack } from './limit-rate'

/**
 * Gives a payment that is refused for load back to the tries of its address: nothing has begun, and the payer is asked
 * to try again. Rethrows the error.
 */
export function keepTryIfShed(giveBack: GiveBack): (error: unknown) => Promise<never> {
  return async (error) => {
    if (error instanceof Fault && isForLoad(error)) await giveBack()
    throw error
  }
}

/** Either this process or the ledger has refused the call for load. */
function isForLoad({ facts }: Fault): boolean {
  return facts['shed'] === true || facts['busy'] === true
}
