import type { Understood } from '../rules/rail'
import { errorAnswer, type AirtelError } from './errors'

export type Refused = Extract<Understood, { readonly kind: 'refused' }>

export function refuse(error: AirtelError): Refused {
  return { kind: 'refused', answer: errorAnswer(error), why: error }
}
