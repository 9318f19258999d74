import type { Understood } from '../rules/rail'
import { type CardError, errorAnswer } from './errors'

export type Refused = Extract<Understood, { readonly kind: 'refused' }>

export function refuse(error: CardError, detail?: string): Refused {
  return { kind: 'refused', answer: errorAnswer(error, detail), why: detail ?? error }
}
