import { setTimeout as wait } from 'node:timers/promises'
import type { HistoryBook } from './history-book'
import type { PayerAnswer } from './phones'

/** The answer to a payer's browser that begins a payment by card. */
export interface CardPayment {
  readonly intent_id: string
  readonly total: string
  readonly redirect_url: string
  readonly expires_at: string
}

interface CardPayer {
  readonly book: HistoryBook
  readonly random: () => number
  readonly order: number
  readonly answer: PayerAnswer
  /** Rate limits count by address, so each payer has a different one. */
  readonly address: string
}

const good = { number: '5111111111111118', month: '01', year: '39' }
const declined = { ...good, month: '05' }
/** A card whose bank asks the payer to confirm the payment (3-D Secure). */
const enrolled = { ...good, number: '5123450000000008' }
const againMs = 1_000
/** How long before the page closes a late payer sends the form. The time is enough for two forms. */
const lateMs = 1_500
/** The share of card pages that are opened twice, and the share of payers whose browser returns to our page. */
const [reopened, returning] = [0.1, 0.5]
const answerDeadlineMs = 15_000

/** Plays a payer with a card, who goes from our address to the page of the card gateway, and may come back. */
export async function payByCard(payer: CardPayer, payment: CardPayment): Promise<void> {
  const { book, random } = payer
  const page = await openPage(payer, payment)
  if (page === undefined) return
  if (random() < reopened) await openPage(payer, payment)
  const { isTaken, back } = await answerPage(payer, page, Date.parse(payment.expires_at))
  if (isTaken) book.taken(payer.order, payment.intent_id)
  if (back !== undefined && random() < returning) await browse(payer, back)
}

/** Returns the address of the card gateway's page; undefined when it did not open before the card session expired. */
async function openPage(payer: CardPayer, payment: CardPayment): Promise<string | undefined> {
  const { intent_id: intentId, redirect_url: url, expires_at: expiresAt } = payment
  while (Date.now() < Date.parse(expiresAt)) {
    const location = await browse(payer, url)
    if (location?.includes('/checkout/pay/') === true) {
      payer.book.paged(intentId, location)
      return location
    }
    // Until the card gateway's page is open, our address redirects to the payer page.
    await wait(againMs)
  }
  return undefined
}

/** Opens an address of ours, and returns where it redirects to; undefined when it redirects nowhere at this moment. */
async function browse({ book, address }: CardPayer, url: string): Promise<string | undefined> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { 'x-forwarded-for': address },
    signal: AbortSignal.timeout(answerDeadlineMs),
  }).catch(() => undefined)
  if (response === undefined || [429, 503].includes(response.status)) return undefined
  if (response.status !== 303) book.unexpected(`card page: ${String(response.status)}`)
  return response.headers.get('location') ?? undefined
}

/** Whether the card was taken on the page, and the address to which the page leads back. */
interface Left {
  readonly isTaken: boolean
  readonly back: string | undefined
}

async function answerPage(
  { random, answer }: CardPayer,
  page: string,
  closesAtMs: number,
): Promise<Left> {
  const submit = openForm(page)
  switch (answer) {
    case 'ignore':
      return { isTaken: false, back: undefined }
    case 'cancel':
      return { isTaken: false, back: await linkOf(await fetch(page), 'Cancel') }
    case 'no funds':
      return submit(declined)
    case 'late':
      await wait(Math.max(0, closesAtMs - lateMs - Date.now()))
      return submit(good)
    case 'approve':
      if (random() < 0.3) await submit(declined)
      return random() < 0.5 ? submit(good) : submit(enrolled)
  }
}

/** Sends the form of the page, and confirms where the bank asks. */
function openForm(page: string) {
  const send = (url: URL, form: Readonly<Record<string, string>>) =>
    fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) })
  return async (card: typeof good): Promise<Left> => {
    const form = { ...card, csc: '100', name: 'Chaos' }
    const first = await send(new URL(new URL(page).pathname, page), form)
    const challenge = first.headers.get('location')
    const last =
      challenge?.startsWith('/checkout/3ds/') === true
        ? await send(new URL(challenge, page), { answer: 'yes' })
        : first
    const location = last.headers.get('location')
    if (location === null) return { isTaken: false, back: await linkOf(last, 'Back to') }
    return { isTaken: location.includes('resultIndicator='), back: location }
  }
}

async function linkOf(response: Response, text: string): Promise<string | undefined> {
  const links = (await response.text()).matchAll(/<a href="([^"]+)"[^>]*>([^<]+)/g)
  return [...links]
    .find(([, , words]) => words?.trim().startsWith(text))?.[1]
    ?.replaceAll('&amp;', '&')
}
