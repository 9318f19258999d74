import { z } from 'zod'

/**
 * Daraja's bodies as they come, no stricter than the provider is: numbers arrive as strings and the other way round,
 * fields come and go, and unknown ones are none of our business (README.md).
 */

/** `0`, `"0"` and `"SFC_IC0003"` are all result codes. */
const code = z.union([z.string().min(1).max(32), z.number()]).transform(String)

export interface ErrorAnswer {
  readonly code: string
  readonly message: string
}

/** `{requestId, errorCode, errorMessage}`; some clients have seen the keys capitalised. */
const darajaError = z
  .record(z.string(), z.unknown())
  .transform((body) =>
    Object.fromEntries(Object.entries(body).map(([key, value]) => [key.toLowerCase(), value])),
  )
  .pipe(z.object({ errorcode: code, errormessage: z.string().default('') }))
  .transform((body): ErrorAnswer => ({ code: body.errorcode, message: body.errormessage }))

/**
 * The answer of the API gateway in front of Daraja; its codes are long paths, such as
 * `policies.ratelimit.QuotaViolation`.
 */
const gatewayError = z
  .object({
    fault: z.object({
      faultstring: z.string().default(''),
      detail: z.object({ errorcode: z.string().regex(/^[\w.]{1,128}$/) }),
    }),
  })
  .transform(({ fault }): ErrorAnswer => {
    const code = fault.detail.errorcode.split('.').at(-1) ?? ''
    return { code: code.slice(0, 32), message: fault.faultstring }
  })

export const errorAnswer = z.union([darajaError, gatewayError])

/** The answer to a push. `CustomerMessage` has been seen missing, and nothing here depends on it. */
export const pushAnswer = z.object({
  CheckoutRequestID: z.string().min(1).max(128),
  ResponseCode: code,
})

const metadataItem = z.object({
  Name: z.string(),
  Value: z.union([z.string(), z.number()]).transform(String),
})

/** The details of a paid prompt, by name. An item without a value, as `Balance` often is, hides no other. */
const metadata = z
  .object({ Item: z.array(z.unknown()) })
  .transform(({ Item }) => {
    const items = Item.map((item) => metadataItem.safeParse(item)).flatMap(({ data }) => data ?? [])
    return new Map(items.map(({ Name, Value }) => [Name, Value]))
  })
  .catch(() => new Map<string, string>())

export const callback = z.object({
  Body: z.object({
    stkCallback: z.object({
      CheckoutRequestID: z.string().min(1).max(128),
      ResultCode: code,
      /** Absent when nothing was paid. */
      CallbackMetadata: metadata,
    }),
  }),
})

/** The answer to a status query: a verdict, never a receipt and never an amount. */
export const queryAnswer = z.object({
  ResponseCode: code,
  CheckoutRequestID: z.string().min(1).max(128),
  ResultCode: code,
})

/** Text that has been seen as a number, as nothing at all, and with spaces around it. */
const looseText = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((text) => String(text ?? '').trim())

/** One row of the statement. The phone in it may be a number, masked or hashed. */
export const statementRow = z.object({
  transactionId: z.string(),
  trxDate: z.string().optional(),
  /** Our own reading of `trxDate`, which `statement-clock.ts` adds to one that cannot be true; null if none fits. */
  malipoPaidAt: z.string().nullish(),
  msisdn: looseText,
  billreference: looseText,
  amount: z.union([z.string(), z.number()]).transform(String),
  transactiontype: looseText,
})

/** A row of any kind: a row that is no payment may lack the fields of a payment. */
export const anyRow = z.object({
  transactionId: looseText,
  trxDate: looseText,
  amount: looseText,
  transactiontype: looseText,
})

/**
 * Money of a customer has `c2b` in its type; the emptying of a till, which the statement lists too, has not
 * (README.md).
 */
export function isPayment({ transactiontype }: { readonly transactiontype: string }): boolean {
  return transactiontype === '' || /c2b/i.test(transactiontype)
}

/** A Pay Bill payment, as Daraja asks about it before and reports it after (README.md). */
export const payBillMessage = z.object({
  TransID: z.string(),
  TransTime: looseText,
  TransAmount: z.union([z.string(), z.number()]).transform(String),
  BillRefNumber: looseText,
  ThirdPartyTransID: looseText,
  MSISDN: looseText,
})

/** A picture of some kilobytes, as PNG in base64. */
export const qrAnswer = z.object({ QRCode: z.base64().min(1) })

/**
 * The answer to the registration of addresses. The code has been seen as `0`, padded with zeros, and missing in a
 * sandbox.
 */
export const registerAnswer = z.union([
  z.object({ ResponseCode: z.string().regex(/^0+$/) }),
  z.object({
    ResponseCode: z.undefined().optional(),
    ResponseDescription: z.string().regex(/^success$/i),
  }),
])

const isRow = (row: unknown) => typeof row === 'object' && row !== null

/** A page of the statement: its rows are nested twice, in some answers once, and kept as they came. */
export const statementPage = z
  .object({
    ResponseCode: code,
    /** For an empty page the portal prints the list in quotes. */
    Response: z.union([z.array(z.unknown()), z.literal('[[]]').transform((): unknown[] => [])]),
  })
  .transform(({ ResponseCode, Response }) => {
    // Only an object is a row: a page of anything else would be asked for again for ever.
    return { ResponseCode, rows: Response.flat().filter((row) => isRow(row)) }
  })
  // A page without rows ends the statement, so its code has to be one of the two that are documented for it.
  .refine(({ ResponseCode, rows }) => {
    return rows.length > 0 || ['1000', '1001'].includes(ResponseCode)
  })

const doubtfulWords = new Map([
  ['1001', /no records found|organization name/i],
  ['500', /failed to retrieve transactions/i],
])

/** The answer about a quiet short code, and the same about one that was never registered for Pull (README.md). */
export const doubtfulPage = z
  .object({ ResponseCode: code, ResponseMessage: z.string() })
  .refine(({ ResponseCode, ResponseMessage }) => {
    return doubtfulWords.get(ResponseCode)?.test(ResponseMessage) === true
  })

/** The acknowledgement of an operator's command. */
export const operationAnswer = z.object({
  OriginatorConversationID: z.string().min(1).max(128),
  ResponseCode: code,
})

/** Some parameters come without a value, and one alone may not come as a list. */
const parameter = z.object({
  Key: z.string(),
  Value: z.union([z.string(), z.number()]).optional(),
})

/** The outcome of an operator's command. */
export const operationResult = z
  .object({
    Result: z.object({
      ResultCode: code,
      OriginatorConversationID: z.string().min(1).max(128),
      TransactionID: z.string().max(64).optional(),
      ResultParameters: z
        .object({
          ResultParameter: z.union([z.array(parameter), parameter.transform((one) => [one])]),
        })
        .optional(),
    }),
  })
  .transform(({ Result }) => ({
    code: Result.ResultCode,
    originatorConversationId: Result.OriginatorConversationID,
    transactionId: Result.TransactionID,
    parameters: new Map(
      Result.ResultParameters?.ResultParameter.map(({ Key, Value }) => [
        Key,
        String(Value ?? '').trim(),
      ]),
    ),
  }))

/** M-Pesa writes East African Time, UTC+3 all year, mostly without saying so (README.md). */
export const eastAfricanMs = 3 * 60 * 60 * 1_000

/** `20261120142501`: the form of the time in a password. */
export function compactTime(atMs: number): string {
  return statementTime(atMs).replace(/\D/g, '')
}

/** `2026-11-20 14:25:01`: the form of the times in a request for the statement. */
export function statementTime(atMs: number): string {
  return new Date(atMs + eastAfricanMs).toISOString().slice(0, 19).replace('T', ' ')
}

const compactShape = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/

/** Reads `20261120142525`; undefined for any other text. */
export function readCompactTime(text: string): Date | undefined {
  if (!compactShape.test(text)) return undefined
  return readIso(text.replace(compactShape, '$1-$2-$3T$4:$5:$6+03:00'))
}

/** Reads `2026-11-20T14:25:25+03:00` and, where no zone is given, East African Time. */
export function readStatementTime(text: string): Date | undefined {
  const iso = text.trim().replace(' ', 'T')
  return readIso(/(?:Z|[+-]\d{2}:?\d{2})$/.test(iso) ? iso : `${iso}+03:00`)
}

export function readPaidAt(row: z.output<typeof statementRow>): Date | undefined {
  const { trxDate = '', malipoPaidAt } = row
  return malipoPaidAt === undefined ? readStatementTime(trxDate) : readIso(malipoPaidAt ?? '')
}

function readIso(iso: string): Date | undefined {
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? undefined : time
}
