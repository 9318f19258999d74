import { Readable } from 'node:stream'
import { qrChange, qrKey, qrWaitMs } from '@malipo/contracts/payment-qr'
import { readCheckoutId } from '@malipo/interface/fields'
import { Fault } from '@malipo/kernel/errors'
import { openSlots } from '@malipo/runtime/call-slots'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Gateway } from '../operation'
import { waitOf } from '@malipo/runtime/waits'
import type { QrPlace } from '../cells/open-cells'
import { ratePolicies } from '../limits/rate-policies'
import { leaveReadPlace } from '../limits/read-places'
import { Waker } from '../merchant/waker'

/** The most pictures that are waited for at one time. */
const waitsMax = 50

/**
 * `GET /c/{id}/pay.png`: the QR code that the M-PESA app pays a checkout by, as the provider draws it. 404 for a
 * checkout that is not open. 503 while there is no picture; the payer then types the numbers that the page shows.
 */
export function paymentQr({ limitAddress, ledger, changes, qrOf }: Gateway): Operation {
  const places = openSlots(waitsMax)
  return async (request, response) => {
    const checkoutId = readCheckoutId(request.params['id'])
    await limitAddress(request, response, ratePolicies.page)
    const { status, cell } = await ledger.readCheckout(checkoutId)
    if (status !== 'open') throw new Fault('route_not_found')
    const { redis, prefix, jobs } = qrOf(cell)
    const key = qrKey(prefix, checkoutId)
    const kept = await redis.getBuffer(key).catch(() => null)
    const leave = kept === null ? places.take() : undefined
    leaveReadPlace(response)
    if (leave !== undefined) await untilDrawn({ changes, jobs }, checkoutId).finally(leave)
    const picture = kept ?? (await redis.getBuffer(key).catch(() => null))
    if (picture === null || picture.length === 0) throw new Fault('unavailable')
    const headers = { 'Content-Type': 'image/png', 'Cache-Control': 'no-store' }
    return { status: 200, headers, body: '', stream: Readable.from(picture) }
  }
}

async function untilDrawn(
  { changes, jobs }: Pick<Gateway, 'changes'> & Pick<QrPlace, 'jobs'>,
  checkoutId: string,
) {
  const waker = new Waker(changes)
  waker.watch(qrChange(checkoutId))
  await jobs.enqueue(checkoutId)
  await waker.next(waitOf(qrWaitMs))
  waker.close()
}
