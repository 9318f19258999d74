import type { Understood } from '../rules/rail'
import { errorAnswer, type MtnError } from './errors'

export type Refused = Extract<Understood, { readonly kind: 'refused' }>

export function refuse(error: MtnError): Refused {
  return { kind: 'refused', answer: errorAnswer(error), why: error }
}
