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
  /** How long an attempt may wait for its prompt to be sent. Once it is sent, the deadline of its rail counts. */
  intentStartSeconds: ['INTENT_START_SECONDS', seconds.default(60)],
  /** A payment whose prompt would wait longer than this to be sent is refused as busy. */
  promptWaitMaxSeconds: ['PROMPT_WAIT_MAX_SECONDS', seconds.default(10)],
  /**
   * For tests: one deadline and one time of the first status query for all mobile rails, which may be shorter than a
   * prompt lives. If unset, each rail has the times of `@malipo/kernel/prompts`.
   */
  changedTimes: {
    deadlineSeconds: ['INTENT_DEADLINE_SECONDS', seconds.optional()],
    queryAfterSeconds: ['QUERY_AFTER_SECONDS', seconds.optional()],
  },
  /** The seconds between two status queries about a prompt without a result. */
  queryEverySeconds: ['QUERY_EVERY_SECONDS', seconds.default(15)],
  /** How long after its first unconfirmed report of payment an intent stays open, also past its deadline. */
  reportHoldSeconds: ['PAYMENT_REPORT_HOLD_SECONDS', seconds.default(600)],
  auditEverySeconds: ['AUDIT_EVERY_SECONDS', seconds.default(30)],
  /**
   * A file outside the database that records how far the database has come. Without it an older copy is not noticed.
   */
  copyMarkFile: ['COPY_MARK_FILE', z.string().min(1).optional()],
  /** How often ended payments are counted. */
  measureEverySeconds: ['MEASURE_EVERY_SECONDS', seconds.default(10)],
  /** How often the journal is compared with what providers say. */
  reconcileEverySeconds: ['RECONCILE_EVERY_SECONDS', seconds.default(300)],
  cardFeeBps: ['CARD_FEE_BPS', count.default(350).transform(BigInt)],
  cardSessionSeconds: ['CARD_SESSION_SECONDS', seconds.default(900)],
  /** How long after a card page is opened the card gateway is first asked about it. */
  cardQueryAfterSeconds: ['CARD_QUERY_AFTER_SECONDS', seconds.default(30)],
  /** M-Pesa takes whole shillings only, as the real Daraja does. */
  mpesaWholeShillings: ['MPESA_WHOLE_SHILLINGS', flag.default(false)],
  /** The key that scatters Pay Bill numbers and signs answers to validations. Without it no checkout has a number. */
  payBillNumberKey: ['PAY_BILL_NUMBER_KEY', secret.optional()],
  /** The most that a Pay Bill confirmation is credited for at once when it does not bring our validation answer back. */
  payBillUnconfirmedMaxMinor: ['PAY_BILL_UNCONFIRMED_MAX_MINOR', minor.default(0n)],
  /** How long a Pay Bill confirmation that is not credited at once keeps its checkout open for the statement. */
  payBillHoldSeconds: ['PAY_BILL_HOLD_SECONDS', seconds.default(600)],
  /**
   * The most that a callback is credited for before a status query or the statement confirms it. For a Pay Bill
   * confirmation with our validation answer, the larger of this and `payBillUnconfirmedMaxMinor` counts.
   */
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
   * True where a test sets the clock of the database and itself ends what is overdue. No environment variable sets
   * this, and without it the ledger refuses a database whose clock is set.
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
