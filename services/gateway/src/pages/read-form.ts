import { isUtf8 } from 'node:buffer'
import { refuseField } from '@malipo/interface/validate'
import { Fault } from '@malipo/kernel/errors'
import { readBytes } from '@malipo/runtime/read-bytes'
import type { Request } from 'express'

const formBytesMax = 2_048
const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i
const keyShape = /^[0-9a-f]{32}$/

const sentForms = new WeakMap<Request, URLSearchParams>()

/** The form that a request brought, once it was read. */
export function sentForm(request: Request): URLSearchParams | undefined {
  return sentForms.get(request)
}

/** The form of a payer page, checked to come from our page, with the idempotency key that was made with it. */
export async function readPageForm(
  request: Request,
  origin: string,
): Promise<{ readonly fields: URLSearchParams; readonly idempotencyKey: string }> {
  refuseOtherSites(request, origin)
  const fields = await readForm(request)
  sentForms.set(request, fields)
  const idempotencyKey = fields.get('key') ?? ''
  if (!keyShape.test(idempotencyKey)) refuseField('key', 'must be that of the page')
  return { fields, idempotencyKey }
}

async function readForm(request: Request): Promise<URLSearchParams> {
  if (!formType.test(request.headers['content-type'] ?? ''))
    refuseField('Content-Type', 'must be a form')
  const bytes = await readBytes(request, formBytesMax)
  if (!isUtf8(bytes)) refuseField('body', 'must be UTF-8')
  return new URLSearchParams(bytes.toString('utf8'))
}

/**
 * Another site must not make a payer's browser ask for prompts. Browsers send Sec-Fetch-Site; older ones send the
 * origin, or `null` because our page sends no referrer.
 */
function refuseOtherSites(request: Request, origin: string): void {
  const site = request.get('sec-fetch-site')
  const formOrigin = request.get('origin') ?? 'null'
  const isOwn = site === undefined ? ['null', origin].includes(formOrigin) : site === 'same-origin'
  if (!isOwn) throw new Fault('origin_not_allowed')
}
