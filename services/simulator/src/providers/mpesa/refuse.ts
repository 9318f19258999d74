import type { Understood } from '../rules/rail'
import { errorAnswer, invalidField, type DarajaError } from './errors'
import { nextRequestId } from './ids'
import type { Mpesa } from './state'

export type Refused = Extract<Understood, { readonly kind: 'refused' }>

export function refuse(mpesa: Mpesa, error: DarajaError): Refused {
  return { kind: 'refused', answer: errorAnswer(error, nextRequestId(mpesa)), why: error }
}

export function refuseField(mpesa: Mpesa, field: string): Refused {
  return {
    kind: 'refused',
    answer: invalidField(field, nextRequestId(mpesa)),
    why: `Invalid ${field}`,
  }
}
