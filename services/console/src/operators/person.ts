/**
 * The subject of a person in the one spelling that the ledger keeps, however an identity provider or an operator spells
 * it. The ledger does the same (`readOperatorSubject`), so a difference between the two can only refuse.
 */
export function personOf(subject: string): string {
  return subject.normalize('NFKC').trim().toLowerCase()
}
