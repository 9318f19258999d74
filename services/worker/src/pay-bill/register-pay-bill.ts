import { createHash, randomBytes } from 'node:crypto'
import type { Ledger } from '@malipo/ledger-client/ledger'
import type { PayBill, Registration } from '@malipo/rails/rail'
import type { Log } from '@malipo/runtime/log'

export interface RegisterPayBillOptions {
  readonly payBill: Pick<PayBill, 'register' | 'shortCode' | 'isRegistrationLasting'>
  readonly ledger: Pick<Ledger, 'beginPayBillRegistration' | 'recordPayBillRegistration'>
  readonly log: Log
  /** The URL for M-Pesa's Pay Bill calls, without a trailing slash. */
  readonly url: string
}

/** The wait after an attempt without an answer, and the least wait when the ledger says when to ask again. */
const soonMs = 5_000

/**
 * Registers the Pay Bill URLs with M-Pesa when they differ from those that the ledger has recorded, and retries with
 * growing gaps, which the ledger sets for all workers. A sandbox may forget URLs, so there each process registers
 * them once.
 */
export function startRegisteringPayBill(options: RegisterPayBillOptions): { stop: () => void } {
  const { payBill, url, log } = options
  const urls = { validationUrl: `${url}/validation`, confirmationUrl: `${url}/confirmation` }
  const memory = payBill.isRegistrationLasting ? '' : randomBytes(16).toString('hex')
  const registration = [urls.validationUrl, urls.confirmationUrl, memory].join('\n')
  const digest = createHash('sha256').update(registration).digest()
  const addresses = { shortCode: payBill.shortCode, digest }
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const round = async (): Promise<number | undefined> => {
    const begun = await options.ledger.beginPayBillRegistration(addresses)
    if (begun !== 'due') return begun.waitMs
    const registered = await payBill.register(urls)
    logRegistration(log, registered)
    await options.ledger.recordPayBillRegistration(addresses, registered.kind)
    return registered.kind === 'unanswered' ? soonMs : undefined
  }

  const attempt = async (): Promise<void> => {
    const waitMs = await round().catch((error: unknown) => {
      log.warn({ error }, 'pay bill addresses not registered')
      return soonMs
    })
    if (waitMs === undefined || isStopped) return
    timer = setTimeout(() => void attempt(), Math.max(waitMs, soonMs))
  }
  void attempt()

  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

function logRegistration(log: Log, registered: Registration): void {
  switch (registered.kind) {
    case 'registered':
      log.info('pay bill addresses registered')
      return
    case 'registered_before':
      // M-Pesa cannot list its registered URLs: only a confirmation that arrives proves that they are ours.
      log.warn('pay bill addresses were registered before; a confirmation has to prove them ours')
      return
    case 'unanswered':
      log.warn({ detail: registered.detail }, 'pay bill addresses not registered')
  }
}
