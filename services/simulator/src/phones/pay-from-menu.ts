import { z } from 'zod'
import type { MenuPayment } from '../providers/rules/rail'
import type { SimulationHost } from '../sessions/simulation-host'
import { type ControlAnswer, controlRoute, refusal } from '../control-api/control-route'
import { minorShape, msisdnParams } from '../control-api/shapes'

export const payFromMenuRoute = controlRoute({
  method: 'post',
  path: '/phones/{msisdn}/paybill',
  summary:
    'Pays from the Pay Bill menu of the phone: any business, account and amount that its owner types',
  params: msisdnParams,
  body: z.strictObject({
    business_number: z.string().max(20),
    account_number: z.string().max(64),
    amount: minorShape,
    pin: z.string().max(12).optional(),
  }),
  success: { status: 200, shape: z.object({ receipt: z.string() }) },
  answer(host, { params, body }) {
    const { business_number: business, account_number: account, amount: amountMinor, pin } = body
    return payByMenu(host, params.msisdn, { business, account, amountMinor, pin })
  },
})

export async function payByMenu(
  host: SimulationHost,
  msisdn: string,
  payment: MenuPayment,
): Promise<ControlAnswer> {
  const { world, rails } = host.current()
  const phone = world.phones.find(msisdn)
  if (phone === undefined) return refusal(404, 'phone_not_found')
  const rail = rails.find(({ businesses }) =>
    businesses.some(({ shortCode }) => shortCode === payment.business),
  )
  const paid = await rail?.payFromMenu?.(phone, payment)
  if (paid === undefined) return refusal(404, 'business_not_found')
  if (paid.kind === 'refused') {
    return refusal(409, 'payment_refused', [{ path: 'body', message: paid.why }])
  }
  return { status: 200, body: { receipt: paid.receipt } }
}
