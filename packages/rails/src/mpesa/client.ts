import type { SubmitOutcome } from '@malipo/kernel/provider-fact'
import { type Exchange, readJson } from '../exchange'
import { inLine, type Throttled } from '../line'
import type {
  Fetched,
  Listed,
  PayBill,
  Prompt,
  QrDrawn,
  Rail,
  RailWiring,
  StatementSearch,
} from '../rail'
import { type Call, meaningOf, openDaraja } from './daraja'
import { aroundAttempt, pageBody, pushBody, qrBody, queryBody, registerBody } from './outbound'
import { readPushAnswer } from './inbound'
import { pausing, waiting } from './over-rate'
import { openRefunds } from './refund'
import { isNothingFound, isShortCodeRefused } from './result-codes'
import { type MpesaSettings, receivingNumber } from './settings'
import { type StatementSpan, inTime } from './statement-clock'
import {
  anyRow,
  doubtfulPage,
  errorAnswer,
  isPayment,
  qrAnswer,
  queryAnswer,
  registerAnswer,
  statementPage,
  statementRow,
} from './wire'

/** Daraja's production host keeps registered addresses until the portal changes them. Other hosts may forget them. */
const productionUrl = 'https://api.safaricom.co.ke'
/** The most bytes read of an answer: the ledger stores no longer body. A usual answer is a tenth of that. */
const answerBytesMax = 8_192
const pageBytesMax = 1_048_576
const pictureBytesMax = 262_144
/** How far back Pull Transactions lists payments. */
const reachMs = 48 * 3_600_000
/** How long after a statement has shown a row we count as allowed to read it. */
const shownForMs = 3_600_000
/** The most pages read for one caller. Ten minutes of a statement have few; for days of it the caller calls again. */
const pagesMax = 20

/** Opens the rail `mpesa`: STK push, its status query, and the statement, over Daraja. */
export function openMpesa(settings: MpesaSettings, wiring: RailWiring): Rail {
  const { call, checkCredentials } = openDaraja(settings, wiring)
  const query = pausing(call, wiring)
  const pull = waiting(call, wiring)

  const submit = async (prompt: Prompt): Promise<SubmitOutcome> => {
    const outcome = await inLine(wiring, () => push(prompt))
    const isOurs = outcome.kind === 'refused' && outcome.cause === 'refused'
    if (isOurs) wiring.countEvent('provider_misconfigured')
    return outcome
  }

  const push = async (prompt: Prompt): Promise<SubmitOutcome | Throttled> => {
    const body = pushBody(prompt, settings, wiring.now())
    const path = '/mpesa/stkpush/v1/processrequest'
    const answer = await call(path, body, answerBytesMax, prompt.sendByMs)
    if (answer.kind === 'lost') return { kind: 'unknown', detail: answer.detail }
    if (answer.kind === 'not_sent') return answer
    return readPushAnswer(answer.status, answer.body)
  }

  const askStatus = async (providerRequestId: string): Promise<Fetched> => {
    const body = queryBody(providerRequestId, settings, wiring.now())
    const answer = await query('/mpesa/stkpushquery/v1/query', body, answerBytesMax)
    if (answer.kind !== 'answered') return { kind: 'unanswered', detail: answer.detail }
    return isAboutThePayment(answer)
      ? { kind: 'answered', bodies: [answer.body] }
      : { kind: 'unanswered', detail: detailOf(answer) }
  }

  const findInStatement = async (search: StatementSearch): Promise<Fetched> => {
    // A statement row of a till names no checkout, so a search finds nothing: the ledger matches the row later.
    if (settings.till !== undefined) return { kind: 'answered', bodies: [] }
    const span = aroundAttempt(search, wiring.now())
    const bodyAt = (rowOffset: number) => pageBody(span, settings, rowOffset)
    const wanted = {
      isWanted: (row: unknown) => isOf(search, row),
      isOneEnough: true,
      rowsBefore: 0,
    }
    const found = await readPages(pull, bodyAt, wanted)
    if (found.kind !== 'answered') return { kind: 'unanswered', detail: found.detail }
    return { kind: 'answered', bodies: bodiesOf(found.rows, span, wiring) }
  }

  const { shortcode, operator } = settings
  return {
    name: 'mpesa',
    checkCredentials,
    submit,
    askStatus,
    findInStatement,
    payBill: payBill(settings, { call, pull }, wiring),
    drawQr: (wanted) => drawQr(call, qrBody(wanted, settings)),
    ...(operator && { refunds: openRefunds({ shortcode, operator }, call, wiring) }),
  }
}

async function drawQr(call: Call, body: object): Promise<QrDrawn> {
  const answer = await call('/mpesa/qrcode/v1/generate', body, pictureBytesMax)
  if (answer.kind !== 'answered') return { kind: 'unavailable', detail: answer.detail }
  const drawn = qrAnswer.safeParse(readJson(answer.body))
  if (!drawn.success) return { kind: 'unavailable', detail: detailOf(answer) }
  return { kind: 'drawn', png: Buffer.from(drawn.data.QRCode, 'base64') }
}

/** Payments that payers start in M-PESA's menu. In production a short code's addresses can be registered only once. */
function payBill(
  settings: MpesaSettings,
  { call, pull }: { readonly call: Call; readonly pull: Call },
  wiring: Pick<RailWiring, 'countEvent' | 'now'>,
): PayBill {
  const anyRows = { isWanted: () => true, isOneEnough: false, rowsBefore: 0 }
  let shownAtMs = -Infinity

  /** Reads the last 48 hours after a doubtful answer. Undefined if they have a row: the answer meant "no payment". */
  const failureOf = async (doubt: string): Promise<Failure | undefined> => {
    const untilMs = wiring.now()
    const bodyAt = (rowOffset: number) =>
      pageBody({ fromMs: untilMs - reachMs, untilMs }, settings, rowOffset)
    const recent = await readPages(pull, bodyAt, { ...anyRows, isOneEnough: true })
    if (recent.kind !== 'answered') return recent
    if (recent.rows.length === 0) {
      return { kind: 'doubtful', detail: `${doubt}, and no row in 48 hours` }
    }
    shownAtMs = untilMs
    return undefined
  }

  return {
    shortCode: receivingNumber(settings),
    isRegistrationLasting: settings.baseUrl === productionUrl,
    async register(urls) {
      const body = registerBody(urls, settings)
      const answer = await call('/mpesa/c2b/v2/registerurl', body, answerBytesMax)
      if (answer.kind !== 'answered') return { kind: 'unanswered', detail: answer.detail }
      const json = readJson(answer.body)
      if (registerAnswer.safeParse(json).success) return { kind: 'registered' }
      if (isRegisteredBefore(json)) return { kind: 'registered_before' }
      return { kind: 'unanswered', detail: detailOf(answer) }
    },

    async listPayments({ from, until, rowOffset: known }) {
      const span = { fromMs: from.getTime(), untilMs: until.getTime() }
      const bodyAt = (rowOffset: number) => pageBody(span, settings, rowOffset)
      const listed = await readPages(pull, bodyAt, { ...anyRows, rowsBefore: known })
      if (listed.kind !== 'answered') return listed
      const { rows, isWhole, doubt, cutOff } = listed
      if (rows.length > 0) shownAtMs = wiring.now()
      // Safaricom can revoke the right to read, so only a recent row proves that we still have it.
      const isShownLately = wiring.now() - shownAtMs < shownForMs
      const failure = doubt === undefined || isShownLately ? undefined : await failureOf(doubt)
      if (failure !== undefined) return failure
      const answered = { kind: 'answered', bodies: bodiesOf(rows, span, wiring) } as const
      if (cutOff !== undefined) return { ...answered, cutOff }
      return isWhole ? answered : { ...answered, nextRowOffset: known + rows.length }
    },
  }
}

/** Safaricom's "duplicate notification info" means addresses that were registered by way of an aggregator. */
function isRegisteredBefore(json: unknown): boolean {
  const error = errorAnswer.safeParse(json)
  return error.success && /already registered|duplicate notification info/i.test(error.data.message)
}

interface Wanted {
  readonly isWanted: (row: unknown) => boolean
  readonly isOneEnough: boolean
  /** The number of rows of the statement that were read before the first page. */
  readonly rowsBefore: number
}

type Pages =
  | Failure
  | {
      readonly kind: 'answered'
      readonly rows: readonly unknown[]
      readonly isWhole: boolean
      /** Why the end of the rows may not be the end of the statement. */
      readonly doubt?: string | undefined
      readonly cutOff?: string
    }

const astray = { kind: 'unanswered', detail: 'the offset is not understood' } as const

/**
 * Reads rows of the statement, page by page, until the end or a wanted row. Each further page is asked for from the
 * last known row, and has to begin with it: the documents differ on whether an offset counts rows or pages, and with
 * the wrong reading rows would be lost, or read for ever.
 */
async function readPages(
  call: Call,
  bodyAt: (rowOffset: number) => object,
  { isWanted, isOneEnough, rowsBefore }: Wanted,
): Promise<Pages> {
  const found: unknown[] = []
  let rowsKnown = rowsBefore
  let last: unknown
  for (let page = 0; page < pagesMax; page += 1) {
    const from = Math.max(rowsKnown - 1, 0)
    const answer = await call('/pulltransactions/v1/query', bodyAt(from), pageBytesMax)
    const { rows, failure, doubt } = newRows(rowsOf(answer, rowsKnown), rowsKnown, last)
    if (failure !== undefined) {
      if (found.length === 0) return failure
      // The rows of the earlier pages are valid although this page cannot be read.
      const cut = failure === astray && { cutOff: failure.detail }
      return { kind: 'answered', rows: found, isWhole: false, ...cut }
    }
    found.push(...rows.filter(isWanted))
    if (rows.length === 0 || (isOneEnough && found.length > 0)) {
      return { kind: 'answered', rows: found, isWhole: true, doubt }
    }
    rowsKnown += rows.length
    last = rows.at(-1)
  }
  return { kind: 'answered', rows: found, isWhole: false }
}

type Failure = Exclude<Listed, { kind: 'answered' }>
type Page =
  | { readonly rows: readonly unknown[]; readonly doubt?: string; readonly failure?: undefined }
  | { readonly rows?: undefined; readonly doubt?: undefined; readonly failure: Failure }

/** Drops the known row that begins each further page. `last` is undefined where an earlier call read that row. */
function newRows(page: Page, rowsKnown: number, last: unknown): Page {
  if (rowsKnown === 0 || page.failure !== undefined) return page
  const [first, ...rows] = page.rows
  const isThere = first !== undefined && (last === undefined || idOf(first) === idOf(last))
  return isThere ? { rows } : { failure: astray }
}

function idOf(row: unknown): string {
  const { transactionId = '' } = anyRow.safeParse(row).data ?? {}
  return transactionId === '' ? JSON.stringify(row) : transactionId
}

/** Reads the rows of an answer; an error that says that there are none is a page without rows. */
function rowsOf(answer: Exchange, rowsBefore: number): Page {
  if (answer.kind !== 'answered') return { failure: { kind: 'unanswered', detail: answer.detail } }
  const json = readJson(answer.body)
  const page = statementPage.safeParse(json)
  if (page.success && page.data.rows.length > 0) return { rows: page.data.rows }
  const code = doubtOf(json, rowsBefore)
  if (code !== undefined) return { rows: [], doubt: `http ${String(answer.status)}, ${code}` }
  if (page.success) return { rows: [] }
  const error = errorAnswer.safeParse(json)
  if (error.success && isNothingFound(error.data)) return { rows: [] }
  const isRefused = error.success && isShortCodeRefused(error.data)
  return { failure: { kind: isRefused ? 'not_granted' : 'unanswered', detail: detailOf(answer) } }
}

/** The code of an answer that may mean "no rows" or "not allowed". Code 500 after the first rows is a plain failure. */
function doubtOf(json: unknown, rowsBefore: number): string | undefined {
  const code = doubtfulPage.safeParse(json).data?.ResponseCode
  return code === '500' && rowsBefore > 0 ? undefined : code
}

type Answered = Extract<Exchange, { kind: 'answered' }>

/** Whether an answer is a verdict, which comes with HTTP 200 alone, or one of the two forms of "still processing". */
function isAboutThePayment({ status, body }: Answered): boolean {
  const isVerdict = status === 200 && queryAnswer.safeParse(readJson(body)).success
  return isVerdict || meaningOf(body) === 'processing'
}

function detailOf(answer: Answered): string {
  const error = errorAnswer.safeParse(readJson(answer.body))
  const code = error.success ? `, ${error.data.code}` : ''
  return `http ${String(answer.status)}${code}`
}

/** Whether a row pays this attempt. The case of its reference may differ, and outgoing money may have it too. */
function isOf(search: StatementSearch, row: unknown): boolean {
  const parsed = statementRow.safeParse(row)
  if (!parsed.success || !isPayment(parsed.data)) return false
  return parsed.data.billreference.trim().toUpperCase() === search.attemptReference.toUpperCase()
}

/** Makes a body of each row, as the ledger stores no body as long as a page. The fields of a row stay as they came. */
function bodiesOf(
  rows: readonly unknown[],
  span: StatementSpan,
  { countEvent }: Pick<RailWiring, 'countEvent'>,
): readonly Uint8Array[] {
  const timed = rows.map((row) => inTime(row, span))
  if (timed.some((row, place) => row !== rows[place])) countEvent('statement_clock')
  return timed.map((row) => Buffer.from(JSON.stringify(row)))
}
