import type { CountryRules } from '@malipo/kernel/countries'
import type { CardPaymentView } from '../card-payment'
import type { ResolvedHandleView } from '../handle'
import type { MerchantCheckoutView } from '../merchant-checkout'
import type { ReadCheckoutView } from '../payer-checkout'
import type { IntentView, PaymentView } from '../payment'
import type { ProfileView } from '../profile'

export type Examples = ReturnType<typeof examplesOf>

/** One order from its checkout to its receipt, as this host would answer. */
export function examplesOf(rules: CountryRules, baseUrl: string) {
  const { currency } = rules
  const checkoutId = `${rules.checkoutIdPrefix}0123456789abcdef01234567`
  const intentId = 'pi_89abcdef0123456789abcdef'
  const phone = `${rules.callingCode}700000222`
  const times = { created_at: '2026-11-20T09:00:00.000Z', expires_at: '2026-11-20T09:30:00.000Z' }
  const order = {
    reference: 'order-1001',
    description: 'Two crates of mangoes',
    return_url: 'https://shop.example/thanks',
  }

  const open: MerchantCheckoutView = {
    id: checkoutId,
    url: `${baseUrl}/c/${checkoutId}`,
    status: 'open',
    amount: '150000',
    currency,
    ...order,
    ...times,
    payment: null,
  }
  const completed: MerchantCheckoutView = {
    ...open,
    status: 'completed',
    payment: {
      intent_id: intentId,
      status: 'completed',
      amount_settled: '150000',
      provider_receipt: 'SKL1ABC2DE',
      phone,
    },
  }
  const started: PaymentView = {
    intent_id: intentId,
    status: 'reserved',
    amount: '150000',
    currency,
    rail: rules.mobileRails[0],
    message: 'A prompt was sent to ***222. Enter your PIN on that phone to pay.',
  }
  const intent: IntentView = {
    intent_id: intentId,
    status: 'pending',
    amount_settled: '0',
    currency,
  }
  return {
    checkoutId,
    intentId,
    phone,
    order,
    open,
    completed,
    started,
    intent,
    payerCheckout: payerCheckoutOf(completed),
    cardPayment: cardPaymentOf(open, intentId),
    ...peopleOf(rules),
  }
}

function payerCheckoutOf(completed: MerchantCheckoutView): ReadCheckoutView {
  const { id, amount, currency, description, return_url, expires_at } = completed
  return {
    checkout: {
      id,
      status: 'completed',
      amount,
      currency,
      description,
      phone: null,
      intent_id: completed.payment?.intent_id ?? null,
      return_url,
      redirect_url: `https://shop.example/thanks?checkout=${id}&reference=order-1001&status=completed`,
      paybill: null,
      card: null,
      expires_at,
    },
    payee: { paybill: null, amount },
  }
}

function cardPaymentOf(
  { id, url, amount }: MerchantCheckoutView,
  intentId: string,
): CardPaymentView {
  return {
    intent_id: intentId,
    status: 'pending',
    amount,
    fee: '5300',
    total: '155300',
    session_id: `SESSION${id.slice(-12)}`,
    redirect_url: `${url}/card/${intentId}`,
    expires_at: '2026-11-20T09:15:00.000Z',
  }
}

function peopleOf(rules: CountryRules) {
  const person = {
    username: 'mama-mboga',
    display_name: 'Mama Mboga Fresh',
    profile_image_url: null,
    home_country: rules.country === 'ke' ? 'KE' : 'UG',
  } as const
  const handle: ResolvedHandleView = {
    ...person,
    name: 'mangoes',
    title: 'A crate of mangoes',
    amount: '75000',
    served_here: true,
    currency: rules.currency,
    rail: rules.mobileRails[0],
    min: String(rules.minMinor),
    max: String(rules.maxMinor),
    paybill: rules.country === 'ke' ? '600100' : null,
    accepting: true,
  }
  const profile: ProfileView = {
    ...person,
    handle: person.username,
    bio: 'Fresh from Limuru, every morning.',
    theme: 'forest',
    cover_image_url: null,
    social_links: [{ platform: 'instagram', url: 'https://instagram.example/mama-mboga' }],
    accepts_payments: true,
  }
  return { handle, profile }
}
