import { crc32, deflateSync } from 'node:zlib'
import { minorFromMajorText } from '@malipo/kernel/money'
import { encode } from 'uqr'
import { jsonAnswer, type Operation, type Performed, type Understood } from '../rules/rail'
import { asFields, type Fields, fieldText } from '../wire-call'
import { nextRequestId } from './ids'
import { receivingNumbers } from './settings'
import { refuse, refuseField } from './errors'
import type { Mpesa } from './state'
import { tokenProblem } from './issue-token'

/**
 * `POST /mpesa/qrcode/v1/generate`: draws a code that the M-PESA app pays by (providers.md, Dynamic QR). The content of
 * Safaricom's code is not documented; this one contains text that a person can read.
 */
export function generateQrOperation(mpesa: Mpesa): Operation {
  return {
    moment: 'qr',
    method: 'POST',
    path: '/mpesa/qrcode/v1/generate',
    understand(call) {
      const problem = tokenProblem(mpesa, call, 'invalid_token')
      if (problem !== undefined) return refuse(mpesa, problem)
      const fields = asFields(call.json)
      return fields === undefined ? refuse(mpesa, 'invalid_payload') : understandCode(mpesa, fields)
    },
  }
}

/** `BG` is a till, `PB` a Pay Bill number. The kinds for agents, phones and other businesses are not simulated. */
const kinds = ['BG', 'PB']

/** Two texts of this size and the short fields fit the 2,953 bytes of the largest QR code. */
const textBytesMax = 1_400

function understandCode(mpesa: Mpesa, fields: Fields): Understood {
  const business = fieldText(fields, 'CPI')
  const account = fieldText(fields, 'RefNo')
  const amountMinor = minorFromMajorText(fieldText(fields, 'Amount'))
  const kind = fieldText(fields, 'TrxCode')
  if (fieldText(fields, 'MerchantName') === '') return refuseField(mpesa, 'MerchantName')
  if (account === '') return refuseField(mpesa, 'RefNo')
  if (amountMinor === undefined) return refuseField(mpesa, 'Amount')
  if (!kinds.includes(kind)) return refuseField(mpesa, 'TrxCode')
  if (!receivingNumbers(mpesa.settings).includes(business)) return refuseField(mpesa, 'CPI')
  const tooLong = ['MerchantName', 'RefNo'].find(
    (field) => Buffer.byteLength(fieldText(fields, field)) > textBytesMax,
  )
  if (tooLong !== undefined) return refuseField(mpesa, tooLong)
  return {
    kind: 'understood',
    facets: { business, account, amountMinor },
    perform: () => answerCode(mpesa, fields, { business, account, amountMinor }),
  }
}

function answerCode(
  mpesa: Mpesa,
  fields: Fields,
  payment: { readonly business: string; readonly account: string; readonly amountMinor: bigint },
): Performed {
  const held = ['TrxCode', 'CPI', 'RefNo', 'Amount', 'MerchantName']
  const picture = drawCode(held.map((field) => fieldText(fields, field)).join('|')).toString(
    'base64',
  )
  mpesa.codes.set(picture, payment)
  return {
    answer: jsonAnswer(200, {
      ResponseCode: `AG_${nextRequestId(mpesa)}`,
      RequestID: nextRequestId(mpesa),
      ResponseDescription: 'The service request is processed successfully.',
      QRCode: picture,
    }),
  }
}

/** Pixels for each module, and the width in modules of the light border that readers need. */
const scale = 6
const border = 4

/** A QR code as a PNG, black on white. */
function drawCode(text: string): Buffer {
  const { data, size } = encode(text, { border })
  const side = size * scale
  const rows = data.flatMap((modules) => {
    const row = Buffer.from([
      0,
      ...modules.flatMap((isDark) => Array<number>(scale).fill(isDark ? 0 : 255)),
    ])
    return Array<Buffer>(scale).fill(row)
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // The header says eight bits for each pixel, in shades of grey.
  header.writeUInt8(8, 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
