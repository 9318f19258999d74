import { noQrLifeSeconds, qrChange, qrKey, qrLifeSeconds } from '@malipo/contracts/payment-qr'
import type { QrDrawn } from '@malipo/rails/rail'
import type { openRedis } from '@malipo/runtime/redis'
import type { JobDeps } from '../sweep/job-deps'

export interface DrawQrDeps extends Pick<
  JobDeps,
  'ledger' | 'accounts' | 'rails' | 'announce' | 'log'
> {
  readonly redis: Pick<ReturnType<typeof openRedis>, 'exists' | 'set'>
  readonly queuePrefix: string
}

/** The name under the code while the auth service cannot look the payee up. */
const ourName = 'Malipo Payments'

/**
 * Has the provider draw the QR code of a checkout, once, and puts the picture into Redis for the gateway. No payment
 * depends on it: without a QR code the payer types the same numbers.
 */
export async function drawQr(deps: DrawQrDeps, checkoutId: string): Promise<void> {
  const { redis, queuePrefix, announce } = deps
  const key = qrKey(queuePrefix, checkoutId)
  // The picture may be there already, because another gateway process asked for it.
  if ((await redis.exists(key)) === 0) await keepQr(deps, key, checkoutId)
  announce([qrChange(checkoutId)])
}

async function keepQr(deps: DrawQrDeps, key: string, checkoutId: string): Promise<void> {
  const drawn = await draw(deps, checkoutId)
  const isDrawn = drawn.kind === 'drawn'
  if (!isDrawn) deps.log.warn({ checkoutId, detail: drawn.detail }, 'no QR code')
  const picture = isDrawn ? drawn.png : ''
  const lifeSeconds = isDrawn ? qrLifeSeconds : noQrLifeSeconds
  await deps.redis.set(key, picture, 'EX', lifeSeconds)
}

async function draw({ ledger, accounts, rails }: DrawQrDeps, checkoutId: string): Promise<QrDrawn> {
  const rail = [...rails.values()].find((one) => one.drawQr !== undefined)
  if (rail?.drawQr === undefined) return { kind: 'unavailable', detail: 'no rail draws any' }
  const checkout = await ledger.readCheckout(checkoutId)
  const { accountId, payBillAccountNumber: accountNumber, askedMinor: amountMinor } = checkout
  if (accountNumber === undefined) return { kind: 'unavailable', detail: 'nothing to pay' }
  const payeeName = (await accounts.displayName(accountId)) ?? ourName
  return rail.drawQr({ payeeName, accountNumber, amountMinor })
}
