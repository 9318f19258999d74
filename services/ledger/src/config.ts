import { countries, type CountryRules, type MobileRail, type Rail } from '@malipo/kernel/countries'
import { promptTimes, type PromptTimes } from '@malipo/kernel/prompts'
import {
  cell,
  count,
  country,
  flag,
  list,
  logLevel,
  port,
  readEnvironment,
  seconds,
  secret,
  settings,
} from '@malipo/runtime/env'
import { identityDir } from '@malipo/runtime/tls-identity'
import { z } from 'zod'

const minor = z.coerce.number().int().nonnegative().transform(BigInt)

const environment = settings({
  host: ['HOST', z.string().default('127.0.0.1')],
  port: ['PORT', port],
  adminPort: ['ADMIN_PORT', port],
  logLevel: ['LOG_LEVEL', logLevel],
  databaseUrl: ['DATABASE_URL', z.url()],
  /** The server of a standby of the database, for audits that are asked for there: a host and a port. */
  standbyAddress: [
    'STANDBY_ADDRESS',
    z
      .string()
      .regex(/^[\w.-]+:\d+$/)
      .optional(),
  ],
  /** The folder with this process's own certificate and key, and the authority that signed all of them. */
  tlsDir: ['TLS_DIR', identityDir],
  country: ['COUNTRY', country.transform((code): CountryRules => countries[code])],
  /** The cell of a country that has several; its ids begin with it. */
  cell: ['CELL', cell.optional()],
  /** The rails that payers may use here. */
  rails: ['RAILS', list.optional()],
  /** How long a checkout can be paid. */
  checkoutLifeSeconds: ['CHECKOUT_LIFE_SECONDS', seconds.default(1_800)],
  /** How long an attempt may wait for its prompt to be sent, and then for the payer. */
  intentStartSeconds: ['INTENT_START_SECONDS', seconds.default(60)],
  /** A payment whose prompt would wait longer to be sent is refused: its payer is told that it is busy. */
  promptWaitMaxSeconds: ['PROMPT_WAIT_MAX_SECONDS', seconds.default(10)],
  /**
   * The deadline and the first status query of every mobile rail, also where that is shorter than a prompt lives: for tests.
   * Unset, each rail has its own of `@malipo/kernel/prompts`.
   */
  changedTimes: {
    deadlineSeconds: ['INTENT_DEADLINE_SECONDS', seconds.optional()],
    queryAfterSeconds: ['QUERY_AFTER_SECONDS', seconds.optional()],
  },
  /** How often the provider is asked about a silent prompt after the first time. */
  queryEverySeconds: ['QUERY_EVERY_SECONDS', seconds.default(15)],
  /** How long a report of payment that is not confirmed keeps its intent open, past its deadline. */
  reportHoldSeconds: ['PAYMENT_REPORT_HOLD_SECONDS', seconds.default(600)],
  /** How often the ledger audits itself. */
  auditEverySeconds: ['AUDIT_EVERY_SECONDS', seconds.default(30)],
  /** Where it marks how far its database is, outside of it; without it an older copy is not noticed. */
  copyMarkFile: ['COPY_MARK_FILE', z.string().min(1).optional()],
  /** How often ended payments are counted. */
  measureEverySeconds: ['MEASURE_EVERY_SECONDS', seconds.default(10)],
  /** How often it is compared with what providers say, which takes longer. */
  reconcileEverySeconds: ['RECONCILE_EVERY_SECONDS', seconds.default(300)],
  cardFeeBps: ['CARD_FEE_BPS', count.default(350).transform(BigInt)],
  /** How long the page is open in which a card is typed. */
  cardSessionSeconds: ['CARD_SESSION_SECONDS', seconds.default(900)],
  /** When the card gateway is asked about that page for the first time. */
  cardQueryAfterSeconds: ['CARD_QUERY_AFTER_SECONDS', seconds.default(30)],
  /** M-Pesa takes whole shillings only, as the real Daraja does. */
  mpesaWholeShillings: ['MPESA_WHOLE_SHILLINGS', flag.default(false)],
  /** By which Pay Bill numbers are scattered and validations signed. Without it no checkout has a number. */
  payBillNumberKey: ['PAY_BILL_NUMBER_KEY', secret.optional()],
  /** The most that a Pay Bill confirmation is credited for at once when it does not bring our validation answer back. */
  payBillUnconfirmedMaxMinor: ['PAY_BILL_UNCONFIRMED_MAX_MINOR', minor.default(0n)],
  /** How long one above that keeps its checkout open while the statement has not confirmed it. */
  payBillHoldSeconds: ['PAY_BILL_HOLD_SECONDS', seconds.default(600)],
  /** The most that any callback is credited for before a status query or the statement confirms it. */
  callbackUnconfirmedMaxMinor: ['CALLBACK_UNCONFIRMED_MAX_MINOR', minor.default(0n)],
})
  .refine(
    (read) =>
      read.country.mobileRails
        .map((rail) => timesOf(read.changedTimes)[rail])
        .every(({ queryAfterSeconds, deadlineSeconds }) => queryAfterSeconds < deadlineSeconds),
    {
      path: ['QUERY_AFTER_SECONDS'],
      message: 'must be shorter than INTENT_DEADLINE_SECONDS and the deadline of every rail',
    },
  )
  .refine((read) => read.payBillNumberKey === undefined || read.country.country === 'ke', {
    path: ['PAY_BILL_NUMBER_KEY'],
    message: 'is for Kenya only, where there is a Pay Bill menu',
  })
  .transform(({ changedTimes, ...read }, context) => {
    const built: readonly Rail[] = [...read.country.mobileRails, 'card']
    const known: readonly Rail[] = [...built, 'paybill']
    const wanted = read.rails ?? built
    const rails: readonly Rail[] = known.filter((rail) => wanted.includes(rail))
    if (rails.length < new Set(wanted).size) {
      context.addIssue({
        code: 'custom',
        path: ['RAILS'],
        message: `knows ${known.join(', ')} here`,
      })
    }
    return { ...read, rails, promptTimes: timesOf(changedTimes) }
  })

export interface Config extends z.output<typeof environment> {
  /**
   * A test sets the clock of the database, and ends what is overdue by that clock itself. No environment sets this, and a ledger
   * without it refuses such a database.
   */
  readonly isClockOfTest: boolean
}

export function readConfig(variables: NodeJS.ProcessEnv): Config {
  return { ...readEnvironment(environment, variables), isClockOfTest: false }
}

/** The deadline and the first status query of each mobile rail, with the changes of the environment. */
function timesOf(changes: {
  readonly [Name in keyof PromptTimes]?: PromptTimes[Name] | undefined
}) {
  const set = Object.entries(changes).filter(([, value]) => value !== undefined)
  const changed = (times: PromptTimes): PromptTimes => ({ ...times, ...Object.fromEntries(set) })
  const { mpesa, mtn_momo, airtel_money } = promptTimes
  return {
    mpesa: changed(mpesa),
    mtn_momo: changed(mtn_momo),
    airtel_money: changed(airtel_money),
  } satisfies Record<MobileRail, PromptTimes>
}
