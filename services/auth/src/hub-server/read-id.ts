import { refuseField } from '@malipo/interface/validate'
import type { Request } from 'express'

/** The `{id}` of a path: of a session, an endpoint or a delivery. Fault: invalid_request, before any look-up. */
export function readId({ params }: Request, prefix: 'ses_' | 'we_' | 'wd_'): string {
  const id = String(params['id'])
  if (!new RegExp(`^${prefix}[0-9a-f]{24}$`).test(id)) {
    refuseField('id', `must be ${prefix} and 24 hex characters`)
  }
  return id
}
