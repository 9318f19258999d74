import { z } from 'zod'
import type { BookRow, StatementWindow, Book } from '../../book/rules/book'
import { jsonAnswer, type Operation, type Understood, type WireAnswer } from '../rules/rail'
import { twoDecimals } from './callback-body'
import { asFields, fieldText, type Fields } from '../wire-call'
import { nextRequestId } from './ids'
import { isReceivingNumber, isTill } from './settings'
import { drawHex } from '../../sessions/rules/draw'
import { refuse } from './errors'
import type { Mpesa } from './state'
import { parseStatementTime, statementDate } from './times'
import { tokenProblem } from './issue-token'
import type { World } from '../../sessions/rules/world'

/**
 * `POST /pulltransactions/v1/query`: the payments of a short code between two times (providers.md 2.4). It answers for
 * an unregistered short code too, because a restart of this process forgets registrations, which Safaricom keeps.
 */
export function queryPullOperation(mpesa: Mpesa): Operation {
  return {
    moment: 'pull',
    method: 'POST',
    path: '/pulltransactions/v1/query',
    takesLies: true,
    understand(call) {
      const problem = tokenProblem(mpesa, call, 'invalid_token_pull')
      if (problem !== undefined) return refuse(mpesa, problem)
      const fields = asFields(call.json)
      return fields === undefined ? refuse(mpesa, 'invalid_payload') : understandPull(mpesa, fields)
    },
  }
}

/** A missing offset is 0: `Number('')` is 0. */
const offsetShape = z.coerce.number().int().min(0).max(1_000_000_000)

function understandPull(mpesa: Mpesa, fields: Fields): Understood {
  const business = fieldText(fields, 'ShortCode')
  if (!isReceivingNumber(mpesa.settings, business)) return refuse(mpesa, 'invalid_short_code_pull')
  const fromMs = parseStatementTime(fieldText(fields, 'StartDate'))
  const untilMs = parseStatementTime(fieldText(fields, 'EndDate'))
  const offset = offsetShape.safeParse(fieldText(fields, 'OffSetValue'))
  if (fromMs === undefined || untilMs === undefined || !offset.success) {
    return refuse(mpesa, 'invalid_payload')
  }
  // The times are whole seconds, and the period includes the whole last second.
  const window = { fromMs, untilMs: untilMs + 999, offset: offset.data, limit: pageRows }
  return {
    kind: 'understood',
    facets: { business },
    perform: (lie) => ({ answer: answerRows(mpesa, business, { ...window, lie }) }),
  }
}

/** How far back the statement reaches, and how many rows an answer has: the portal's sample has pages of 100. */
const reachMs = 48 * 3_600_000
const pageRows = 100

interface RowsRequest extends StatementWindow {
  /**
   * `till_emptied` lists the emptying of the till before the payments. `nairobi` and `nairobi_as_utc` change how
   * times are written. `national_numbers` leaves calling codes out. `not_registered` answers as for an unregistered
   * short code.
   */
  readonly lie: string | undefined
}

function answerRows(mpesa: Mpesa, business: string, request: RowsRequest): WireAnswer {
  const { world } = mpesa
  const fromMs = Math.max(request.fromMs, world.wallNow() - reachMs)
  if (request.lie === 'not_registered') {
    return answerOf(mpesa, '1001', 'No records found or Organization Name not available', [])
  }
  const before = request.lie === 'till_emptied' ? 1 : 0
  const offset = Math.max(request.offset - before, 0)
  const isEmptyingListed = request.offset < before
  const limit = request.limit - (isEmptyingListed ? 1 : 0)
  const paid = readStatement(world, business, { ...request, fromMs, offset, limit })
  const rows = paid.map((row) => rowOnWire(mpesa, row, request.lie))
  if (isEmptyingListed) rows.unshift(emptyingOnWire(mpesa, business, fromMs))
  world.events.append('pull_answered', { business, rows: rows.length })
  return rows.length === 0
    ? answerOf(mpesa, '1001', 'No transactions available for the selected time period', [])
    : answerOf(mpesa, '1000', 'Success', rows)
}

/** The list is inside another list, and the phone number is a JSON number, as the portal prints them. */
function answerOf(
  mpesa: Mpesa,
  code: string,
  message: string,
  rows: readonly RowOnWire[],
): WireAnswer {
  const answer = jsonAnswer(200, {
    ResponseRefID: nextRequestId(mpesa),
    ResponseCode: code,
    ResponseMessage: message,
    Response: [rows],
  })
  return { ...answer, body: answer.body.replace(/"msisdn":"(\d+)"/g, '"msisdn":$1') }
}

type RowOnWire = ReturnType<typeof rowOnWire>

function rowOnWire(mpesa: Mpesa, row: BookRow, lie: string | undefined) {
  const isOfTill = isTill(mpesa.settings, row.business)
  return {
    transactionId: row.receipt,
    trxDate: statementDate(row.atMs, lie),
    msisdn: lie === 'national_numbers' ? row.msisdn.slice(3) : row.msisdn,
    sender: 'MPESA',
    transactiontype: isOfTill ? 'c2b-buy-goods-debit' : 'c2b-pay-bill-debit',
    billreference: isOfTill ? '' : row.account,
    amount: twoDecimals(row.amountMinor),
    organizationname: mpesa.settings.businessName,
  }
}

/** The money of a business on its way to its head office: with the same id in each answer, and not in the book. */
function emptyingOnWire({ settings, world }: Mpesa, business: string, atMs: number): RowOnWire {
  return {
    transactionId: `S${drawHex(world.seed, `emptying of ${business}`, 9).toUpperCase()}`,
    trxDate: statementDate(atMs, undefined),
    msisdn: '254700000000',
    sender: settings.businessName,
    transactiontype: 'merchant-to-organization-settlement',
    billreference: '',
    amount: '22779.95',
    organizationname: settings.businessName,
  }
}

/**
 * The rows of a provider's statement: this session's book and, for the home session, those of the sessions that share
 * its API. A stack without a session reads its statement from the home session.
 */
function readStatement(
  { book, otherBooks }: Pick<World, 'book' | 'otherBooks'>,
  business: string,
  window: StatementWindow,
): readonly BookRow[] {
  const others = otherBooks()
  if (others.length === 0) return book.between(business, window)
  const { offset, limit } = window
  const whole = { ...window, offset: 0, limit: offset + limit }
  const read = (one: Book) => one.between(business, whole)
  return [book, ...others]
    .flatMap(read)
    .sort((one, other) => one.atMs - other.atMs)
    .slice(offset, offset + limit)
}
