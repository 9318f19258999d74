import type { PayBill } from '@malipo/rails/rail'
import type { Log } from '@malipo/runtime/log'
import { happenings } from '@malipo/runtime/metrics'

export interface RegisterPayBillOptions {
  readonly payBill: Pick<PayBill, 'register'>
  readonly log: Log
  /** Where M-Pesa asks and reports, without a slash at the end. */
  readonly url: string
}

const firstRetryMs = 5_000
const lastRetryMs = 3_600_000

/**
 * Registers where M-Pesa asks about Pay Bill payments and reports them: once for this process, as the addresses are
 * settings of it, and again with growing gaps while M-Pesa does not take them.
 */
export function startRegisteringPayBill(options: RegisterPayBillOptions): { stop: () => void } {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let retryMs = firstRetryMs

  const attempt = async (): Promise<void> => {
    const isTaken = await register(options).catch((error: unknown) => {
      options.log.warn({ error }, 'pay bill addresses not registered')
      return false
    })
    if (isTaken || isStopped) return
    timer = setTimeout(() => void attempt(), retryMs)
    retryMs = Math.min(retryMs * 2, lastRetryMs)
  }
  void attempt()

  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** Whether there is nothing left to attempt. */
async function register({ payBill, log, url }: RegisterPayBillOptions): Promise<boolean> {
  const urls = { validationUrl: `${url}/validation`, confirmationUrl: `${url}/confirmation` }
  const registered = await payBill.register(urls)
  switch (registered.kind) {
    case 'registered':
      log.info('pay bill addresses registered')
      return true
    case 'registered_before':
      // M-Pesa does not say which addresses it has: only a confirmation that arrives proves that they are ours.
      happenings.inc({ name: 'pay_bill_addresses_unproven' })
      log.warn('pay bill addresses were registered before; a confirmation has to prove them ours')
      return true
    case 'unanswered':
      log.warn({ detail: registered.detail }, 'pay bill addresses not registered')
      return false
  }
}
