import { Fault } from '@malipo/kernel/errors'
import type { GiveBack } from './limit-rate'

/**
 * Gives a payment or a create that is refused for load back to the tries of its address or account: nothing has begun,
 * and its caller is asked to try again. A read has its place before it is counted. Rethrows the error.
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
