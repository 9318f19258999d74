import type { Checkout, NewCheckout } from '@malipo/sdk'
import type { Command, Given } from './command'
import { CommandError, type ExitCode, exitCodes } from './exit-codes'
import { readNumber } from './read-number'
import { openMalipo } from './read-settings'
import { showCheckout } from './show-checkout'

const waitSeconds = { default: 300, max: 86_400 }

const createCheckout: Command = {
  words: ['checkouts', 'create'],
  options: {
    amount: { value: 'MINOR', about: '150000 is KES 1,500.00', isRequired: true },
    reference: { value: 'TEXT', about: 'your number of the order, up to 64 characters' },
    description: { value: 'TEXT', about: 'what the payer reads, up to 140 characters' },
    'return-url': { value: 'URL', about: 'https; where the payer goes after paying' },
    phone: { value: 'DIGITS', about: 'fills the field of the page, such as 254712345678' },
    'idempotency-key': {
      value: 'TEXT',
      about: 'the same key makes one checkout, however often it is sent',
    },
  },
  summary: 'Create a checkout',
  about: 'Prints it with the page (url) where it is paid.',
  async run(given, { settings, output, signal }) {
    const idempotencyKey = keyOf(given)
    const options = { signal, ...(idempotencyKey !== undefined && { idempotencyKey }) }
    const order = newCheckout(given)
    const checkout = await openMalipo(settings).checkouts.create(order, options)
    output.result(checkout, showCheckout(checkout, output))
    return exitCodes.done
  },
}

const getCheckout: Command = {
  words: ['checkouts', 'get'],
  argument: { name: 'ID' },
  summary: 'Read a checkout',
  about: 'Deliver when status is completed, and only then.',
  async run(given, { settings, output, signal }) {
    const checkout = await openMalipo(settings).checkouts.retrieve(given['ID'] ?? '', { signal })
    output.result(checkout, showCheckout(checkout, output))
    return exitCodes.done
  },
}

const waitForCheckout: Command = {
  words: ['checkouts', 'wait'],
  argument: { name: 'ID' },
  options: {
    timeout: {
      value: 'SECONDS',
      about: `1 to ${String(waitSeconds.max)}; ${String(waitSeconds.default)} unless given`,
    },
  },
  summary: 'Wait until a checkout is paid or has expired',
  about:
    'Ends within a second of the payment: 0 completed, 6 completed and paid back, 5 expired, 4 still open when the time is over.',
  async run(given, { settings, output, signal }) {
    const seconds = readNumber(given['timeout'] ?? String(waitSeconds.default), {
      name: '--timeout',
      min: 1,
      max: waitSeconds.max,
      rule: `whole seconds from 1 to ${String(waitSeconds.max)}`,
    })
    const { checkouts } = openMalipo(settings)
    if (!output.isJson) output.note(`Waiting for up to ${String(seconds)} s. Ctrl-C ends it.`)
    const options = { timeoutMs: seconds * 1_000, signal }
    const checkout = await checkouts.waitForPayment(given['ID'] ?? '', options)
    output.result(checkout, showCheckout(checkout, output))
    return endOf(checkout)
  },
}

const ends: Readonly<Record<Checkout['status'], ExitCode>> = {
  completed: exitCodes.done,
  open: exitCodes.stillOpen,
  expired: exitCodes.expired,
}

/**
 * A checkout whose money went back stays completed, and a script that delivers must not take it for paid. Held money that
 * went back has paid no checkout, which is still open or has expired.
 */
function endOf({ status, payment }: Checkout): ExitCode {
  const isReversed = status === 'completed' && payment?.status === 'reversed'
  return isReversed ? exitCodes.reversed : ends[status]
}

/** Throws CommandError for a key that no header can carry: the SDK's TypeError would count as a defect. */
function keyOf({ 'idempotency-key': key }: Given): string | undefined {
  if (key === undefined || /^[!-~]{1,128}$/.test(key)) return key
  throw new CommandError(
    '--idempotency-key must be 1 to 128 visible ASCII characters, without spaces',
  )
}

/** Reads the amount as a whole number; the API checks all other limits. */
function newCheckout(given: Given): NewCheckout {
  const { reference, description, phone, 'return-url': returnUrl } = given
  return {
    amount: readNumber(given['amount'] ?? '', {
      name: '--amount',
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      rule: 'whole minor units: 150000 is 1,500.00',
    }),
    ...(reference !== undefined && { reference }),
    ...(description !== undefined && { description }),
    ...(returnUrl !== undefined && { return_url: returnUrl }),
    ...(phone !== undefined && { phone }),
  }
}

export const checkoutCommands = [createCheckout, getCheckout, waitForCheckout]
