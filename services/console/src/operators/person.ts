/**
 * The subject of a person in the one spelling that the ledger keeps, however an identity provider or an operator spells
 * it. The ledger normalises it too (`readOperatorSubject`): were the two to differ, an operator could only be refused.
 */
export function personOf(subject: string): string {
  return subject.normalize('NFKC').trim().toLowerCase()
}
