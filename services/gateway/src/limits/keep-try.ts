import { Fault } from '@malipo/kernel/errors'
import type { GiveBack } from './limit-rate'

/**
 * For a payment that is refused for load: nothing has begun, and the payer is asked to try again, so it takes no try of
 * its address. Rethrows the error.
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
