import { countries, type CountryRules, type MobileRail, type Rail } from '@malipo/kernel/countries'
import { promptTimes, type PromptTimes } from '@malipo/kernel/prompts'
import {
  count,
  country,
  flag,
  list,
  logLevel,
  port,
  readEnvironment,
  seconds,
  secret,
} from '@malipo/runtime/env'
import { identityDir } from '@malipo/runtime/tls-identity'
import { z } from 'zod'

export interface Config {
  readonly host: string
  readonly port: number
  readonly adminPort: number
  readonly logLevel: string
  readonly databaseUrl: string
  /** The folder with this process's own certificate and key, and the authority that signed all of them. */
  readonly tlsDir: string
  readonly country: CountryRules
  /**
   * A test sets the clock of the database, and ends what is overdue by that clock itself. No environment sets this, and a ledger
   * without it refuses such a database.
   */
  readonly isClockOfTest: boolean
  /** The rails that payers may use here. */
  readonly rails: readonly Rail[]
  /** How long a checkout can be paid. */
  readonly checkoutLifeSeconds: number
  /** How long an attempt may wait for its prompt to be sent, and then for the payer. */
  readonly intentStartSeconds: number
  /** A payment whose prompt would wait longer to be sent is refused: its payer is told that it is busy. */
  readonly promptWaitMaxSeconds: number
  /** The deadline and the first status query of each mobile rail. */
  readonly promptTimes: Readonly<Record<MobileRail, PromptTimes>>
  /** How often the provider is asked about a silent prompt after the first time. */
  readonly queryEverySeconds: number
  /** How long a report of payment that is not confirmed keeps its intent open, past its deadline. */
  readonly reportHoldSeconds: number
  /** How often the ledger audits itself. */
  readonly auditEverySeconds: number
  /** Where it marks how far its database is, outside of it; without it an older copy is not noticed. */
  readonly copyMarkFile: string | undefined
  /** How often ended payments are counted. */
  readonly measureEverySeconds: number
  /** How often it is compared with what providers say, which takes longer. */
  readonly reconcileEverySeconds: number
  readonly cardFeeBps: bigint
  /** How long the page is open in which a card is typed, and when the gateway is asked about it for the first time. */
  readonly cardSessionSeconds: number
  readonly cardQueryAfterSeconds: number
  /** M-Pesa takes whole shillings only, as the real Daraja does. */
  readonly mpesaWholeShillings: boolean
  /** By which Pay Bill numbers are scattered and validations sealed. Without it no checkout has a number. */
  readonly payBillNumberKey: Buffer | undefined
  /** The most that a Pay Bill confirmation is credited for at once when it does not bring our validation answer back. */
  readonly payBillUnconfirmedMaxMinor: bigint
  /** How long one above that keeps its checkout open while the statement has not confirmed it. */
  readonly payBillHoldSeconds: number
  /** The most that any callback is credited for before a status query or the statement confirms it. */
  readonly callbackUnconfirmedMaxMinor: bigint
}

interface ChangedTimes {
  readonly INTENT_DEADLINE_SECONDS?: number | undefined
  readonly QUERY_AFTER_SECONDS?: number | undefined
}

/** The times of the rails, as far as the environment leaves them as they are. */
function timesOf({
  INTENT_DEADLINE_SECONDS: deadline,
  QUERY_AFTER_SECONDS: queryAfter,
}: ChangedTimes): Config['promptTimes'] {
  const changed = (times: PromptTimes): PromptTimes => ({
    ...times,
    deadlineSeconds: deadline ?? times.deadlineSeconds,
    queryAfterSeconds: queryAfter ?? times.queryAfterSeconds,
  })
  const { mpesa, mtn_momo, airtel_money } = promptTimes
  return {
    mpesa: changed(mpesa),
    mtn_momo: changed(mtn_momo),
    airtel_money: changed(airtel_money),
  }
}

const minor = z.coerce.number().int().nonnegative().transform(BigInt)

const environment = z
  .object({
    HOST: z.string().default('127.0.0.1'),
    PORT: port,
    ADMIN_PORT: port,
    LOG_LEVEL: logLevel,
    DATABASE_URL: z.url(),
    TLS_DIR: identityDir,
    COUNTRY: country,
    RAILS: list.optional(),
    CHECKOUT_LIFE_SECONDS: seconds.default(1_800),
    INTENT_START_SECONDS: seconds.default(60),
    PROMPT_WAIT_MAX_SECONDS: seconds.default(10),
    // For every rail, instead of the rail's own, also where that is shorter than a prompt lives: for tests. Unset, each
    // rail has the deadline and the first query of `@malipo/kernel/prompts`.
    INTENT_DEADLINE_SECONDS: seconds.optional(),
    QUERY_AFTER_SECONDS: seconds.optional(),
    QUERY_EVERY_SECONDS: seconds.default(15),
    PAYMENT_REPORT_HOLD_SECONDS: seconds.default(600),
    AUDIT_EVERY_SECONDS: seconds.default(30),
    COPY_MARK_FILE: z.string().min(1).optional(),
    MEASURE_EVERY_SECONDS: seconds.default(10),
    RECONCILE_EVERY_SECONDS: seconds.default(300),
    CARD_FEE_BPS: count.default(350),
    CARD_SESSION_SECONDS: seconds.default(900),
    CARD_QUERY_AFTER_SECONDS: seconds.default(30),
    MPESA_WHOLE_SHILLINGS: flag.default(false),
    PAY_BILL_NUMBER_KEY: secret.optional(),
    PAY_BILL_UNCONFIRMED_MAX_MINOR: minor.default(0n),
    PAY_BILL_HOLD_SECONDS: seconds.default(600),
    CALLBACK_UNCONFIRMED_MAX_MINOR: minor.default(0n),
  })
  .refine(
    (read) =>
      countries[read.COUNTRY].mobileRails
        .map((rail) => timesOf(read)[rail])
        .every(({ queryAfterSeconds, deadlineSeconds }) => queryAfterSeconds < deadlineSeconds),
    {
      path: ['QUERY_AFTER_SECONDS'],
      message: 'must be shorter than INTENT_DEADLINE_SECONDS and the deadline of every rail',
    },
  )
  .refine((read) => read.PAY_BILL_NUMBER_KEY === undefined || read.COUNTRY === 'ke', {
    path: ['PAY_BILL_NUMBER_KEY'],
    message: 'is for Kenya only, where there is a Pay Bill menu',
  })
  .transform(({ RAILS, ...read }, context) => {
    const built: readonly Rail[] = [...countries[read.COUNTRY].mobileRails, 'card']
    const known: readonly Rail[] = [...built, 'paybill']
    const asked = RAILS ?? built
    const rails = known.filter((rail) => asked.includes(rail))
    if (rails.length < new Set(asked).size) {
      context.addIssue({
        code: 'custom',
        path: ['RAILS'],
        message: `knows ${known.join(', ')} here`,
      })
    }
    return { ...read, rails }
  })

export function readConfig(variables: NodeJS.ProcessEnv): Config {
  const read = readEnvironment(environment, variables)
  return {
    host: read.HOST,
    port: read.PORT,
    adminPort: read.ADMIN_PORT,
    logLevel: read.LOG_LEVEL,
    databaseUrl: read.DATABASE_URL,
    tlsDir: read.TLS_DIR,
    country: countries[read.COUNTRY],
    isClockOfTest: false,
    rails: read.rails,
    checkoutLifeSeconds: read.CHECKOUT_LIFE_SECONDS,
    intentStartSeconds: read.INTENT_START_SECONDS,
    promptWaitMaxSeconds: read.PROMPT_WAIT_MAX_SECONDS,
    promptTimes: timesOf(read),
    queryEverySeconds: read.QUERY_EVERY_SECONDS,
    reportHoldSeconds: read.PAYMENT_REPORT_HOLD_SECONDS,
    auditEverySeconds: read.AUDIT_EVERY_SECONDS,
    copyMarkFile: read.COPY_MARK_FILE,
    measureEverySeconds: read.MEASURE_EVERY_SECONDS,
    reconcileEverySeconds: read.RECONCILE_EVERY_SECONDS,
    cardFeeBps: BigInt(read.CARD_FEE_BPS),
    cardSessionSeconds: read.CARD_SESSION_SECONDS,
    cardQueryAfterSeconds: read.CARD_QUERY_AFTER_SECONDS,
    mpesaWholeShillings: read.MPESA_WHOLE_SHILLINGS,
    payBillNumberKey: read.PAY_BILL_NUMBER_KEY,
    payBillUnconfirmedMaxMinor: read.PAY_BILL_UNCONFIRMED_MAX_MINOR,
    payBillHoldSeconds: read.PAY_BILL_HOLD_SECONDS,
    callbackUnconfirmedMaxMinor: read.CALLBACK_UNCONFIRMED_MAX_MINOR,
  }
}
