import { networkOf, type Answer, type NewPhone, type SimState } from '../../phones/rules/phone'
import type { Effect, Moment } from './rule'
import type { AppliedRule } from './rules'

/** Magic numbers: behind a magic prefix, the last three digits of a phone number decide how its payment ends. */
export interface Magic {
  readonly digits: string
  readonly about: string
  /** The owner's answer to a prompt; `ask` waits for a person. */
  readonly answer: Answer | 'ask'
  readonly simState?: SimState
  readonly balanceMinor?: bigint
  readonly on?: Moment
  readonly effect?: Effect
}

const approve = 'approve'
const late = 180_000

export const magicNumbers: readonly Magic[] = [
  { digits: '001', about: 'approves', answer: approve },
  { digits: '002', about: 'cancels', answer: 'cancel' },
  { digits: '003', about: 'types a wrong PIN', answer: 'wrong_pin' },
  { digits: '004', about: 'has no money', answer: approve, balanceMinor: 0n },
  { digits: '005', about: 'ignores the prompt', answer: 'ignore' },
  { digits: '006', about: 'phone is off', answer: approve, simState: 'off' },
  { digits: '007', about: 'PIN is locked', answer: approve, simState: 'locked' },
  { digits: '008', about: 'has reached the daily limit', answer: approve, simState: 'daily_limit' },
  { digits: '009', about: 'has no mobile money', answer: approve, simState: 'not_registered' },
  { digits: '010', about: 'waits for you to answer', answer: 'ask' },
  ...payer('011', 'pays, callback lost', 'callback', { kind: 'drop', performed: true }),
  ...payer('012', 'pays, callback twice', 'callback', {
    kind: 'duplicate',
    copies: 2,
    everyMs: 500,
  }),
  ...payer('013', 'pays, callback after three minutes', 'callback', { kind: 'delay', ms: late }),
  ...payer('014', 'pays, callback before the answer', 'push', { kind: 'early' }),
  ...payer('015', 'pays, callback names KES 1', 'callback', { kind: 'amount', amountMinor: 100n }),
  ...payer('016', 'pays, callback cut off', 'callback', { kind: 'malformed', performed: true }),
  ...payer('017', 'pays, the push is never answered', 'push', { kind: 'drop', performed: true }),
  ...payer('018', 'pays, the connection is reset', 'push', { kind: 'reset', performed: true }),
  ...payer('019', 'is not asked: error 500', 'push', error('internal')),
  ...payer('020', 'is not asked: too many calls', 'push', error('spike_arrest')),
  ...payer('021', 'is not asked: token expired', 'push', error('invalid_token')),
  ...payer('022', 'pays, the status query says cancelled', 'query', { kind: 'lie', code: '1032' }),
  ...payer('023', 'pays, confirmed as Pay Bill too', 'callback', { kind: 'echo' }),
  ...payer('024', 'pays, callback from an unlisted address', 'callback', {
    kind: 'source',
    address: '203.0.113.7',
  }),
  ...payer('025', 'pays, the status query finds nothing', 'query', error('not_found')),
]

function payer(digits: string, about: string, on: Moment, effect: Effect): readonly Magic[] {
  return [{ digits, about, answer: approve, on, effect }]
}

function error(name: string): Effect {
  return { kind: 'error', error: name, performed: false }
}

/** The prefixes of M-PESA, MTN, and Airtel in Uganda and in Kenya. */
export const magicPrefixes = ['254700555', '256770555', '256750555', '254750555'] as const

const byDigits = new Map(magicNumbers.map((magic) => [magic.digits, magic]))
const thinkMs = 2_000

function magicOf(msisdn: string): Magic | undefined {
  const isMagic = magicPrefixes.some((prefix) => msisdn.startsWith(prefix))
  return isMagic && msisdn.length === 12 ? byDigits.get(msisdn.slice(-3)) : undefined
}

/** The phone of a magic number, which is registered when it is first looked up; undefined for any other number. */
export function magicPhone(msisdn: string): NewPhone | undefined {
  const magic = magicOf(msisdn)
  return (
    magic && {
      msisdn,
      name: `…${magic.digits} ${magic.about}`,
      pin: '1234',
      balanceMinor: magic.balanceMinor ?? 100_000_000n,
      network: networkOf(msisdn),
      simState: magic.simState ?? 'on',
      policy: { answer: magic.answer, afterMs: thinkMs },
    }
  )
}

const nothing: readonly AppliedRule[] = []

export function magicEffects(moment: Moment, msisdn: string | undefined): readonly AppliedRule[] {
  const magic = msisdn === undefined ? undefined : magicOf(msisdn)
  if (magic?.effect === undefined || magic.on !== moment) return nothing
  return [{ rule: `magic ${magic.digits}`, effect: magic.effect }]
}
